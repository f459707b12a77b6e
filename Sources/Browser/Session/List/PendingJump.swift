internal import Books
internal import Catalog
internal import Indexing
internal import Library
internal import TerminalUI

/// A jump to a row that is not loaded yet.
enum PendingJump: Hashable {
    /// To the last row.
    case end
    /// To a row.
    case row(Int)
    /// To a row, with another at the top of the screen: the last position in the list.
    case position(row: Int, top: Int)
    /// To the place where the last session ended.
    case place(Preferences.Place)
    /// To the book with these keys, in the row that lists it.
    case book(MatchKeys)
    /// To the first book at a letter or number, as typed, in the order of the list.
    case letter(String)

    /// Whether it restores a remembered position: until it is made, no other position is remembered.
    var isRemembered: Bool {
        switch self {
        case .place, .book: true
        case .end, .row, .position, .letter: false
        }
    }

    /// The message while the jump is pending.
    var sentence: String {
        switch self {
        case .end: Message.goingToEnd.text()
        case .row(let row): Message.goingToRow.text((row + 1).grouped)
        case .position: ""
        case .place(let place): Message.resumingAtRow.text((place.row + 1).grouped)
        case .book: Message.resumingAtBook.text()
        case .letter(let text): Message.goingToLetter.text(text.uppercased())
        }
    }
}

/// Jumping to rows, including those that are not loaded yet.
extension BookListModel {
    /// Jumps to the target, or as near to it as possible until it is loaded.
    func jump(to jump: PendingJump) {
        switch jump {
        case .end: table.select(table.rowCount - 1)
        case .row(let row):
            table.select(row)
            if row < table.rowCount { return pendingJump = nil }
        case .position(let row, let top): table.select(row, top: top)
        case .place(let place):
            table.select(place.row, top: place.scrollOffset)
            // If the book is still in its row, as it nearly always is, the rows after it need not be loaded.
            if place.keys == nil && place.row < table.rowCount || isCurrent(place) { return pendingJump = nil }
            if let remote = library.store.remote, let sourceID = place.sourceID {
                return go(to: place, ofBookWithSourceID: sourceID, in: remote)
            }
        case .book: break
        case .letter(let text): return goToFirstBook(at: text)
        }
        // A search that is not complete may still find the book.
        let isAllThere =
            !library.store.state.isLoading && !rows.books.rowCount.isOpen && !isCurrentRowPending && progress == nil
            && !library.isLoadingUserData
        pendingJump = isAllThere ? nil : jump
        guard isAllThere else { return }
        switch jump {
        case .place(let place): select(place)
        case .book(let keys):
            if let row = row(ofBookWith: keys, nearestTo: 0) { table.select(row) }
        case .end, .row, .position, .letter: break
        }
    }

    /// Asks the source for the present row of a book, unless it is in its former row.
    private func go(
        to place: Preferences.Place, ofBookWithSourceID sourceID: String, in remote: any RemotelyQueried
    ) {
        pendingJump = .place(place)
        if isCurrentRowPending { return }
        switch remote.row(ofBookWithSourceID: sourceID, in: rows.books) {
        case .ready(let row):
            table.select(row, top: top(of: row, as: place))
            pendingJump = nil
        case .pending: break
        case .failed, .gone:
            status.add(Self.bookIsGone)
            pendingJump = nil
        }
    }

    /// Returns the row at the top of the screen if the book of a place is in `row`: its distance is kept.
    private func top(of row: Int, as place: Preferences.Place) -> Int {
        // The file may hold any numbers.
        let (distance, overflow) = place.row.subtractingReportingOverflow(place.scrollOffset)
        return overflow ? row : row - min(max(distance, 0), row)
    }

    private func isCurrent(_ place: Preferences.Place) -> Bool {
        guard let id = currentBook, table.currentRow == place.row else { return false }
        return library.store.keys(of: id) == place.keys
    }

    private var isCurrentRowPending: Bool {
        guard let row = table.currentRow, row < rows.bookRowCount else { return false }
        return rows.books.id(atRow: row) == .pending
    }

    /// Makes the book of a place current at its present row.
    private func select(_ place: Preferences.Place) {
        guard let keys = place.keys else { return }
        if let row = row(ofBookWith: keys, nearestTo: place.row) {
            table.select(row, top: top(of: row, as: place))
        } else {
            status.add(Self.bookIsGone)
        }
    }

    /// The message if the book that was current is not found.
    static let bookIsGone = Message.bookNotListed.text()

    /// Returns the row in the open list of the book with `keys`; if it is listed twice, the row nearest to `row`.
    /// Linear in the size of the catalog.
    private func row(ofBookWith keys: MatchKeys, nearestTo row: Int) -> Int? {
        let lookup = BookLookup(of: keys.all, in: library.store.index)
        return rows.list.row(ofOneOf: lookup.ids(bestMatching: keys), nearestTo: row)
    }
}
