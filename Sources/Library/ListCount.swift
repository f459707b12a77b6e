/// The number of books in a list. Books that are missing from the catalog are counted separately, because searches and
/// statistics do not include them.
public struct ListCount: Hashable, Sendable {
    /// The number of books of the catalog.
    public var books: Int
    /// The number of books that are not in the catalog.
    public var missing: Int

    /// Creates a count.
    public init(books: Int, missing: Int = 0) {
        (self.books, self.missing) = (books, missing)
    }

    /// The number of all books.
    public var total: Int { books + missing }

    /// The count as text: "1,000", or "1,000 +2" if two books are not in the catalog.
    public var text: String { missing == 0 ? books.grouped : "\(books.grouped) +\(missing.grouped)" }
}
