public import Catalog
public import Shelves
internal import Storage

/// A catalog's books together with the reader's favourites: what the lists are made of.
public final class Library {
    /// The books.
    public let store: BookStore
    private let favourites: Favourites
    /// Made when it is first needed, and anew with each change.
    private var index: FavouriteIndex?
    /// Whether an answer was given by keys alone.
    private var isUncertain = false

    /// The books of `store` with `favourites`.
    public init(store: BookStore, favourites: Favourites) {
        self.store = store
        self.favourites = favourites
    }

    /// The books of a list. All books cost nothing; for favourites all books are read once.
    func books(in list: CatalogList) -> BookList {
        switch list {
        case .all: BookList(allOf: store.count)
        case .favourites: BookList(favourites.isEmpty ? [] : favouriteIndex.indices)
        }
    }

    /// Whether the book at `index` is a favourite. Constant time.
    ///
    /// Before `findMarks()` the answer is that of the book's keys alone: of doubles all are favourites where one is.
    func isFavourite(at index: Int, _ book: Book) -> Bool {
        if favourites.isEmpty { return false }
        if let found = self.index { return !found.marks(at: index).isEmpty }
        let keys = BookKeys(of: book)
        let isMarked = favourites.contains(keys.identifying) || favourites.contains(keys.hash)
        if isMarked { isUncertain = true }
        return isMarked
    }

    /// Whether the book at `index` is a favourite, doubles told apart. The first call reads all books.
    func isFavouriteForCertain(at index: Int) -> Bool { !favouriteIndex.marks(at: index).isEmpty }

    /// Finds the book of each mark, where an answer was uncertain without. Reads all books once; the first screen need
    /// not wait for that.
    ///
    /// - Returns: Whether answers may be others now.
    func findMarks() -> Bool {
        guard isUncertain else { return false }
        _ = favouriteIndex
        return true
    }

    /// Makes the book at `index` a favourite, or no longer one where it is one. When this returns, that is on the disk.
    ///
    /// - Throws: `FileError`, where it could not be saved; it is kept in memory, and saved with the next change that is.
    func toggleFavourite(at index: Int) throws(FileError) {
        let book = store.book(at: index)
        let marks = favouriteIndex.marks(at: index)
        defer { self.index = FavouriteIndex(favourites, in: store) }
        if !marks.isEmpty { return try favourites.remove(book, identities: marks) }
        var identity = store.identity(at: index)
        // The name may be taken by the mark of a double that has moved.
        while favourites.contains(identity) { identity.occurrence += 1 }
        try favourites.add(book, identity: identity)
    }

    /// Whether there is a place to save favourites in.
    var savesFavourites: Bool { favourites.isSaved }

    /// Saves the changes that could not be saved before.
    ///
    /// - Throws: `FileError`, where they could not be saved again.
    func saveFavourites() throws(FileError) { try favourites.save() }

    /// Reads the catalog again, and what other processes did to the favourites.
    ///
    /// - Throws: `CatalogError`; the books stay as they are then.
    func reload() throws(CatalogError) {
        try store.reload()
        // Favourites that cannot be read again are those that are known.
        try? favourites.load()
        index = nil
    }

    private var favouriteIndex: FavouriteIndex {
        if let index { return index }
        let index = FavouriteIndex(favourites, in: store)
        self.index = index
        isUncertain = false
        return index
    }
}
