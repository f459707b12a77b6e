import JSON
import Testing

@testable import Connectors

@Suite("The first book at a letter or number, on a search engine")
struct EngineBoundTests {
    private func bound(_ typed: String, number: Bool = false, date: Bool = false, descending: Bool = false)
        -> EngineBound?
    {
        EngineBound(typed, isNumber: number, isDate: date, isDescending: descending)
    }

    @Test(
        "A year among dates begins and ends in milliseconds since 1970",
        arguments: [
            ("1970", false, "0"), ("1970", true, "31535999999"), ("2000", false, "946684800000"),
            ("2000", true, "978307199999"), ("1969", true, "-1"), ("1600", false, "-11676096000000"),
        ])
    func dates(year: String, isDescending: Bool, milliseconds: String) {
        #expect(bound(year, date: true, descending: isDescending)?.json == .number(milliseconds))
    }

    @Test("Numbers are as typed, and letters among numbers are no bound")
    func numbers() {
        #expect(bound("1984", number: true, descending: true)?.json == .number("1984"))
        #expect(bound("m", number: true) == nil && bound("m", date: true) == nil)
    }

    @Test("Texts begin with a capital letter, and end after all that begin so in a descending order")
    func texts() {
        #expect(bound("é")?.json == .string("É"))
        #expect(bound("m", descending: true)?.json == .string("M\u{10FFFF}"))
    }

    @Test("Solr has dates as text")
    func solr() {
        #expect(bound("0984", date: true)?.solrText == "\"0984-01-01T00:00:00Z\"")
        #expect(bound("984", date: true, descending: true)?.solrText == "\"0984-12-31T23:59:59.999Z\"")
        #expect(bound("m\"n")?.solrText == "\"M\\\"N\"")
    }
}
