import JSON
import Testing

@testable import Books

@Suite("Coercion: publishers with the edition behind them") struct ImprintTests {
    @Test(arguments: [
        ("Press (1989), Edition: First, 320 pages", "Press"), ("Penguin Classics (2003)", "Penguin Classics"),
        ("Harper (U.S.) (2001), Paperback", "Harper (U.S.)"), ("新潮社 (1987), 300 pages", "新潮社"),
    ])
    func thePublisherIsBeforeTheYear(text: String, publisher: String) throws {
        let found = try #require(Imprint(text))
        #expect(found.publisher == publisher && found.text == text)
    }

    @Test(arguments: ["Press", "Press (UK)", "Press (1989) & Co", "(1989), 320 pages", "Press (89)", "Press (1989", ""])
    func otherTextsStay(text: String) { #expect(Imprint(text) == nil) }

    @Test func aCandidateReadsAndWritesThePublisher() throws {
        let candidate = FieldMapping.Candidate(try FieldPath("Publication"), split: "imprint")
        let mapping = FieldMapping(rules: [.publisher: .init([candidate])])
        let record = JSONValue.object([.init(key: "Publication", value: .string("Press (1989), 320 pages"))])
        #expect(mapping.book(from: record).publisher == "Press")
        var book = mapping.book(from: record)
        book.publisher = "Other"
        let changed = mapping.record(of: book, in: record, writing: [.publisher], like: nil)
        #expect(changed["Publication"]?.string == "Other (1989), 320 pages")
    }
}
