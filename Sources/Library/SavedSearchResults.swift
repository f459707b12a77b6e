internal import Books
internal import Catalog
internal import Indexing
internal import Search
internal import Shelves
internal import Threading

/// The results of saved searches in a catalog.
final class SavedSearchResults {
    /// A result with the query and the version for which it is valid.
    private struct Found {
        var text: String
        var version: LibraryVersion
        var list: BookList
    }

    /// Returns the columns of fields that queries need, waiting as long as it is told; nil while they are made, and then
    /// `notify` is called when they are there.
    var columns: (_ fields: Set<BookField>, _ milliseconds: Int, _ notify: (@Sendable () -> Void)?) -> FieldColumns? = {
        _, _, _ in [:]
    }

    private var found: [SavedSearch.ID: Found] = [:]
    private var opening: (query: SavedSearch, version: LibraryVersion, search: BookSearch)?
    /// What is being counted, and the task that does it.
    private var counting:
        (version: LibraryVersion, queries: [SavedSearch], task: BackgroundTask<[SavedSearch.ID: BookList]>)?
    /// What was counted or is being counted; nil while a column for it is missing.
    private var counted: (version: LibraryVersion, queries: [SavedSearch])?
    /// Whether some queries are not counted for want of a column.
    private(set) var isWaitingForColumns = false

    /// Returns the results of `query`, waiting until they are complete.
    ///
    /// - Parameter version: The version of the books and of the user data, as for all functions here.
    func books(
        of query: SavedSearch, in store: BookStore, userData: UserDataFilter, at version: LibraryVersion
    ) -> BookList {
        if let known = booksAtHand(of: query, in: store, at: version) { return known }
        let asked = Query(query.text, of: store.schema)
        var columns: FieldColumns? = nil
        // A catalog that is still being read has no columns yet.
        while columns == nil, !store.state.isLoading { columns = self.columns(asked.columnFields, 1000, nil) }
        let list =
            Self.search(
                asked, in: store.index, columns ?? [:], count: store.index.count, userData: userData, as: .interactive
            ) { false } ?? BookList([])
        keep(list, of: query, at: version)
        return list
    }

    /// Returns the results of `query`, waiting at most `milliseconds`; nil if they are not complete by then.
    ///
    /// - Parameter notify: Called on any thread when they are complete later.
    func books(
        of query: SavedSearch, in store: BookStore, userData: @autoclosure () -> UserDataFilter,
        at version: LibraryVersion, waiting milliseconds: Int, notifying notify: @escaping @Sendable () -> Void
    ) -> BookList? {
        if let known = booksAtHand(of: query, in: store, at: version) {
            stopOpening()
            return known
        }
        // While the catalog is loading, the search is not restarted for every batch.
        if let opening,
            opening.query != query || !opening.version.differs(onlyInBooksFrom: version)
                || !store.state.isLoading && opening.version != version
        {
            stopOpening()
        }
        let asked = Query(query.text, of: store.schema)
        guard let columns = columns(asked.columnFields, milliseconds, notify) else { return nil }
        let scope = BookSearch.Scope(BookList(allOf: store.index.count), of: store.index, columns: columns)
        let current =
            opening ?? (query, version, BookSearch(asked, in: scope, userData: userData(), notifying: notify))
        opening = current
        guard current.search.wait(milliseconds: milliseconds) else { return nil }
        opening = nil
        let list = current.search.result.list
        keep(list, of: query, at: current.version)
        return list
    }

    private func stopOpening() {
        opening?.search.stop()
        opening = nil
    }

    /// Returns the number of results of `query`, also of those at an earlier version; nil if they were never counted.
    func count(of query: SavedSearch) -> Int? {
        takeCounts()
        return found[query.id].flatMap { $0.text == query.text ? $0.list.count : nil }
    }

    /// Returns the results of `query` as they were counted; nil if they were not, or for other user data.
    func booksAtHand(of query: SavedSearch, in store: BookStore, at version: LibraryVersion) -> BookList? {
        takeCounts()
        guard let known = found[query.id], known.text == query.text else { return nil }
        let isOfUserData = Query(query.text).needsUserData
        let (before, now) = isOfUserData ? (known.version, version) : (known.version.ofBooks, version.ofBooks)
        return isGood(before, for: now, in: store) ? known.list : nil
    }

    /// Returns whether results at a version are good enough for `version`. While the catalog is loading, they are until
    /// the number of books has doubled.
    private func isGood(_ before: LibraryVersion, for version: LibraryVersion, in store: BookStore) -> Bool {
        before == version
            || store.state.isLoading && before.differs(onlyInBooksFrom: version)
                && version.bookCount < 2 * before.bookCount
    }

    /// Searches for all `queries` in the background, if anything has changed since the last time.
    func count(
        _ queries: [SavedSearch], in store: BookStore, userData: UserDataFilter, at version: LibraryVersion,
        notifying notify: @escaping @Sendable () -> Void
    ) {
        takeCounts()
        if let counted, counted.queries == queries, isGood(counted.version, for: version, in: store) { return }
        // Those that wait for a column follow the others.
        if let counting, counting.queries == queries, isGood(counting.version, for: version, in: store) { return }
        counting?.task.cancel()
        counted = (version, queries)
        isWaitingForColumns = false
        // Queries that do not depend on user data are not repeated when it changes.
        var asked: [(id: SavedSearch.ID, query: Query, columns: FieldColumns)] = []
        for search in queries where booksAtHand(of: search, in: store, at: version) == nil {
            let query = Query(search.text, of: store.schema)
            if let columns = columns(query.columnFields, 0, notify) {
                asked.append((search.id, query, columns))
            } else {
                (counted, isWaitingForColumns) = (nil, true)
            }
        }
        if asked.isEmpty { return counting = nil }
        let (index, count) = (store.index, store.index.count)
        let task = BackgroundTask(notifying: notify) { [asked] isCancelled in
            var lists: [SavedSearch.ID: BookList] = [:]
            for (id, query, columns) in asked where !isCancelled() {
                lists[id] = Self.search(
                    query, in: index, columns, count: count, userData: userData, as: .batch, unless: isCancelled)
            }
            return lists
        }
        counting = (version, queries, task)
    }

    /// Discards all results, because the books changed.
    func forget() {
        counting?.task.cancel()
        stopOpening()
        (found, counting, counted) = ([:], nil, nil)
    }

    private func takeCounts() {
        guard let (version, queries, task) = counting, let lists = task.value else { return }
        counting = nil
        for query in queries {
            guard let list = lists[query.id] else { continue }
            keep(list, of: query, at: version)
        }
    }

    private func keep(_ list: BookList, of query: SavedSearch, at version: LibraryVersion) {
        found[query.id] = Found(text: query.text, version: version, list: list)
    }

    /// Returns the results of a query, or nil if cancelled.
    private static func search(
        _ query: Query, in index: BookIndex, _ columns: FieldColumns, count: Int, userData: UserDataFilter,
        as scheduling: BackgroundThread.Scheduling, unless isCancelled: () -> Bool
    ) -> BookList? {
        let scope = BookSearch.Scope(BookList(allOf: count), of: index, columns: columns)
        let search = BookSearch(query, in: scope, userData: userData, as: scheduling)
        return search.wait(unless: isCancelled)?.list
    }
}
