public import Books
public import Catalog
public import Indexing
public import Search
public import Shelves
public import Storage
internal import Threading

/// A catalog's books together with what is the reader's own: what the lists are made of.
public final class Library {
    /// The books.
    public let store: BookStore
    /// The reader's marks, shelves and queries.
    public let shelves: UserData
    /// The path of the catalog, by which marks remember where they were made; nil where it has none.
    public let catalogPath: String?
    /// Where the marked books are; made when it is first needed, and anew with each change that others make.
    private var marked: MarkedBooks?
    /// Where they are among the books that were loaded since, as it is found out in the background for many marks.
    private var placing: (places: BackgroundTask<MarkResolver>, changeCount: Int)?
    /// What the saved queries find; counted in the background for the lists, and waited for where one is opened.
    private let queries = QueryLists()

    /// The books of `store` with what `shelves` has of them.
    public init(store: BookStore, shelves: UserData, catalogPath: String? = nil) {
        self.store = store
        self.shelves = shelves
        self.catalogPath = catalogPath
    }

    // MARK: - Lists

    /// The lists, in their order: all books, those of the reader's marks, their shelves, their queries.
    public var lists: [NamedList] {
        let statuses: [Book.ReadingStatus] = [.toRead, .reading, .read, .abandoned]
        return [.all, .favourites] + statuses.map(NamedList.status)
            + shelves.shelves.map { NamedList(.shelf($0.id), name: $0.name) }
            + shelves.queries.map { NamedList(.query($0.id), name: $0.name) }
    }

    /// The list with this id, and else the one at `index` or nearest to there: lists may have been moved or deleted.
    public func list(withID id: String?, near index: Int) -> NamedList {
        let lists = lists
        return lists.first { $0.id == id } ?? lists[min(max(0, index), lists.count - 1)]
    }

    /// The list of this name, in whatever case; nil where there is none.
    public func list(named name: String) -> NamedList? {
        lists.first { $0.name.lowercased() == name.lowercased() }
    }

    /// The names of all lists, in their order.
    public var listNames: [String] { lists.map(\.name) }

    /// The saved query that a list is; nil where it is none.
    public func query(of list: NamedList) -> SavedQuery? {
        guard case .query(let id) = list.kind else { return nil }
        return shelves.queries.first { $0.id == id }
    }

    /// The books of a list, as far as they are known. All books cost nothing; for marks the index is searched once, and a
    /// saved query is waited for.
    public func books(in list: NamedList) -> BookList {
        if list == .all { return BookList(allOf: store.index.count) }
        if let query = query(of: list) {
            return queries.books(of: query, in: store, marks: searchMarks, changeCount: shelves.changeCount)
        }
        return BookList(members(of: list).books)
    }

    /// The same, where a saved search is waited for at most so many milliseconds; nil if it is not complete then, of which
    /// `notify` tells, on any thread.
    public func books(
        in list: NamedList, waiting milliseconds: Int, notifying notify: @escaping @Sendable () -> Void
    ) -> BookList? {
        guard let query = query(of: list) else { return books(in: list) }
        return queries.books(
            of: query, in: store, marks: searchMarks, changeCount: shelves.changeCount, waiting: milliseconds,
            notifying: notify)
    }

    /// The marks that a list has on books that are not in the catalog, in a stable order.
    public func missingMarks(in list: NamedList) -> [(identity: BookIdentity, mark: UserBookData)] {
        if list == .all || query(of: list) != nil { return [] }
        return members(of: list).missing.compactMap { identity in
            shelves.marks[identity].map { (identity, shelves.shown($0)) }
        }
    }

    /// How many books a list has, including those that are not in the catalog; nil if they are still being counted.
    public func count(of list: NamedList) -> Int? {
        if list != .all && !canLocateMarksAtOnce { return nil }
        if let query = query(of: list) { return queries.count(of: query, in: store, changeCount: shelves.changeCount) }
        return books(in: list).count + missingMarks(in: list).count
    }

    /// Counts in the background what the saved queries find, where that is not known.
    public func countQueries(notifying notify: @escaping @Sendable () -> Void) {
        if shelves.queries.isEmpty { return }
        queries.count(
            shelves.queries, in: store, marks: searchMarks, changeCount: shelves.changeCount, notifying: notify)
    }

    /// The marked books and the marks without books that a list has.
    private func members(of list: NamedList) -> MarkedBooks.Members {
        if shelves.marks.isEmpty { return MarkedBooks.Members() }
        locateMarks()
        return marked?.members(of: list) ?? MarkedBooks.Members()
    }

    /// The marks that queries ask for.
    public var searchMarks: UserDataFilter {
        if shelves.marks.isEmpty { return UserDataFilter() }
        func books(in list: NamedList) -> [UInt32] { members(of: list).books.map(\.number) }
        var onShelves: [String: [UInt32]] = [:]
        for shelf in shelves.shelves {
            onShelves[Query.shelfKey(of: shelf.name)] = books(in: NamedList(.shelf(shelf.id), name: shelf.name))
        }
        var found = UserDataFilter(favourites: books(in: .favourites), shelves: onShelves)
        for status in Book.ReadingStatus.allCases {
            let books = books(in: .status(status))
            if !books.isEmpty { found.statuses[status] = books }
        }
        marked?.index.forEachBook { book, mark in
            if let rating = mark.rating { found.ratings[rating, default: []].append(book.number) }
        }
        return found
    }

    // MARK: - Loading

    /// Whether what is the reader's own is still being read.
    public private(set) var isLoadingShelves = false
    private var loading: BackgroundTask<(content: UserData.Content, places: MarkResolver)>?

    /// Reads what is the reader's own in the background, where that was not done yet.
    public func loadShelves(notifying notify: @escaping @Sendable () -> Void) {
        guard !shelves.isRead, !isLoadingShelves, let directory = shelves.filesDirectory else { return }
        isLoadingShelves = true
        let index = store.index
        loading = BackgroundTask(notifying: notify) { _ in
            guard let content = try? UserData.read(directory: directory) else { return nil }
            return (content, content.places(in: index))
        }
    }

    /// Takes in what was read in the background.
    ///
    /// - Returns: Whether there was anything.
    /// - Throws: `FileError`, where it cannot be read.
    public func takeInShelves(notifying notify: @escaping @Sendable () -> Void) throws(FileError) -> Bool {
        guard let loading, loading.isMade else { return false }
        self.loading = nil
        isLoadingShelves = false
        guard let (content, places) = loading.value else {
            try shelves.load()
            return true
        }
        if shelves.receive(content) {
            marked = MarkedBooks(MarkIndex(shelves, at: places), changeCount: shelves.changeCount)
            _ = takeInPlaces(notifying: notify)
        }
        startLocatingMarks(notifying: notify)
        return true
    }

    // MARK: - Marks

    /// What a server must look for to give the books of a list; nil if the list is made of user data, which a server does not
    /// have.
    public func remoteScope(of list: NamedList) -> Query? {
        if list == .all { return Query("") }
        return query(of: list).map { Query($0.text) }
    }

    /// The identity of a book. Linear in its number if the books are at hand.
    public func identity(of id: BookID) -> BookIdentity {
        if let local = store.local { return local.index.identity(of: id) }
        return BookIdentity(key: (store.keys(of: id) ?? MatchKeys(of: Book(title: ""))).identifying)
    }

    /// The identities of the marks of a book that a server has: it cannot be asked which of several twins it is.
    private func remoteMarks(of id: BookID) -> [BookIdentity] {
        (store.keys(of: id)?.all ?? []).map { BookIdentity(key: $0) }.filter { shelves.marks[$0] != nil }
    }

    /// The mark of a book, for the screen, which does not wait: nil also if the books of the marks are still being located in the
    /// background.
    public func shownMark(of id: BookID) -> UserBookData? { canLocateMarksAtOnce ? mark(of: id) : nil }

    /// The mark of a book, if it has one. Locates the books of all marks if that was not done yet.
    public func mark(of id: BookID) -> UserBookData? {
        if shelves.marks.isEmpty { return nil }
        if store.local == nil { return remoteMarks(of: id).first.flatMap { shelves.marks[$0] }.map(shelves.shown) }
        locateMarks()
        return marked?.index.mark(of: id)
    }

    /// Whether the books of the marks are known, or can be located in less than a frame.
    private var canLocateMarksAtOnce: Bool {
        guard shelves.isRead else { return false }
        let isFew = store.index.count <= Self.fewBooks && shelves.marks.count <= Self.fewMarks
        return marked != nil || shelves.marks.isEmpty || isFew
    }

    /// Starts to locate the books of the marks in the background, if that takes longer than a frame and was not done yet.
    public func startLocatingMarks(notifying notify: @escaping @Sendable () -> Void) {
        if shelves.isRead && !canLocateMarksAtOnce && placing == nil { locateMarksInBackground(notifying: notify) }
    }

    /// Takes in the books that were loaded in the background, and where the marks are among them.
    ///
    /// - Returns: Whether there was anything: more books, the end, or marks on other books.
    public func receive(notifying notify: @escaping @Sendable () -> Void) -> Bool {
        let hasMore = store.receive()
        return takeInPlaces(notifying: notify) || hasMore
    }

    /// Whether books were loaded since marks were looked for among them.
    private var knowsFewerBooks: Bool { marked.map { $0.bookCount < store.index.count } ?? false }

    /// The most marks, and the most books, among which the books of the marks are located in less than a frame.
    private static let fewMarks = 2000
    private static let fewBooks = 50_000

    /// Locates the marks that are on books loaded since they were last located; many marks in the background.
    private func takeInPlaces(notifying notify: @escaping @Sendable () -> Void) -> Bool {
        var isChanged = false
        if let (places, changeCount) = placing, places.isMade {
            placing = nil
            if let places = places.value, changeCount == shelves.changeCount {
                marked = MarkedBooks(MarkIndex(shelves, at: places), changeCount: changeCount)
                isChanged = true
            } else {
                // The marks were changed meanwhile.
                startLocatingMarks(notifying: notify)
            }
        }
        guard knowsFewerBooks, placing == nil else { return isChanged }
        // In place, as a copy would be of all marks.
        if shelves.marks.count <= Self.fewMarks { return marked?.extend(to: store.index) ?? false }
        locateMarksInBackground(notifying: notify)
        return isChanged
    }

    private func locateMarksInBackground(notifying notify: @escaping @Sendable () -> Void) {
        let known = marked.map(\.index.places)
        let places = known.flatMap { $0.knowsAllMarks ? $0 : nil } ?? shelves.places(in: BookIndex())
        let index = store.index
        let found = BackgroundTask(notifying: notify) { _ in
            var places = places
            places.extend(to: index)
            return places
        }
        placing = (found, shelves.changeCount)
    }

    /// Makes a change to the books `ids` and to the marks of others that are not in the catalog. When this returns,
    /// it is on the disk.
    ///
    /// - Throws: `FileError`, where it could not be saved; it is kept in memory, and saved with the next change that is.
    public func apply(_ change: MarkChange, to ids: [BookID], missing: [BookIdentity] = []) throws(FileError) {
        locateMarks()
        // Whoever changes a book's marks must know them.
        if knowsFewerBooks { _ = marked?.extend(to: store.index) }
        let books = ids.compactMap { id in store.bookAtHand(id).map { (id, $0) } }
        let targets = books.map { id, book in
            MarkTarget(
                book: book, identity: identity(of: id),
                marks: store.local == nil ? remoteMarks(of: id) : marked?.index.marks(of: id) ?? [],
                catalog: catalogPath)
        }
        let before = shelves.changeCount
        let marks = try shelves.apply(change, to: targets + missing.map(MarkTarget.init(mark:)))
        guard marked?.changeCount == before else { return }
        marked?.take(marks.prefix(books.count), of: books.map(\.0), changeCount: shelves.changeCount)
        if !missing.isEmpty { marked?.forgetLists() }
    }

    /// Reads the catalog again, and what other processes did to the marks.
    ///
    /// - Throws: `CatalogError`; the books stay as they are then.
    public func reload() throws(CatalogError) {
        try store.reload()
        // Marks that cannot be read again are those that are known.
        try? shelves.load()
        (marked, placing) = (nil, nil)
        // What is being read is placed among books that were others.
        if shelves.isRead { (loading, isLoadingShelves) = (nil, false) }
        queries.forget()
    }

    /// Finds the books of the marks, unless that was done since they were changed.
    private func locateMarks() {
        if let marked, marked.changeCount == shelves.changeCount { return }
        marked = MarkedBooks(MarkIndex(shelves, in: store.index), changeCount: shelves.changeCount)
    }
}
