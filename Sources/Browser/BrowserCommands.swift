internal import Catalog
internal import Storage
internal import TerminalUI

/// What commands do.
extension Browser {
    /// Does what was asked for.
    ///
    /// - Returns: What the terminal has to do besides showing the screen.
    func perform(_ request: KeyInterpreter.Request) -> Reaction {
        if request.command.needsList && (isHelpShown || areFacetsShown) { return .carryOn }
        if request.command.isAboutSelection { goal = nil }
        switch request.command {
        case .down, .up, .top, .end, .halfPageDown, .halfPageUp, .pageDown, .pageUp, .centre: move(request)
        case .open: open()
        case .back: back()
        case .lists:
            isHelpShown = false
            goToLists()
        case .switchPane: switchPane()
        case .detailDown: scrollDetail(by: request.count ?? 1)
        case .detailUp: scrollDetail(by: -(request.count ?? 1))
        case .favourite: toggleFavourite()
        case .search: openSearchBar()
        case .nextMatch: goToMatch(by: 1)
        case .previousMatch: goToMatch(by: -1)
        case .sameAuthor: list(.author)
        case .sameSeries: list(.series)
        case .sameSubject: list(.subject)
        case .sameYear: list(.year)
        case .backward: goBackward()
        case .forward: goForward()
        case .facets: toggleFacets()
        case .exclude: narrow(excluding: true)
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
        case .nextSection, .previousSection: moveBySections(request)
        case .cancel: cancel()
        case .help:
            helpView.paragraphs = HelpScreen.paragraphs
            helpView.scrollToTop()
            isHelpShown.toggle()
        case .reload:
            if isHelpShown { return .carryOn }
            reload()
        case .redraw: return .repaint
        case .suspend: return .suspend
        case .quit:
            guard isHelpShown || areFacetsShown else { return .end(.quit) }
            if isHelpShown { isHelpShown = false } else { closeFacets() }
        case .interrupt:
            cancel()
            message = "Press ^c again to quit"
        }
        return .carryOn
    }

    private func cancel() {
        keys.forget()
        if isHelpShown {
            isHelpShown = false
        } else if areFacetsShown {
            closeFacets()
        } else if focus == .detail {
            focus = .list
        } else if case .books = screen {
            giveWholeListBack()
        }
    }

    private func open() {
        guard !isHelpShown else { return }
        if areFacetsShown {
            narrow(excluding: false)
            return
        }
        switch screen {
        case .lists:
            guard let row = listsTable.selectedRow else { return }
            showBooks(of: CatalogList.allCases[row])
            rememberPlace()
        case .books: if bookTable.selectedRow != nil { focus = .detail }
        }
    }

    private func back() {
        if isHelpShown {
            isHelpShown = false
        } else if areFacetsShown {
            closeFacets()
        } else if focus == .detail {
            focus = .list
        } else {
            goToLists()
        }
    }

    private func goToLists() {
        guard screen != .lists else { return }
        showLists()
        rememberPlace()
    }

    private func switchPane() {
        guard !isHelpShown, !areFacetsShown, selectedIndex != nil else { return }
        focus = focus == .list ? .detail : .list
    }

    private func scrollDetail(by lines: Int) {
        if isHelpShown {
            helpView.scroll(by: lines)
        } else if case .books = screen {
            refreshDetail()
            detailView.scroll(by: lines)
        }
    }

    private func move(_ request: KeyInterpreter.Request) {
        if isHelpShown {
            scroll(helpView, request)
        } else if areFacetsShown {
            move(in: facetsTable, request)
        } else if case .lists = screen {
            move(in: listsTable, request)
        } else if focus == .detail {
            refreshDetail()
            scroll(detailView, request)
        } else {
            move(in: bookTable, request)
        }
    }

    private func moveBySections(_ request: KeyInterpreter.Request) {
        guard case .books = screen, !isHelpShown else { return }
        let count = request.count ?? 1
        if areFacetsShown {
            facetsTable.selectNextSection(by: request.command == .nextSection ? count : -count)
            return
        }
        anchor = nil
        bookTable.selectNextSection(by: request.command == .nextSection ? count : -count)
    }

    private func move(in table: TableView, _ request: KeyInterpreter.Request) {
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
            pursue(row.map(Goal.row) ?? .end)
        } else {
            table.select(row ?? table.rowCount - 1)
        }
    }

    private func scroll(_ view: TextView, _ request: KeyInterpreter.Request) {
        let count = request.count ?? 1
        let page = max(1, view.frame.height)
        switch request.command {
        case .down: view.scroll(by: count)
        case .up: view.scroll(by: -count)
        case .top: view.scroll(by: -.max)
        case .end: view.scroll(by: .max)
        case .halfPageDown: view.scroll(by: max(1, page / 2).times(count))
        case .halfPageUp: view.scroll(by: -max(1, page / 2).times(count))
        case .pageDown: view.scroll(by: page.times(count))
        case .pageUp: view.scroll(by: -page.times(count))
        default: break
        }
    }

    private func toggleFavourite() {
        guard !isHelpShown, !areFacetsShown, case .books(let list) = screen, let index = selectedIndex else { return }
        guard let book = library.store.book(at: index) else {
            message = Book.missingText
            return
        }
        let wasFavourite = library.isFavouriteForCertain(at: index)
        // The title last: it may be longer than the line.
        message = (wasFavourite ? "No longer a favourite: " : "★ Favourite: ") + book.shownTitle
        do {
            try library.toggleFavourite(book, at: index)
            if !library.savesFavourites { message = "Until you quit, as it cannot be saved: " + message }
        } catch {
            message = "Not saved yet, and tried again with the next change or at the end: \(error.savingSentence)"
        }
        guard list == .favourites else {
            bookTable.reloadData()
            return
        }
        // Another book takes the place of the one that left the list: not the moment to read on in the detail.
        focus = .list
        refill()
    }

    /// Reads the catalog again; the selected book stays selected.
    func reload() {
        guard library.store.isRepeatable else {
            message = "What came through a pipe cannot be read again"
            return
        }
        let place = selectedIndex.map { index in
            let keys = library.store.index.keys(at: index)
            return Preferences.Place(
                lastViewedListIndex: 0, row: bookTable.selectedRow ?? 0, scrollOffset: bookTable.topRow, keys: keys)
        }
        do {
            try library.reload()
        } catch {
            message = error.sentence
            return
        }
        isChanged = false
        isDetailStale = true
        listing.forget()
        listsTable.reloadData()
        let isLoaded = library.store.progress == nil
        message = library.store.defects.sentence ?? (isLoaded ? "Read again: \(library.store.count.of("book"))" : "")
        library.store.startLoading(notifying: notify)
        guard case .books = screen else { return }
        refill()
        if let place { pursue(.place(place)) }
        if bookTable.selectedRow == nil { focus = .list }
    }
}

extension Int {
    /// The product, or the greatest number there is; neither factor is negative.
    fileprivate func times(_ other: Int) -> Int {
        let (product, overflow) = multipliedReportingOverflow(by: other)
        return overflow ? .max : product
    }
}
