public import Books

/// The target of a change: a book with its user data, or user data without a book.
public struct UserDataTarget: Sendable {
    /// The data stored with new user data; nil for a target without a book.
    let book: StoredBook?
    /// The identity of new user data, unless it is taken.
    let identity: BookIdentity
    /// The identities of the book's user data, best match first.
    let identities: [BookIdentity]

    /// Creates the target of a book of a catalog.
    ///
    /// - Parameters: - identity: The identity of the book in that catalog. - identities: The identities of its user
    ///   data, as `UserDataIndex` returns them; if empty, a change creates new user
    ///     data. - catalog: The path of the catalog.
    public init(book: Book, identity: BookIdentity, identities: [BookIdentity], catalog: String?) {
        self.book = StoredBook(
            title: book.title, authors: book.authors, keys: MatchKeys(of: book), catalog: catalog,
            sourceID: book.sourceID)
        self.identity = identity
        self.identities = identities
    }

    /// Creates the target of a book with only its title, authors and keys known.
    public init(
        title: String, authors: [String], keys: MatchKeys, identity: BookIdentity, catalog: String?
    ) {
        book = StoredBook(title: title, authors: authors, keys: keys, catalog: catalog)
        self.identity = identity
        identities = []
    }

    /// Creates the target of a book that has user data.
    public init(identities: [BookIdentity], identity: BookIdentity) {
        book = nil
        self.identity = identity
        self.identities = identities
    }

    /// Creates the target of user data whose book is missing from the catalog.
    public init(absent identity: BookIdentity) {
        book = nil
        self.identity = identity
        identities = [identity]
    }

    /// Returns this target with other user data.
    func with(identities: [BookIdentity]) -> UserDataTarget {
        UserDataTarget(book: book, identity: identity, identities: identities)
    }

    private init(book: StoredBook?, identity: BookIdentity, identities: [BookIdentity]) {
        self.book = book
        self.identity = identity
        self.identities = identities
    }
}
