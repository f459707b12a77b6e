internal import Catalog
internal import Editing
internal import Library
internal import Remote
internal import Search
internal import TerminalUI

/// The screen below all others: the lists, the books of the open list, and the detail of the current book.
final class MainScreen: Screen {
    let placement = Placement.body
    /// The lists of the catalog.
    let lists: ListsPane
    /// The books of the open list.
    let books: BooksPane
    /// The detail of the current book.
    let detail: DetailPane
    /// The row of lists under the title bar.
    let tabs: TabBar
    /// The preview of the current list beside the lists.
    let preview: PreviewPane
    /// The pane that has the keyboard.
    var focus = Focus.list {
        didSet { if focus != .detail { detail.leaveLink() } }
    }
    /// The division of the window among the panes.
    private(set) var panes: Panes
    /// The layout of the last drawing; nil if the window is too small.
    private(set) var layout: Layout?
    /// The divider that the mouse is dragging.
    private var pressedDivider: Panes.Divider?
    /// The state that the panes show.
    let session: Session

    /// Creates the screen of `session`.
    init(_ session: Session) {
        self.session = session
        lists = ListsPane(session)
        books = BooksPane(session)
        detail = DetailPane(session)
        tabs = TabBar(session)
        preview = PreviewPane(session)
        panes = Panes(session.settings)
        lists.selectionChanged = { [weak self] in self?.openCurrentList() }
    }

    /// Whether the lists pane is beside the list.
    var hasListsPane: Bool { layout?.hasListsPane == true }

    var context: CommandContext {
        switch focus {
        case .lists: .lists
        case .list: .books
        case .detail: .detail
        }
    }

    func heading(_ app: App) -> Heading { focus == .lists ? lists.heading : books.heading }

    // MARK: - Drawing

    /// Divides a window of `size`, whose status area has `statusHeight` rows, among the panes and open facets.
    ///
    /// - Parameter hasTabs: Whether there may be a row of lists.
    func share(_ size: Size, hasFacets: Bool, statusHeight: Int, hasTabs: Bool) {
        layout = Layout(
            size: size, focus: focus, panes: panes, hasCards: books.hasCards, hasFacets: hasFacets,
            statusHeight: statusHeight, hasTabs: hasTabs)
    }

    func layout(in area: Rect, _ app: App) {
        guard let layout else { return }
        if !layout.tabs.isEmpty { tabs.layout(in: layout.tabs) }
        if !layout.lists.isEmpty {
            let place: ListsPane.Place =
                layout.hasListsPane ? .besideList : layout.preview.isEmpty ? .alone : .besidePreview
            lists.layout(in: layout.lists, place)
            if !layout.preview.isEmpty { preview.layout(in: layout.preview, showing: lists.current) }
            // In a pane, the open list is the current one, unless the pane has the keyboard.
            if focus != .lists { lists.follow(session.books.list) }
        }
        if !layout.list.isEmpty { books.layout(in: layout.list, windowWidth: layout.title.width) }
        if !layout.detail.isEmpty { detail.layout(in: layout.detail) }
    }

    func draw(on canvas: inout Canvas, _ app: App) -> Position {
        guard let layout else { return Position(row: 0, column: 0) }
        if !layout.tabs.isEmpty { tabs.draw(on: &canvas) }
        if !layout.lists.isEmpty { lists.draw(on: &canvas, isFocused: focus == .lists) }
        let hasKeyboard = layout.facets.isEmpty
        if !layout.list.isEmpty { books.draw(on: &canvas, isFocused: focus == .list && hasKeyboard) }
        if !layout.preview.isEmpty { preview.draw(on: &canvas) }
        drawDivider(layout.previewDivider, on: &canvas)
        drawDivider(layout.listsDivider, on: &canvas)
        drawDivider(layout.divider, on: &canvas)
        if !layout.detail.isEmpty { detail.draw(on: &canvas, isFocused: focus == .detail && hasKeyboard) }
        switch focus {
        case .lists: return lists.table.cursor
        case .list: return books.table.cursor
        case .detail: return detail.cursor
        }
    }

    private func drawDivider(_ rect: Rect, on canvas: inout Canvas) {
        for row in rect.row..<rect.endRow {
            for column in rect.column..<rect.endColumn {
                canvas.write(rect.width == 1 ? "│" : "─", row: row, column: column, style: .line)
            }
        }
    }

    // MARK: - Commands

    /// Moves to a cover beside the current one, if an arrow was pressed for `request` in the grid of covers.
    ///
    /// - Returns: Whether it has.
    func moveInGrid(_ key: Key, _ request: CommandRequest) -> Bool {
        guard focus == .list else { return false }
        switch (key, request.command) {
        case (.right, .open): return books.moveInLine(by: request.count ?? 1)
        case (.left, .back): return books.moveInLine(by: -(request.count ?? 1))
        default: return false
        }
    }

    func perform(_ request: CommandRequest, _ app: App) -> Response {
        let response =
            switch focus {
            case .lists: lists.perform(request, app)
            case .list: books.perform(request, app)
            case .detail: detail.perform(request, app)
            }
        if case .done = response { return response }
        switch request.command {
        case .cancel: cancel(app)
        case .quit where focus != .list: focus = .list
        case .statistics where request.count != nil: goTo(percent: request.count ?? 0)
        case .open: open(app)
        case .back: if focus == .list { goToLists(app) } else { goBack(app) }
        case .backward: goBack(app)
        case .forward: goForward(app)
        case .switchPane, .link(.next): switchPane()
        case .previousPane, .link(.previous): switchPaneBack()
        case .scrollDetail(let step), .moveList(let step):
            if focus != .lists || hasListsPane { detail.scroll(by: step.rows(count: request.count)) }
        case .resizePane(let resizing): resizePane(resizing, count: request.count)
        case .setBookmark:
            guard let letter = request.argument else { return .ignored }
            session.setBookmark(letter, at: place)
            app.savePlace()
        case .goToBookmark:
            guard let place = request.argument.flatMap(session.bookmark) else { break }
            session.history.leave(session.books.historyEntry)
            resume(at: place, app)
        case .goToList:
            guard let number = request.argument else { return .ignored }
            goToList(numbered: number, app)
        case .match(let direction): session.goToMatch(direction)
        case .search: openSearchBar(app)
        case .saveCatalog: session.saveCatalog()
        case .same(let likeness): listResults(to: likeness, app)
        default: return focus == .detail ? books.perform(request, app) : .ignored
        }
        return .done
    }

    func canPerform(_ command: Command, _ app: App) -> Bool {
        switch command {
        case .renameList, .deleteList: lists.current?.isUserList ?? false
        case .export where focus == .lists: lists.current.map { session.library.count(of: $0)?.total != 0 } ?? false
        case .open where focus == .detail, .link: detail.hasLinks
        case .open where focus == .list, .favourite, .sort: session.books.table.currentRow != nil
        case .lists where focus == .list: session.books.emptiness == nil || session.books.emptiness == .list
        case .search: session.books.emptiness == nil || session.books.emptiness == .search
        case .addBook: session.books.emptiness == .catalog
        case .saveCatalog: (session.library.store.edited?.unsavedCount ?? 0) > 0
        // Shown if books are selected or a book has been edited already.
        case .editBook, .deleteBook:
            session.books.table.currentRow != nil
                && (session.books.selectedCount > 0 || (session.library.store.edited?.unsavedCount ?? 0) > 0)
        case .reload: session.books.emptiness == .catalog
        case .cancel: session.books.emptiness == .search || session.books.progress == .readingFields
        case .move(.down) where focus == .detail, .move(.up) where focus == .detail: detail.view.isScrollable
        case .move(.nextSection), .move(.previousSection): (session.books.rows.sections?.starts.count ?? 0) > 1
        default: true
        }
    }

    /// Cancels the latest of: a change of many books, a search for a match, saving, the selected link
    /// of the detail, its focus, a saved search, a range, a search, the selection, copying from a server.
    private func cancel(_ app: App) {
        if session.books.stopReadingFields() { return }
        if session.stopBulkChange() || session.cancelMatchSearch() || session.stopSaving() { return }
        switch focus {
        case .lists: focus = .list
        case .detail: if !detail.leaveLink() { focus = .list }
        case .list:
            if session.books.isOpeningSavedSearch {
                session.status.say(.searchStopped, session.books.list.name)
                openList(.all, app)
            } else if session.books.rows.selection.rangeStart != nil {
                session.books.dropRange()
            } else if clearSearch(app) {
                break
            } else if session.books.selectedCount > 0 {
                session.books.rows.selection.books = BookSet()
            } else if session.library.store.mirrored?.isCopying == true {
                session.library.store.mirrored?.stopCopying()
            }
        }
    }

    private func open(_ app: App) {
        guard focus == .lists else {
            if session.books.table.currentRow != nil { focus = .detail }
            return
        }
        guard let list = lists.current else { return }
        // The list is open already, perhaps searched; only the keyboard moves.
        if list == session.books.list {
            focus = .list
            return
        }
        openList(list, app)
        app.savePlace()
    }

    /// Goes to the book that far down the list.
    private func goTo(percent: Int) {
        let (rowCount, percent) = (session.books.table.rowCount, min(percent, 100))
        session.books.jump(to: percent == 100 ? .end : .row(Int(Double(rowCount) * Double(percent) / 100)))
    }

    private func switchPane() {
        switch focus {
        case .lists: if hasListsPane { focus = .list }
        case .list where session.books.currentBook != nil: focus = .detail
        case .list, .detail: if hasListsPane { showLists() } else { focus = .list }
        }
    }

    /// Goes the way of `switchPane` backwards, and enters the detail at its last link.
    private func switchPaneBack() {
        switch focus {
        case .detail: focus = .list
        case .list where hasListsPane: showLists()
        case .lists where !hasListsPane: break
        case .lists, .list:
            if session.books.currentBook == nil {
                focus = .list
            } else {
                focus = .detail
                detail.selectLastLink()
            }
        }
    }

    /// Moves the divider beside the pane that has the keyboard.
    private func resizePane(_ resizing: Command.Resizing, count: Int?) {
        guard let layout, layout.hasListsPane || !layout.divider.isEmpty else {
            session.status.say(.onePaneOnly)
            return
        }
        let count = min(count ?? 1, 1000)
        let step = resizing == .narrower ? -count : count
        if focus == .lists {
            panes.move(.lists, to: layout.listsDivider.column + step, in: layout)
        } else if layout.isStacked {
            panes.move(.stack, to: layout.divider.row + step, in: layout)
        } else {
            panes.move(.detail, to: layout.divider.column + step, in: layout)
        }
    }

    // MARK: - Mouse

    func point(_ mouse: Mouse, _ app: App) -> Response {
        switch mouse.action {
        case .press: return .done(press(mouse, app))
        case .drag:
            guard let pressedDivider, let layout else { break }
            let position = mouse.position
            panes.move(pressedDivider, to: pressedDivider == .stack ? position.row : position.column, in: layout)
        case .release:
            if pressedDivider != nil { app.savePlace() }
            pressedDivider = nil
        case .wheel: wheel(mouse, app)
        }
        return .done
    }

    private func press(_ mouse: Mouse, _ app: App) -> Effect {
        guard let layout else { return .none }
        if let list = layout.tabs.isEmpty ? nil : tabs.list(at: mouse.position) {
            acceptSearch(app)
            goToList(list, app)
            return .none
        }
        if layout.lists.contains(mouse.position) {
            guard lists.table.row(at: mouse.position) != nil else { return .none }
            // A search that is being typed is kept until another list is clicked.
            acceptSearch(app)
            focus = .lists
            return mouse.point(at: lists.table, app)
        }
        if layout.list.contains(mouse.position) {
            if books.sort(byHeadAt: mouse.position) { return .none }
            guard books.table.row(at: mouse.position) != nil else { return .none }
            acceptSearch(app)
            focus = .list
            session.books.stay()
            return mouse.point(at: books.table, app)
        }
        pressedDivider = layout.divider(at: mouse.position)
        if layout.detail.contains(mouse.position) {
            acceptSearch(app)
            guard session.books.currentBook != nil else { return .none }
            if let target = detail.target(at: mouse.position) {
                follow(target, app)
            } else {
                focus = .detail
            }
        }
        return .none
    }

    /// Scrolls the pane under the mouse, even if another one has the keyboard.
    private func wheel(_ mouse: Mouse, _ app: App) {
        guard let layout, let rows = mouse.wheelRows else { return }
        if layout.lists.contains(mouse.position) {
            lists.table.scrollScreen(by: rows)
        } else if layout.list.contains(mouse.position) {
            session.books.stay()
            books.table.scrollScreen(by: mouse.wheelRows(of: books.table) ?? rows)
        } else if layout.detail.contains(mouse.position) {
            detail.scroll(by: rows)
        }
    }

    private func acceptSearch(_ app: App) {
        if let bar = app.top as? SearchBar { _ = bar.accepted(app) }
    }

    // MARK: - Changes

    func sessionChanged(_ changes: SessionChanges, _ app: App) {
        if changes.contains(.lists) { lists.table.reloadData() }
        if !changes.isDisjoint(with: [.lists, .reloaded, .background]) {
            tabs.forgetCounts()
            preview.forgetLines()
        }
        if changes.contains(.reloaded) { detail.forgetBooks() }
        if changes.contains(.listGone) { leaveListThatIsGone(app) }
        guard focus == .detail else { return }
        // The detail of the book that replaced the current one does not keep the keyboard.
        if changes.contains(.bookLeft) || session.books.table.currentRow == nil { focus = .list }
    }

    /// Opens all books after the open list was deleted.
    private func leaveListThatIsGone(_ app: App) {
        if session.books.updateListName() { return }
        if session.status.text.isEmpty {
            session.status.say(.listDeletedElsewhere, session.books.list.name)
        }
        let row = focus == .lists ? lists.table.currentRow : nil
        if focus == .detail { focus = .list }
        session.search.origin = nil
        session.books.open(.all)
        guard let row else { return }
        showLists()
        lists.table.select(row)
    }

    // MARK: - Screen reader

    func spoken(_ app: App) -> Spoken {
        switch focus {
        case .lists: lists.spoken
        case .list: books.spoken
        case .detail: detail.spoken
        }
    }

    // MARK: - Arrangement

    /// The arrangement of the panes, columns and bookmarks of the catalog.
    var arrangement: Preferences.Arrangement {
        // Values that the user has not changed follow the settings.
        let standard = Panes(session.settings)
        func moved<Value: Equatable>(_ part: KeyPath<Panes, Value>) -> Value? {
            panes[keyPath: part] == standard[keyPath: part] ? nil : panes[keyPath: part]
        }
        return Preferences.Arrangement(
            listShare: moved(\.listShare), stackedShare: moved(\.stackedShare), listsWidth: moved(\.listsWidth),
            columns: books.columns?.names,
            form: books.wantedForm == (session.settings.showsCards ? .cards : .columns) ? nil : books.wantedForm,
            bookmarks: session.history.bookmarks)
    }

    /// Takes over the widths of the settings, which have changed.
    func followSettings() { panes.follow(session.settings) }

    /// Restores the stored arrangement.
    func arrange(as stored: Preferences.Arrangement?) {
        guard let stored else { return }
        if let share = stored.listShare { panes.listShare = share }
        if let share = stored.stackedShare { panes.stackedShare = share }
        if let width = stored.listsWidth { panes.listsWidth = width }
        if let names = stored.columns { books.columns = ListColumns(stored: names) }
        books.chosenForm = stored.form
        session.history.bookmarks = stored.bookmarks
    }
}
