public import Indexing

/// The rows of a table of books: a local list, a search result, or pages from a server.
public protocol RowSource {
    /// The number of rows.
    var rowCount: BookCount { get }

    /// Returns the book in `row`, from 0 to below `rowCount.displayed`, without blocking; a row that is not loaded is
    /// requested, and pending until it arrives.
    func id(atRow row: Int) -> Slot<BookID>

    /// Returns the row of a book, or nil if it cannot be known without waiting.
    func row(of id: BookID) -> Int?

    /// The terms of the query, as typed, that the source cannot search for and ignored.
    var ignoredTerms: [String] { get }

    /// Whether rows may be missing, because a part of a server did not answer.
    var isPartial: Bool { get }
}

extension RowSource {
    /// By default, every term is searched for.
    public var ignoredTerms: [String] { [] }

    /// By default, no rows are missing.
    public var isPartial: Bool { false }
}

/// A list in memory has all its rows.
extension BookList: RowSource {
    /// The exact number of books.
    public var rowCount: BookCount { .exactly(count) }

    /// Returns the book in `row`, which is always ready.
    public func id(atRow row: Int) -> Slot<BookID> { .ready(self[row]) }
}
