public import Books
public import Indexing

/// Where books come from: a file, an array, a server. This is what rows and the detail need, and nothing here knows of files
/// or an index. What only some sources can do is an ability, a protocol of its own: see SourceAbilities.swift.
///
/// All of it is called on one thread, and nothing but `open()` waits.
public protocol CatalogSource: AnyObject {
    /// What the catalog is called on the screen.
    var name: String { get }

    /// Reads as much as the first screen needs, unless that was done.
    ///
    /// - Throws: `CatalogError`, if there is nothing to show.
    func open() throws(CatalogError)

    /// How many books there are so far.
    var count: BookCount { get }

    /// Whether all is there.
    var state: SourceState { get }

    /// What of the catalog could not be read so far.
    var defects: CatalogDefects { get }

    /// What a row shows of a book.
    func summary(of id: BookID) -> Slot<BookSummary>

    /// The whole book.
    func book(_ id: BookID) -> Slot<Book>

    /// All books in the catalog's order.
    var all: any RowSource { get }

    /// Starts what is done in the background; `wake` is called on any thread when there is something to receive.
    func start(waking wake: @escaping @Sendable () -> Void)

    /// Takes over what arrived from the background.
    ///
    /// - Returns: Whether there was anything: more books, other counts, the end.
    func receive() -> Bool
}

/// How far a source has come.
public enum SourceState: Hashable, Sendable {
    /// All is there, or is asked for when it is looked at.
    case ready
    /// More books are on their way: the share of all that is there, from 0 to 1; nil if nobody knows how much there is.
    case loading(fraction: Double?)
    /// The source does not answer, for this reason.
    case failed(String)

    /// Whether more books are on their way.
    public var isLoading: Bool { if case .loading = self { true } else { false } }
}

/// What a row of a list shows of a book.
public struct BookSummary: Hashable, Sendable {
    /// The title; "" if there is none.
    public var title: String
    /// The authors in the catalog's order.
    public var authors: [String]
    /// The book number, which may be an invalid one.
    public var isbn: ISBN?
    /// The year of publication.
    public var year: Int?
    /// The number of pages.
    public var pageCount: Int?

    /// A summary of these values.
    public init(title: String, authors: [String] = [], isbn: ISBN? = nil, year: Int? = nil, pageCount: Int? = nil) {
        (self.title, self.authors, self.isbn, self.year, self.pageCount) = (title, authors, isbn, year, pageCount)
    }

    /// The summary of `book`.
    public init(of book: Book) {
        self.init(
            title: book.title, authors: book.authors, isbn: book.isbn, year: book.published?.year,
            pageCount: book.pageCount)
    }
}

extension Book {
    /// A book of which nothing is known but title, authors and ISBN.
    public init(_ summary: BookSummary) {
        self.init(title: summary.title, authors: summary.authors, isbn: summary.isbn)
    }
}
