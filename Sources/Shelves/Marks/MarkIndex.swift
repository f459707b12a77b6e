public import Books
public import Indexing

/// Which books of a catalog are marked, and with what.
public struct MarkIndex {
    private let shelves: UserData
    /// Where the marks are.
    public private(set) var places: MarkResolver

    /// The marks of `shelves` on the books in `index`. See `MarkResolver` for what it costs.
    public init(_ shelves: UserData, in index: BookIndex) {
        self.init(shelves, at: shelves.places(in: index))
    }

    /// The marks of `shelves`, which are at `places`.
    public init(_ shelves: UserData, at places: MarkResolver) {
        self.shelves = shelves
        self.places = places
    }

    /// Takes in the books that came to the end of `index`. See `MarkResolver.extend(to:)`.
    ///
    /// - Returns: Whether marks may be on other books now.
    public mutating func extend(to index: BookIndex) -> Bool {
        if places.knowsAllMarks { return places.extend(to: index) }
        places = shelves.places(in: index)
        return true
    }

    /// Says that a book has the marks of these names, as `UserData.apply(_:to:)` returned them: the rest stays as
    /// it is, and need not be looked for again.
    public mutating func setMarks(_ identities: [BookIdentity], of id: BookID) {
        places.setMarks(identities, of: id)
    }

    /// The identities that the marks of a book were made with, the best first; none if it has no mark.
    public func marks(of id: BookID) -> [BookIdentity] {
        places.identities(of: id).filter { shelves.marks[$0] != nil }
    }

    /// What the marks of a book say together, without deleted shelves; nil if that is nothing.
    public func mark(of id: BookID) -> UserBookData? {
        if let identity = places.onlyIdentity(of: id) { return shelves.marks[identity].flatMap(shown) }
        return shelves.merged(marks(of: id)).flatMap(shown)
    }

    private func shown(_ mark: UserBookData) -> UserBookData? {
        let shown = shelves.shown(mark)
        return shown.isEmpty ? nil : shown
    }

    /// The books that are marked, in the catalog's order.
    public var ids: [BookID] { places.books.filter { mark(of: $0) != nil } }

    /// Calls `body` with each marked book and what is said of it, in the catalog's order.
    public func forEachBook(_ body: (_ id: BookID, _ mark: UserBookData) -> Void) {
        for id in places.books { if let mark = mark(of: id) { body(id, mark) } }
    }

    /// Calls `body` with each mark whose book is not in this catalog, by their titles.
    public func forEachMissing(_ body: (_ identity: BookIdentity, _ mark: UserBookData) -> Void) {
        for identity in places.orphans {
            if let mark = shelves.marks[identity].flatMap(shown) { body(identity, mark) }
        }
    }

    /// The marks whose books are not in this catalog, by their titles.
    public var missing: [BookIdentity] {
        var missing: [BookIdentity] = []
        forEachMissing { identity, _ in missing.append(identity) }
        return missing
    }
}
