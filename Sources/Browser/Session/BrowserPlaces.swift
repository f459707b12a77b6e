internal import Books
internal import Catalog
internal import Indexing
internal import Library
internal import Search
internal import Shelves
internal import Storage
internal import TerminalUI

/// Where the reader is, and how that is remembered.
extension Browser {
    /// What has the keyboard.
    var context: Command.Context {
        if prompt != nil { return .prompt }
        switch overlay {
        case .help: return helpEditor == nil ? .help : .search
        case .facets: return .facets
        case .statistics: return .statistics
        case .palette: return .palette
        case .columns: return .columns
        case .history: return .history
        case .shelves: return .shelves
        case nil: break
        }
        if editor != nil { return .search }
        switch focus {
        case .lists: return .lists
        case .list: return .books
        case .detail: return .detail
        }
    }

    /// The index in the store of the selected book; nil where there is none.
    var selectedIndex: Int? {
        bookTable.selectedRow.flatMap { $0 < bookSource.list.count ? bookSource.list.index(atRow: $0) : nil }
    }

    /// The selected mark on a book that is not in the catalog; nil where a book is selected.
    var selectedMissing: BookIdentity? {
        guard let row = bookTable.selectedRow, row >= bookSource.list.count else { return nil }
        let number = row - bookSource.list.count
        return number < bookSource.missing.count ? bookSource.missing[number].identity : nil
    }

    /// Makes the detail of the selected book, where it is not there yet.
    func refreshDetail() {
        guard isDetailStale else { return }
        isDetailStale = false
        let index = selectedIndex
        if let detailIndex, index != detailIndex { detailLines[detailIndex] = detailView.topLine }
        guard let index else {
            detailIndex = nil
            let mark = selectedMissing.flatMap { library.shelves.marks[$0] }.map(library.shelves.shown(_:))
            let detail = mark.map { BookDetail.absent($0, shelves: library.shelfNames(of: $0)) } ?? .nothingSelected
            detailView.paragraphs = detail.paragraphs
            detailView.scrollToTop()
            return
        }
        let mark = library.shownMark(at: index)
        let shelves = mark.map(library.shelfNames(of:)) ?? []
        let detail = library.store.book(at: index).map { BookDetail.book($0, shelves: shelves, mark: mark) } ?? .missing
        detailView.paragraphs = detail.paragraphs(highlightedBy: bookSource.finder)
        if index != detailIndex { detailView.scroll(toLine: detailLines[index] ?? 0) }
        detailIndex = index
    }

    /// Goes to the lists, with the one that is open selected.
    func showLists() {
        leaveList()
        (editor, wholeList) = (nil, nil)
        listsTable.reloadData()
        selectOpenList()
        focus = .lists
    }

    /// Opens a list where it was left in this run, as a whole unless something else is asked for.
    func showBooks(of list: NamedList, as asked: ListPipeline.Request? = nil) {
        closeOverlays()
        focus = .list
        show(list, as: asked)
    }

    /// Shows a list; the keyboard stays where it is.
    func show(_ list: NamedList, as asked: ListPipeline.Request? = nil) {
        leaveList()
        // It may have been renamed since it was last shown.
        self.list = library.lists.first { $0 == list } ?? list
        (anchor, wholeList, editor) = (nil, nil, nil)
        var request = asked ?? listing.request
        if asked == nil {
            request.query = Query("")
            request.order = order(of: list, after: request.order)
        }
        listing.change(to: request)
        refill()
        let place = places.first { $0.list == list }
        bookTable.select(place?.row ?? 0, top: place?.top ?? 0)
    }

    /// The order in which a list is opened: that of a query, where it was saved with one, and else that of the lists before.
    private func order(of list: NamedList, after order: SortOrder) -> SortOrder {
        // What the reader ordered otherwise meanwhile is their wish for all lists.
        let former = orderOfQuery.flatMap { $0.own == order ? $0.former : nil } ?? order
        orderOfQuery = nil
        guard let own = library.query(of: list)?.sort.flatMap(SortOrder.init) else { return former }
        orderOfQuery = (former, own)
        return own
    }

    /// Shows the list that is selected among the lists, where it is seen beside them.
    func showSelectedList() {
        guard focus == .lists, layout?.hasListsPane == true, let row = listsTable.selectedRow else { return }
        let selected = library.lists[row]
        if selected != list { show(selected) }
    }

    /// Selects the list that is open among the lists.
    func selectOpenList() {
        if let row = library.lists.firstIndex(of: list) { listsTable.select(row) }
    }

    private func leaveList() {
        endRange()
        places.removeAll { $0.list == list }
        places.append(ListPlace(list: list, row: bookTable.selectedRow ?? 0, top: bookTable.topRow))
    }

    /// Goes to a place of an earlier run: the book decides, and where it is gone, the row nearest to the stored one.
    func resume(at place: Preferences.Place) {
        guard let list = library.list(of: place) else {
            show(.all)
            showLists()
            listsTable.select(place.row)
            return
        }
        showBooks(of: list, as: place.request)
        resumeJump(.place(place))
        if place.isDetailFocused == true && bookTable.selectedRow != nil { focus = .detail }
    }

    /// Opens the list of a place of an earlier run, or another one, but with another query or order; the book stays selected where it is
    /// listed, and else the first one is.
    func open(_ place: Preferences.Place?, askingFor query: Query?, in order: SortOrder?, of list: NamedList?) {
        let lastList = place.flatMap(library.list(of:))
        // What was looked for in another list is not asked of this one.
        let place = list == nil || list == lastList ? place : nil
        var request = place?.request ?? ListPipeline.Request()
        if let query { request.query = query }
        if let order { request.order = order }
        if request.query.expression != .everything { lastQuery = request.query }
        showBooks(of: list ?? lastList ?? .all, as: request)
        if let keys = place?.keys { resumeJump(.book(keys)) }
    }

    /// Goes where the reader wants to be, or as near as can be while that is not loaded yet.
    func resumeJump(_ pendingJump: PendingJump) {
        switch pendingJump {
        case .end: bookTable.select(bookTable.rowCount - 1)
        case .row(let row):
            bookTable.select(row)
            if row < bookTable.rowCount {
                self.pendingJump = nil
                return
            }
        case .place(let place):
            bookTable.select(place.row, top: place.scrollOffset)
            // Where the book is still in its row, as nearly always, the others need not be known.
            if place.keys == nil && place.row < bookTable.rowCount || isSelected(place) {
                self.pendingJump = nil
                return
            }
        case .book: break
        }
        // A search that is not complete may find the book yet.
        let isAllThere = library.store.progress == nil && listing.progress == nil && !library.isLoadingShelves
        self.pendingJump = isAllThere ? nil : pendingJump
        guard self.pendingJump == nil else { return }
        switch pendingJump {
        case .place(let place): select(place)
        case .book(let keys):
            if let row = row(ofBookWith: keys, nearestTo: 0) { bookTable.select(row) }
        case .end, .row: break
        }
    }

    private func isSelected(_ place: Preferences.Place) -> Bool {
        guard let index = selectedIndex, bookTable.selectedRow == place.row else { return false }
        return library.store.index.keys(at: index) == place.keys
    }

    /// Selects the book of a place wherever it is now.
    private func select(_ place: Preferences.Place) {
        guard let keys = place.keys else { return }
        if let row = row(ofBookWith: keys, nearestTo: place.row) {
            // As far below the top of the screen as it was; the file may hold any numbers.
            let (distance, overflow) = place.row.subtractingReportingOverflow(place.scrollOffset)
            bookTable.select(row, top: overflow ? row : row - min(max(distance, 0), row))
        } else {
            message = message.isEmpty ? Self.bookIsGone : message + "; " + Self.bookIsGone
        }
    }

    /// Takes in what was loaded in the background.
    func receive() {
        let wasLoading = library.store.progress != nil
        guard library.receive(notifying: notify) else { return }
        if wasLoading && library.store.progress == nil {
            if let defects = library.store.defects.sentence { message = defects }
            returnFreeMemory()
        }
        listsTable.reloadData()
        refill(isGrown: true)
        if let pendingJump { resumeJump(pendingJump) }
    }

    /// What the reader is told where the book that was selected cannot be found again.
    static let bookIsGone = "the book you were at is not in this list any more"

    /// The row in the open list of the book with `keys`, of doubles the nearest to `row`; nil where the list does not
    /// have it. Linear in the catalog.
    func row(ofBookWith keys: MatchKeys, nearestTo row: Int) -> Int? {
        let finder = BookLookup(of: keys.all, in: library.store.index)
        return bookSource.list.row(ofOneOf: finder.indices(bestMatching: keys), nearestTo: row)
    }

    /// Writes the place to the preferences file; where that fails, it is said in the status line and at the end.
    func rememberPlace() {
        // The reader has not come to the place yet, and has not gone elsewhere.
        if focus != .lists && pendingJump?.isRemembered == true { return }
        do {
            try preferences.remember(place, arranged: arrangement, in: catalogPath)
            placeProblem = nil
        } catch {
            let problem = "your place is not remembered: \(error.savingSentence)"
            placeProblem = problem
            message = problem
        }
    }

    /// Where the reader is.
    private var place: Preferences.Place {
        if focus == .lists {
            return Preferences.Place(
                lastViewedListIndex: NamedList.listsScreenIndex, row: listsTable.selectedRow ?? 0, scrollOffset: 0)
        }
        let index = library.store.index
        let keys = selectedIndex.map(index.keys(at:))
        var place = Preferences.Place(
            lastViewedListIndex: library.lists.firstIndex(of: list) ?? 0, row: bookTable.selectedRow ?? 0,
            scrollOffset: bookTable.topRow,
            book: selectedIndex.map { index.identity(at: $0).description },
            hash: keys.flatMap { $0.isbn == nil ? nil : $0.hash.description })
        place.list = list.id
        place.request = listing.request
        place.isDetailFocused = focus == .detail ? true : nil
        return place
    }

    // MARK: - Marks

    /// Gives the place a letter.
    func setPlace(_ letter: Character?) {
        guard let letter else { return }
        marks.removeAll { $0.letter == letter }
        marks.append(Bookmark(letter: letter, place: place))
        message = "\(keyLabel(of: .goToPlace))\(letter) comes back here"
        rememberPlace()
    }

    /// Goes to the place that has a letter.
    func goToPlace(_ letter: Character?) {
        guard let letter else { return }
        guard let mark = marks.first(where: { $0.letter == letter }) else {
            message = "No place has the letter \(letter): \(keyLabel(of: .setPlace))\(letter) gives it one"
            return
        }
        trail.append(visit)
        forwardTrail = []
        resume(at: mark.place)
    }

    // MARK: - The arrangement

    /// How the reader arranged the catalog.
    private var arrangement: Preferences.Arrangement {
        // What they left as it was follows the settings.
        let standard = Panes(settings)
        func moved<Value: Equatable>(_ part: KeyPath<Panes, Value>) -> Value? {
            panes[keyPath: part] == standard[keyPath: part] ? nil : panes[keyPath: part]
        }
        return Preferences.Arrangement(
            listShare: moved(\.listShare), stackedShare: moved(\.stackedShare), listsWidth: moved(\.listsWidth),
            columns: columns?.names, marks: marks)
    }

    /// Arranges it as it was the last time.
    func arrange(as stored: Preferences.Arrangement?) {
        guard let stored else { return }
        if let share = stored.listShare { panes.listShare = share }
        if let share = stored.stackedShare { panes.stackedShare = share }
        if let width = stored.listsWidth { panes.listsWidth = width }
        if let names = stored.columns { columns = ListColumns(names: names) }
        marks = stored.marks
    }

    /// Moves the divider beside the pane that has the keyboard.
    func movePanes(_ request: KeyInterpreter.Request) {
        guard let layout, layout.hasListsPane || !layout.divider.isEmpty else {
            message = "There is one pane only in a window of this size"
            return
        }
        let count = min(request.count ?? 1, 1000)
        let step = request.command == .narrowPane ? -count : count
        if focus == .lists {
            panes.move(.lists, to: layout.listsDivider.column + step, in: layout)
        } else if layout.isStacked {
            panes.move(.stack, to: layout.divider.row + step, in: layout)
        } else {
            panes.move(.detail, to: layout.divider.column + step, in: layout)
        }
    }
}
