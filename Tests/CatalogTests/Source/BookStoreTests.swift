import TestSupport
import Testing

@testable import Books
@testable import Catalog
@testable import CatalogTesting
@testable import Indexing

/// A source that counts how often it is loaded, and that fails when it is told to.
private final class CountingSource: CatalogSource {
    let name = "counted"
    var books: [Book]
    var error: CatalogError?
    private(set) var loadCount = 0

    init(_ books: [Book]) {
        self.books = books
    }

    func load() throws(CatalogError) -> any BookRecords {
        loadCount += 1
        if let error { throw error }
        return FixedRecords(books)
    }
}

struct BookStoreTests {
    private let source = CountingSource([.make(title: "A"), .make(title: "B"), .make(title: "A")])

    @Test func nothingIsLoadedBeforeTheFirstAccess() {
        let store = BookStore(source: source)
        #expect(store.name == "counted")
        #expect(source.loadCount == 0)
        #expect(store.count == 3)
        #expect(source.loadCount == 1)
    }

    @Test func theBooksAreLoadedOnce() throws {
        let store = BookStore(source: source)
        try store.load()
        try store.load()
        #expect(store.book(at: 1)?.title == "B")
        #expect(store.count == 3)
        #expect(store.defects.isEmpty)
        #expect(store.index.identity(at: 2).occurrence == 2)
        #expect(source.loadCount == 1)
    }

    @Test func whatIsReadBeforeLoadingIsNotLoadedAgainByIt() throws {
        let store = BookStore(source: source)
        #expect(store.book(at: 0)?.title == "A")
        try store.load()
        #expect(source.loadCount == 1)
    }

    @Test func aFailureThatAnAccessMetIsStillToldByLoading() {
        source.error = .empty(path: "counted")
        let store = BookStore(source: source)
        #expect(store.count == 0)
        #expect(throws: CatalogError.empty(path: "counted")) { try store.load() }
    }

    @Test func aSourceThatFailsIsSaidToAndShowsNoBooks() {
        source.error = .empty(path: "books.json")
        let store = BookStore(source: source)
        #expect(throws: CatalogError.empty(path: "books.json")) { try store.load() }
        #expect(store.count == 0)
    }

    @Test func reloadingTakesTheBooksThatAreThereNow() throws {
        let store = BookStore(source: source)
        #expect(store.index.identity(at: 1) == BookIdentity(key: store.index.keys(at: 1).identifying))
        source.books = [.make(title: "C"), .make(title: "C")]
        try store.reload()
        #expect(store.count == 2)
        #expect(store.book(at: 1)?.title == "C")
        #expect(store.index.identity(at: 1).occurrence == 2)
    }

    @Test func aReloadThatFailsKeepsTheBooks() throws {
        let store = BookStore(source: source)
        try store.load()
        source.books = []
        source.error = .empty(path: "books.json")
        #expect(throws: CatalogError.empty(path: "books.json")) { try store.reload() }
        #expect(store.count == 3)
        #expect(store.book(at: 1)?.title == "B")
        #expect(store.index(of: store.index.identity(at: 2)) == 2)
    }

    @Test func identitiesLeadThereAndBack() {
        let store = BookStore(source: source)
        for index in 0..<3 { #expect(store.index(of: store.index.identity(at: index)) == index) }
        #expect(store.index(of: BookIdentity(key: BookIdentity.Key(of: .make(title: "C")))) == nil)
    }

    @Test func anArrayAndAFileGiveTheSameBooks() throws {
        let directory = try TemporaryDirectory()
        let path = try directory.write(
            #"[{"title": "A", "authors": ["X"], "fiction": true}, {"title": "B", "pageCount": 7}]"#.utf8, to: "a.json")
        let books = [Book(title: "A", authors: ["X"], fiction: true), Book(title: "B", pageCount: 7)]
        let sources: [any CatalogSource] = [
            InMemoryCatalog(name: "a.json", books: books), JSONFileSource(path: path),
        ]
        for source in sources {
            let store = BookStore(source: source)
            #expect(store.name == "a.json")
            try store.load()
            #expect(store.books == books)
            #expect(store.defects.isEmpty)
        }
    }

    @Test func aFileIsNotReadBeforeTheFirstAccess() throws {
        let directory = try TemporaryDirectory()
        let store = BookStore(source: JSONFileSource(path: directory.path + "/late.json"))
        _ = try directory.write(#"[{"title": "Late"}]"#.utf8, to: "late.json")
        #expect(store.book(at: 0)?.title == "Late")
    }
}
