internal import Catalog
internal import Graphemes
internal import Library
internal import Search
internal import TerminalUI

/// What the browser's state looks like.
extension Browser {
    /// The screen for a window of `size`. Places the panes, whose rows and lines commands then count by.
    func draw(size: Size) -> Canvas {
        var canvas = Canvas(size: size)
        layout = Layout(size: size, focus: focus, panes: panes)
        hintPlaces = []
        guard let layout else {
            canvas.write("Window too small", row: 0, column: 0)
            return canvas
        }
        drawTitle(in: layout.title, on: &canvas)
        if overlays.contains(.help) {
            helpView.frame = textFrame(in: layout)
            helpView.draw(on: &canvas)
        } else if overlays.contains(.history) {
            historyTable.frame = layout.body
            historyTable.draw(on: &canvas, isFocused: overlay == .history)
        } else if overlays.contains(.facets) {
            facetsTable.frame = layout.body
            facetsTable.draw(on: &canvas, isFocused: true)
        } else if overlays.contains(.statistics), let view = statistics?.view {
            view.frame = textFrame(in: layout)
            view.draw(on: &canvas)
        } else {
            drawPanes(layout, on: &canvas)
        }
        drawPopup(in: layout.body, on: &canvas)
        drawBottom(layout, on: &canvas)
        return canvas
    }

    /// Where text stands that covers the panes.
    private func textFrame(in layout: Layout) -> Rect {
        Rect(row: layout.body.row, column: 1, height: layout.body.height, width: layout.body.width - 2)
    }

    /// Where the cursor belongs, after the screen was drawn: screen readers follow it.
    var cursor: Position {
        // Nothing is where it was when the window was larger.
        guard layout != nil else { return Position(row: 0, column: 0) }
        switch context {
        case .lists: return listsTable.cursor
        case .books: return bookTable.cursor
        case .search, .palette, .shelves, .prompt: return typingCursor
        case .history: return historyTable.cursor
        case .facets: return facetsTable.cursor
        case .columns: return columnChooser.table.cursor
        case .detail: return Position(row: detailView.frame.row, column: detailView.frame.column - 1)
        case .help: return Position(row: helpView.frame.row, column: helpView.frame.column)
        case .statistics: return Position(row: layout?.body.row ?? 0, column: 1)
        }
    }

    // MARK: - Panes

    private func drawPanes(_ layout: Layout, on canvas: inout Canvas) {
        if !layout.lists.isEmpty { drawLists(in: layout.lists, isPane: layout.hasListsPane, on: &canvas) }
        if !layout.list.isEmpty { drawBooks(in: layout.list, on: &canvas) }
        drawDivider(layout.listsDivider, on: &canvas)
        drawDivider(layout.divider, on: &canvas)
        if !layout.detail.isEmpty { drawDetail(in: layout.detail, on: &canvas) }
    }

    private func drawDivider(_ rect: Rect, on canvas: inout Canvas) {
        for row in rect.row..<rect.endRow {
            for column in rect.column..<rect.endColumn {
                canvas.write(rect.width == 1 ? "│" : "─", row: row, column: column, style: .line)
            }
        }
    }

    /// The lists, and where they have the window for themselves, how the catalog is read below them.
    private func drawLists(in rect: Rect, isPane: Bool, on canvas: inout Canvas) {
        let nameWidth = isPane ? 0 : library.listNames.map(\.displayColumns).max() ?? 0
        listsTable.columns =
            isPane
            ? ListsDataSource.paneColumns : ListsDataSource.columns(forNamesOf: nameWidth, in: rect.width)
        listsTable.frame = rect
        listsTable.rightMargin = isPane ? 1 : 0
        // In a pane, the list that is open is the selected one, whatever has the keyboard.
        if focus != .lists { selectOpenList() }
        listsTable.draw(on: &canvas, isFocused: focus == .lists)
        guard !isPane, let format = library.store.format else { return }
        let lines = Array(LineWrapper(format.sentence, width: rect.width - 2).prefix(2))
        // A heading, the lists, and a blank row before it.
        guard listsTable.rowCount + 2 + lines.count <= rect.height else { return }
        for (index, line) in lines.enumerated() {
            canvas.write(
                line, row: rect.endRow - lines.count + index, column: rect.column + 1, width: rect.width - 2,
                style: .secondary)
        }
    }

    /// The columns that the list has, with the widths that the reader gave them.
    var shownColumns: [ListColumns.Choice] {
        if let columns { return columns.choices }
        if let columns = settings.columns { return columns.map { .init(column: $0) } }
        return ListColumn.standard(inWidth: bookTable.frame.width)
            .filter { $0.isKnown(in: library.store.index) }.map { .init(column: $0) }
    }

    /// How wide a column of the list is on the screen; nil where it is not there.
    func shownWidth(of column: ListColumn) -> Int? {
        bookSource.columns.firstIndex(of: column).flatMap { bookTable.shownWidth(ofColumn: $0 + 1) }
    }

    private func drawBooks(in rect: Rect, on canvas: inout Canvas) {
        bookTable.frame = rect
        // The sign, and the title or what is in its place.
        bookTable.leadingColumns = 2
        bookTable.rightMargin = rect.width > 30 ? 1 : 0
        let choices = shownColumns
        bookTable.columns =
            [TableColumn("", width: .fixed(1))]
            + choices.map { $0.column.tableColumn(width: $0.width, in: listing.request.order) }
        // However narrow it gets, the list has a column.
        if !choices.isEmpty { bookTable.columns[1].priority = nil }
        bookSource.columns = choices.map(\.column)
        bookSource.markedRows = range
        bookTable.draw(on: &canvas, isFocused: focus == .list)
    }

    private func drawDetail(in rect: Rect, on canvas: inout Canvas) {
        refreshDetail()
        // A blank before the text, so that it does not stick to the divider.
        detailView.frame = Rect(row: rect.row, column: rect.column + 1, height: rect.height, width: rect.width - 1)
        detailView.draw(on: &canvas)
        // The sign that a selected row has says which pane has the keyboard.
        if focus == .detail { canvas.write("▌", row: rect.row, column: rect.column) }
    }

    // MARK: - Title

    private func drawTitle(in rect: Rect, on canvas: inout Canvas) {
        let style = Style(on: .bar)
        canvas.clear(rect, style: style)
        let room = rect.width - 2
        let titleColumns = title.displayColumns
        let notes = catalogNotes
        // What must be said is, where a half is enough for it, and the title has what is left.
        let needed = isChanged ? notes.last.flatMap { 2 * $0.displayColumns <= room ? $0 : nil } : nil
        let note = notes.first { titleColumns + 2 + $0.displayColumns <= room } ?? needed ?? ""
        let left = room - note.displayColumns - (note.isEmpty ? 0 : 2)
        canvas.write(title, row: rect.row, column: 1, width: left, style: Style(.strong, on: .bar))
        canvas.write(note, row: rect.row, column: rect.width - 1 - note.displayColumns, style: style)
    }

    /// What the title bar says of the catalog, at length and in fewer words.
    private var catalogNotes: [String] {
        let (name, count) = (library.store.name, library.store.count.of("book") + progress)
        return isChanged
            ? ["\(name) (changed on disk) · \(count)", "\(name) (changed on disk)", "changed on disk"]
            : ["\(name) · \(count)"]
    }

    /// How far the catalog was read, while it is.
    private var progress: String {
        guard let progress = library.store.progress else { return "" }
        return progress.fraction.map { " so far, \(Int($0 * 100)) %" } ?? " so far"
    }

    /// What the title bar says of what is shown.
    var title: String {
        if overlays.contains(.help) { return helpQuery.isEmpty ? "Help" : "Help / " + helpQuery }
        if overlays.contains(.history) { return "History" }
        if focus == .lists { return "Lists" }
        let name =
            overlays.contains(.facets)
            ? "Facets of " + list.name
            : overlays.contains(.statistics) ? "Statistics of " + list.name : list.name
        return "\(name) (\(bookTable.rowCount.grouped))\(listed)"
    }

    /// What of a list is shown, and how: " / garden ▸ title ↑".
    private var listed: String {
        let request = listing.request
        var text = request.query.text.isEmpty ? "" : " / " + request.query.text
        if request.order != .list { text += " ▸ " + request.order.sign }
        if let grouping = request.grouping { text += " by " + grouping.label }
        switch listing.progress {
        case .sorting: text += ", sorting"
        case .searching: text += ", searching"
        case .grouping: text += ", grouping"
        case nil: break
        }
        return text
    }

    // MARK: - Status and hints

    private func drawBottom(_ layout: Layout, on canvas: inout Canvas) {
        if let prompt {
            drawLine(prompt.editor, prompt: prompt.label(inWidth: layout.status.width), fault: nil, layout, on: &canvas)
        } else if typedLine == .search, let editor {
            drawLine(editor, prompt: "/", fault: listing.request.query.fault, layout, on: &canvas)
        } else if let helpEditor, overlay == .help {
            drawLine(helpEditor, prompt: "/", fault: nil, layout, on: &canvas)
        } else if !drawStatus(in: layout.status, andOn: layout.hints, on: &canvas) {
            drawHints(in: layout.hints, on: &canvas)
        }
    }

    /// The line in which the reader types, the position in what was found, and below it what is wrong with the query, at
    /// its place.
    private func drawLine(
        _ editor: LineEditor, prompt: String, fault: QuerySyntaxError?, _ layout: Layout, on canvas: inout Canvas
    ) {
        let (rect, below) = (layout.status, layout.hints)
        let position = position
        let width = max(4, rect.width - 3 - position.displayColumns)
        editor.draw(on: &canvas, row: rect.row, column: 1, width: width, prompt: prompt, isFocused: true)
        canvas.write(position, row: rect.row, column: rect.width - 1 - position.displayColumns, style: .secondary)
        typingCursor = editor.cursor(row: rect.row, column: 1, width: width, prompt: prompt)
        if let fault {
            let start = editor.position(
                ofByteAt: fault.place.lowerBound, row: rect.row, column: 1, width: width, prompt: prompt)
            let text = "^ " + fault.sentence
            // Where it does not fit behind its place it ends at the window's end.
            let column = max(1, min(start.column, below.width - 1 - text.displayColumns))
            canvas.write(text, row: below.row, column: column, width: below.width - column, style: .warning)
        } else if !message.isEmpty {
            canvas.write(message, row: below.row, column: 1, width: below.width - 2)
        } else {
            drawHints(in: below, on: &canvas)
        }
    }

    /// Draws position, message and the keys typed so far; a message too long for its row goes on in the one below.
    ///
    /// - Returns: Whether the row below was used.
    private func drawStatus(in rect: Rect, andOn below: Rect, on canvas: inout Canvas) -> Bool {
        let message = message.isEmpty ? goalText : message
        let pending = keys.pendingText
        let width = rect.width - 2 - (pending.isEmpty ? 0 : pending.displayColumns + 1)
        canvas.write(pending, row: rect.row, column: rect.width - 1 - pending.displayColumns, style: .strong)
        var column = 1 + canvas.write(position, row: rect.row, column: 1, width: width)
        if message.isEmpty {
            if pending.isEmpty { drawFormat(in: rect, behind: column, on: &canvas) }
            return false
        }
        if column > 1 { column += 2 }
        let room = 1 + width - column
        var lines = LineWrapper(message, width: room)
        guard let first = lines.next() else { return false }
        canvas.write(first, row: rect.row, column: column, width: room, style: .plain)
        // Whatever does not fit in two rows is cut, and shown to be.
        let rest = lines.prefix(2).map { $0.map(\.text).joined() }.joined(separator: " ")
        canvas.write(rest, row: below.row, column: column, width: room)
        return !rest.isEmpty
    }

    /// The profile by which the catalog is read, at the end of the status line, where there is room.
    private func drawFormat(in rect: Rect, behind column: Int, on canvas: inout Canvas) {
        guard !overlays.contains(.help), let label = library.store.format?.profile.label else { return }
        let start = rect.width - 1 - label.displayColumns
        if start >= column + 2 { canvas.write(label, row: rect.row, column: start, style: .secondary) }
    }

    /// Where the reader will be as soon as that is loaded.
    private var goalText: String {
        switch pendingJump {
        case .end: "Going to the end"
        case .row(let row): "Going to row \((row + 1).grouped)"
        case .place(let place): "Going to where you left off, row \((place.row + 1).grouped)"
        case .book: "Going to the book where you left off"
        case nil: ""
        }
    }

    /// The selected row and how many there are, "2/11", and how many are marked; in help and statistics the lines that are shown, where
    /// not all are.
    var position: String {
        if overlays.contains(.help) { return position(in: helpView) }
        if overlays.contains(.statistics), let view = statistics?.view { return position(in: view) }
        let table =
            overlays.contains(.history)
            ? historyTable : overlays.contains(.facets) ? facetsTable : focus == .lists ? listsTable : bookTable
        let position = "\((table.selectedRow.map { $0 + 1 } ?? 0).grouped)/\(table.rowCount.grouped)"
        let marked = markedCount
        return marked > 0 && table === bookTable ? position + "  \(marked.grouped) marked" : position
    }

    private func position(in view: some ScrollingView) -> String {
        let end = min(view.lineCount, view.topLine + view.frame.height)
        return end - view.topLine < view.lineCount ? "\(view.topLine + 1)-\(end)/\(view.lineCount)" : ""
    }

    private func drawHints(in rect: Rect, on canvas: inout Canvas) {
        var shown = labelledHints
        func needed(_ gap: Int) -> Int { shown.reduce(0) { $0 + $1.width } + gap * (shown.count - 1) }
        let isTight = needed(3) > rect.width - 2
        // Who knows the way to the help and out needs no others.
        while isTight && shown.count > 3 && needed(2) > rect.width - 2 { shown.remove(at: shown.count - 3) }
        var column = 1
        for labelled in shown {
            let hint = labelled.hint
            if column + labelled.width > rect.width { return }
            let start = column
            column += canvas.write(labelled.key, row: rect.row, column: column, style: .strong) + 1
            column += canvas.write(hint.text, row: rect.row, column: column, style: .secondary)
            // Where more keys must follow, a press is not enough.
            if hint.key == nil {
                let place = Rect(row: rect.row, column: start, height: 1, width: column - start)
                hintPlaces.append(HintPlace(place: place, command: hint.command))
            }
            column += isTight ? 2 : 3
        }
    }

    /// A command of the hint bar with its key.
    struct LabelledHint {
        var hint: Command.ShownHint
        var key: String
        /// How many columns both take.
        var width: Int

        init(_ hint: Command.ShownHint, key: String) {
            self.hint = hint
            self.key = key
            width = key.displayColumns + 1 + hint.text.displayColumns
        }
    }

    /// What applies now. It is the same from key to key, and to find it costs as much as to draw a dozen rows.
    private var labelledHints: [LabelledHint] {
        let context = context
        if hintsOfContext?.context != context {
            hintsOfContext = (context, Command.hints(in: context).map { LabelledHint($0, key: keyLabel(of: $0)) })
        }
        let hints = hintsOfContext?.hints ?? []
        if !offersUndo { return hints }
        return [LabelledHint(.init(command: .undo, text: "undo"), key: keyLabel(of: .undo))] + hints
    }

    /// The keys of a hint, as the reader has them.
    private func keyLabel(of hint: Command.ShownHint) -> String {
        guard let key = hint.key, settings.keys != nil else { return hint.key ?? keyLabel(of: hint.command) }
        switch hint.command {
        case .detailDown: return keyLabel(of: .detailDown) + " " + keyLabel(of: .detailUp)
        case .widenPane: return keyLabel(of: .narrowPane) + " " + keyLabel(of: .widenPane)
        default:
            let label = keyLabel(of: hint.command)
            return label.hasPrefix(key) ? key : label
        }
    }

    /// The first key of a command, as the reader has it.
    func keyLabel(of command: Command) -> String { keys.bindings.labels(of: command).first ?? "–" }
}
