internal import Catalog
internal import Indexing
internal import Library
internal import Search
internal import Storage
internal import TerminalUI
internal import Threading

/// The search of the open list, and the last search.
struct SearchState {
    /// The last query.
    private(set) var lastQuery: Query?
    /// The position before the list was searched; nil if it is not searched or was opened with its search.
    var origin: HistoryEntry?
    /// The jump to a match of the last search.
    var matches = MatchSearch()

    /// Remembers the query for the keys that go to the next match.
    mutating func remember(_ query: Query) {
        if query.expression != .everything { lastQuery = query }
    }
}

/// A search whose last parts are the ticks of facets.
struct FacetedSearch {
    /// The query without the ticks.
    var base: Query
    /// The ticks.
    var filter: FacetFilter
    /// The query with the ticks.
    var query: Query
}

/// Finds the books in the whole catalog that match a search, in the background if that takes longer than a frame.
struct MatchSearch {
    private var known: (query: Query, count: Int, books: BookSet)?
    private var search: (query: Query, count: Int, search: BookSearch)?
    /// The direction of the match to go to when the matches are known; nil if the user went elsewhere.
    private(set) var pending: Command.Direction?

    /// Returns the books that match `query`; nil if the search is still running, and then `direction` is pending.
    mutating func books(
        matching query: Query, in library: Library, going direction: Command.Direction, waiting milliseconds: Int,
        notifying notify: @escaping @Sendable () -> Void
    ) -> BookSet? {
        let count = library.store.index.count
        pending = nil
        if let known, known.query == query, known.count == count { return known.books }
        if let search, search.query != query || search.count != count { cancel() }
        let running = search?.search ?? begin(query, in: library, notifying: notify)
        search = (query, count, running)
        guard running.wait(milliseconds: milliseconds) else {
            pending = direction
            return nil
        }
        let books = BookSet(running.result.list)
        known = (query, count, books)
        search = nil
        return books
    }

    private func begin(
        _ query: Query, in library: Library, notifying notify: @escaping @Sendable () -> Void
    ) -> BookSearch {
        let scope = BookSearch.Scope(
            BookList(allOf: library.store.index.count), of: library.store.index, columns: library.columnsAtHand())
        return BookSearch(query, in: scope, userData: library.userDataFilter, as: .batch, notifying: notify)
    }

    /// Cancels the jump to a match; the results are kept.
    mutating func cancelJump() { pending = nil }

    /// Stops searching.
    mutating func cancel() {
        search?.search.stop()
        search = nil
        pending = nil
    }
}

/// Going to the next and previous match.
extension Session {
    /// Goes to the next or previous row whose book matches the last search.
    func goToMatch(_ direction: Command.Direction) {
        guard let query = search.lastQuery else {
            status.say(.noPreviousSearch, keyLabel(of: .search))
            return
        }
        let count = books.rows.list.count
        guard count > 0, let row = books.table.currentRow else { return }
        guard
            let matches = search.matches.books(
                matching: query, in: library, going: direction, waiting: books.timeBudget, notifying: wake)
        else {
            status.say(searchingText(query))
            return
        }
        for distance in 1...count {
            let next = (row + (direction == .next ? distance : count - distance)) % count
            guard matches.contains(books.rows.list[next]) else { continue }
            books.anchor = nil
            books.table.select(next)
            if (next <= row) == (direction == .next) {
                status.say(.searchWrapped, direction == .next ? "top" : "end")
            } else if status.text == searchingText(query) {
                status.clear()
            }
            return
        }
        status.say(.noMatchHere, query.text)
    }

    /// The message while a match is searched for.
    private func searchingText(_ query: Query) -> String {
        Message.searchingFor.text(query.text, keyLabel(of: .cancel))
    }

    /// The message for the pending search or jump, for the status line; "" for none.
    var waitingText: String {
        if search.matches.pending != nil, let query = search.lastQuery { return searchingText(query) }
        return books.pendingJump?.sentence ?? ""
    }

    /// Cancels a pending jump, because the user goes elsewhere.
    ///
    /// - Parameter isKept: Whether a jump to a match stays pending.
    func cancelJump(keepingSearch isKept: Bool) {
        books.pendingJump = nil
        if !isKept { search.matches.cancelJump() }
    }

    /// Stops searching for a match.
    ///
    /// - Returns: False if no search is running.
    func cancelMatchSearch() -> Bool {
        guard search.matches.pending != nil else { return false }
        search.matches.cancel()
        return true
    }
}
