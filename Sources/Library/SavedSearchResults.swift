internal import Catalog
internal import Indexing
internal import Search
internal import Shelves
internal import Threading

/// The results of saved searches in a catalog.
final class SavedSearchResults {
    /// A result with the parameters for which it is valid.
    private struct Found {
        var text: String
        var bookCount: Int
        var changeCount: Int
        var list: BookList
    }

    private var found: [SavedSearch.ID: Found] = [:]
    private var opening: (query: SavedSearch, bookCount: Int, changeCount: Int, search: BookSearch)?
    private var counting: BackgroundTask<[SavedSearch.ID: BookList]>?
    private var counted: (bookCount: Int, changeCount: Int, queries: [SavedSearch])?

    /// Returns the results of `query`, waiting until they are complete.
    func books(of query: SavedSearch, in store: BookStore, userData: UserDataFilter, changeCount: Int) -> BookList {
        if let known = known(query, in: store, changeCount: changeCount) { return known.list }
        let list =
            Self.search(query.text, in: store.index, count: store.index.count, userData: userData, as: .interactive) {
                false
            }
            ?? BookList([])
        keep(list, of: query, bookCount: store.index.count, changeCount: changeCount)
        return list
    }

    /// Returns the results of `query`, waiting at most `milliseconds`; nil if they are not complete by then.
    ///
    /// - Parameter notify: Called on any thread when they are complete later.
    func books(
        of query: SavedSearch, in store: BookStore, userData: @autoclosure () -> UserDataFilter, changeCount: Int,
        waiting milliseconds: Int, notifying notify: @escaping @Sendable () -> Void
    ) -> BookList? {
        if let known = known(query, in: store, changeCount: changeCount) {
            stopOpening()
            return known.list
        }
        // While the catalog is loading, the search is not restarted for every batch.
        if let opening,
            opening.query != query || opening.changeCount != changeCount
                || !store.state.isLoading && opening.bookCount != store.index.count
        {
            stopOpening()
        }
        let current =
            opening
            ?? (
                query, store.index.count, changeCount,
                BookSearch(
                    Query(query.text), in: BookSearch.Scope(BookList(allOf: store.index.count), of: store.index),
                    userData: userData(), notifying: notify)
            )
        opening = current
        guard current.search.wait(milliseconds: milliseconds) else { return nil }
        opening = nil
        let list = current.search.result.list
        keep(list, of: query, bookCount: current.bookCount, changeCount: changeCount)
        return list
    }

    private func stopOpening() {
        opening?.search.stop()
        opening = nil
    }

    /// Returns the number of results of `query`, if known.
    func count(of query: SavedSearch, in store: BookStore, changeCount: Int) -> Int? {
        takeCounts()
        return found[query.id].flatMap { $0.text == query.text ? $0.list.count : nil }
    }

    /// Returns the results of `query` as they were counted; nil if they were not, or for other user data.
    func booksAtHand(of query: SavedSearch, in store: BookStore, changeCount: Int) -> BookList? {
        known(query, in: store, changeCount: changeCount)?.list
    }

    /// Searches for all `queries` in the background, if anything has changed since the last time.
    func count(
        _ queries: [SavedSearch], in store: BookStore, userData: UserDataFilter, changeCount: Int,
        notifying notify: @escaping @Sendable () -> Void
    ) {
        takeCounts()
        // While the catalog is loading, results are recounted each time the number of books has doubled.
        if let counted, counted.queries == queries, counted.changeCount == changeCount,
            !store.state.isLoading ? counted.bookCount == store.index.count : store.index.count < 2 * counted.bookCount
        {
            return
        }
        counting?.cancel()
        counted = (store.index.count, changeCount, queries)
        // Queries that do not depend on user data are not repeated when it changes.
        let queries = queries.filter { known($0, in: store, changeCount: changeCount) == nil }
        if queries.isEmpty { return counting = nil }
        let (index, count) = (store.index, store.index.count)
        counting = BackgroundTask(notifying: notify) { isCancelled in
            var lists: [SavedSearch.ID: BookList] = [:]
            for query in queries where !isCancelled() {
                lists[query.id] = Self.search(
                    query.text, in: index, count: count, userData: userData, as: .batch, unless: isCancelled)
            }
            return lists
        }
    }

    /// Discards all results, because the books changed.
    func forget() {
        counting?.cancel()
        stopOpening()
        (found, counting, counted) = ([:], nil, nil)
    }

    private func takeCounts() {
        guard let lists = counting?.value, let counted else { return }
        counting = nil
        for query in counted.queries {
            guard let list = lists[query.id] else { continue }
            keep(list, of: query, bookCount: counted.bookCount, changeCount: counted.changeCount)
        }
    }

    private func keep(_ list: BookList, of query: SavedSearch, bookCount: Int, changeCount: Int) {
        found[query.id] = Found(text: query.text, bookCount: bookCount, changeCount: changeCount, list: list)
    }

    private func known(_ query: SavedSearch, in store: BookStore, changeCount: Int) -> Found? {
        takeCounts()
        guard let known = found[query.id], known.text == query.text,
            known.changeCount == changeCount || !Query(query.text).needsUserData
        else { return nil }
        return known.bookCount == store.index.count || store.state.isLoading && store.index.count < 2 * known.bookCount
            ? known : nil
    }

    /// Returns the results of a query, or nil if cancelled.
    private static func search(
        _ text: String, in index: BookIndex, count: Int, userData: UserDataFilter,
        as scheduling: BackgroundThread.Scheduling, unless isCancelled: () -> Bool
    ) -> BookList? {
        let search = BookSearch(
            Query(text), in: BookSearch.Scope(BookList(allOf: count), of: index), userData: userData, as: scheduling)
        return search.wait(unless: isCancelled)?.list
    }
}
