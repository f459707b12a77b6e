public import Books
public import Indexing

/// A catalog of decoded books in memory, for tests and generated lists.
public final class InMemoryCatalog: LocallyIndexed, ConcurrentlyReadable {
    /// The display name of the catalog.
    public let name: String
    /// The index of the books.
    public let index: BookIndex
    let books: [Book]
    /// The columns of fields that were needed.
    let columns = ColumnShelf()

    /// Creates a catalog of `books`.
    public init(name: String, books: [Book]) {
        self.name = name
        self.books = books
        index = BookIndex(of: books)
    }

    /// Does nothing, because the books are in memory.
    public func open() {}

    /// The number of books.
    public var count: BookCount { .exactly(books.count) }

    /// Always `ready`.
    public var state: SourceState { .ready }

    /// Always empty.
    public var defects: CatalogDefects { CatalogDefects() }

    /// Returns the fields of a book that a row shows.
    public func summary(of id: BookID) -> Slot<BookSummary> { book(id).map(BookSummary.init(of:)) }

    /// Returns a book, or `gone` for an unknown id.
    public func book(_ id: BookID) -> Slot<Book> { books.indices.contains(id.index) ? .ready(books[id.index]) : .gone }

    /// All books in order.
    public var all: any RowSource { BookList(allOf: books.count) }

    /// A reader of all books.
    public var concurrentReader: any ConcurrentBookReader { Reader(books: books) }

    /// Does nothing: all books are in memory.
    public func fetch(waiting patience: Int, notifying notify: @escaping @Sendable () -> Void) {}

    /// False: all books are in memory.
    public var isFetching: Bool { false }

    /// Reads books in memory.
    struct Reader: ConcurrentBookReader {
        let books: [Book]

        /// Calls `body` with each of the books.
        func forEachSummary(of ids: ArraySlice<BookID>, _ body: (BookID, BookSummary?) -> Void) {
            for id in ids {
                body(id, books.indices.contains(id.index) ? BookSummary(of: books[id.index]) : nil)
            }
        }

        /// Returns a book.
        func wholeBook(_ id: BookID) -> Book? { books.indices.contains(id.index) ? books[id.index] : nil }

        /// Calls `body` with each of the books.
        func forEachBook(of ids: ArraySlice<BookID>, with field: BookField, _ body: (BookID, Book?) -> Void) {
            for id in ids { body(id, wholeBook(id)) }
        }
    }

    /// Does nothing, because there is nothing to load.
    public func start(waking wake: @escaping @Sendable () -> Void) {}

    /// Always returns false.
    public func receive() -> Bool { false }
}
