internal import Catalog
internal import Library
internal import TerminalUI

/// The lists, the books of the one that is open, and the detail of one of these: what is below all other screens.
final class MainScreen: Screen {
    let placement = Placement.body
    /// The lists of the catalog.
    let lists: ListsPane
    /// The books of the open list.
    let books: BooksPane
    /// The detail of the current book.
    let detail: DetailPane
    /// The pane that has the keyboard.
    var focus = Focus.list
    /// How the panes share the window.
    private(set) var panes: Panes
    /// Where they are on the screen, since it was last drawn; nil if it is too small.
    private(set) var layout: Layout?
    /// The divider that the mouse holds.
    private var pressedDivider: Panes.Divider?
    /// What they show.
    let session: Session

    /// The panes of `session`.
    init(_ session: Session) {
        self.session = session
        lists = ListsPane(session)
        books = BooksPane(session)
        detail = DetailPane(session)
        panes = Panes(session.settings)
        lists.selectionChanged = { [weak self] in self?.showSelectedList() }
    }

    /// Whether the lists stand beside the list.
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

    /// Divides a window of `size`, in which the status area has `statusHeight` rows, among the panes.
    func share(_ size: Size, statusHeight: Int) {
        layout = Layout(size: size, focus: focus, panes: panes, statusHeight: statusHeight)
    }

    func layout(in area: Rect, _ app: App) {
        guard let layout else { return }
        if !layout.lists.isEmpty {
            lists.layout(in: layout.lists, isPane: layout.hasListsPane)
            // In a pane, the list that is open is the current one, whatever has the keyboard.
            if focus != .lists { lists.select(session.books.list) }
        }
        if !layout.list.isEmpty { books.layout(in: layout.list) }
        if !layout.detail.isEmpty { detail.layout(in: layout.detail) }
    }

    func draw(on canvas: inout Canvas, _ app: App) -> Position {
        guard let layout else { return Position(row: 0, column: 0) }
        if !layout.lists.isEmpty { lists.draw(on: &canvas, isFocused: focus == .lists) }
        if !layout.list.isEmpty { books.draw(on: &canvas, isFocused: focus == .list) }
        drawDivider(layout.listsDivider, on: &canvas)
        drawDivider(layout.divider, on: &canvas)
        if !layout.detail.isEmpty { detail.draw(on: &canvas, isFocused: focus == .detail) }
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
        case .open: open(app)
        case .back: if focus == .list { goToLists(app) } else { goBack(app) }
        case .backward: goBack(app)
        case .forward: goForward(app)
        case .switchPane: switchPane()
        case .scrollDetail(let step), .moveList(let step):
            if focus != .lists || hasListsPane { detail.scroll(by: step.rows(count: request.count)) }
        case .resizePane(let resizing): resizePane(resizing, count: request.count)
        case .setBookmark:
            guard let letter = request.argument else { return .ignored }
            session.setBookmark(letter, at: place)
            app.savePlace()
        case .goToBookmark:
            guard let place = request.argument.flatMap(session.bookmark) else { break }
            session.history.leave(session.books.visit)
            resume(at: place, app)
        case .match(let direction): session.goToMatch(direction)
        case .search: openSearchBar(app)
        case .saveCatalog: return CatalogActions(session: session).perform(request, app)
        case .same(let likeness): goOn(to: likeness, app)
        default: return focus == .detail ? books.perform(request, app) : .ignored
        }
        return .done
    }

    func canPerform(_ command: Command, _ app: App) -> Bool {
        switch command {
        case .renameList, .deleteList: lists.current?.isUserList ?? false
        case .export where focus == .lists: lists.current.flatMap(session.library.count)?.total != 0
        case .open where focus == .list, .favourite, .sort: session.books.table.currentRow != nil
        case .lists where focus == .list: session.books.emptiness == nil || session.books.emptiness == .list
        case .search: session.books.emptiness == nil || session.books.emptiness == .search
        case .addBook: session.books.emptiness == .catalog
        case .saveCatalog: (session.library.store.edited?.unsavedCount ?? 0) > 0
        // Where books are chosen to do something with them, or where one was changed already.
        case .editBook, .deleteBook:
            session.books.table.currentRow != nil
                && (session.books.chosenCount > 0 || (session.library.store.edited?.unsavedCount ?? 0) > 0)
        case .reload: session.books.emptiness == .catalog
        case .cancel: session.books.emptiness == .search
        case .move(.down) where focus == .detail: detail.view.isScrollable
        default: true
        }
    }

    /// Ends what was begun last: a search for a match or for a list, a range, the detail's focus, a search, the choice of rows.
    private func cancel(_ app: App) {
        if session.stopBulkChange() || session.giveUpMatchSearch() { return }
        switch focus {
        case .lists: break
        case .detail: focus = .list
        case .list:
            if session.books.isOpeningSavedSearch {
                session.status.say(.searchStopped, session.books.list.name)
                openList(.all, app)
            } else if session.books.rows.selection.rangeStart != nil {
                session.books.dropRange()
            } else if giveWholeListBack(app) {
                break
            } else if session.books.chosenCount > 0 {
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
        // Beside the lists it is shown already, perhaps searched: there is only the keyboard to hand on.
        if hasListsPane && list == session.books.list {
            focus = .list
            return
        }
        openList(list, app)
        app.savePlace()
    }

    private func switchPane() {
        switch focus {
        case .lists: if hasListsPane { focus = .list }
        case .list where session.books.currentBook != nil: focus = .detail
        case .list, .detail: if hasListsPane { showLists() } else { focus = .list }
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

    // MARK: - The mouse

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
        if layout.lists.contains(mouse.position) {
            guard lists.table.row(at: mouse.position) != nil else { return .none }
            // A search that is being typed is kept until another list is pressed.
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
            if session.books.currentBook != nil { focus = .detail }
        }
        return .none
    }

    /// Scrolls what is there, whatever has the keyboard.
    private func wheel(_ mouse: Mouse, _ app: App) {
        guard let layout, let rows = mouse.wheelRows else { return }
        if layout.lists.contains(mouse.position) {
            lists.table.scrollScreen(by: rows)
        } else if layout.list.contains(mouse.position) {
            session.books.stay()
            books.table.scrollScreen(by: rows)
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
        if changes.contains(.reloaded) { detail.forgetBooks() }
        if changes.contains(.listGone) { leaveListThatIsGone(app) }
        if changes.contains(.passwordNeeded), app.top === self, let mirrored = session.library.store.mirrored,
            let question = mirrored.passwordQuestion
        {
            app.push(PasswordDialog(question, for: mirrored))
        }
        guard focus == .detail else { return }
        // Another book takes the place of one that left the list: not the moment to read on.
        if changes.contains(.bookLeft) || session.books.table.currentRow == nil { focus = .list }
    }

    /// Shows all books in place of the list that was open, as it is gone.
    private func leaveListThatIsGone(_ app: App) {
        if session.books.takeNameOfList() { return }
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

    // MARK: - Spoken

    func spoken(_ app: App) -> Spoken {
        switch focus {
        case .lists: lists.spoken
        case .list: books.spoken
        case .detail: detail.spoken
        }
    }

    // MARK: - The arrangement

    /// How the reader arranged the catalog.
    var arrangement: Preferences.Arrangement {
        // What they left as it was follows the settings.
        let standard = Panes(session.settings)
        func moved<Value: Equatable>(_ part: KeyPath<Panes, Value>) -> Value? {
            panes[keyPath: part] == standard[keyPath: part] ? nil : panes[keyPath: part]
        }
        return Preferences.Arrangement(
            listShare: moved(\.listShare), stackedShare: moved(\.stackedShare), listsWidth: moved(\.listsWidth),
            columns: books.columns?.names, bookmarks: session.bookmarks)
    }

    /// Arranges it as it was the last time.
    func arrange(as stored: Preferences.Arrangement?) {
        guard let stored else { return }
        if let share = stored.listShare { panes.listShare = share }
        if let share = stored.stackedShare { panes.stackedShare = share }
        if let width = stored.listsWidth { panes.listsWidth = width }
        if let names = stored.columns { books.columns = ListColumns(names: names) }
        session.bookmarks = stored.bookmarks
    }
}
