internal import Graphemes
internal import Indexing
internal import Library
internal import Search
internal import TerminalUI

/// What is told of a screen.
struct Spoken {
    /// Where the reader is: where they were not before, they are told with its heading.
    var place: CommandContext
    /// What the place is called; nil if that is not told.
    var heading: String?
    /// The line that is being typed, with what is wrong with it; nil if none is.
    var typed: String?
    /// What is there.
    var content: Content

    /// What is there.
    enum Content {
        case nothing
        /// The current row, in words.
        case row(String)
        /// Text as a whole, and its line at the top of the screen. What else is told of another whole: all of it, or, if it
        /// is still about the same, only the lines that changed.
        case text([String], topLine: String, sameTellsChangesOnly: Bool)
    }

    /// The current row of `table`, in `words`.
    static func row(of table: TableView, words: (TableViewCell) -> [String] = Spoken.words) -> Content {
        guard let row = table.currentRow, let cell = table.selectedCell else {
            return .row(table.placeholder.sanitized)
        }
        var parts = words(cell)
        if cell.isSelected { parts.insert("selected", at: 0) }
        return .row(parts.joined(separator: ", ") + ", \(row + 1) of \(table.rowCount)")
    }

    /// A row in words: what it shows, without what only looks.
    static func words(of cell: TableViewCell) -> [String] {
        var parts = cell.fields.map { $0.text.told }.filter { !$0.allSatisfy { $0 == " " } }
        if cell.fields.first == .favourite { parts[0] = "favourite" }
        return parts
    }
}

/// What the reader is told, line by line, where there is no screen to look at: whatever is another since the last time.
struct ScreenReaderOutput {
    /// The window that there would be.
    static let windowSize = Size(rows: 24, columns: 80)

    private var place: CommandContext?
    private var title = ""
    private var row = ""
    private var text: [String] = []
    private var topLine = ""
    /// The book whose detail there is, and how far that is scrolled.
    private var detail: (book: BookID?, line: Int) = (nil, 0)
    private var typed: String?
    private var message = ""
    private var isWhichKeyShown = false

    /// The lines that tell of `app` what was not told yet.
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
            lines += WhichKey(app).entries.map { "\($0.key): \($0.text)".sanitized }
        }
        isWhichKeyShown = app.isWhichKeyShown
        let now = app.session.status.text
        if now != message && !now.isEmpty { lines.append(now.told) }
        message = now
        return lines
    }

    /// The current row; text as a whole, and then the line to which it is scrolled.
    private mutating func content(_ spoken: Spoken, of detail: DetailPane, isElsewhere: Bool) -> [String] {
        let (isSameBook, former) = (detail.shownBook == self.detail.book, self.detail)
        switch spoken.content {
        case .nothing: return []
        case .text(let now, let line, let sameTellsChangesOnly):
            defer { (text, topLine, row) = (now, line, "") }
            self.detail = (detail.shownBook, detail.view.topLine)
            if isElsewhere || sameTellsChangesOnly && !isSameBook { return now }
            if now != text { return sameTellsChangesOnly ? now.filter { !text.contains($0) } : now }
            return line != topLine ? [line] : []
        case .row(let now):
            defer { row = now }
            self.detail = (detail.shownBook, detail.view.topLine)
            if isElsewhere || now != row { return [now] }
            // The detail is scrolled from the list, too.
            return spoken.place == .books && isSameBook && self.detail.line != former.line
                ? [detail.view.textOfTopLine] : []
        }
    }
}

extension TextView.Paragraph {
    /// The paragraph on one line.
    var spoken: String {
        let line = text.split(whereSeparator: \.isNewline).joined(separator: " ").sanitized
        return label.isEmpty ? line : "\(label.sanitized): \(line)"
    }
}

extension String {
    /// As much of a text of one row as anybody listens to, made harmless.
    fileprivate var told: String {
        let limit = 1000
        var glyphs = GraphemeSanitizer(self)
        var told = ""
        for _ in 0..<limit {
            guard let glyph = glyphs.next() else { return told }
            told += glyph.text
        }
        return glyphs.next() == nil ? told : told + "…"
    }
}
