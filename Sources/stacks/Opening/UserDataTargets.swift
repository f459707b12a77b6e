internal import Books
internal import Catalog
internal import Indexing
internal import Library
internal import Shelves

/// The books of a library as targets of user data changes, each found in O(1).
struct UserDataTargets {
    private let library: Library
    private let identities: IdentityTable
    private let index: UserDataIndex
    private let catalog: String?

    /// Creates the targets of `library`. Linear in the catalog.
    init(in library: Library) {
        self.library = library
        identities = IdentityTable(of: library.store.index)
        index = UserDataIndex(library.userData, in: library.store.index)
        catalog = library.catalogPath
    }

    /// Returns the identities of the user data of a book.
    func identities(of id: BookID) -> [BookIdentity] { index.identities(of: id) }

    /// Returns the user data of a book.
    func userData(of id: BookID) -> UserBookData? { index.userData(of: id) }

    /// Returns a book with its user data; nil if its record no longer exists.
    func target(_ id: BookID) -> UserDataTarget? {
        library.store.bookAtHand(id).map {
            UserDataTarget(book: $0, identity: identities[id], identities: identities(of: id), catalog: catalog)
        }
    }
}
