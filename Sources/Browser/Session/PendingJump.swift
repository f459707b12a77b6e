internal import Books
internal import Catalog
internal import Indexing
internal import Library
internal import TerminalUI

/// Where the reader wants to be, while it is not loaded yet.
enum PendingJump: Hashable {
    /// The last row there is.
    case end
    /// A row.
    case row(Int)
    /// A row, with another at the top of the screen: where the list was left.
    case position(row: Int, top: Int)
    /// Where they left off.
    case place(Preferences.Place)
    /// The book with these keys, where it is listed.
    case book(MatchKeys)

    /// Whether it is where they left off: nothing else is remembered before they are there.
    var isRemembered: Bool {
        switch self {
        case .place, .book: true
        case .end, .row, .position: false
        }
    }

    /// What the status line says meanwhile.
    var sentence: String {
        switch self {
        case .end: Message.goingToEnd.text()
        case .row(let row): Message.goingToRow.text((row + 1).grouped)
        case .position: ""
        case .place(let place): Message.resumingAtRow.text((place.row + 1).grouped)
        case .book: Message.resumingAtBook.text()
        }
    }
}

/// Going to rows, also to those that are not there yet.
extension BookListModel {
    /// Goes where the reader wants to be, or as near as can be while that is not loaded yet.
    func jump(to jump: PendingJump) {
        switch jump {
        case .end: table.select(table.rowCount - 1)
        case .row(let row):
            table.select(row)
            if row < table.rowCount { return pendingJump = nil }
        case .position(let row, let top): table.select(row, top: top)
        case .place(let place):
            table.select(place.row, top: place.scrollOffset)
            // Where the book is still in its row, as nearly always, the others need not be known.
            if place.keys == nil && place.row < table.rowCount || isCurrent(place) { return pendingJump = nil }
        case .book: break
        }
        // A search that is not complete may find the book yet.
        let isAllThere =
            !library.store.state.isLoading && !rows.books.rowCount.isOpen && !isCurrentRowPending && progress == nil
            && !library.isLoadingUserData
        pendingJump = isAllThere ? nil : jump
        guard isAllThere else { return }
        switch jump {
        case .place(let place): select(place)
        case .book(let keys):
            if let row = row(ofBookWith: keys, nearestTo: 0) { table.select(row) }
        case .end, .row, .position: break
        }
    }

    private func isCurrent(_ place: Preferences.Place) -> Bool {
        guard let id = currentBook, table.currentRow == place.row else { return false }
        return library.store.keys(of: id) == place.keys
    }

    private var isCurrentRowPending: Bool {
        guard let row = table.currentRow, row < rows.bookRowCount else { return false }
        return rows.books.id(atRow: row) == .pending
    }

    /// Selects the book of a place wherever it is now.
    private func select(_ place: Preferences.Place) {
        guard let keys = place.keys else { return }
        if let row = row(ofBookWith: keys, nearestTo: place.row) {
            // As far below the top of the screen as it was; the file may hold any numbers.
            let (distance, overflow) = place.row.subtractingReportingOverflow(place.scrollOffset)
            table.select(row, top: overflow ? row : row - min(max(distance, 0), row))
        } else {
            status.add(Self.bookIsGone)
        }
    }

    /// What the reader is told if the book that was current cannot be found again.
    static let bookIsGone = Message.bookNotListed.text()

    /// The row in the open list of the book with `keys`, of doubles the nearest to `row`; nil if the list does not have
    /// it. Linear in the catalog.
    private func row(ofBookWith keys: MatchKeys, nearestTo row: Int) -> Int? {
        let lookup = BookLookup(of: keys.all, in: library.store.index)
        return rows.list.row(ofOneOf: lookup.ids(bestMatching: keys), nearestTo: row)
    }
}
