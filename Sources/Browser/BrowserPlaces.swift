internal import Catalog
internal import Storage
internal import TerminalUI

/// Where the reader is, and how that is remembered.
extension Browser {
    /// What has the keyboard.
    var context: Command.Context {
        if isHelpShown { return .help }
        if case .lists = screen { return .lists }
        return focus == .detail ? .detail : .books
    }

    /// The index in the store of the selected book; nil where there is none.
    var selectedIndex: Int? {
        guard case .books = screen else { return nil }
        return bookTable.selectedRow.map(bookSource.list.index(atRow:))
    }

    /// Makes the detail of the selected book, where it is not there yet.
    func refreshDetail() {
        guard isDetailStale else { return }
        isDetailStale = false
        guard let index = selectedIndex else {
            detailIndex = nil
            detailView.paragraphs = BookDetail.nothingSelected.paragraphs
            return
        }
        let book = library.store.book(at: index)
        let shelves = library.isFavourite(at: index, book) ? [CatalogList.favourites.name] : []
        detailView.paragraphs = BookDetail.book(book, shelves: shelves).paragraphs
        if index != detailIndex { detailView.scrollToTop() }
        detailIndex = index
    }

    /// Shows the screen of all lists, with the one that was open selected.
    func showLists() {
        leaveList()
        listsTable.reloadData()
        if case .books(let list) = screen { listsTable.select(list.rawValue) }
        screen = .lists
        focus = .list
    }

    /// Opens a list where it was left in this run.
    func showBooks(of list: CatalogList) {
        leaveList()
        screen = .books(list)
        focus = .list
        bookSource.list = library.books(in: list)
        bookTable.placeholder = list.placeholder
        bookTable.reloadData()
        bookTable.select(places[list.rawValue].row, top: places[list.rawValue].top)
    }

    private func leaveList() {
        if case .books(let list) = screen {
            places[list.rawValue] = (row: bookTable.selectedRow ?? 0, top: bookTable.topRow)
        }
    }

    /// Goes to a place of an earlier run: the book decides, and where it is gone, the row nearest to the stored one.
    func resume(at place: Preferences.Place) {
        guard let list = CatalogList(storedIndex: place.lastViewedListIndex) else {
            showLists()
            listsTable.select(place.row)
            return
        }
        showBooks(of: list)
        bookTable.select(place.row, top: place.scrollOffset)
        guard let keys = place.keys else { return }
        // Where the book is still in its row, as nearly always, the other books need not be read.
        if let index = selectedIndex, bookTable.selectedRow == place.row, library.store.keys(at: index) == keys { return }
        if let row = row(ofBookWith: keys, nearestTo: place.row) {
            // As far below the top of the screen as it was; the file may hold any numbers.
            let (distance, overflow) = place.row.subtractingReportingOverflow(place.scrollOffset)
            bookTable.select(row, top: overflow ? row : row - min(max(distance, 0), row))
        } else {
            message = message.isEmpty ? Self.bookIsGone : message + "; " + Self.bookIsGone
        }
    }

    /// What the reader is told where the book that was selected cannot be found again.
    static let bookIsGone = "the book you were at is not in this list any more"

    /// The row in the open list of the book with `keys`, of doubles the nearest to `row`; nil where the list does not
    /// have it. Reads all books.
    func row(ofBookWith keys: BookKeys, nearestTo row: Int) -> Int? {
        bookSource.list.row(ofOneOf: library.store.indices(bestMatching: keys), nearestTo: row)
    }

    /// Writes the place to the preferences file; where that fails, it is said in the status line and at the end.
    func rememberPlace() {
        let place: Preferences.Place
        switch screen {
        case .lists:
            place = Preferences.Place(
                lastViewedListIndex: CatalogList.listsScreenIndex, row: listsTable.selectedRow ?? 0, scrollOffset: 0)
        case .books(let list):
            let keys = selectedIndex.map(library.store.keys(at:))
            place = Preferences.Place(
                lastViewedListIndex: list.rawValue, row: bookTable.selectedRow ?? 0, scrollOffset: bookTable.topRow,
                // With the row stored beside it, the near identity is enough, and leaving waits for nothing.
                book: selectedIndex.map { library.store.nearIdentity(at: $0).description },
                hash: keys.flatMap { $0.isbn == nil ? nil : $0.hash.description })
        }
        do {
            try preferences.remember(place, in: catalogPath)
            placeProblem = nil
        } catch {
            let problem = "your place is not remembered: \(error.savingSentence)"
            placeProblem = problem
            message = problem
        }
    }
}
