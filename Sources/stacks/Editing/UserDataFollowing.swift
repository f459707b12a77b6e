internal import Books
internal import Indexing
internal import Library
internal import Shelves

/// Finds the user data that must follow books whose identity changes.
struct UserDataFollowing {
    private let targets: UserDataTargets?
    private let catalog: String?

    /// Looks for user data in `library`.
    init(in library: Library) {
        targets = library.userData.isEmpty ? nil : UserDataTargets(in: library)
        catalog = library.catalogPath
    }

    /// Returns the move of the user data of a book that was `old` and is `new` now; nil if it has none, or is found by
    /// the same keys.
    func move(of id: BookID, from old: Book, to new: Book) -> UserDataMove? {
        guard MatchKeys(of: old) != MatchKeys(of: new) else { return nil }
        return move(of: [id], to: new)
    }

    /// Returns the move of the user data of several books to `book`; nil if they have none.
    func move(of ids: [BookID], to book: Book) -> UserDataMove? {
        guard let targets else { return nil }
        let identities = ids.flatMap(targets.identities(of:))
        return identities.isEmpty ? nil : UserDataMove(identities: identities, book: book, catalog: catalog)
    }
}
