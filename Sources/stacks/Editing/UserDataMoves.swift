internal import Books
internal import Catalog
internal import Indexing
internal import Library
internal import Shelves

/// Finds the user data that must move with the books that a command edits, and with their duplicates.
struct UserDataMoves {
    private let library: Library
    private let located: UserDataIndex?

    /// Locates the user data of `library`.
    init(in library: Library) {
        self.library = library
        located = library.userData.isEmpty ? nil : UserDataIndex(library.userData, in: library.store.index)
    }

    /// Returns the moves for books whose fields changed.
    func moves(ofChanged books: [BookID: Book]) -> [UserDataMove] {
        let keys = books.mapValues(MatchKeys.init(of:)).filter { $1 != library.store.index.keys(of: $0) }
        return moves(of: Array(keys.keys), getting: Array(keys.values), now: { books[$0] }) { id in
            .init(keys: keys[id] ?? library.store.index.keys(of: id), position: Double(id.index))
        }
    }

    /// Returns the moves for books that are deleted.
    func moves(ofDeleted ids: [BookID]) -> [UserDataMove] {
        let deleted = Set(ids)
        return moves(of: ids) { deleted.contains($0) ? nil : outcome(of: $0, at: Double($0.index)) }
    }

    /// Returns the moves for a book that comes before or after another.
    func moves(ofMoved id: BookID, after isAfter: Bool, _ other: BookID) -> [UserDataMove] {
        let target = Double(other.index) + (isAfter ? 0.5 : -0.5)
        return moves(of: [id]) { outcome(of: $0, at: $0 == id ? target : Double($0.index)) }
    }

    /// Returns the moves for a new order of all books.
    func moves(ofSorted order: [BookID]) -> [UserDataMove] {
        guard let located else { return [] }
        var positions = [Int](repeating: 0, count: order.count)
        for (position, id) in order.enumerated() { positions[id.index] = position }
        return moves(of: located.ids) { outcome(of: $0, at: Double(positions[$0.index])) }
    }

    /// Returns the moves for merged books: `book` repositions the first of `ids`.
    func moves(ofMerged ids: [BookID], to book: Book) -> [UserDataMove] {
        guard let located, let first = ids.first else { return [] }
        let (others, keys) = (Set(ids.dropFirst()), MatchKeys(of: book))
        var moves = moves(of: ids, getting: [keys], now: { $0 == first ? book : nil }) { id in
            if others.contains(id) { return nil }
            return id == first ? .init(keys: keys, position: Double(id.index)) : outcome(of: id, at: Double(id.index))
        }
        let identities = ids.flatMap(located.identities(of:))
        moves.removeAll { !Set($0.identities).isDisjoint(with: identities) }
        if identities.isEmpty { return moves }
        // Books with the same keys before the merged one have lower numbers.
        let lookup = BookLookup(of: [keys.identifying], in: library.store.index)
        let before = lookup.ids(with: keys.identifying).count { id in
            id < first && !others.contains(id) && library.store.index.keys(of: id).identifying == keys.identifying
        }
        let identity = BookIdentity(key: keys.identifying, occurrence: before + 1)
        return moves + [
            UserDataMove(identities: identities, book: book, identity: identity, catalog: library.catalogPath)
        ]
    }

    private func outcome(of id: BookID, at position: Double) -> UserDataFollower.Outcome {
        .init(keys: library.store.index.keys(of: id), position: position)
    }

    private func moves(
        of ids: [BookID], getting keys: [MatchKeys] = [], now: (BookID) -> Book? = { _ in nil },
        _ outcome: (BookID) -> UserDataFollower.Outcome?
    ) -> [UserDataMove] {
        guard let located else { return [] }
        let follower = UserDataFollower(of: ids, getting: keys, in: library.store.index, library.userData) { located }
        return follower.moves(outcome, catalog: library.catalogPath) { now($0) ?? library.store.bookAtHand($0) }
    }
}
