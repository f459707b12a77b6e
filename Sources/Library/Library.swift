public import Books
public import Catalog
public import Indexing
public import Search
public import Shelves
public import Storage
internal import Threading

/// A catalog's books together with the user data, from which all lists are made.
public final class Library {
    /// The books.
    public let store: BookStore
    /// The user data: favourites, shelves, statuses, ratings, notes and saved searches.
    public let userData: UserData
    /// The path of the catalog, which is stored with user data, if it has one.
    public let catalogPath: String?
    /// The user data, located among the books.
    let located: LocatedUserData
    /// The books by reading status.
    private var statusLists = StatusLists()
    /// The results of saved searches, counted in the background for the sidebar and computed on opening.
    private let queries = SavedSearchResults()
    /// The books of the same series and by the same author as others.
    let related = RelatedBookLists()
    /// The columns of the fields that only the catalog has.
    let ownColumns = OwnFieldColumns()
    /// The books to read next.
    var upNext = BackgroundCache<UpNext>()
    /// The distinct names of authors, series and subjects.
    var names = BackgroundCache<DistinctNames>()
    /// The statistics of the reading logs.
    var readings = BackgroundCache<ReadingStatistics>()
    /// Whether there are lists of what is to be tidied up.
    public var hasTidyUp = true
    /// Whether the books of these lists are counted.
    public var countsTidyUp = false
    /// The number of times that the books were discarded.
    private(set) var generation = 0

    /// Creates a library of the books in `store` with the user data in `userData`.
    public init(store: BookStore, userData: UserData, catalogPath: String? = nil) {
        self.store = store
        self.userData = userData
        self.catalogPath = catalogPath
        located = LocatedUserData(userData, in: store)
        queries.columns = { [ownColumns] fields, milliseconds, notify in
            ownColumns.columns(of: fields, in: store, waiting: milliseconds, notifying: notify)
        }
        userData.openCatalog = catalogPath
        userData.rereading = {
            store.recordBacked?.format.flatMap { format in catalogPath.flatMap { Rereading(of: $0, format) } }
        }
    }

    // MARK: - Lists

    /// The lists in display order: all books, favourites, reading statuses, up next, shelves, saved searches.
    public var lists: [NamedList] {
        let statuses: [Book.ReadingStatus] = [.toRead, .reading, .read, .abandoned]
        return [.all, .favourites] + statuses.map(NamedList.status) + [.upNext]
            + userData.shelves.map { NamedList(.shelf($0.id), name: $0.name) }
            + userData.queries.map { NamedList(.query($0.id), name: $0.name) }
    }

    /// Returns the list with this id, or else the one at or nearest to `index`, because lists can be moved or deleted.
    public func list(withID id: String?, near index: Int) -> NamedList {
        let lists = lists
        return everyList.first { $0.id == id } ?? lists[min(max(0, index), lists.count - 1)]
    }

    /// Returns the list with this name, ignoring case.
    public func list(named name: String) -> NamedList? {
        lists.first { $0.name.lowercased() == name.lowercased() }
    }

    /// The names of all lists in display order.
    public var listNames: [String] { lists.map(\.name) }

    /// Returns the saved search that a list shows, if it is one.
    public func query(of list: NamedList) -> SavedSearch? {
        switch list.kind {
        case .query(let id): userData.queries.first { $0.id == id }
        case .tidyUp(let search): SavedSearch(id: list.id, name: list.name, text: search.text)
        default: nil
        }
    }

    /// Returns the query that restricts a server to a list, or nil if the list consists of user data, which the server
    /// does not have.
    public func remoteScope(of list: NamedList) -> Query? {
        if list == .all { return Query("") }
        return query(of: list).map { Query($0.text, of: store.schema) }
    }

    /// Returns the books of a list as far as they are loaded. All books are free; user data takes one search of the
    /// index; a saved search, and in a large catalog the books up next, block until they are found.
    public func books(in list: NamedList) -> BookList {
        if list == .all { return BookList(allOf: store.index.count) }
        if let query = query(of: list) {
            return queries.books(of: query, in: store, userData: userDataFilter, at: versionOfQueries)
        }
        if case .status(let status) = list.kind { return BookList(books(with: status)) }
        if list == .upNext { return booksUpNext() }
        return BookList(members(of: list).books)
    }

    /// Returns the books with a reading status, which is the user's or else the catalog's.
    func books(with status: Book.ReadingStatus) -> [BookID] {
        statusLists.books(with: status, in: store.index, at: version(of: [.books, .userData, .places])) { status in
            members(of: .status(status)).books
        }
    }

    /// Returns the books of a list if they are known without a search; nil if not, or if the user data is still being
    /// located.
    public func booksAtHand(in list: NamedList) -> BookList? {
        if list != .all && !located.isAtHand { return nil }
        if list == .upNext { return booksUpNext(waiting: 0) {} }
        guard let query = query(of: list) else { return books(in: list) }
        return queries.booksAtHand(of: query, in: store, at: versionOfQueries)
    }

    /// Returns the books of a list, waiting at most `milliseconds` for a saved search or the books up next; nil if they
    /// are not complete by then.
    ///
    /// - Parameter notify: Called on any thread when they are complete later.
    public func books(
        in list: NamedList, waiting milliseconds: Int, notifying notify: @escaping @Sendable () -> Void
    ) -> BookList? {
        if list == .upNext { return booksUpNext(waiting: milliseconds, notifying: notify) }
        guard let query = query(of: list) else { return books(in: list) }
        return queries.books(
            of: query, in: store, userData: userDataFilter, at: versionOfQueries, waiting: milliseconds,
            notifying: notify)
    }

    /// Returns the user data in a list whose books are not in the catalog, in a stable order.
    public func missingUserData(in list: NamedList) -> [(identity: BookIdentity, bookData: UserBookData)] {
        if list == .all || query(of: list) != nil { return [] }
        return members(of: list).missing.compactMap { identity in
            userData.books[identity].map { (identity, userData.shown($0)) }
        }
    }

    /// Returns the number of books in a list, and of those that are in the list but not in the catalog; nil while they
    /// are being counted.
    public func count(of list: NamedList) -> ListCount? {
        if list != .all && !located.isAtHand { return nil }
        if list == .all, store.local == nil { return ListCount(books: store.count.known) }
        if let query = query(of: list) {
            return queries.count(of: query).map { ListCount(books: $0) }
        }
        if list == .upNext { return countUpNext.map { ListCount(books: $0) } }
        if list == .all { return ListCount(books: store.index.count) }
        let members = members(of: list)
        // A list of a status also has the books that have it in the catalog.
        guard case .status(let status) = list.kind else {
            return ListCount(books: members.books.count, missing: members.missing.count)
        }
        return ListCount(books: books(with: status).count, missing: members.missing.count)
    }

    /// Counts the results of saved searches and the books up next in the background, unless they are known.
    public func countQueries(notifying notify: @escaping @Sendable () -> Void) {
        if located.isAtHand { _ = booksUpNext(waiting: 0, notifying: notify) }
        if countedQueries.isEmpty { return }
        queries.count(
            countedQueries, in: store, userData: userDataFilter, at: versionOfQueries, notifying: notify)
    }

    /// The searches whose books are counted.
    private var countedQueries: [SavedSearch] {
        userData.queries + (countsTidyUp ? tidyUpLists.compactMap(query) : [])
    }

    /// Whether the books of searches are counted.
    public var countsQueries: Bool { !countedQueries.isEmpty }

    /// Whether some searches are not counted yet for want of a column, and are to be counted again when it may be there.
    public var isWaitingToCountQueries: Bool { queries.isWaitingForColumns }

    /// The version of what saved searches depend on.
    private var versionOfQueries: LibraryVersion { version(of: [.books, .userData]) }

    /// Returns the books of a list and the identities of its books that are not in the catalog.
    private func members(of list: NamedList) -> UserDataByList.Members {
        if userData.books.isEmpty { return UserDataByList.Members() }
        let members = located.members(of: list)
        return store.remote.map { adding(booksOf: $0, to: members) } ?? members
    }

    /// Returns the members of a list with the books that a server knows by the id with which they were stored; they are
    /// loaded when they are displayed.
    private func adding(
        booksOf remote: any RemotelyQueried, to members: UserDataByList.Members
    ) -> UserDataByList.Members {
        var all = UserDataByList.Members()
        all.books = members.books
        var known = Set(members.books)
        for identity in members.missing {
            guard let bookData = userData.books[identity], bookData.catalog == catalogPath,
                let sourceID = bookData.sourceID
            else {
                all.missing.append(identity)
                continue
            }
            let id = remote.id(ofSourceID: sourceID)
            if known.insert(id).inserted { all.books.append(id) }
        }
        return all
    }

    /// The user data that queries can refer to.
    public var userDataFilter: UserDataFilter {
        if userData.books.isEmpty { return UserDataFilter() }
        func books(in list: NamedList) -> [UInt32] { members(of: list).books.map(\.number) }
        var onShelves: [String: [UInt32]] = [:]
        for shelf in userData.shelves {
            onShelves[Query.shelfKey(of: shelf.name)] = books(in: NamedList(.shelf(shelf.id), name: shelf.name))
        }
        var found = UserDataFilter(favourites: books(in: .favourites), shelves: onShelves)
        for status in Book.ReadingStatus.allCases {
            let books = books(in: .status(status))
            if !books.isEmpty { found.statuses[status] = books }
        }
        located.index.forEachBook { book, bookData in
            if let rating = bookData.rating { found.ratings[rating, default: []].append(book.number) }
            if let note = bookData.note { found.notes.append((book.number, note)) }
            if !bookData.readingLog.readings.isEmpty {
                found.take(bookData.readingLog, of: book, in: store.index)
            }
        }
        return found
    }

    // MARK: - Loading

    /// Whether the user data is still being read.
    public private(set) var isLoadingUserData = false
    private var loading: BackgroundTask<(content: UserData.Content, resolver: UserDataResolver)>?

    /// Starts to read the user data in the background, unless that was done before.
    public func loadUserData(notifying notify: @escaping @Sendable () -> Void) {
        guard !userData.isRead, !isLoadingUserData, let directory = userData.filesDirectory else { return }
        isLoadingUserData = true
        let (index, catalog) = (store.index, userData.rereading())
        loading = BackgroundTask(notifying: notify) { _ in
            guard let content = try? UserData.read(directory: directory) else { return nil }
            return (content, content.resolver(in: index, catalog: catalog))
        }
    }

    /// Takes over the user data that was read in the background.
    ///
    /// - Returns: Whether there was any.
    /// - Throws: `FileError` if it cannot be read.
    public func receiveUserData(notifying notify: @escaping @Sendable () -> Void) throws(FileError) -> Bool {
        guard let loading, loading.isMade else { return false }
        self.loading = nil
        isLoadingUserData = false
        guard let (content, resolver) = loading.value else {
            try userData.load()
            return true
        }
        if userData.receive(content) {
            located.take(resolver)
            _ = receiveLocations(notifying: notify)
        }
        located.start(notifying: notify)
        return true
    }

    /// Takes over the books that were loaded in the background and the user data located among them.
    ///
    /// - Returns: Whether anything changed: more books, the end of loading, or user data on other books.
    public func receive(notifying notify: @escaping @Sendable () -> Void) -> Bool {
        let hasMore = store.receive()
        return receiveLocations(notifying: notify) || hasMore
    }

    private func receiveLocations(notifying notify: @escaping @Sendable () -> Void) -> Bool {
        located.receive(notifying: notify)
    }

    /// Reloads the catalog, and the changes of other processes to the user data.
    ///
    /// - Throws: `CatalogError` if the catalog cannot be read, in which case the books stay unchanged.
    public func reload() throws(CatalogError) {
        try store.reload()
        // If the user data cannot be reloaded, the present data stays valid.
        try? userData.load()
        forgetBooks()
    }

    /// Discards the locations of books, because books were edited or moved.
    public func forgetBooks() {
        generation += 1
        store.forgetBooks()
        located.forget()
        statusLists = StatusLists()
        // The background task locates user data among the previous books.
        if userData.isRead { (loading, isLoadingUserData) = (nil, false) }
        queries.forget()
        related.forget()
        ownColumns.stop()
        upNext.forget()
        names.forget()
        readings.forget()
    }
}

extension Rereading {
    /// Creates a description of the catalog at `path`, which is read in this way; fails if earlier versions read the same.
    fileprivate init?(of path: String, _ format: CatalogFormat) {
        var parts: Parts = []
        let (now, before) = (format.mapping.rules, format.generalMapping.rules)
        if now[.title] != before[.title] { parts.insert(.titles) }
        if now[.authors] != before[.authors] { parts.insert(.authors) }
        if now[.authors]?.candidates.contains(where: { $0.split != nil && !$0.separatesNames }) == true {
            parts.insert(.eachAuthor)
        }
        if [".csv", ".tsv"].contains(where: path.lowercased().contains) { parts.insert(.moreAuthors) }
        if parts.isEmpty { return nil }
        self.init(of: path, parts)
    }
}
