internal import Catalog
internal import Indexing
internal import Library
internal import Search
internal import Storage
internal import TerminalUI
internal import Threading

/// What was searched for: in the open list, and last.
struct SearchState {
    /// What was searched for last.
    private(set) var lastQuery: Query?
    /// Where the reader was before the list was searched; nil if it is not searched, or was opened with its search.
    var origin: HistoryEntry?
    /// Going to a match of the last search.
    var matches = MatchSearch()

    /// Remembers what was searched for, which is what the keys for the next match look for.
    mutating func remember(_ query: Query) {
        if query.expression != .everything { lastQuery = query }
    }
}

/// Finds the books that match a search in the whole catalog, in the background if that takes longer than a frame.
struct MatchSearch {
    private var known: (query: Query, count: Int, books: BookSet)?
    private var search: (query: Query, count: Int, search: BookSearch)?
    /// Which match the reader goes to as soon as they are known; nil if they went elsewhere.
    private(set) var pending: Command.Direction?

    /// The books that match `query`; nil if they are still being looked for, and then `direction` is pending.
    mutating func books(
        matching query: Query, in library: Library, going direction: Command.Direction, waiting milliseconds: Int,
        notifying notify: @escaping @Sendable () -> Void
    ) -> BookSet? {
        let count = library.store.index.count
        pending = nil
        if let known, known.query == query, known.count == count { return known.books }
        if let search, search.query != query || search.count != count { giveUp() }
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
        let scope = BookSearch.Scope(BookList(allOf: library.store.index.count), of: library.store.index)
        return BookSearch(query, in: scope, userData: library.userDataFilter, as: .batch, notifying: notify)
    }

    /// Goes to no match any more; what is found is kept.
    mutating func cancelJump() { pending = nil }

    /// Stops searching.
    mutating func giveUp() {
        search?.search.stop()
        search = nil
        pending = nil
    }
}

/// Going from match to match.
extension Session {
    /// Goes to the next book that the last search found, in the list as it is, or to the one before.
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

    /// What is said while a match is looked for.
    private func searchingText(_ query: Query) -> String {
        Message.searchingFor.text(query.text, keyLabel(of: .cancel))
    }

    /// What the reader waits for, for the status line; "" for nothing.
    var waitingText: String {
        if search.matches.pending != nil, let query = search.lastQuery { return searchingText(query) }
        return books.pendingJump?.sentence ?? ""
    }

    /// Goes nowhere any more that is not there yet: the reader goes elsewhere.
    ///
    /// - Parameter isKept: Whether the match that is looked for is still gone to.
    func cancelJump(keepingSearch isKept: Bool) {
        books.pendingJump = nil
        if !isKept { search.matches.cancelJump() }
    }

    /// Stops looking for a match.
    ///
    /// - Returns: False if none is looked for.
    func giveUpMatchSearch() -> Bool {
        guard search.matches.pending != nil else { return false }
        search.matches.giveUp()
        return true
    }
}
