public import Indexing

/// The rows of a table of books: a local list, what a search found, or a page set of a server alike.
public protocol RowSource {
    /// How many rows there are.
    var rowCount: BookCount { get }

    /// The book in `row`, from zero to below `rowCount.displayed`. Never waits: a row that is not there yet is asked for and is
    /// pending until then.
    func id(atRow row: Int) -> Slot<BookID>

    /// The row of a book, as far as that is known without waiting; nil else.
    func row(of id: BookID) -> Int?
}

/// A list at hand has all its rows.
extension BookList: RowSource {
    /// Exactly as many as it has books.
    public var rowCount: BookCount { .exactly(count) }

    /// The book in `row`.
    public func id(atRow row: Int) -> Slot<BookID> { .ready(self[row]) }
}
