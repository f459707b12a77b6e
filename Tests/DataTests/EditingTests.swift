import CatalogTesting
import Foundation
import JSON
import TestSupport
import Testing

@testable import Books
@testable import Catalog
@testable import Editing
@testable import Indexing

/// Editing real catalogs keeps every other byte.
@Suite("Data: editing real catalogs") struct EditingTests {
    private static let files = [
        "goodbooks-10k/native-derived.json", "gutenberg/native-derived-multiscript.json",
        "mongodb-books/native-derived.json", "mongodb-books/books.ndjson", "blacklight-solr/solr-response.json",
    ]
    /// The number of books changed per file.
    private static let sampleCount = 25

    private func editor(_ path: String) throws -> FileEditor { try FileEditor(path) }

    private func count(_ path: String) throws -> Int {
        let catalog = JSONFileCatalog(path: path)
        try catalog.open()
        catalog.readRest()
        return catalog.index.count
    }

    private func indices(_ count: Int) -> [Int] {
        Array(Set(stride(from: 0, to: count, by: max(1, count / Self.sampleCount))).union([count - 1])).sorted()
    }

    @Test(arguments: files) func aTitleSetAndSetBackGivesTheSameBytes(file: String) throws {
        let directory = try TemporaryDirectory()
        let bytes = try DataDirectory.bytes(file)
        let path = try directory.write(bytes, to: "books.json")
        for index in indices(try count(path)) {
            let id = BookID(index)
            let editor = try editor(path)
            let old = try #require(editor.book(id))
            // A title that is displayed without its MARC codes cannot be changed back.
            guard !old.title.isEmpty, try record(id, at: path).contains(JSONValue.string(old.title).json) else {
                continue
            }
            var book = old
            book.title = "Ein anderer Titel \(index)"
            #expect(try editor.set([.title], of: id, to: book))
            let changed = try editor.changes.applied(to: bytes)
            #expect(changed != bytes)
            let changedCount = try editor.changes.reduce(0) { $0 + $1.range.count }
            #expect(changedCount <= JSONValue.string(old.title).json.utf8.count * 6)
            let again = try directory.write(changed, to: "again.json")
            let back = try self.editor(again)
            #expect(back.book(id)?.title == book.title)
            #expect(try back.set([.title], of: id, to: old))
            #expect(try back.changes.applied(to: changed) == bytes, "\(old.title)")
        }
    }

    private func record(_ id: BookID, at path: String) throws -> String {
        let catalog = JSONFileCatalog(path: path)
        try catalog.open()
        catalog.readRest()
        return try #require(catalog.record(id)).json
    }

    @Test(arguments: files) func deletingABookKeepsAllOthers(file: String) throws {
        let directory = try TemporaryDirectory()
        let bytes = try DataDirectory.bytes(file)
        let path = try directory.write(bytes, to: "books.json")
        let count = try count(path)
        for index in indices(count) {
            let editor = try editor(path)
            try editor.remove([BookID(index)])
            let again = try directory.write(try editor.changes.applied(to: bytes), to: "again.json")
            let rest = JSONFileCatalog(path: again)
            try rest.open()
            rest.readRest()
            #expect(rest.index.count == count - 1)
            #expect(rest.defects.isEmpty)
            for neighbour in [index - 1, index + 1] where (0..<count).contains(neighbour) {
                let place = neighbour < index ? neighbour : neighbour - 1
                #expect(rest.record(BookID(place)) == (try self.editor(path).text(neighbour)))
            }
        }
    }

    @Test(arguments: files) func aNewBookIsReadBackUnchanged(file: String) throws {
        let directory = try TemporaryDirectory()
        let bytes = try DataDirectory.bytes(file)
        let path = try directory.write(bytes, to: "books.json")
        let editor = try editor(path)
        let book = Book(title: "Ein Buch", authors: ["Anna Seghers"])
        try editor.add([book])
        let again = try directory.write(try editor.changes.applied(to: bytes), to: "again.json")
        let read = JSONFileCatalog(path: again)
        try read.open()
        read.readRest()
        let last = try #require(read.book(BookID(read.index.count - 1)).value)
        #expect(last.title == "Ein Buch")
        #expect(last.authors == ["Anna Seghers"])
        #expect(last.isbn == nil)
        #expect(last.subjects.isEmpty)
    }
}

extension FileEditor {
    /// Returns the record of a book.
    fileprivate func text(_ index: Int) throws -> JSONValue? {
        record(BookID(index)).flatMap { JSONValue(parsing: $0) }
    }
}
