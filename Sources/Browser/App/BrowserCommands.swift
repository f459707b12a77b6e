internal import Books
internal import Catalog
internal import Indexing
internal import Library
internal import Search
internal import Storage
internal import TerminalUI

/// What commands do.
extension Browser {
    /// Does what was asked for.
    ///
    /// - Returns: What the terminal has to do besides showing the screen.
    func perform(_ request: KeyInterpreter.Request) -> Reaction {
        if request.command.isAboutSelection { pendingJump = nil }
        switch request.command {
        case .redraw: return .repaint
        case .suspend: return .suspend
        case .cancel: cancel()
        case .interrupt:
            cancel()
            message = "Press \(keyLabel(of: .interrupt)) again to quit"
        case .quit:
            if overlays.isEmpty { return .end(.quit) }
            closeOverlay()
        case .back where overlay != nil: closeOverlay()
        case .lists:
            closeOverlays()
            goToLists()
        case .help: toggleHelp()
        case .palette: openPalette()
        case .undo where overlay == nil: undo()
        case .redo where overlay == nil: redo()
        case .history where overlay == nil: openHistory()
        case .newShelf where overlay == nil: askForShelf()
        case .note where overlay == nil && focus != .lists: return writeNote()
        default: performInFront(request)
        }
        return .carryOn
    }

    /// Does it in what has the keyboard.
    private func performInFront(_ request: KeyInterpreter.Request) {
        switch overlay {
        case .help: performInHelp(request)
        case .facets: performAmongFacets(request)
        case .statistics: performAmongStatistics(request)
        case .columns: performAmongColumns(request)
        case .history: performInHistory(request)
        // What is typed there are words.
        case .palette, .shelves: break
        case nil:
            switch focus {
            case .lists: performAmongLists(request)
            case .list, .detail: performAmongBooks(request)
            }
        }
    }

    private func performAmongLists(_ request: KeyInterpreter.Request) {
        switch request.command {
        case .open: openSelectedList()
        case .switchPane where layout?.hasListsPane == true: focus = .list
        case .detailDown, .detailUp: moveListOrDetail(request)
        case .renameList: askForName()
        case .deleteList: askToDelete()
        case .narrowPane, .widenPane: movePanes(request)
        case .columns: openColumnChooser()
        case .reload: reload()
        case .setPlace: setPlace(request.argument)
        case .goToPlace: goToPlace(request.argument)
        case .back, .backward: goBackward()
        case .forward: goForward()
        default: move(in: listsTable, request)
        }
    }

    /// Moves a list of the reader's own, and from the others scrolls the detail, where it is seen.
    private func moveListOrDetail(_ request: KeyInterpreter.Request) {
        let count = min(request.count ?? 1, 10_000)
        if let row = listsTable.selectedRow, library.lists[row].isReadersOwn {
            moveList(by: request.command == .detailDown ? count : -count)
        } else if layout?.hasListsPane == true {
            scrollDetail(request)
        }
    }

    private func performAmongBooks(_ request: KeyInterpreter.Request) {
        switch request.command {
        case .open: if bookTable.selectedRow != nil { focus = .detail }
        case .back: if focus == .detail { focus = .list } else { goToLists() }
        case .switchPane: switchPane()
        case .detailDown, .detailUp: scrollDetail(request)
        case .narrowPane, .widenPane: movePanes(request)
        case .columns: openColumnChooser()
        case .mark: markRows(count: request.count ?? 1)
        case .markRange: toggleRange()
        case .markAll: toggleAllMarks()
        case .favourite: toggleFavourite()
        case .putOnShelf: openShelfPicker(isPutting: true)
        case .takeOffShelf: openShelfPicker(isPutting: false)
        case .statusToRead: setStatus(.toRead)
        case .statusReading: setStatus(.reading)
        case .statusRead: setStatus(.read)
        case .statusAbandoned: setStatus(.abandoned)
        case .statusNone: setStatus(nil)
        case .rate: rate(request.argument)
        case .saveQuery: askForQueryName()
        case .copyTitle, .copyAuthors, .copyISBN, .copyRecord: copy(request.command)
        case .openLink: openLink(number: request.count)
        case .search: openSearchBar()
        case .nextMatch: goToMatch(by: 1)
        case .previousMatch: goToMatch(by: -1)
        case .sameAuthor: list(.author)
        case .sameSeries: list(.series)
        case .sameSubject: list(.subject)
        case .sameYear: list(.year)
        case .backward: goBackward()
        case .forward: goForward()
        case .setPlace: setPlace(request.argument)
        case .goToPlace: goToPlace(request.argument)
        case .facets: openFacets()
        case .statistics: openStatistics()
        case .nextSection, .previousSection:
            anchor = nil
            moveBySections(in: bookTable, request)
        case .reload: reload()
        default: if !order(request.command) { moveInPane(request) }
        }
    }

    /// Orders the list, or shows it in sections, where `command` does.
    ///
    /// - Returns: Whether it does.
    private func order(_ command: Command) -> Bool {
        switch command {
        case .sortByTitle: sort(by: .title)
        case .sortByAuthor: sort(by: .author)
        case .sortByYear: sort(by: .year)
        case .sortByPages: sort(by: .pages)
        case .sortByRating: sort(by: .rating)
        case .sortByAdded: sort(by: .added)
        case .sortByList: sort(by: nil)
        case .thenByTitle: sort(by: .title, isFurther: true)
        case .thenByAuthor: sort(by: .author, isFurther: true)
        case .thenByYear: sort(by: .year, isFurther: true)
        case .thenByPages: sort(by: .pages, isFurther: true)
        case .thenByRating: sort(by: .rating, isFurther: true)
        case .thenByAdded: sort(by: .added, isFurther: true)
        case .sectionByLetter: section(by: .letter)
        case .sectionByDecade: section(by: .decade)
        case .sectionBySeries: section(by: .series)
        case .sectionByAuthor: section(by: .author)
        case .sectionBySubject: section(by: .subject)
        case .sectionByFiction: section(by: .fiction)
        case .sectionByStatus: section(by: .status)
        case .sectionByNothing: section(by: nil)
        default: return false
        }
        return true
    }

    /// Ends what was begun last: keys typed so far, what covers the panes, a range, the detail's focus, a search, marks.
    private func cancel() {
        keys.forget()
        if overlay == .help, !helpQuery.isEmpty {
            lookForHelp("")
        } else if overlay != nil {
            closeOverlay()
        } else if focus == .detail {
            focus = .list
        } else if focus == .list, rangeStart != nil {
            rangeStart = nil
        } else if focus == .list, !giveWholeListBack() {
            bookSource.marks = BookSet()
        }
    }

    /// Opens the list that is selected.
    func openSelectedList() {
        guard let row = listsTable.selectedRow else { return }
        // Beside the lists it is shown already, perhaps searched: there is only the keyboard to hand on.
        if layout?.hasListsPane == true, library.lists[row] == list {
            focus = .list
            return
        }
        showBooks(of: library.lists[row])
        rememberPlace()
    }

    private func goToLists() {
        guard focus != .lists else { return }
        showLists()
        rememberPlace()
    }

    private func switchPane() {
        if focus == .list && selectedIndex != nil {
            focus = .detail
        } else if layout?.hasListsPane == true {
            showLists()
        } else {
            focus = .list
        }
    }

    // MARK: - Moving

    private func scrollDetail(_ request: KeyInterpreter.Request) {
        refreshDetail()
        let count = request.count ?? 1
        detailView.scroll(by: request.command == .detailDown ? count : -count)
    }

    private func moveInPane(_ request: KeyInterpreter.Request) {
        if focus == .detail {
            refreshDetail()
            scroll(detailView, request)
        } else {
            move(in: bookTable, request)
        }
    }

    /// Goes to another section of `table`.
    func moveBySections(in table: TableView, _ request: KeyInterpreter.Request) {
        let count = request.count ?? 1
        table.selectNextSection(by: request.command == .nextSection ? count : -count)
    }

    /// Moves in `table`, where the command does.
    func move(in table: TableView, _ request: KeyInterpreter.Request) {
        if table === bookTable {
            settleListing()
            anchor = nil
        }
        let count = request.count ?? 1
        let page = max(1, table.visibleRowCount)
        switch request.command {
        case .down: table.moveSelection(by: count)
        case .up: table.moveSelection(by: -count)
        case .top: go(to: count - 1, in: table)
        case .end: go(to: request.count.map { $0 - 1 }, in: table)
        case .halfPageDown: table.scroll(by: max(1, page / 2).times(count))
        case .halfPageUp: table.scroll(by: -max(1, page / 2).times(count))
        case .pageDown: table.scroll(byPages: count)
        case .pageUp: table.scroll(byPages: -count)
        case .centre: table.centreSelection()
        default: break
        }
    }

    /// Goes to a row, or to the last one; in a list that is still being loaded also where there is no such row yet.
    private func go(to row: Int?, in table: TableView) {
        if table === bookTable {
            resumeJump(row.map(PendingJump.row) ?? .end)
        } else {
            table.select(row ?? table.rowCount - 1)
        }
    }

    /// Scrolls `view`, where the command does.
    func scroll(_ view: some ScrollingView, _ request: KeyInterpreter.Request) {
        let count = request.count ?? 1
        let page = max(1, view.frame.height)
        switch request.command {
        case .down, .detailDown: view.scroll(by: count)
        case .up, .detailUp: view.scroll(by: -count)
        case .top: view.scroll(by: -.max)
        case .end: view.scroll(by: .max)
        case .halfPageDown: view.scroll(by: max(1, page / 2).times(count))
        case .halfPageUp: view.scroll(by: -max(1, page / 2).times(count))
        case .pageDown: view.scroll(by: page.times(count))
        case .pageUp: view.scroll(by: -page.times(count))
        default: break
        }
    }

    // MARK: - The catalog

    /// Reads the catalog again; the selected book stays selected.
    func reload() {
        guard library.store.canReload else {
            message = "What came through a pipe cannot be read again"
            return
        }
        let place = selectedIndex.map { index in
            let keys = library.store.index.keys(at: index)
            return Preferences.Place(
                lastViewedListIndex: 0, row: bookTable.selectedRow ?? 0, scrollOffset: bookTable.topRow, keys: keys)
        }
        let markedKeys = keysOfMarkedBooks
        do {
            try library.reload()
        } catch {
            message = error.sentence
            return
        }
        isChanged = false
        isDetailStale = true
        (detailLines, detailIndex) = ([:], nil)
        listing.forget()
        listsTable.reloadData()
        let isLoaded = library.store.progress == nil
        message = library.store.defects.sentence ?? (isLoaded ? "Read again: \(library.store.index.count.of("book"))" : "")
        library.store.startLoading(notifying: notify)
        library.startLocatingMarks(notifying: notify)
        refill()
        markBooks(with: markedKeys)
        if let place { resumeJump(.place(place)) }
        countStatistics()
        if isLoaded { returnFreeMemory() }
        // The indices are others now; the book may be the same, and is read on where it was.
        if let keys = place?.keys, let index = selectedIndex, library.store.index.keys(at: index) == keys {
            detailIndex = index
        }
        if bookTable.selectedRow == nil && focus == .detail { focus = .list }
    }
}

extension Int {
    /// The product, or the greatest number there is; neither factor is negative.
    fileprivate func times(_ other: Int) -> Int {
        let (product, overflow) = multipliedReportingOverflow(by: other)
        return overflow ? .max : product
    }
}
