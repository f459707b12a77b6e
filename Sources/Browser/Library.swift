public import Catalog
public import Shelves
internal import Storage

/// A catalog's books together with the reader's favourites: what the lists are made of.
public final class Library {
    /// The books.
    public let store: BookStore
    private let favourites: Favourites
    /// Where the marked books are; made when it is first needed, and anew with each change of the favourites.
    private var marked: (finder: BookFinder, index: FavouriteIndex)?
    /// Whether an answer was given by keys alone.
    private var isUncertain = false

    /// The books of `store` with `favourites`.
    public init(store: BookStore, favourites: Favourites) {
        self.store = store
        self.favourites = favourites
    }

    /// The lists, in their order: all books, those of the reader's marks, their shelves, their queries.
    var lists: [CatalogList] { [.all, .favourites] }

    /// The list of a place: the one that is known by its id, and else the one that stands where it stood, or nearest to
    /// there. Nil for the screen of all lists.
    func list(of place: Preferences.Place) -> CatalogList? {
        guard place.lastViewedListIndex >= 0 else { return nil }
        let lists = lists
        return lists.first { $0.id == place.list } ?? lists[min(place.lastViewedListIndex, lists.count - 1)]
    }

    /// The list of this name, in whatever case; nil where there is none.
    public func list(named name: String) -> CatalogList? {
        lists.first { $0.name.lowercased() == name.lowercased() }
    }

    /// The names of all lists, in their order.
    public var listNames: [String] { lists.map(\.name) }

    /// The books of a list, as far as they are known. All books cost nothing; for favourites the index is searched once.
    func books(in list: CatalogList) -> BookList {
        switch list.kind {
        case .all: BookList(allOf: store.count)
        case .favourites: BookList(favourites.isEmpty ? [] : favouriteIndex.indices)
        case .status, .shelf, .query: BookList([])
        }
    }

    /// The marks that queries ask for.
    public var searchMarks: SearchMarks {
        SearchMarks(favourites: favourites.isEmpty ? [] : favouriteIndex.indices.map { UInt32($0) }.sorted())
    }

    /// Whether the book at `index` is a favourite.
    ///
    /// Before `findMarks()` the answer is that of the book's keys alone: of doubles all are favourites where one is.
    func isFavourite(at index: Int) -> Bool {
        if favourites.isEmpty { return false }
        if let marked, index < marked.finder.count { return !marked.index.marks(at: index).isEmpty }
        let isMarked = store.index.keys(at: index).all.contains(where: favourites.contains(_:))
        if isMarked { isUncertain = true }
        return isMarked
    }

    /// Finds the book of each mark, where an answer was uncertain without. The first screen need not wait for that.
    ///
    /// - Returns: Whether answers may be others now.
    func findMarks() -> Bool {
        guard isUncertain else { return false }
        _ = favouriteIndex
        return true
    }

    /// Takes in the books that were loaded in the background.
    ///
    /// - Returns: Whether there was anything: more books, or the end.
    func takeIn() -> Bool {
        guard store.takeIn() else { return false }
        if let (finder, index) = marked {
            var finder = finder
            let hasMore = finder.extend(to: store.index)
            marked = (finder, hasMore ? FavouriteIndex(favourites, by: finder) : index)
        }
        return true
    }

    /// Makes the books at `indices` favourites, or no longer. When this returns, that is on the disk.
    ///
    /// - Throws: `FileError`, where it could not be saved; it is kept in memory, and saved with the next change that is.
    func setFavourites(_ indices: [Int], to isFavourite: Bool) throws(FileError) {
        var added: [(Book, BookIdentity)] = []
        var removed: [(Book, [BookIdentity])] = []
        var taken: Set<BookIdentity> = []
        for index in indices {
            guard let book = store.book(at: index) else { continue }
            let marks = favouriteIndex.marks(at: index)
            if !isFavourite {
                if !marks.isEmpty { removed.append((book, marks)) }
            } else if marks.isEmpty {
                var identity = store.index.identity(at: index)
                // The name may be taken by the mark of a double that has moved.
                while favourites.contains(identity) || !taken.insert(identity).inserted { identity.occurrence += 1 }
                added.append((book, identity))
            }
        }
        defer { findBooksOfMarks() }
        if isFavourite { try favourites.add(added) } else { try favourites.remove(removed) }
    }

    /// Whether the book at `index` is a favourite, doubles told apart.
    func isFavouriteForCertain(at index: Int) -> Bool { !favouriteIndex.marks(at: index).isEmpty }

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
        marked = nil
    }

    private var favouriteIndex: FavouriteIndex { marked?.index ?? findBooksOfMarks() }

    @discardableResult
    private func findBooksOfMarks() -> FavouriteIndex {
        let finder = favourites.finder(in: store.index)
        let index = FavouriteIndex(favourites, by: finder)
        marked = (finder, index)
        isUncertain = false
        return index
    }
}
