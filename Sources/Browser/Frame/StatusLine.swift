internal import Catalog
internal import Graphemes
internal import Library
internal import Search
internal import TerminalUI

/// The message in the status area, wrapped beside the position and the keys typed so far, or below an input line.
struct StatusMessage {
    /// The message; "" for none.
    let text: String
    /// The column at which each line of the message starts.
    let column: Int
    private let width: Int

    /// Creates the message of `app` in a window with `width` columns, beside the position of `heading`.
    init(_ app: App, _ heading: Heading, width windowWidth: Int) {
        let said = app.session.status.text
        if let input = app.front.textInput, input.placement == .line {
            text = input.syntaxError.map { "^ " + $0.sentence } ?? said
            (column, width) = (1, windowWidth - 2)
            return
        }
        text = said.isEmpty ? app.session.waitingText : said
        let (position, pending) = (heading.position.displayColumns, app.keys.pendingText.displayColumns)
        let room = windowWidth - 2 - (pending == 0 ? 0 : pending + 1)
        column = position == 0 ? 1 : min(position, room) + 3
        width = room + 1 - column
    }

    /// Returns the lines, at most `limit`; the last one contains the rest of a longer message and is truncated when
    /// drawn.
    func lines(limit: Int) -> [String] {
        if text.isEmpty { return [] }
        var lines = LineWrapper(text, width: width).prefix(limit + 1).map { $0.map(\.text).joined() }
        if lines.count > limit {
            let rest = lines[(limit - 1)...].joined(separator: " ")
            lines = Array(lines[..<(limit - 1)]) + [rest]
        }
        return lines
    }

    /// Returns the number of rows that the status area needs, at most `limit`.
    func height(limit: Int) -> Int { max(1, lines(limit: limit).count) }

    /// Draws the lines from `row` on, at most `limit`.
    func draw(fromRow row: Int, limit: Int, style: Style = .plain, on canvas: inout Canvas) {
        for (offset, line) in lines(limit: limit).enumerated() {
            canvas.write(line, row: row + offset, column: column, width: width, style: style)
        }
    }
}

/// The rows above the hint bar: the position, the message or else the note of the screen, and the keys typed so far.
struct StatusLine {
    private let app: App
    private let heading: Heading

    /// The minimum width of a window whose status line shows the position in per cent, too.
    private static let widthForShare = 80

    /// Creates the status line of `app` with the text of its screen.
    init(_ app: App, _ heading: Heading) { (self.app, self.heading) = (app, heading) }

    /// Draws the status line and the hint bar below it.
    func draw(in layout: Layout, on canvas: inout Canvas) {
        let rect = layout.status
        let pending = app.keys.pendingText
        let width = rect.width - 2 - (pending.isEmpty ? 0 : pending.displayColumns + 1)
        canvas.write(pending, row: rect.row, column: rect.width - 1 - pending.displayColumns, style: .strong)
        var column = 1 + canvas.write(heading.position, row: rect.row, column: 1, width: width)
        let message = StatusMessage(app, heading, width: rect.width)
        message.draw(fromRow: rect.row, limit: rect.height, on: &canvas)
        if message.text.isEmpty && pending.isEmpty {
            if !heading.share.isEmpty && rect.width >= Self.widthForShare {
                column += canvas.write(" · " + heading.share, row: rect.row, column: column, style: .secondary)
            }
            draw(heading.note, atTheEndOf: rect, behind: column, on: &canvas)
        }
        app.hintBar.draw(in: layout.hints, on: &canvas, app)
    }

    /// Draws the note of the screen at the end of the line, if it fits.
    private func draw(_ note: String, atTheEndOf rect: Rect, behind column: Int, on canvas: inout Canvas) {
        let start = rect.width - 1 - note.displayColumns
        if start >= column + 2 { canvas.write(note, row: rect.row, column: start, style: .secondary) }
    }
}

/// An input line that replaces the status line, with the message below it.
struct InputLine {
    /// The text and the cursor.
    let editor: LineEditor
    /// The prompt before the text.
    let prompt: String
    /// The syntax error of the query, if any.
    var syntaxError: QuerySyntaxError?
    /// What to show below the line if there is no message; "" for the hints.
    var note = ""

    /// Draws the line, the position in the results, and the syntax error below its location.
    ///
    /// - Returns: The position of the cursor.
    func draw(on canvas: inout Canvas, _ app: App) -> Position {
        guard let layout = app.main.layout else { return Position(row: 0, column: 0) }
        let (rect, below, heading) = (layout.status, layout.hints, app.heading)
        let position = heading.position
        let width = max(4, rect.width - 3 - position.displayColumns)
        editor.draw(on: &canvas, row: rect.row, column: 1, width: width, prompt: prompt, isFocused: true)
        canvas.write(position, row: rect.row, column: rect.width - 1 - position.displayColumns, style: .secondary)
        let message = StatusMessage(app, heading, width: rect.width)
        if let syntaxError, message.text.displayColumns <= below.width - 2 {
            let start = editor.position(
                ofByteAt: syntaxError.range.lowerBound, row: rect.row, column: 1, width: width, prompt: prompt)
            // A message that does not fit from its location on is aligned to the edge of the window.
            let column = max(1, min(start.column, below.width - 1 - message.text.displayColumns))
            canvas.write(message.text, row: below.row, column: column, style: .warning)
        } else if !message.text.isEmpty {
            let style = syntaxError == nil ? Style.plain : .warning
            message.draw(fromRow: rect.row + 1, limit: rect.height, style: style, on: &canvas)
        } else if !note.isEmpty {
            canvas.write(note, row: below.row, column: 1, width: below.width - 2, style: .warning)
        } else {
            app.hintBar.draw(in: below, on: &canvas, app)
        }
        return editor.cursor(row: rect.row, column: 1, width: width, prompt: prompt)
    }
}
