/// The keys that a book's record gives, by which the book is found again in a catalog that was sorted anew, edited or
/// downloaded again, and in another one.
public struct MatchKeys: Hashable, Sendable {
    /// Its ISBN, where it has a valid one.
    public var isbn: BookIdentity.Key?
    /// The hash of its title and authors.
    public var hash: BookIdentity.Key

    /// These keys.
    public init(isbn: BookIdentity.Key?, hash: BookIdentity.Key) {
        self.isbn = isbn
        self.hash = hash
    }

    /// The keys of `book`.
    public init(of book: Book) {
        isbn = book.isbn.flatMap(BookIdentity.Key.init(isbn:))
        hash = BookIdentity.Key(hashOf: book)
    }

    /// The key of the book's identity.
    public var identifying: BookIdentity.Key { isbn ?? hash }

    /// The ISBN, if any, and the hash.
    public var all: [BookIdentity.Key] { isbn.map { [$0, hash] } ?? [hash] }

    /// By what a book can be known again, the surest first.
    public enum Match: CaseIterable, Sendable {
        /// It has all the keys.
        case all
        /// It alone has the ISBN: its title was mended. Of several editions with one ISBN any may be another book.
        case onlyISBN
        /// Its title and authors are the same: its ISBN was added, changed or taken away.
        case hash
    }
}
