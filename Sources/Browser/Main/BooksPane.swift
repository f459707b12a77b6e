internal import Catalog
internal import Library
internal import Search
internal import TerminalUI

/// The pane with the books of the open list.
final class BooksPane {
    /// The columns that the user chose; nil for the standard columns.
    var columns: ListColumns?
    /// The form that the user chose for the catalog; nil for the setting.
    var chosenForm: ListForm?
    private let session: Session
    private var known = KnownColumns()
    /// Whether the window is wide enough for a grid of covers.
    private var hasRoomForCovers = false
    /// The width of the pane.
    private var width = 0
    private var model: BookListModel { session.books }

    /// Creates the pane of `session`.
    init(_ session: Session) { self.session = session }

    /// The table of books.
    var table: TableView { model.table }

    /// The text of the bars; screens on top of the pane show it too.
    var heading: Heading {
        let selected = model.selectedCount
        let isWhole = model.list == .all && model.request.query.text.isEmpty
        return Heading(
            title: model.list.name + model.barText + model.unlistedText,
            position: model.positionText + (selected > 0 ? "  \(selected.grouped) selected" : ""),
            share: share, listed: isWhole ? nil : model.countText, note: note)
    }

    private var share: String {
        guard let row = table.currentRow, model.selectedCount == 0, model.currentMissing == nil else { return "" }
        // A product of integers overflows if a server claims as many books as fit a number.
        let percent = min(100, Double(row + 1) * 100 / Double(table.rowCount))
        return "\(Int(percent))\u{A0}%"
    }

    /// The section of the current row, for the status line; the title bar has the order.
    private var note: String {
        guard model.request.grouping != nil, let row = table.currentRow,
            let title = table.dataSource?.tableView(
                table, titleForHeaderInSection: table.indexPath(forRow: row).section)
        else { return "" }
        // Brackets around the name would look like a box to tick.
        let keys = [Command.move(.nextSection), .move(.previousSection)].map(session.keyLabel)
        return "section \(title)  \(keys.joined(separator: " "))"
    }

    /// The title of a screen about the open list, called `name`, with the number of books and the request.
    func title(of name: String) -> String { "\(name) (\(model.countText))\(model.requestText)" }

    // MARK: - Columns

    /// The columns that the user chose for the catalog or in the settings, those hidden included; nil for the standard
    /// columns.
    private var chosenColumns: [ListColumns.Choice]? {
        let schema = session.library.store.schema
        return [columns, session.settings.columns].lazy.compactMap { $0?.resolved(in: schema) }
            .first { !$0.allSatisfy(\.isHidden) }
    }

    /// The columns of the list in their order, those that the user has hidden included.
    var placedColumns: [ListColumns.Choice] { chosenColumns ?? standardColumns }

    private var standardColumns: [ListColumns.Choice] {
        let index = session.library.store.index
        return ListColumn.standard(inWidth: width) { known.isWorthRoom($0, in: index) }.map { .init(column: $0) }
    }

    /// The columns that the list shows because it is sorted by them.
    var sortedColumns: [ListColumn] {
        let schema = session.library.store.schema
        return model.request.order.criteria.compactMap { ListColumn.named($0.key.rawValue).resolved(in: schema) }
    }

    /// The columns on the screen: the list's and those of the sort keys, without signs that no book has.
    private var displayedColumns: [ListColumns.Choice] {
        known.update(for: session.library)
        let index = session.library.store.index
        let chosen = chosenColumns
        let placed = chosen ?? standardColumns
        let sorted = sortedColumns
        let added = sorted.filter { column in !placed.contains { $0.column == column } }
        let shown = placed.filter { choice in
            if choice.column.isSign {
                let hasSigns =
                    chosen == nil ? known.contains(choice.column, in: index) : !known.isEmpty(choice.column, in: index)
                return hasSigns && !choice.isHidden
            }
            return !choice.isHidden || sorted.contains(choice.column)
        }
        let columns = shown + added.map { .init(column: $0) }
        // Signs alone, which no book has, would leave rows without text.
        return columns.isEmpty ? [.init(column: .title)] : columns
    }

    /// Returns the width of a column on the screen; nil if it is not shown.
    func shownWidth(of column: ListColumn) -> Int? {
        model.rows.columns.firstIndex(of: column).flatMap { table.shownWidth(ofColumn: $0) }
    }

    /// Sets the frame and the columns. The columns come first, because the lines of a row decide how far the table can
    /// scroll.
    ///
    /// - Parameter windowWidth: The width of the window in columns.
    func layout(in rect: Rect, windowWidth: Int) {
        width = rect.width
        hasRoomForCovers = windowWidth >= CoverShelf.gridWidth
        let form = form
        table.rightMargin = rect.width > 30 && form != .covers ? 1 : 0
        table.showsHeadings = form == .columns
        let isGrouped = model.request.grouping != nil
        table.tiles = form == .covers ? session.covers.tiles(inHeight: rect.height, isGrouped: isGrouped) : nil
        switch form {
        case .columns: layoutColumns()
        case .cards: layoutCards()
        case .covers: layoutCovers()
        }
        model.rows.look.form = form
        table.frame = rect
    }

    private func layoutColumns() {
        let choices = displayedColumns
        let index = session.library.store.index
        table.columns = choices.map { choice in
            choice.column.tableColumn(
                width: choice.width, in: model.request.order, isEmpty: known.isEmpty(choice.column, in: index))
        }
        // In a narrow pane, the column of the first sort key is the last to be hidden.
        let key = model.request.order.criteria.first?.key
        for (number, choice) in choices.enumerated() where key != nil && choice.column.sortKey == key {
            if table.columns[number].priority != nil { table.columns[number].priority = 20 }
        }
        // The first column of text is never hidden.
        if let first = choices.firstIndex(where: { !$0.column.isSign }) { table.columns[first].priority = nil }
        model.rows.columns = choices.map(\.column)
    }

    /// The form that the user wants.
    var wantedForm: ListForm { chosenForm ?? (session.settings.showsCards ? .cards : .columns) }

    /// The form of the list: cards in place of covers where these are not shown.
    var form: ListForm { wantedForm == .covers && !canShowCovers ? .cards : wantedForm }

    private var canShowCovers: Bool { hasRoomForCovers && session.covers.isShown }

    /// Whether the list has cards or covers, which need more width than columns.
    var hasCards: Bool { form != .columns }

    /// Shows the list in the next form.
    private func showNextForm() {
        switch wantedForm {
        case .columns: chosenForm = .cards
        case .cards: chosenForm = canShowCovers ? .covers : .columns
        case .covers: chosenForm = .columns
        }
        let message: Message =
            switch form {
            case .columns: .columnsShown
            case .cards: canShowCovers ? .cardsShownBeforeCovers : .cardsShown
            case .covers: .coversShown
            }
        session.status.say(message, session.keyLabel(of: .cards))
    }

    /// Moves `count` covers to the right, or to the left if negative.
    ///
    /// - Returns: False if there is no grid of covers, or no cover at the left in the line.
    func moveInLine(by count: Int) -> Bool {
        guard form == .covers, table.currentRow != nil else { return false }
        if count < 0 && table.isFirstInLine { return false }
        model.advance()
        model.anchor = nil
        table.moveSelection(by: count)
        return true
    }

    private func layoutCovers() {
        known.update(for: session.library)
        let index = session.library.store.index
        let signs = [ListColumn.favourite, .status].filter { known.contains($0, in: index) }
        let height = table.tiles?.figure.rows ?? 0
        table.columns = (signs + [.title, .author]).map { column in
            var placed = column.cardColumn
            placed.line = column == .author ? height + 1 : height
            return placed
        }
        model.rows.columns = signs + [.title, .author]
    }

    private func layoutCards() {
        known.update(for: session.library)
        let index = session.library.store.index
        let lines = ListColumn.cardLines(in: model.request.order).map { line in
            line.filter { known.contains($0, in: index) }
        }.filter { !$0.isEmpty }
        // The text of all lines begins below the title.
        let indent = 2 * lines[0].prefix(while: \.isSign).count
        table.columns = lines.enumerated().flatMap { number, line -> [TableColumn] in
            // Numbers stand at the right edge, even if nothing is before them.
            let isOfNumbers = !line.contains { if case .share = $0.cardColumn.width { true } else { false } }
            return line.enumerated().map { place, column in
                var column = column.cardColumn
                if isOfNumbers && place == 0 { column.width = .share(1) }
                column.line = number
                if number > 0 { column.indent = indent }
                return column
            }
        }
        model.rows.columns = lines.flatMap(\.self)
    }

    /// Draws the pane.
    func draw(on canvas: inout Canvas, isFocused: Bool) { table.draw(on: &canvas, isFocused: isFocused) }

    /// Sorts the list by the column whose header is at `position`.
    ///
    /// - Returns: False if no header is there.
    func sort(byHeadAt position: Position) -> Bool {
        guard let column = table.column(withHeadAt: position) else { return false }
        // The columns on the screen may have been replaced just now.
        let choices = displayedColumns
        if choices.indices.contains(column), let key = choices[column].column.sortKey { model.sort(by: key) }
        return true
    }

    // MARK: - Commands

    /// Performs the command, if it acts on the books.
    func perform(_ request: CommandRequest, _ app: App) -> Response {
        switch request.command {
        case .move(let motion): move(motion, count: request.count)
        case .selectRow:
            if !model.toggleRows(count: request.count ?? 1) {
                session.status.say(.notSelectable)
            }
        case .selectRange: model.toggleRange()
        case .selectAll: model.toggleAll()
        case .cards:
            showNextForm()
            app.savePlace()
        case .fetchCover: session.fetchCover(app)
        case .sort(let key): model.sort(by: key)
        case .thenSort(let key): model.sort(by: key, isFurther: true)
        case .section(let key): model.section(by: key)
        case .goToLetter: goToLetter(request)
        case .saveSearch: saveSearch(app)
        case .putOnShelf: ShelfPicker.open(isPutting: true, app)
        case .statusOn, .progress:
            if let dialog = BookActions(session: session).readingDialog(for: request.command) { app.push(dialog) }
        case .takeOffShelf: ShelfPicker.open(isPutting: false, app)
        default:
            if case .done(let effect) = CatalogActions(session: session).perform(request, app) { return .done(effect) }
            return BookActions(session: session).perform(request)
        }
        return .done
    }

    private func move(_ motion: Command.Motion, count: Int?) {
        // Pending changes of the list are applied first.
        model.advance()
        model.anchor = nil
        motion.apply(to: table, count: count) { [model] row in
            // The row may not be loaded yet.
            model.jump(to: row.map(PendingJump.row) ?? .end)
        }
    }

    /// Goes to the first book at the letter or number that was typed, in the order of the list.
    private func goToLetter(_ request: CommandRequest) {
        guard let text = request.count.map(String.init) ?? request.argument.map(String.init) else { return }
        model.advance()
        switch model.letterJump(to: text) {
        case .possible:
            model.anchor = nil
            model.jump(to: .letter(text))
        case .needsNumber: session.status.say(.noLettersInOrder, session.keyLabel(of: .goToLetter))
        case .impossible: session.status.say(.noLetters, session.keyLabel(of: .sort(.title)))
        }
    }

    private func saveSearch(_ app: App) {
        let request = model.request
        guard request.query.expression != .everything else {
            session.status.say(.noSearchToSave, session.keyLabel(of: .search))
            return
        }
        let sort = request.order == .list ? nil : request.order.description
        app.push(
            InputDialog(.saveQuery(text: session.textOfListedQuery, sort: sort), text: request.query.text))
    }

    /// The pane as text for a screen reader, which reads the columns of the list even if the screen shows cards.
    var spoken: Spoken {
        let cell = hasCards ? model.rows.cell(atRow: table.currentRow, of: table, in: displayedColumns) : nil
        return Spoken(place: .books, heading: title(of: model.list.name), content: Spoken.row(of: table, cell: cell))
    }
}
