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

    /// The identities of the marks of the book at `index`.
    func marks(at index: Int) -> [BookIdentity] { self.index.marks(at: index) }

    /// What the reader has said of the book at `index`.
    func mark(at index: Int) -> UserBookData? { self.index.mark(at: index) }

    /// The book at `index` with its marks; nil where its record is not there any more.
    func target(at index: Int) -> MarkTarget? {
        library.store.book(at: index).map {
            MarkTarget(
                book: $0, identity: identities[index], marks: marks(at: index), catalog: catalog)
        }
    }
}
