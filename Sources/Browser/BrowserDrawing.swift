internal import Catalog
internal import TerminalUI

/// What the browser's state looks like.
extension Browser {
    /// The screen for a window of `size`. Places the panes, whose rows and lines commands then count by.
    func draw(size: Size) -> Canvas {
        var canvas = Canvas(size: size)
        guard let layout = Layout(size: size, focus: focus) else {
            canvas.write("Window too small", row: 0, column: 0)
            return canvas
        }
        let body = Rect(row: 1, column: 0, height: size.rows - 3, width: size.columns)
        drawTitle(in: layout.title, on: &canvas)
        if isHelpShown {
            helpView.frame = Rect(row: 1, column: 1, height: body.height, width: body.width - 2)
            helpView.draw(on: &canvas)
        } else if areFacetsShown {
            drawFacets(in: body, on: &canvas)
        } else if case .lists = screen {
            drawLists(in: body, on: &canvas)
        } else {
            drawBooks(layout, on: &canvas)
        }
        if let editor {
            drawSearchBar(editor, in: layout.status, andOn: layout.hints, on: &canvas)
        } else if !drawStatus(in: layout.status, andOn: layout.hints, on: &canvas) {
            drawHints(in: layout.hints, on: &canvas)
        }
        return canvas
    }

    /// Where the cursor belongs, after the screen was drawn: screen readers follow it.
    var cursor: Position {
        switch context {
        case .lists: listsTable.cursor
        case .books: bookTable.cursor
        case .search: searchBarCursor
        case .facets: facetsTable.cursor
        case .detail: Position(row: detailView.frame.row, column: detailView.frame.column - 1)
        case .help: Position(row: helpView.frame.row, column: helpView.frame.column)
        }
    }

    /// The lists, and below them how the catalog is read.
    private func drawLists(in body: Rect, on canvas: inout Canvas) {
        listsTable.frame = body
        listsTable.draw(on: &canvas, isFocused: true)
        guard let format = library.store.format else { return }
        let lines = Array(LineWrapper(format.sentence, width: body.width - 2).prefix(2))
        // A heading, the lists, and a blank row before it.
        guard listsTable.rowCount + 2 + lines.count <= body.height else { return }
        for (index, line) in lines.enumerated() {
            canvas.write(
                line, row: body.endRow - lines.count + index, column: 1, width: body.width - 2, style: .secondary)
        }
    }

    private func drawBooks(_ layout: Layout, on canvas: inout Canvas) {
        if !layout.list.isEmpty {
            bookTable.frame = layout.list
            bookTable.draw(on: &canvas, isFocused: focus == .list)
        }
        for row in layout.divider.row..<layout.divider.endRow {
            for column in layout.divider.column..<layout.divider.endColumn {
                canvas.write(layout.divider.width == 1 ? "│" : "─", row: row, column: column, style: .line)
            }
        }
        if !layout.detail.isEmpty {
            refreshDetail()
            let detail = layout.detail
            // A blank before the text, so that it does not stick to the divider.
            detailView.frame = Rect(
                row: detail.row, column: detail.column + 1, height: detail.height, width: detail.width - 1)
            detailView.draw(on: &canvas)
            // The sign that a selected row has says which pane has the keyboard.
            if focus == .detail { canvas.write("▌", row: detail.row, column: detail.column) }
        }
    }

    private func drawTitle(in rect: Rect, on canvas: inout Canvas) {
        let style = Style(on: .bar)
        canvas.clear(rect, style: style)
        let used = canvas.write(title, row: rect.row, column: 1, width: rect.width - 2, style: Style(.strong, on: .bar))
        let name = library.store.name + (isChanged ? " (changed on disk)" : "")
        let catalog = "\(name) · \(library.store.count.of("book"))\(progress)"
        let width = catalog.displayColumns
        if 1 + used + 2 + width + 1 <= rect.width {
            canvas.write(catalog, row: rect.row, column: rect.width - 1 - width, style: style)
        }
    }

    /// How far the catalog was read, while it is.
    private var progress: String {
        guard let progress = library.store.progress else { return "" }
        return progress.fraction.map { " so far, \(Int($0 * 100)) %" } ?? " so far"
    }

    private var title: String {
        if isHelpShown { return "Help" }
        switch screen {
        case .lists: return "Lists"
        case .books(let list):
            let name = areFacetsShown ? "Facets of " + list.name : list.name
            return "\(name) (\(bookTable.rowCount.grouped))\(listed)"
        }
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

    /// The search bar, how much it found, and below it what is wrong with the query, at its place.
    private func drawSearchBar(_ editor: LineEditor, in rect: Rect, andOn below: Rect, on canvas: inout Canvas) {
        let place = searchBarPlace(in: rect)
        let position = position
        editor.draw(
            on: &canvas, row: rect.row, column: place.column, width: place.width, prompt: Self.searchPrompt,
            isFocused: true)
        canvas.write(position, row: rect.row, column: rect.width - 1 - position.displayColumns, style: .secondary)
        searchBarCursor = editor.cursor(
            row: rect.row, column: place.column, width: place.width, prompt: Self.searchPrompt)
        if let fault = listing.request.query.fault {
            let start = editor.position(
                ofByteAt: fault.place.lowerBound, row: rect.row, column: place.column, width: place.width,
                prompt: Self.searchPrompt)
            let text = "^ " + fault.sentence
            // Where it does not fit behind its place it ends at the window's end.
            let column = max(1, min(start.column, below.width - 1 - text.displayColumns))
            canvas.write(
                text, row: below.row, column: column, width: below.width - column, style: .warning)
        } else if !message.isEmpty {
            canvas.write(message, row: below.row, column: 1, width: below.width - 2)
        } else {
            drawHints(in: below, on: &canvas)
        }
    }

    private static let searchPrompt = "/"

    private func searchBarPlace(in rect: Rect) -> (column: Int, width: Int) {
        (1, max(4, rect.width - 3 - position.displayColumns))
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
        guard !isHelpShown, let label = library.store.format?.profile.label else { return }
        let start = rect.width - 1 - label.displayColumns
        if start >= column + 2 { canvas.write(label, row: rect.row, column: start, style: .secondary) }
    }

    /// Where the reader will be as soon as that is loaded.
    private var goalText: String {
        switch goal {
        case .end: "Going to the end"
        case .row(let row): "Going to row \((row + 1).grouped)"
        case .place(let place): "Going to where you left off, row \((place.row + 1).grouped)"
        case .book: "Going to the book where you left off"
        case nil: ""
        }
    }

    /// The selected row and how many there are, "2/11"; in help the lines that are shown, where not all are.
    private var position: String {
        if isHelpShown {
            let end = min(helpView.lineCount, helpView.topLine + helpView.frame.height)
            return end - helpView.topLine < helpView.lineCount
                ? "\(helpView.topLine + 1)-\(end)/\(helpView.lineCount)" : ""
        }
        let table = areFacetsShown ? facetsTable : screen == .lists ? listsTable : bookTable
        return "\((table.selectedRow.map { $0 + 1 } ?? 0).grouped)/\(table.rowCount.grouped)"
    }

    private func drawHints(in rect: Rect, on canvas: inout Canvas) {
        var hints = Command.hints(in: context)
        func width(_ hint: (key: String, text: String)) -> Int {
            hint.key.displayColumns + 1 + hint.text.displayColumns
        }
        func needed(_ gap: Int) -> Int { hints.reduce(0) { $0 + width($1) } + gap * (hints.count - 1) }
        let isTight = needed(3) > rect.width - 2
        // Who knows the way to the help and out needs no others.
        while isTight && hints.count > 3 && needed(2) > rect.width - 2 { hints.remove(at: hints.count - 3) }
        let widths = hints.map(width)
        var column = 1
        for (hint, width) in zip(hints, widths) {
            if column + width > rect.width { return }
            column += canvas.write(hint.key, row: rect.row, column: column, style: .strong) + 1
            column += canvas.write(hint.text, row: rect.row, column: column, style: .secondary) + (isTight ? 2 : 3)
        }
    }
}
