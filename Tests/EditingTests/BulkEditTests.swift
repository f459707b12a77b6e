import Books
import CatalogTesting
import Foundation
import Indexing
import JSON
import Storage
import TestSupport
import Testing

@testable import Catalog
@testable import Editing

@Suite("Editing many books") struct BulkEditTests: CatalogEditing {
    let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    /// A catalog of many books; some records are longer than the part of a file that is read at once.
    private func text(year: Int) -> String {
        let records = (0..<1500).map { number in
            let length = number % 97 == 0 ? 40_000 : number % 300
            return #"{"title": "Book \#(number)", "description": "\#(String(repeating: "é", count: length))", "#
                + #""year": \#(number % 10 == 0 ? 1999 : year), "isbn": "9780141439587"}"#
        }
        return "[\n" + records.joined(separator: ",\n") + "\n]\n"
    }

    @Test func recordsOfAnyLengthAreChangedAndUndone() throws {
        let path = try write(text(year: 1815))
        let catalog = try open(path)
        let ids = (0..<catalog.index.count).map { BookID($0) }
        let prepared = try #require(
            try catalog.prepare(
                .set([.published]) { $0.published = PartialDate(year: 1999) }, of: ids[...]))
        let outcome = try #require(try catalog.make(prepared) { false })
        #expect(outcome.bookCount == 1350)
        #expect(catalog.index.facts(at: 1).year == 1999)
        // The journal has the changes in their order.
        let again = try open(path)
        #expect(again.unsavedCount == 1350)
        _ = try save(again)
        #expect(try content(path) == text(year: 1999))
        _ = try again.reverse(outcome.number, redoing: false)
        _ = try save(again)
        #expect(try content(path) == text(year: 1815))
    }

    private func books(_ ids: [BookID], with field: BookField, of catalog: EditedCatalog) -> [Book?] {
        var books: [Book?] = []
        catalog.forEachBook(of: ids[...], with: field) { books.append($0) }
        return books
    }

    @Test func booksAreReadWithTitleAuthorsISBNAndOneField() throws {
        let catalog = try open(try write())
        _ = try setTitle("Count Dracula", of: 1, in: catalog)
        let ids = [BookID(1), BookID(0)]
        var (dracula, emma) = (Book(title: "Count Dracula", authors: ["Bram Stoker"]), Book(title: "Emma"))
        (emma.authors, emma.isbn) = (["Jane Austen"], ISBN("9780141439587"))
        #expect(books(ids, with: .pageCount, of: catalog) == [dracula, emma])
        dracula.published = PartialDate(year: 1897)
        emma.published = PartialDate(year: 1815)
        #expect(books(ids, with: .published, of: catalog) == [dracula, emma])
    }

    @Test func aRecordThatWasWrittenSinceItWasIndexedIsGone() throws {
        let path = try write()
        let catalog = try open(path)
        let other = Self.text.replacingOccurrences(of: "Kidnapped", with: "Catriona!")
        let file = try FileHandle(forWritingTo: URL(filePath: path))
        try file.write(contentsOf: Data(other.utf8))
        try file.close()
        let found = books([BookID(2), BookID(3)], with: .published, of: catalog)
        #expect(found.map { $0?.title } == [nil, "Middlemarch"])
    }
}
