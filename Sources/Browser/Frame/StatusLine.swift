internal import Catalog
internal import Graphemes
internal import Library
internal import Search
internal import TerminalUI

/// The row above the hint bar: the position, what is said, and the keys typed so far. What is too long for it goes on in the
/// hint bar's row.
struct StatusLine {
    private let app: App

    /// The status line of `app`.
    init(_ app: App) { self.app = app }

    private var message: String {
        let said = app.session.status.text
        return said.isEmpty ? app.session.waitingText : said
    }

    /// Draws it, and the hint bar below it if there is room.
    func draw(in layout: Layout, on canvas: inout Canvas) {
        let (rect, below) = (layout.status, layout.hints)
        let (heading, message, pending) = (app.heading, message, app.keys.pendingText)
        let width = rect.width - 2 - (pending.isEmpty ? 0 : pending.displayColumns + 1)
        canvas.write(pending, row: rect.row, column: rect.width - 1 - pending.displayColumns, style: .strong)
        let column = 1 + canvas.write(heading.position, row: rect.row, column: 1, width: width)
        if message.isEmpty {
            if pending.isEmpty && heading.namesFormat { drawFormat(in: rect, behind: column, on: &canvas) }
            app.hintBar.draw(in: below, on: &canvas, app)
            return
        }
        let start = column > 1 ? column + 2 : column
        let (first, rest) = Self.rows(of: message, in: 1 + width - start)
        canvas.write(first, row: rect.row, column: start, width: 1 + width - start, style: .plain)
        canvas.write(rest, row: below.row, column: start, width: 1 + width - start)
        if rest.isEmpty { app.hintBar.draw(in: below, on: &canvas, app) }
    }

    /// Whether what is said takes the hint bar's row, too.
    func coversHints(in layout: Layout) -> Bool {
        let (position, pending) = (app.heading.position, app.keys.pendingText)
        let width = layout.status.width - 2 - (pending.isEmpty ? 0 : pending.displayColumns + 1)
        let column = 1 + min(position.displayColumns, width)
        return !Self.rows(of: message, in: 1 + width - (column > 1 ? column + 2 : column)).rest.isEmpty
    }

    /// The text as two rows; whatever does not fit in them is cut, and shown to be.
    private static func rows(of text: String, in width: Int) -> (first: [Grapheme], rest: String) {
        var lines = LineWrapper(text, width: width)
        guard let first = lines.next() else { return ([], "") }
        return (first, lines.prefix(2).map { $0.map(\.text).joined() }.joined(separator: " "))
    }

    /// The profile by which the catalog is read, at the end of the line, where there is room.
    private func drawFormat(in rect: Rect, behind column: Int, on canvas: inout Canvas) {
        guard let label = app.session.library.store.recordBacked?.format?.profile.label else { return }
        let start = rect.width - 1 - label.displayColumns
        if start >= column + 2 { canvas.write(label, row: rect.row, column: start, style: .secondary) }
    }
}

/// A line of input in place of the status line.
struct InputLine {
    /// What is typed.
    let editor: LineEditor
    /// What stands before it.
    let prompt: String
    /// What is wrong with it.
    var fault: QuerySyntaxError?

    /// Draws the line, the position in what was found, and below it what is wrong with the query, at its place.
    ///
    /// - Returns: Where the cursor belongs.
    func draw(on canvas: inout Canvas, _ app: App) -> Position {
        guard let layout = app.main.layout else { return Position(row: 0, column: 0) }
        let (rect, below, position) = (layout.status, layout.hints, app.heading.position)
        let width = max(4, rect.width - 3 - position.displayColumns)
        editor.draw(on: &canvas, row: rect.row, column: 1, width: width, prompt: prompt, isFocused: true)
        canvas.write(position, row: rect.row, column: rect.width - 1 - position.displayColumns, style: .secondary)
        let message = app.session.status.text
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
            app.hintBar.draw(in: below, on: &canvas, app)
        }
        return editor.cursor(row: rect.row, column: 1, width: width, prompt: prompt)
    }
}
