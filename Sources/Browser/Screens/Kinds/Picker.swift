internal import Graphemes
internal import TerminalUI
internal import Text

/// A popup with an input line and the rows that match it.
protocol Picker: TextInput {
    /// The title.
    var title: String { get }
    /// The size of the contents, if the window has room for them.
    var size: Size { get }
    /// The table of matches.
    var table: TableView { get }
    /// The effect of Enter on the current row.
    var verb: String { get }
}

extension Picker {
    var placement: Placement { .popup }

    func heading(_ app: App) -> Heading { Heading(title: title, position: table.positionText) }

    func layout(in area: Rect, _ app: App) {
        table.frame = Popup(in: area, contentSize: size).content.droppingFirstRows(1)
    }

    func draw(on canvas: inout Canvas, _ app: App) -> Position {
        guard let body = app.main.layout?.body else { return Position(row: 0, column: 0) }
        let popup = Popup(in: body, contentSize: size)
        popup.draw(title, on: &canvas)
        let line = popup.content
        editor.draw(
            on: &canvas, row: line.row, column: line.column, width: line.width, prompt: prompt, surface: .popup,
            isFocused: true)
        table.draw(on: &canvas, isFocused: true)
        return editor.cursor(row: line.row, column: line.column, width: line.width, prompt: prompt)
    }

    /// The typed words.
    var words: FilterWords { FilterWords(editor.text) }

    func keyHints(_ app: App) -> [KeyHint]? {
        let hints = table.currentRow == nil ? [] : [KeyHint(.enter, verb)]
        return hints + (table.rowCount > 1 ? [.arrows("move")] : []) + [KeyHint(.escape, "close")]
    }

    func perform(_ request: CommandRequest, _ app: App) -> Response {
        guard case .move(let motion) = request.command else { return .ignored }
        motion.apply(to: table, count: request.count)
        return .done
    }

    func point(_ mouse: Mouse, _ app: App) -> Response { .done(mouse.point(at: table, app)) }

    func cancelled(_ app: App) { app.close(self) }

    func spoken(_ app: App) -> Spoken {
        Spoken(
            place: context, heading: title, typed: (prompt + editor.text).sanitized, content: Spoken.row(of: table))
    }
}
