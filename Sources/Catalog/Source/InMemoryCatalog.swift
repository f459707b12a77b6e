public import Books
public import Indexing

/// A catalog of books that are at hand: for tests, and for what a program makes by itself.
public final class InMemoryCatalog: LocallyIndexed {
    /// What the catalog is called on the screen.
    public let name: String
    /// What is known of the books.
    public let index: BookIndex
    private let books: [Book]

    /// The catalog of `books`.
    public init(name: String, books: [Book]) {
        self.name = name
        self.books = books
        index = BookIndex(of: books)
    }

    /// Does nothing: the books are there.
    public func open() {}

    /// All of them.
    public var count: BookCount { .exactly(books.count) }

    /// Ready.
    public var state: SourceState { .ready }

    /// None.
    public var defects: CatalogDefects { CatalogDefects() }

    /// What a row shows of a book.
    public func summary(of id: BookID) -> Slot<BookSummary> { book(id).map(BookSummary.init(of:)) }

    /// The whole book.
    public func book(_ id: BookID) -> Slot<Book> { books.indices.contains(id.index) ? .ready(books[id.index]) : .gone }

    /// All books in their order.
    public var all: any RowSource { BookList(allOf: books.count) }

    /// Does nothing: there is nothing to load.
    public func start(waking wake: @escaping @Sendable () -> Void) {}

    /// Nothing arrives.
    public func receive() -> Bool { false }
}
