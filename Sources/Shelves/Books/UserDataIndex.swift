public import Books
public import Indexing

/// The user data of the books of a catalog.
public struct UserDataIndex {
    private let userData: UserData
    /// The mapping from user data to books.
    public private(set) var resolver: UserDataResolver

    /// Resolves the user data of `userData` to the books in `index`; see `UserDataResolver` for the cost.
    public init(_ userData: UserData, in index: BookIndex) {
        self.init(userData, at: userData.resolver(in: index))
    }

    /// Creates an index of the user data of `userData`, which is already resolved to `resolver`.
    public init(_ userData: UserData, at resolver: UserDataResolver) {
        self.userData = userData
        self.resolver = resolver
    }

    /// Adds the books appended to `index`; see `UserDataResolver.extend(to:)`.
    ///
    /// - Returns: Whether user data may now belong to other books.
    public mutating func extend(to index: BookIndex) -> Bool {
        if resolver.isComplete { return resolver.extend(to: index) }
        resolver = userData.resolver(in: index)
        return true
    }

    /// Assigns user data to a book, as returned by `UserData.apply(_:to:)`, without resolving the rest again.
    public mutating func setIdentities(_ identities: [BookIdentity], of id: BookID) {
        resolver.setIdentities(identities, of: id)
    }

    /// Makes room for the assignments of `count` books.
    public mutating func reserveCapacity(_ count: Int) { resolver.reserveCapacity(count) }

    /// Returns the identities of the user data of a book, best match first.
    public func identities(of id: BookID) -> [BookIdentity] {
        resolver.identities(of: id).filter { userData.books[$0] != nil }
    }

    /// Returns the merged user data of a book without deleted shelves, or nil if it is empty.
    public func userData(of id: BookID) -> UserBookData? {
        if let identity = resolver.onlyIdentity(of: id) { return userData.books[identity].flatMap(shown) }
        return userData.merged(identities(of: id)).flatMap(shown)
    }

    private func shown(_ bookData: UserBookData) -> UserBookData? {
        let shown = userData.shown(bookData)
        return shown.isEmpty ? nil : shown
    }

    /// The books that have user data, in catalog order.
    public var ids: [BookID] { resolver.books.filter { userData(of: $0) != nil } }

    /// Calls `body` with each book that has user data, in catalog order.
    public func forEachBook(_ body: (_ id: BookID, _ bookData: UserBookData) -> Void) {
        for id in resolver.books { if let bookData = userData(of: id) { body(id, bookData) } }
    }

    /// Calls `body` with the user data of each book that is missing from this catalog, sorted by title.
    public func forEachMissing(_ body: (_ identity: BookIdentity, _ bookData: UserBookData) -> Void) {
        for identity in resolver.orphans {
            if let bookData = userData.books[identity].flatMap(shown) { body(identity, bookData) }
        }
    }

    /// The identities of the user data of books that are missing from this catalog, sorted by title.
    public var missing: [BookIdentity] {
        var missing: [BookIdentity] = []
        forEachMissing { identity, _ in missing.append(identity) }
        return missing
    }
}
