public import Books
public import Indexing

/// A source of books, such as a file, an array or a server, with the operations that lists and the detail pane need.
/// Further abilities are separate protocols in SourceAbilities.swift; the source itself says which of them it has,
/// since a cast that fails goes through all conformances of the program.
///
/// All methods are called on one thread, and only `open()` may block.
public protocol CatalogSource: AnyObject {
    /// The display name of the catalog.
    var name: String { get }

    /// Loads enough for the first screen, unless it is loaded already.
    ///
    /// - Throws: `CatalogError` if there is nothing to show.
    func open() throws(CatalogError)

    /// The number of books so far.
    var count: BookCount { get }

    /// The loading state.
    var state: SourceState { get }

    /// The problems found in the catalog so far.
    var defects: CatalogDefects { get }

    /// Returns the fields of a book that a row shows.
    func summary(of id: BookID) -> Slot<BookSummary>

    /// Returns a book with all fields.
    func book(_ id: BookID) -> Slot<Book>

    /// All books in catalog order.
    var all: any RowSource { get }

    /// Starts loading in the background; `wake` is called on any thread when data has arrived.
    func start(waking wake: @escaping @Sendable () -> Void)

    /// Adopts the data that was loaded in the background.
    ///
    /// - Returns: Whether anything changed: more books, another count, or the end of loading.
    func receive() -> Bool

    // MARK: - Abilities

    /// This source, if it has an in-memory index.
    var locallyIndexed: (any LocallyIndexed)? { get }

    /// This source, if it searches and sorts itself.
    var remotelyQueried: (any RemotelyQueried)? { get }

    /// This source, if it may require a user and password.
    var passwordProtected: (any PasswordProtected)? { get }

    /// This source, if it can be read again.
    var reloadable: (any Reloadable)? { get }

    /// This source, if its books are decoded from records.
    var recordBacked: (any RecordBacked)? { get }

    /// This source, if its books can be read on any thread.
    var concurrentlyReadable: (any ConcurrentlyReadable)? { get }

    /// This source, if it can make columns of fields.
    var columnBacked: (any ColumnBacked)? { get }
}

/// The loading state of a source.
public enum SourceState: Hashable, Sendable {
    /// All books are loaded, or are loaded on demand.
    case ready
    /// More books are being loaded: the fraction that is complete, from 0 to 1, or nil if the total is unknown.
    case loading(fraction: Double?)
    /// The source does not respond, for this reason.
    case failed(String)

    /// Whether more books are being loaded.
    public var isLoading: Bool { if case .loading = self { true } else { false } }
}

/// The fields of a book that a row shows.
public struct BookSummary: Hashable, Sendable {
    /// The title; "" if the catalog has none.
    public var title: String
    /// The authors in catalog order.
    public var authors: [String]
    /// The ISBN, valid or not.
    public var isbn: ISBN?
    /// The publication year.
    public var year: Int?
    /// The number of pages.
    public var pageCount: Int?

    /// Creates a summary from its fields.
    public init(title: String, authors: [String] = [], isbn: ISBN? = nil, year: Int? = nil, pageCount: Int? = nil) {
        (self.title, self.authors, self.isbn, self.year, self.pageCount) = (title, authors, isbn, year, pageCount)
    }

    /// Creates the summary of `book`.
    public init(of book: Book) {
        self.init(
            title: book.title, authors: book.authors, isbn: book.isbn, year: book.published?.year,
            pageCount: book.pageCount)
    }
}

extension Book {
    /// Creates a book with only the title, authors and ISBN of `summary`.
    public init(_ summary: BookSummary) {
        self.init(title: summary.title, authors: summary.authors, isbn: summary.isbn)
    }
}
