import Books
import Foundation
import Indexing
import Storage
import TestSupport
import Testing

@testable import Catalog
@testable import CatalogTesting

@Suite("Columns in the cache") struct CachedColumnsTests {
    private let directory: TemporaryDirectory
    private let cache: IndexCache

    init() throws {
        directory = try TemporaryDirectory()
        cache = IndexCache(directory: directory.path + "/cache")
    }

    private func write(_ room: String = "Room") throws -> String {
        let lines = (0..<20_000).map {
            #"{"title": "Book \#($0)", "authors": ["A"], "room": "\#(room) \#($0 % 9)", "price": \#($0 % 100)}"# + "\n"
        }
        return try directory.write(lines.joined().utf8, to: "books.jsonl")
    }

    private func open(_ path: String) throws -> (catalog: JSONFileCatalog, sources: [ColumnSource]) {
        let catalog = JSONFileCatalog(path: path, cache: cache)
        try catalog.open()
        catalog.readRest()
        let schema = try #require(catalog.format).mapping.schema
        return (
            catalog,
            [
                .own(try #require(schema.ownField(named: "room"))),
                .own(try #require(schema.ownField(named: "price"))), .lines(.author),
            ]
        )
    }

    private var columnFiles: [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: directory.path + "/cache")) ?? []
        return names.filter { $0.hasSuffix(".column") }.sorted()
    }

    @Test func aColumnIsKeptForTheNextStart() throws {
        let path = try write()
        let first = try open(path)
        #expect(first.catalog.column(of: first.sources[0]) == nil)
        #expect(first.catalog.waitForColumns(of: first.sources))
        first.catalog.finishKeepingIndex()
        #expect(columnFiles.count == 3)
        let second = try open(path)
        for (source, before) in zip(second.sources, first.sources) {
            let column = try #require(second.catalog.column(of: source))
            #expect(ColumnContent(column) == ColumnContent(try #require(first.catalog.column(of: before))))
        }
    }

    @Test func aColumnOfAnotherFileIsNotUsed() throws {
        let path = try write()
        let first = try open(path)
        #expect(first.catalog.waitForColumns(of: first.sources))
        first.catalog.finishKeepingIndex()
        let second = try open(try write("Hall"))
        #expect(second.catalog.column(of: second.sources[0]) == nil)
        #expect(second.catalog.waitForColumns(of: second.sources))
        #expect(second.catalog.column(of: second.sources[0])?.spelling(ofValue: 0) == "Hall 0")
    }

    @Test func aDamagedColumnIsMadeAgain() throws {
        let path = try write()
        let first = try open(path)
        #expect(first.catalog.waitForColumns(of: first.sources))
        first.catalog.finishKeepingIndex()
        let expected = try first.sources.map { ColumnContent(try #require(first.catalog.column(of: $0))) }
        var random = SplitMix(seed: 1)
        for round in 0..<10 {
            for name in columnFiles {
                let url = URL(filePath: directory.path + "/cache/" + name)
                var bytes = Array(try Data(contentsOf: url))
                if round == 9 {
                    bytes.removeLast(bytes.count / 2)
                } else {
                    for _ in 0...round {
                        bytes[Int.random(in: bytes.indices, using: &random)] ^= UInt8.random(
                            in: 1...255, using: &random)
                    }
                }
                try Data(bytes).write(to: url)
            }
            let next = try open(path)
            #expect(next.catalog.waitForColumns(of: next.sources))
            #expect(try next.sources.map { ColumnContent(try #require(next.catalog.column(of: $0))) } == expected)
            next.catalog.finishKeepingIndex()
        }
    }

    @Test func columnsOfSmallFilesAreNotKept() throws {
        let path = try directory.write("[{\"title\": \"A\", \"room\": \"Hall\"}]".utf8, to: "books.json")
        let catalog = JSONFileCatalog(path: path, cache: cache)
        try catalog.open()
        catalog.readRest()
        #expect(catalog.waitForColumns(of: [.lines(.author)]))
        catalog.finishKeepingIndex()
        #expect(columnFiles == [])
    }

    @Test func booksInMemoryHaveColumnsAtOnce() throws {
        let field = BookField(OwnField("room", label: "Room", .text, at: try FieldPath("room")))
        let books = ["b", "A", nil].map { room -> Book in
            var book = Book.make(title: "T", authors: ["Ann"])
            if let room { field.set(.text(room), in: &book) }
            return book
        }
        let store = BookStore(of: books)
        let column = try #require(store.columnBacked?.column(of: .own(field)))
        #expect(ColumnContent(column).places == [2, 1, 0])
        #expect(store.columnBacked?.column(of: .lines(.author))?.entryCount == 1)
    }
}
