public import Catalog
public import Shelves
internal import Storage

/// A catalog's books together with what is the reader's own: what the lists are made of.
public final class Library {
    /// The books.
    public let store: BookStore
    /// The reader's marks, shelves and queries.
    public let shelves: Shelves
    /// The path of the catalog, by which marks remember where they were made; nil where it has none.
    private let catalogPath: String?
    /// Where the marked books are; made when it is first needed, and anew with each change.
    private var marked: Marked?
    /// Whether there may be a mark where the answer was that there is none.
    private var isUncertain = false
    /// What the saved queries find; counted in the background for the lists, and waited for where one is opened.
    private lazy var queries = QueryLists()

    /// Where the marked books are, and the books and marks of each list.
    private struct Marked {
        var finder: BookFinder
        var index: MarkIndex
        var changeCount: Int
        var lists: [CatalogList: (books: [Int], missing: [BookIdentity])] = [:]
    }

    /// The books of `store` with what `shelves` has of them.
    public init(store: BookStore, shelves: Shelves, catalogPath: String? = nil) {
        self.store = store
        self.shelves = shelves
        self.catalogPath = catalogPath
    }

    // MARK: - Lists

    /// The lists, in their order: all books, those of the reader's marks, their shelves, their queries.
    var lists: [CatalogList] {
        let statuses: [Book.ReadingStatus] = [.toRead, .reading, .read, .abandoned]
        return [.all, .favourites] + statuses.map(CatalogList.status)
            + shelves.shelves.map { CatalogList(.shelf($0.id), name: $0.name) }
            + shelves.queries.map { CatalogList(.query($0.id), name: $0.name) }
    }

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

    /// The saved query that a list is; nil where it is none.
    func query(of list: CatalogList) -> SavedQuery? {
        guard case .query(let id) = list.kind else { return nil }
        return shelves.queries.first { $0.id == id }
    }

    /// The books of a list, as far as they are known. All books cost nothing; for marks the index is searched once, and a
    /// saved query is waited for.
    public func books(in list: CatalogList) -> BookList {
        if list == .all { return BookList(allOf: store.count) }
        if let query = query(of: list) {
            return queries.books(of: query, in: store, marks: searchMarks, changeCount: shelves.changeCount)
        }
        if shelves.marks.isEmpty { return BookList([]) }
        return BookList(marks(in: list).books)
    }

    /// The marks that a list has on books that are not in the catalog, in a stable order.
    func missingMarks(in list: CatalogList) -> [(identity: BookIdentity, mark: Mark)] {
        if shelves.marks.isEmpty || list == .all || query(of: list) != nil { return [] }
        return marks(in: list).missing.compactMap { identity in
            shelves.marks[identity].map { (identity, shelves.shown($0)) }
        }
    }

    /// How many books a list has, those that are not in the catalog with them; nil where that is still being counted.
    func count(of list: CatalogList) -> Int? {
        if let query = query(of: list) { return queries.count(of: query, in: store, changeCount: shelves.changeCount) }
        return books(in: list).count + missingMarks(in: list).count
    }

    /// Counts in the background what the saved queries find, where that is not known.
    func countQueries(notifying notify: @escaping @Sendable () -> Void) {
        if shelves.queries.isEmpty { return }
        queries.count(
            shelves.queries, in: store, marks: searchMarks, changeCount: shelves.changeCount, notifying: notify)
    }

    private func marks(in list: CatalogList) -> (books: [Int], missing: [BookIdentity]) {
        let index = markIndex
        if let known = marked?.lists[list] { return known }
        let found = (
            books: index.indices.filter { index.mark(at: $0).map { $0.isIn(list) } ?? false },
            missing: index.missing.filter { shelves.marks[$0].map { $0.isIn(list) } ?? false }
        )
        marked?.lists[list] = found
        return found
    }

    /// The marks that queries ask for.
    public var searchMarks: SearchMarks {
        if shelves.marks.isEmpty { return SearchMarks() }
        func books(in list: CatalogList) -> [UInt32] { marks(in: list).books.map { UInt32($0) } }
        var onShelves: [String: [UInt32]] = [:]
        for shelf in shelves.shelves {
            onShelves[Query.shelfKey(of: shelf.name)] = books(in: CatalogList(.shelf(shelf.id), name: shelf.name))
        }
        return SearchMarks(favourites: books(in: .favourites), shelves: onShelves)
    }

    // MARK: - Marks

    /// Whether the book at `index` is a favourite.
    ///
    /// Before `findMarks()` no book is known to be one.
    func isFavourite(at index: Int) -> Bool {
        if shelves.marks.isEmpty { return false }
        if marked != nil { return markIndex.mark(at: index)?.isFavourite ?? false }
        // What mark it is that has the key, the next screen knows.
        if store.index.keys(at: index).all.contains(where: shelves.contains(_:)) { isUncertain = true }
        return false
    }

    /// What is the reader's own of the book at `index`; nil where there is nothing.
    func mark(at index: Int) -> Mark? { shelves.marks.isEmpty ? nil : markIndex.mark(at: index) }

    /// Finds the book of each mark, where an answer was uncertain without. The first screen need not wait for that.
    ///
    /// - Returns: Whether answers may be others now.
    func findMarks() -> Bool {
        guard isUncertain else { return false }
        // Here and nowhere else: they may be found between the rows and the detail of one screen.
        isUncertain = false
        _ = markIndex
        return true
    }

    /// Takes in the books that were loaded in the background.
    ///
    /// - Returns: Whether there was anything: more books, or the end.
    func takeIn() -> Bool {
        guard store.takeIn() else { return false }
        if var marked {
            let hasMore = marked.finder.extend(to: store.index)
            if hasMore {
                marked.index = MarkIndex(shelves, by: marked.finder)
                marked.lists = [:]
            }
            self.marked = marked
        }
        return true
    }

    /// Makes a change to the books at `indices` and to the marks of others that are not in the catalog. When this returns,
    /// it is on the disk.
    ///
    /// - Throws: `FileError`, where it could not be saved; it is kept in memory, and saved with the next change that is.
    func apply(_ change: MarkChange, to indices: [Int], missing: [BookIdentity] = []) throws(FileError) {
        let index = markIndex
        let books = indices.compactMap { index in store.book(at: index).map { (index, $0) } }
        let targets = books.map { place, book in
            MarkTarget(
                book: book, identity: store.index.identity(at: place), marks: index.marks(at: place),
                catalog: catalogPath)
        }
        let before = shelves.changeCount
        let marks = try shelves.apply(change, to: targets + missing.map(MarkTarget.init(mark:)))
        guard var marked, marked.changeCount == before else { return }
        // Only these are others now, and all marks need not be looked for again.
        for ((place, _), identities) in zip(books, marks) { marked.index.setMarks(identities, at: place) }
        (marked.changeCount, marked.lists) = (shelves.changeCount, [:])
        self.marked = marked
    }

    /// Reads the catalog again, and what other processes did to the marks.
    ///
    /// - Throws: `CatalogError`; the books stay as they are then.
    func reload() throws(CatalogError) {
        try store.reload()
        // Marks that cannot be read again are those that are known.
        try? shelves.load()
        marked = nil
        queries.forget()
    }

    private var markIndex: MarkIndex {
        if let marked, marked.changeCount == shelves.changeCount { return marked.index }
        let finder = shelves.finder(in: store.index)
        let index = MarkIndex(shelves, by: finder)
        marked = Marked(finder: finder, index: index, changeCount: shelves.changeCount)
        return index
    }
}

extension Mark {
    /// Whether it puts its book into `list`.
    func isIn(_ list: CatalogList) -> Bool {
        switch list.kind {
        case .all, .query: false
        case .favourites: isFavourite
        case .status(let status): self.status == status
        case .shelf(let id): shelves.contains(id)
        }
    }
}
