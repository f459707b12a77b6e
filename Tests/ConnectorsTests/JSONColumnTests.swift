import ConnectorProtocol
import ConnectorTesting
import Testing

@testable import Connectors
@testable import JSON

@Suite("Connectors: tabs with JSON") struct JSONColumnTests {
    private static let dump = """
        /type/edition\t/books/OL1M\t5\t2010-01-02T03:04:05\t{"title": "The\\tLake", "isbn_13": ["9780306406157"]}
        /type/author\t/authors/OL1A\t1\t2010-01-02T03:04:05\t{"name": "Ann Alpha"}
        /type/work\t/works/OL1W\t1\t2010-01-02T03:04:05\t{"title": "The Hill"}\r
        /type/redirect\t/books/OL2M\t2\t2010-01-02T03:04:05\t{"location": "/books/OL1M"}

        """

    @Test("The editions and works of a dump are rows as they are")
    func dump() throws {
        let copy = try Mirrored(Self.dump, name: "ol_dump.txt")
        #expect(copy.lines == [#"{"title": "The\tLake", "isbn_13": ["9780306406157"]}"#, #"{"title": "The Hill"}"#])
        #expect(copy.opened.kind == "json" && copy.copy.isComplete && copy.copy.defects == [])
    }

    @Test("Lines without a type are all rows; a later line without an object is reported")
    func withoutTypes() throws {
        let lines =
            (1...30).map { "\($0)\t{\"title\": \"Book \($0)\"}" } + ["31\tnothing", "", "32\t{\"title\": \"Last\"}"]
        let copy = try Mirrored(lines.joined(separator: "\n"), name: "books.tsv")
        #expect(copy.rows.count == 31 && copy.rows.last?["title"]?.string == "Last")
        #expect(copy.copy.defects.map(\.kind) == [.malformed] && copy.copy.defects.first?.first == .line(31))
    }

    @Test("A table with a column of JSON at its end has a header, and stays a table")
    func table() throws {
        let copy = try Mirrored("title\tmore\nThe Lake\t{\"a\": 1}\n", name: "books.tsv")
        #expect(copy.opened.kind == "tsv" && copy.rows.first?["title"]?.string == "The Lake")
    }
}
