/// The keys that a book's record gives, by which the book is found again in a catalog that was sorted anew, edited or
/// downloaded again, and in another one.
public struct BookKeys: Hashable, Sendable {
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

/// Finds the books of a catalog that have one of some keys.
public struct BookFinder {
    private let keys: Set<BookIdentity.Key>
    private var index = BookIndex()
    private var found: [BookIdentity.Key: [Int]] = [:]

    /// A finder of the books in `index` that have one of `keys`. Linear in the index; a few nanoseconds a book.
    public init(of keys: some Sequence<BookIdentity.Key>, in index: BookIndex) {
        self.keys = Set(keys)
        extend(to: index)
    }

    /// Takes in the books that came to the end of `index`. Linear in them.
    ///
    /// - Returns: Whether there are some among them that have one of the keys.
    @discardableResult
    public mutating func extend(to index: BookIndex) -> Bool {
        let new = index.indices(ofBooksWithOneOf: keys, from: self.index.count)
        found.merge(new, uniquingKeysWith: +)
        self.index = index
        return !new.isEmpty
    }

    /// How many books it knows.
    public var count: Int { index.count }

    /// The keys of the book at `index`.
    public func keys(at index: Int) -> BookKeys { self.index.keys(at: index) }

    /// Where the books are that match `keys`, which must be among those that this finder knows, in the catalog's order.
    public func indices(matching keys: BookKeys, by match: BookKeys.Match) -> [Int] {
        let alike = found[keys.hash] ?? []
        switch match {
        case .all: return alike.filter { index.keys(at: $0) == keys }
        case .onlyISBN:
            let editions = keys.isbn.flatMap { found[$0] } ?? []
            return editions.count == 1 ? editions : []
        case .hash: return alike
        }
    }

    /// Where the books are that match `keys` best, in the catalog's order; empty where none does.
    public func indices(bestMatching keys: BookKeys) -> [Int] {
        BookKeys.Match.allCases.lazy.map { indices(matching: keys, by: $0) }.first { !$0.isEmpty } ?? []
    }

    /// Where the book with `identity` is; nil where it is not in the catalog.
    public func index(of identity: BookIdentity) -> Int? {
        let doubles = (found[identity.key] ?? []).filter { index.keys(at: $0).identifying == identity.key }
        return doubles.indices.contains(identity.occurrence - 1) ? doubles[identity.occurrence - 1] : nil
    }
}
