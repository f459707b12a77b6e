internal import Catalog
internal import Indexing
internal import Search
internal import Shelves
internal import Threading

/// What saved queries find in a catalog.
final class QueryLists {
    /// What one found, and of what.
    private struct Found {
        var text: String
        var bookCount: Int
        var changeCount: Int
        var list: BookList
    }

    // Of each team only the last work counts, and whoever waits for another one would wait for ever: what is counted must
    // not stop what is opened, nor the other way round.
    private let team = ThreadPool()
    private let counters = ThreadPool(scheduling: .batch)
    private var found: [SavedQuery.ID: Found] = [:]
    private var opening: (query: SavedQuery, bookCount: Int, changeCount: Int, search: BookSearch)?
    private var counting: BackgroundTask<[SavedQuery.ID: BookList]>?
    private var counted: (bookCount: Int, changeCount: Int, queries: [SavedQuery])?

    /// The books that `query` finds; waits for them.
    func books(of query: SavedQuery, in store: BookStore, marks: UserDataFilter, changeCount: Int) -> BookList {
        if let known = known(query, in: store, changeCount: changeCount) { return known.list }
        let list =
            Self.search(query.text, in: store.index, count: store.index.count, marks: marks, by: team) { false }
            ?? BookList([])
        keep(list, of: query, bookCount: store.index.count, changeCount: changeCount)
        return list
    }

    /// The books that `query` finds, which are waited for at most so many milliseconds; nil if they are not known then, of
    /// which `notify` tells, on any thread.
    func books(
        of query: SavedQuery, in store: BookStore, marks: @autoclosure () -> UserDataFilter, changeCount: Int,
        waiting milliseconds: Int, notifying notify: @escaping @Sendable () -> Void
    ) -> BookList? {
        if let known = known(query, in: store, changeCount: changeCount) {
            stopOpening()
            return known.list
        }
        // While the catalog is read, each batch would begin it again.
        if let opening, opening.query != query || opening.changeCount != changeCount
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
                    marks: marks(), by: team, notifying: notify)
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

    /// How many books `query` finds; nil where that is not known.
    func count(of query: SavedQuery, in store: BookStore, changeCount: Int) -> Int? {
        takeCounts()
        return found[query.id].flatMap { $0.text == query.text ? $0.list.count : nil }
    }

    /// Finds the books of all `queries` in the background, where something is another since the last time.
    func count(
        _ queries: [SavedQuery], in store: BookStore, marks: UserDataFilter, changeCount: Int,
        notifying notify: @escaping @Sendable () -> Void
    ) {
        takeCounts()
        // While the catalog is read, it is counted when it has twice the books.
        if let counted, counted.queries == queries, counted.changeCount == changeCount,
            !store.state.isLoading ? counted.bookCount == store.index.count : store.index.count < 2 * counted.bookCount
        {
            return
        }
        counting?.cancel()
        counted = (store.index.count, changeCount, queries)
        // What does not depend on marks need not be looked for again with each of them.
        let queries = queries.filter { known($0, in: store, changeCount: changeCount) == nil }
        if queries.isEmpty { return counting = nil }
        let (index, count, counters) = (store.index, store.index.count, counters)
        counting = BackgroundTask(notifying: notify) { isCancelled in
            var lists: [SavedQuery.ID: BookList] = [:]
            for query in queries where !isCancelled() {
                lists[query.id] = Self.search(
                    query.text, in: index, count: count, marks: marks, by: counters, unless: isCancelled)
            }
            return lists
        }
    }

    /// Forgets all: the books are others now.
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

    private func keep(_ list: BookList, of query: SavedQuery, bookCount: Int, changeCount: Int) {
        found[query.id] = Found(text: query.text, bookCount: bookCount, changeCount: changeCount, list: list)
    }

    private func known(_ query: SavedQuery, in store: BookStore, changeCount: Int) -> Found? {
        takeCounts()
        guard let known = found[query.id], known.text == query.text,
            known.changeCount == changeCount || !Query(query.text).asksForMarks
        else { return nil }
        return known.bookCount == store.index.count || store.state.isLoading && store.index.count < 2 * known.bookCount
            ? known : nil
    }

    /// - Returns: What a query finds; nil where that was cancelled.
    private static func search(
        _ text: String, in index: BookIndex, count: Int, marks: UserDataFilter, by team: ThreadPool,
        unless isCancelled: () -> Bool
    ) -> BookList? {
        let search = BookSearch(
            Query(text), in: BookSearch.Scope(BookList(allOf: count), of: index), marks: marks, by: team)
        // The next count, which stops this one's search, is begun when this one is cancelled.
        while !search.wait(milliseconds: 100) {
            if isCancelled() {
                search.stop()
                return nil
            }
        }
        return search.result.list
    }
}
