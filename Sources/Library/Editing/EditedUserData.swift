internal import Books
internal import Catalog
internal import Editing
internal import Indexing
internal import Shelves

/// The user data of the edited books before an edit; it follows the books.
struct EditedUserData {
    private let kind: CatalogEditStep.Kind
    private let ids: [BookID]
    private let index: BookIndex
    private let shift: BookShift
    private let userData: UserData
    private let located: UserDataIndex
    /// The books with user data that will be deleted.
    private var deleted: [BookID: Book] = [:]

    /// Records the locations of the user data; fails if there is none.
    init?(
        _ kind: CatalogEditStep.Kind, _ ids: [BookID], of catalog: EditedCatalog, _ userData: UserData,
        at locate: () -> UserDataIndex
    ) {
        if userData.isEmpty { return nil }
        (self.kind, self.userData, located) = (kind, userData, locate())
        self.ids = kind == .sorted ? located.ids : ids
        (index, shift) = (catalog.index, catalog.shift)
        if kind == .deleted {
            for id in ids where !located.identities(of: id).isEmpty { deleted[id] = catalog.book(id).value }
        }
    }

    /// Returns the moves of the user data after the edit.
    func moves(after outcome: EditOutcome, in catalog: EditedCatalog, catalog path: String?) -> [UserDataMove] {
        let shift = catalog.shift.since(shift)
        // After a reload, the new positions of the books are unknown.
        if shift.isUnknown { return [] }
        // The order of books has no effect on their keys, and the index of all books in another order takes long.
        let now = kind == .sorted ? nil : catalog.index
        func keys(at position: BookID, of id: BookID) -> MatchKeys {
            now?.keys(of: position) ?? index.keys(of: id)
        }
        var (edited, newKeys) = (ids, [MatchKeys]())
        var added: [UserDataFollower.Outcome] = []
        switch kind {
        case .changed:
            edited = ids.filter { id in shift(id).map { keys(at: $0, of: id) != index.keys(of: id) } ?? false }
            newKeys = edited.compactMap { id in shift(id).map { keys(at: $0, of: id) } }
        case .added:
            edited = []
            let positions = outcome.position..<outcome.position + outcome.bookCount
            newKeys = positions.map { keys(at: BookID($0), of: BookID($0)) }
            added = zip(newKeys, positions).map { .init(keys: $0, position: Double($1)) }
        case .merged: newKeys = ids.prefix(1).compactMap { id in shift(id).map { keys(at: $0, of: id) } }
        case .deleted, .moved, .sorted: break
        }
        let follower = UserDataFollower(of: edited, getting: newKeys, in: index, userData) { located }
        let moves = follower.moves(
            { id in shift(id).map { .init(keys: keys(at: $0, of: id), position: Double($0.index)) } }, adding: added,
            catalog: path
        ) { id in
            shift(id).flatMap { catalog.book($0).value } ?? deleted[id]
        }
        guard kind == .merged, let now, let first = ids.first.flatMap({ shift($0) }),
            let book = catalog.book(first).value
        else { return moves }
        return merging(moves, into: book, at: first, in: now, catalog: path)
    }

    /// Returns the moves with one of the user data of all merged books to the one that stays.
    private func merging(
        _ moves: [UserDataMove], into book: Book, at id: BookID, in index: BookIndex, catalog path: String?
    ) -> [UserDataMove] {
        let identities = ids.flatMap(located.identities(of:))
        if identities.isEmpty { return moves }
        let key = index.keys(of: id).identifying
        let same = BookLookup(of: [key], in: index).ids(with: key).filter { index.keys(of: $0).identifying == key }
        let identity = BookIdentity(key: key, occurrence: (same.firstIndex(of: id) ?? 0) + 1)
        let others = moves.filter { Set($0.identities).isDisjoint(with: identities) }
        return others + [UserDataMove(identities: identities, book: book, identity: identity, catalog: path)]
    }
}
