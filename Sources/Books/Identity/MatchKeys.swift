/// The keys that identify a book again after its catalog was reordered, edited or downloaded again, and in other
/// catalogs.
public struct MatchKeys: Hashable, Sendable {
    /// The ISBN, if it is valid.
    public var isbn: BookIdentity.Key?
    /// The hash of the title and authors.
    public var hash: BookIdentity.Key

    /// Creates a set of keys from an ISBN key and a hash.
    public init(isbn: BookIdentity.Key?, hash: BookIdentity.Key) {
        self.isbn = isbn
        self.hash = hash
    }

    /// Creates the keys of `book`.
    public init(of book: Book) {
        isbn = book.isbn.flatMap(BookIdentity.Key.init(isbn:))
        hash = BookIdentity.Key(hashOf: book)
    }

    /// The key that is used in the book's identity.
    public var identifying: BookIdentity.Key { isbn ?? hash }

    /// The ISBN, if any, and the hash.
    public var all: [BookIdentity.Key] { isbn.map { [$0, hash] } ?? [hash] }

    /// The keys by which two books match, most reliable first.
    public enum Match: CaseIterable, Sendable {
        /// All keys are equal.
        case all
        /// Only the ISBN is equal, because the title was corrected; several editions with one ISBN are ambiguous.
        case onlyISBN
        /// Title and authors are equal, because the ISBN was added, changed or removed.
        case hash
    }
}
