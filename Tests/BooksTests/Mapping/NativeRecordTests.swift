import Testing

@testable import Books
@testable import Catalog
@testable import JSON

@Suite("Mapping: the native record") struct NativeRecordTests {
    private let identity = BookIdentity(key: .init(hashOf: Book(title: "A", authors: ["B"])))

    private var whole: Book {
        var book = Book(
            title: "A \"quoted\" title", authors: ["B", "C"], isbn: ISBN("978-0441478125"), pageCount: 304,
            fiction: true)
        book.subtitle = "S"
        book.sortTitle = "quoted title, A"
        book.publisher = "P"
        book.published = PartialDate(year: 1969, month: 3)
        book.languages = ["en", "fr"]
        book.subjects = ["One", "Two; three"]
        book.series = "Hainish Cycle"
        book.seriesPosition = 4.5
        book.description = "First.\nSecond."
        book.cover = "https://example.org/c.jpg"
        book.identifiers = [
            .init(scheme: "doi", value: "10.1000/182"), .init(scheme: "oclc", value: "7"),
            .init(scheme: "doi", value: "10.1000/183"),
        ]
        book.contributors = [.init(name: "D", role: "translator"), .init(name: "E")]
        book.rating = 4
        book.status = .toRead
        book.dateAdded = PartialDate(year: 2024, month: 2, day: 29)
        return book
    }

    @Test func theFiveBasicFieldsArePresentEvenIfUnknown() {
        #expect(
            Book(title: "A", authors: ["B"]).nativeRecord(identity: identity).json
                == #"{"id":"\#(identity)","title":"A","authors":["B"],"isbn":null,"pageCount":null,"fiction":null}"#)
        #expect(Book(title: "").nativeRecord(identity: identity)["authors"] == .array([]))
    }

    @Test func allFieldsHaveTheirNamesKindsAndOrder() {
        var book = whole
        book.sourceID = "17"
        #expect(
            book.nativeRecord(identity: BookIdentity("isbn:9780441478125~2")!).json == """
                {"id":"isbn:9780441478125~2","title":"A \\"quoted\\" title","authors":["B","C"],"isbn":"978-0441478125",\
                "pageCount":304,"fiction":true,"sourceID":"17","subtitle":"S","sortTitle":"quoted title, A",\
                "publisher":"P","published":"1969-03","language":["en","fr"],"subjects":["One","Two; three"],\
                "series":"Hainish Cycle","seriesPosition":4.5,"description":"First.\\nSecond.",\
                "cover":"https://example.org/c.jpg","identifiers":[{"scheme":"doi","value":"10.1000/182"},\
                {"scheme":"oclc","value":"7"},{"scheme":"doi","value":"10.1000/183"}],\
                "contributors":[{"name":"D","role":"translator"},{"name":"E"}],"rating":4,"status":"to-read",\
                "dateAdded":"2024-02-29"}
                """)
    }

    /// stacks can read the catalogs that it prints.
    @Test func theNativeProfileReadsTheBookBack() throws {
        let mapping = try #require(Profile.builtIn(named: "native")).mapping
        var ancient = Book(title: "Ἰλιάς", authors: ["Ὅμηρος"], fiction: false)
        ancient.published = PartialDate(year: -750)
        ancient.seriesPosition = 1
        ancient.rating = 3.35
        for var book in [whole, ancient] {
            let read = mapping.book(from: book.nativeRecord(identity: identity))
            // The identity has replaced the catalog's key.
            book.sourceID = identity.description
            #expect(read == book)
        }
    }

    @Test func itEqualsTheRecordThatTheNativeProfileWrites() throws {
        let mapping = try #require(Profile.builtIn(named: "native")).mapping
        let written = mapping.record(of: whole)
        let record = whole.nativeRecord(identity: identity)
        for member in try #require(written.members) where member.key != "identifiers" && member.key != "contributors" {
            #expect(record[member.key] == member.value, "\(member.key)")
        }
        #expect(written["identifiers"] != nil && record["identifiers"] != nil)
    }
}
