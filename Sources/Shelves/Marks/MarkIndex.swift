public import Books
public import Indexing

/// The user data of the books of a catalog.
public struct MarkIndex {
    private let shelves: UserData
    /// The mapping from user data to books.
    public private(set) var places: MarkResolver

    /// Resolves the user data of `shelves` to the books in `index`; see `MarkResolver` for the cost.
    public init(_ shelves: UserData, in index: BookIndex) {
        self.init(shelves, at: shelves.places(in: index))
    }

    /// Creates an index of the user data of `shelves`, which is already resolved to `places`.
    public init(_ shelves: UserData, at places: MarkResolver) {
        self.shelves = shelves
        self.places = places
    }

    /// Adds the books appended to `index`; see `MarkResolver.extend(to:)`.
    ///
    /// - Returns: Whether user data may now belong to other books.
    public mutating func extend(to index: BookIndex) -> Bool {
        if places.knowsAllMarks { return places.extend(to: index) }
        places = shelves.places(in: index)
        return true
    }

    /// Assigns user data to a book, as returned by `UserData.apply(_:to:)`, without resolving the rest again.
    public mutating func setMarks(_ identities: [BookIdentity], of id: BookID) {
        places.setMarks(identities, of: id)
    }

    /// Returns the identities of the user data of a book, best match first.
    public func marks(of id: BookID) -> [BookIdentity] {
        places.identities(of: id).filter { shelves.marks[$0] != nil }
    }

    /// Returns the merged user data of a book without deleted shelves, or nil if it is empty.
    public func mark(of id: BookID) -> UserBookData? {
        if let identity = places.onlyIdentity(of: id) { return shelves.marks[identity].flatMap(shown) }
        return shelves.merged(marks(of: id)).flatMap(shown)
    }

    private func shown(_ mark: UserBookData) -> UserBookData? {
        let shown = shelves.shown(mark)
        return shown.isEmpty ? nil : shown
    }

    /// The books that have user data, in catalog order.
    public var ids: [BookID] { places.books.filter { mark(of: $0) != nil } }

    /// Calls `body` with each book that has user data, in catalog order.
    public func forEachBook(_ body: (_ id: BookID, _ mark: UserBookData) -> Void) {
        for id in places.books { if let mark = mark(of: id) { body(id, mark) } }
    }

    /// Calls `body` with the user data of each book that is missing from this catalog, sorted by title.
    public func forEachMissing(_ body: (_ identity: BookIdentity, _ mark: UserBookData) -> Void) {
        for identity in places.orphans {
            if let mark = shelves.marks[identity].flatMap(shown) { body(identity, mark) }
        }
    }

    /// The identities of the user data of books that are missing from this catalog, sorted by title.
    public var missing: [BookIdentity] {
        var missing: [BookIdentity] = []
        forEachMissing { identity, _ in missing.append(identity) }
        return missing
    }
}
