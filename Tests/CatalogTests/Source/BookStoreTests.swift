import TestSupport
import Testing

@testable import Books
@testable import Catalog
@testable import CatalogTesting
@testable import Indexing

/// Counts how often its books are loaded, and fails on request.
private final class Shelf {
    var books: [Book]
    var error: CatalogError?
    private(set) var loadCount = 0

    init(_ books: [Book]) {
        self.books = books
    }

    func read() throws(CatalogError) -> [Book] {
        loadCount += 1
        if let error { throw error }
        return books
    }
}

@Suite("Book store") struct BookStoreTests {
    private let source: ReloadedSource
    private let shelf = Shelf([.make(title: "A"), .make(title: "B"), .make(title: "A")])

    init() {
        source = ReloadedSource(name: "counted") { [shelf] () throws(CatalogError) in try shelf.read() }
    }

    @Test func nothingIsLoadedBeforeTheFirstAccess() {
        let store = BookStore(source: source)
        #expect(store.name == "counted")
        #expect(shelf.loadCount == 0)
        #expect(store.index.count == 3)
        #expect(shelf.loadCount == 1)
    }

    @Test func theBooksAreLoadedOnce() throws {
        let store = BookStore(source: source)
        try store.open()
        try store.open()
        #expect(store.book(at: 1)?.title == "B")
        #expect(store.index.count == 3)
        #expect(store.defects.isEmpty)
        #expect(store.index.identity(of: 2).occurrence == 2)
        #expect(shelf.loadCount == 1)
    }

    @Test func anAccessBeforeOpeningLoadsOnce() throws {
        let store = BookStore(source: source)
        #expect(store.book(at: 0)?.title == "A")
        try store.open()
        #expect(shelf.loadCount == 1)
    }

    @Test func aFailureOfAnAccessIsReportedByOpening() {
        shelf.error = .empty(path: "counted")
        let store = BookStore(source: source)
        #expect(store.index.count == 0)
        #expect(throws: CatalogError.empty(path: "counted")) { try store.open() }
    }

    @Test func aFailingSourceReportsItAndHasNoBooks() {
        shelf.error = .empty(path: "books.json")
        let store = BookStore(source: source)
        #expect(throws: CatalogError.empty(path: "books.json")) { try store.open() }
        #expect(store.index.count == 0)
    }

    @Test func reloadingReadsTheCurrentBooks() throws {
        let store = BookStore(source: source)
        #expect(store.index.identity(of: 1) == BookIdentity(key: store.index.keys(of: 1).identifying))
        shelf.books = [.make(title: "C"), .make(title: "C")]
        try store.reload()
        #expect(store.index.count == 2)
        #expect(store.book(at: 1)?.title == "C")
        #expect(store.index.identity(of: 1).occurrence == 2)
    }

    @Test func aReloadThatFailsKeepsTheBooks() throws {
        let store = BookStore(source: source)
        try store.open()
        shelf.books = []
        shelf.error = .empty(path: "books.json")
        #expect(throws: CatalogError.empty(path: "books.json")) { try store.reload() }
        #expect(store.index.count == 3)
        #expect(store.book(at: 1)?.title == "B")
        #expect(store.id(of: store.index.identity(of: 2)) == 2)
    }

    @Test func identitiesLeadToTheirBooks() {
        let store = BookStore(source: source)
        for id: BookID in [0, 1, 2] { #expect(store.id(of: store.index.identity(of: id)) == id) }
        #expect(store.id(of: BookIdentity(key: BookIdentity.Key(of: .make(title: "C")))) == nil)
    }

    @Test func anArrayAndAFileGiveTheSameBooks() throws {
        let directory = try TemporaryDirectory()
        let path = try directory.write(
            #"[{"title": "A", "authors": ["X"], "fiction": true}, {"title": "B", "pageCount": 7}]"#.utf8, to: "a.json")
        let books = [Book(title: "A", authors: ["X"], fiction: true), Book(title: "B", pageCount: 7)]
        let sources: [any CatalogSource] = [
            InMemoryCatalog(name: "a.json", books: books), JSONFileCatalog(path: path),
        ]
        for source in sources {
            let store = BookStore(source: source)
            #expect(store.name == "a.json")
            try store.open()
            #expect(store.books == books)
            #expect(store.defects.isEmpty)
        }
    }

    @Test func aFileIsNotReadBeforeTheFirstAccess() throws {
        let directory = try TemporaryDirectory()
        let store = BookStore(source: JSONFileCatalog(path: directory.path + "/late.json"))
        _ = try directory.write(#"[{"title": "Late"}]"#.utf8, to: "late.json")
        #expect(store.book(at: 0)?.title == "Late")
    }
}
