internal import Books
internal import Catalog
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
        (self.kind, self.ids, self.userData, located) = (kind, ids, userData, locate())
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
        let now = catalog.index
        var (edited, newKeys) = (ids, [MatchKeys]())
        var added: [UserDataFollower.Outcome] = []
        switch kind {
        case .changed:
            edited = ids.filter { id in shift(id).map { now.keys(of: $0) != index.keys(of: id) } ?? false }
            newKeys = edited.compactMap { shift($0).map(now.keys) }
        case .added:
            edited = []
            let positions = outcome.position..<outcome.position + outcome.bookCount
            newKeys = positions.map { now.keys(of: BookID($0)) }
            added = zip(newKeys, positions).map { .init(keys: $0, position: Double($1)) }
        case .deleted, .moved, .merged, .sorted: break
        }
        let follower = UserDataFollower(of: edited, getting: newKeys, in: index, userData) { located }
        return follower.moves(
            { id in shift(id).map { .init(keys: now.keys(of: $0), position: Double($0.index)) } }, adding: added,
            catalog: path
        ) { id in
            shift(id).flatMap { catalog.book($0).value } ?? deleted[id]
        }
    }
}
