import TestSupport
import Testing

@testable import Books
@testable import Catalog
@testable import JSON
@testable import stacks

@Suite("Validation: a sample of records") struct RecordSampleTests {
    private let temporary: TemporaryDirectory

    init() throws { temporary = try TemporaryDirectory() }

    private func records(_ text: String, at path: String? = nil) throws -> RecordSample {
        let file = try temporary.write(text.utf8, to: "a.json")
        return try RecordSample(ofCatalogAt: file, at: path.map { try FieldPath($0) })
    }

    private static let book = #"{"werk": "Der Prozess", "verfasser": "Franz Kafka", "seiten": 312}"#

    @Test(arguments: [
        ("[\(book)]", "[*]", 1), ("{\"a\": {\"b\": [\(book), \(book)]}}", "a.b[*]", 2), (book, "$", 1),
        ("{\"x1\": \(book), \"x2\": \(book)}", "[*]", 2), ("\(book)\n\(book)\n\(book)\n", "[*]", 3),
        ("\u{FEFF}[\(book)]", "[*]", 1),
        // Objects within a book are not books, even if there are more of them.
        (
            #"[{"werk": "A B", "verfasser": [{"name": "X Y"}, {"name": "Z W"}], "seiten": 3}]"#, "[*]", 1
        ),
        // Groups of books are not books.
        (
            "{\"groups\": [{\"k\": 1, \"items\": [\(book), \(book)]}, {\"k\": 2, \"items\": [\(book)]}]}",
            "groups[*].items[*]", 3
        ),
        // A long list of other objects is ignored.
        ("{\"log\": [{\"n\": 1}, {\"n\": 2}, {\"n\": 3}], \"bestand\": [\(book)]}", "bestand[*]", 1),
    ])
    func recordsAreFoundAtAnyPath(text: String, path: String, count: Int) throws {
        let found = try records(text)
        #expect(found.paths.map(\.description) == [path])
        #expect(found.count == count)
        #expect(found.records.count == count)
        #expect(found.format == nil)
    }

    @Test func aKnownFormatIsReadByItsProfile() throws {
        let found = try records(#"{"metadata": {"title": "Feed"}, "publications": [{"metadata": {"title": "A"}}]}"#)
        #expect(found.format?.profile.name == "opds")
        #expect(found.paths.first?.description == "publications[*]")
        #expect(found.records == [try #require(JSONValue(parsing: #"{"metadata": {"title": "A"}}"#.utf8))])
        // The records of the profile are nested in the elements.
        let google = try records(#"{"kind": "books#volumes", "items": [{"id": "1", "volumeInfo": {"title": "A"}}]}"#)
        #expect(google.format?.profile.name == "google")
        #expect(google.paths.first?.description == "items[*]")
        let mapping = try #require(google.format?.mapping)
        #expect(google.records.map { mapping.book(from: $0).title } == ["A"])
    }

    @Test(arguments: [("a.b", "a.b[*]"), ("a.b[*]", "a.b[*]"), ("a.c", "a.c")])
    func theUsersRecordPathIsUsed(path: String, found: String) throws {
        let text = "{\"a\": {\"b\": [\(Self.book), 7], \"c\": {\"t\": 1}}, \"d\": [\(Self.book), \(Self.book)]}"
        let records = try records(text, at: path)
        #expect(records.paths.map(\.description) == [found])
        #expect(records.count == 1)
    }

    @Test func manyRecordsAreSampled() throws {
        let text = "[" + (0..<2500).map { "{\"werk\": \"Nummer \($0) von vielen\"}" }.joined(separator: ",") + "]"
        let found = try records(text)
        #expect(found.count == 2500)
        #expect(found.records.count == 834)
        #expect(found.records.last?["werk"] == .string("Nummer 2499 von vielen"))
    }

    @Test(arguments: ["", "7", "{oops", "[1, 2]", #"[{"n": 1}]"#])
    func missingRecordsAreReported(text: String) throws {
        #expect(throws: RecordSample.Refusal.self) { try records(text) }
    }

    @Test func missingRecordsAtAPathAreReported() throws {
        let path = try FieldPath("none[*]")
        let refusal = #expect(throws: RecordSample.Refusal.self) { try records("[\(Self.book)]", at: "none[*]") }
        #expect(refusal == .nothing(at: path))
    }
}
