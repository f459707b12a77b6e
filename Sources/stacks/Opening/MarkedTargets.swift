internal import Books
internal import Catalog
internal import Indexing
internal import Library
internal import Shelves

/// The books of a library as what changes of marks are made to, each in constant time.
struct MarkedTargets {
    private let library: Library
    private let identities: IdentityTable
    private let index: MarkIndex
    private let catalog: String?

    /// Those of `library`. Linear in the catalog.
    init(in library: Library) {
        self.library = library
        identities = IdentityTable(of: library.store.index)
        index = MarkIndex(library.shelves, in: library.store.index)
        catalog = library.catalogPath
    }

    /// The identities of the marks of a book.
    func marks(of id: BookID) -> [BookIdentity] { index.marks(of: id) }

    /// What the reader has said of a book.
    func mark(of id: BookID) -> UserBookData? { index.mark(of: id) }

    /// A book with its marks; nil if its record is not there any more.
    func target(_ id: BookID) -> MarkTarget? {
        library.store.bookAtHand(id).map {
            MarkTarget(book: $0, identity: identities[id], marks: marks(of: id), catalog: catalog)
        }
    }
}
