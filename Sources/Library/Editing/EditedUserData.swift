internal import Books
internal import Catalog
internal import Editing
internal import Indexing
internal import Shelves

/// The user data of the edited books before an edit; it follows the books.
struct EditedUserData {
    private let kind: CatalogEditStep.Kind
    private let ids: [BookID]
    /// The groups of books that are merged, of each the one that stays first.
    private let groups: [[BookID]]
    private let index: BookIndex
    private let shift: BookShift
    private let userData: UserData
    private let located: UserDataIndex
    /// The books with user data that will be deleted.
    private var deleted: [BookID: Book] = [:]

    /// Records the locations of the user data; fails if there is none.
    init?(
        _ kind: CatalogEditStep.Kind, _ ids: [BookID], _ groups: [[BookID]], of catalog: EditedCatalog,
        _ userData: UserData,
        at locate: () -> UserDataIndex
    ) {
        if userData.isEmpty { return nil }
        (self.kind, self.groups, self.userData, located) = (kind, groups, userData, locate())
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
        case .merged:
            newKeys = groups.compactMap(\.first).compactMap { id in shift(id).map { keys(at: $0, of: id) } }
        case .deleted, .moved, .sorted: break
        }
        let follower = UserDataFollower(of: edited, getting: newKeys, in: index, userData) { located }
        var moves = follower.moves(
            { id in shift(id).map { .init(keys: keys(at: $0, of: id), position: Double($0.index)) } }, adding: added,
            catalog: path
        ) { id in
            shift(id).flatMap { catalog.book($0).value } ?? deleted[id]
        }
        guard kind == .merged, let now else { return moves }
        let merged = mergedData(shift)
        let identities = Set(merged.flatMap(\.identities))
        moves.removeAll { !identities.isDisjoint(with: $0.identities) }
        return moves + self.moves(of: merged, in: catalog, now, catalog: path)
    }

    /// A book that stays, and the user data of all books that are merged into it.
    private typealias Merged = (id: BookID, identities: [BookIdentity])

    private func mergedData(_ shift: BookShift) -> [Merged] {
        groups.compactMap { group in
            let identities = group.flatMap(located.identities(of:))
            guard !identities.isEmpty, let first = group.first.flatMap({ shift($0) }) else { return nil }
            return (first, identities)
        }
    }

    /// Returns the moves of the user data of all merged books to the ones that stay.
    private func moves(
        of merged: [Merged], in catalog: EditedCatalog, _ index: BookIndex, catalog path: String?
    ) -> [UserDataMove] {
        let lookup = BookLookup(of: merged.map { index.keys(of: $0.id).identifying }, in: index)
        return merged.compactMap { id, identities in
            guard let book = catalog.book(id).value else { return nil }
            let key = index.keys(of: id).identifying
            let same = lookup.ids(with: key).filter { index.keys(of: $0).identifying == key }
            let identity = BookIdentity(key: key, occurrence: (same.firstIndex(of: id) ?? 0) + 1)
            return UserDataMove(identities: identities, book: book, identity: identity, catalog: path)
        }
    }
}
