internal import Books
internal import Catalog
internal import Indexing
internal import Library
internal import Shelves

/// The books of a library as targets of user data changes, each found in O(1).
struct MarkedTargets {
    private let library: Library
    private let identities: IdentityTable
    private let index: MarkIndex
    private let catalog: String?

    /// Creates the targets of `library`. Linear in the catalog.
    init(in library: Library) {
        self.library = library
        identities = IdentityTable(of: library.store.index)
        index = MarkIndex(library.shelves, in: library.store.index)
        catalog = library.catalogPath
    }

    /// Returns the identities of the user data of a book.
    func marks(of id: BookID) -> [BookIdentity] { index.marks(of: id) }

    /// Returns the user data of a book.
    func mark(of id: BookID) -> UserBookData? { index.mark(of: id) }

    /// Returns a book with its user data; nil if its record no longer exists.
    func target(_ id: BookID) -> MarkTarget? {
        library.store.bookAtHand(id).map {
            MarkTarget(book: $0, identity: identities[id], marks: marks(of: id), catalog: catalog)
        }
    }
}
