internal import Graphemes
internal import Indexing
internal import Library
internal import Search
internal import TerminalUI

/// A screen as text for a screen reader.
struct Spoken {
    /// The context of the screen. When it changes, the heading is printed.
    var place: CommandContext
    /// The heading; nil if it is not printed.
    var heading: String?
    /// The input line with its syntax error, if any.
    var typed: String?
    /// The contents.
    var content: Content

    /// The contents of a screen.
    enum Content {
        case nothing
        /// The current row in words.
        case row(String)
        /// A text, and its line at the top of the screen. When the text changes, all of it is printed, or if
        /// `speaksChangesOnly` and it is about the same book, only the lines that changed.
        case text([String], topLine: String, speaksChangesOnly: Bool)
    }

    /// Returns the current row of `table` in words, from the cell's `words`.
    ///
    /// - Parameter cell: The cell that is read in place of the one on the screen, if any.
    static func row(
        of table: TableView, cell: TableViewCell? = nil, words: (TableViewCell) -> [String] = Spoken.words
    ) -> Content {
        guard let row = table.currentRow, let cell = cell ?? table.selectedCell else {
            return .row(table.placeholder.sanitized)
        }
        var parts = words(cell)
        if cell.isSelected { parts.insert("selected", at: 0) }
        return .row(parts.joined(separator: ", ") + ", \(row + 1) of \(table.rowCount)")
    }

    /// Returns the fields of a cell in words, without decoration.
    static func words(of cell: TableViewCell) -> [String] {
        cell.fields.map { ($0.spoken ?? $0.text).spokenText }.filter { !$0.allSatisfy { $0 == " " } }
    }
}

/// The output for screen readers: line by line, whatever has changed since the last lines.
struct ScreenReaderOutput {
    /// The size of the virtual window.
    static let windowSize = Size(rows: 24, columns: 80)

    private var place: CommandContext?
    private var title = ""
    private var row = ""
    private var text: [String] = []
    private var topLine = ""
    /// The book in the detail, and its scroll position.
    private var detail: (book: BookID?, line: Int) = (nil, 0)
    private var typed: String?
    private var message = ""
    private var isWhichKeyShown = false

    /// Returns the lines for the changes of `app` since the last call.
    mutating func lines(of app: App) -> [String] {
        let spoken = app.front.spoken(app)
        let isElsewhere = spoken.place != place
        place = spoken.place
        var lines: [String] = []
        if let now = spoken.typed, now != typed { lines.append(now) }
        typed = spoken.typed
        if let heading = spoken.heading {
            if isElsewhere || heading != title { lines.append(heading.sanitized) }
            title = heading
        }
        lines += content(spoken, of: app.main.detail, isElsewhere: isElsewhere)
        if app.isWhichKeyShown && !isWhichKeyShown {
            lines += WhichKey(app).entries.map { "\($0.label): \($0.text)".sanitized }
        }
        isWhichKeyShown = app.isWhichKeyShown
        let now = app.session.status.text
        if now != message && !now.isEmpty { lines.append(now.spokenText) }
        message = now
        return lines
    }

    /// Returns the lines for the contents: the current row, or a text or the line that it was scrolled to.
    private mutating func content(_ spoken: Spoken, of detail: DetailPane, isElsewhere: Bool) -> [String] {
        let (isSameBook, previous) = (detail.shownBook == self.detail.book, self.detail)
        switch spoken.content {
        case .nothing: return []
        case .text(let now, let line, let speaksChangesOnly):
            defer { (text, topLine, row) = (now, line, "") }
            self.detail = (detail.shownBook, detail.view.topLine)
            if isElsewhere || speaksChangesOnly && !isSameBook { return now }
            if now != text { return speaksChangesOnly ? now.filter { !text.contains($0) } : now }
            return line != topLine ? [line] : []
        case .row(let now):
            defer { row = now }
            self.detail = (detail.shownBook, detail.view.topLine)
            if isElsewhere || now != row { return [now] }
            // The detail can be scrolled from the list too.
            return spoken.place == .books && isSameBook && self.detail.line != previous.line
                ? [detail.view.textOfTopLine] : []
        }
    }
}

extension TextView.Paragraph {
    /// The paragraph on one line, without no-break spaces.
    var spoken: String {
        var line = text.split { $0.isNewline || $0 == "\u{A0}" }.joined(separator: " ").sanitized
        if !trailing.isEmpty { line += ", " + trailing.sanitized }
        let label = label.drop { $0 == " " }
        return label.isEmpty ? line : "\(String(label).sanitized): \(line)"
    }
}

extension String {
    /// This text sanitized, and truncated to a length that a user would listen to.
    fileprivate var spokenText: String {
        let limit = 1000
        var glyphs = GraphemeSanitizer(self)
        var text = ""
        for _ in 0..<limit {
            guard let glyph = glyphs.next() else { return text }
            text += glyph.text
        }
        return glyphs.next() == nil ? text : text + "…"
    }
}
