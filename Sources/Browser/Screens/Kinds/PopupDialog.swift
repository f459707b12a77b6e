internal import TerminalUI

/// A popup over the main screen with a title, lines of text and perhaps rows for typing.
protocol PopupDialog: Screen {
    /// The title.
    var title: String { get }
    /// The width of the contents, if the window has room for them.
    static var width: Int { get }
    /// The number of rows for typing.
    var inputRowCount: Int { get }

    /// Returns the lines of text, at most `width` columns wide.
    func lines(_ width: Int) -> [String]
    /// Draws the contents.
    ///
    /// - Returns: The position of the cursor.
    func draw(_ lines: [String], in rect: Rect, on canvas: inout Canvas) -> Position
}

extension PopupDialog {
    var context: CommandContext { .prompt }
    var placement: Placement { .popup }

    func heading(_ app: App) -> Heading { app.main.heading(app) }

    func layout(in area: Rect, _ app: App) {}

    func draw(on canvas: inout Canvas, _ app: App) -> Position {
        guard let body = app.main.layout?.body else { return Position(row: 0, column: 0) }
        let lines = lines(min(Self.width, max(1, body.width - Popup.frameSize.columns)))
        let popup = Popup(in: body, contentSize: Size(rows: lines.count + inputRowCount, columns: Self.width))
        popup.draw(title, on: &canvas)
        return draw(lines, in: popup.content, on: &canvas)
    }

    func perform(_ request: CommandRequest, _ app: App) -> Response { .done }
}
