public import Books

/// The target of a change: a book with its user data, or user data without a book.
public struct MarkTarget: Sendable {
    /// The data stored with new user data; nil for a target without a book.
    let book: MarkedBook?
    /// The identity of new user data, unless it is taken.
    let identity: BookIdentity
    /// The identities of the book's user data, best match first.
    let marks: [BookIdentity]

    /// Creates the target of a book of a catalog.
    ///
    /// - Parameters:
    ///   - identity: The identity of the book in that catalog.
    ///   - marks: The identities of its user data, as `MarkIndex` returns them; if empty, a change creates new user
    ///     data.
    ///   - catalog: The path of the catalog.
    public init(book: Book, identity: BookIdentity, marks: [BookIdentity], catalog: String?) {
        self.book = MarkedBook(
            title: book.title, authors: book.authors, keys: MatchKeys(of: book), catalog: catalog,
            sourceID: book.sourceID)
        self.identity = identity
        self.marks = marks
    }

    /// Creates the target of user data whose book is missing from the catalog.
    public init(mark: BookIdentity) {
        book = nil
        identity = mark
        marks = [mark]
    }

    /// Returns this target with other user data.
    func with(marks: [BookIdentity]) -> MarkTarget { MarkTarget(book: book, identity: identity, marks: marks) }

    private init(book: MarkedBook?, identity: BookIdentity, marks: [BookIdentity]) {
        self.book = book
        self.identity = identity
        self.marks = marks
    }
}
