internal import Graphemes
internal import Library
internal import Search
internal import TerminalUI

/// What the reader is told, line by line, where there is no screen to look at: whatever is another since the last time.
struct ScreenReaderOutput {
    /// The window that there would be.
    static let windowSize = Size(rows: 24, columns: 80)

    private var context: Command.Context?
    private var title = ""
    private var row = ""
    private var text: [String] = []
    private var topLine = ""
    /// The book whose detail there is, and how far that is scrolled.
    private var detail: (book: Int?, line: Int) = (nil, 0)
    private var typed: String?
    private var message = ""
    private var isWhichKeyShown = false

    /// The lines that tell of `browser` what was not told yet.
    mutating func lines(of browser: Browser) -> [String] {
        // The search bar is at the foot of what it searches.
        let now = browser.context != .search ? browser.context : browser.typedLine == .help ? .help : .books
        let isElsewhere = now != context
        context = now
        var lines: [String] = []
        if let line = typedLine(of: browser) { lines.append(line) }
        lines += heading(of: browser, isElsewhere: isElsewhere)
        lines += content(of: browser, isElsewhere: isElsewhere)
        if browser.isWhichKeyShown && !isWhichKeyShown {
            lines += browser.whichKeyEntries.map { "\($0.key): \($0.text)".sanitized }
        }
        isWhichKeyShown = browser.isWhichKeyShown
        if browser.message != message && !browser.message.isEmpty { lines.append(browser.message.told) }
        message = browser.message
        return lines
    }

    /// What is being typed, with what is wrong with it.
    private mutating func typedLine(of browser: Browser) -> String? {
        let now: String? =
            switch browser.typedLine {
            case .search: "/" + (browser.editor?.text ?? "")
            case .help: "/" + (browser.helpEditor?.text ?? "")
            case .picker: browser.picker.map { $0.prompt + $0.editor.text }
            case .prompt: browser.prompt.map { $0.label + $0.editor.text }
            case nil: nil
            }
        defer { typed = now }
        guard let now, now != typed else { return nil }
        let fault = browser.typedLine == .search ? browser.listing.request.query.fault : nil
        return now.sanitized + (fault.map { ": " + $0.sentence } ?? "")
    }

    /// Where the reader is, where they were not.
    private mutating func heading(of browser: Browser, isElsewhere: Bool) -> [String] {
        let now: String
        switch browser.context {
        case .palette, .shelves: now = browser.picker?.title ?? ""
        case .columns: now = "Columns"
        case .history: now = "History"
        case .detail: now = "Detail"
        // Each key would make it another.
        case .search, .prompt: return []
        case .lists, .books, .help, .facets, .statistics: now = browser.title
        }
        defer { title = now }
        return isElsewhere || now != title ? [now.sanitized] : []
    }

    /// The selected row; the detail or the help as a whole, and then the line to which they are scrolled.
    private mutating func content(of browser: Browser, isElsewhere: Bool) -> [String] {
        // All that is found with each key would never end; it is told with Enter.
        if browser.typedLine == .help { return [] }
        if browser.context == .statistics {
            let (now, line) = (browser.spokenStatistics, browser.statistics?.view.textOfTopLine ?? "")
            defer { (text, topLine, row) = (now, line, "") }
            return isElsewhere || now != text ? now : line != topLine ? [line] : []
        }
        guard let table = browser.tableInFront else {
            let view = browser.context == .detail ? browser.detailView : browser.helpView
            let now = view.paragraphs.map(\.spoken)
            let isSameBook = browser.context == .help || browser.detailIndex == detail.book
            defer {
                (text, topLine, row) = (now, view.textOfTopLine, "")
                detail = (browser.detailIndex, browser.detailView.topLine)
            }
            if isElsewhere || !isSameBook { return now }
            if now != text {
                // What another mark changes is a line or two of many.
                return browser.context == .detail ? now.filter { !text.contains($0) } : now
            }
            return view.textOfTopLine != topLine ? [view.textOfTopLine] : []
        }
        let position = "\((table.selectedRow ?? -1) + 1) of \(table.rowCount)"
        let cell = table.selectedCell.map { browser.spoken($0) } ?? table.placeholder.sanitized
        let now = table.selectedRow == nil ? cell : "\(cell), \(position)"
        let (book, line) = (browser.detailIndex, browser.detailView.topLine)
        defer { (row, detail) = (now, (book, line)) }
        if isElsewhere || now != row { return [now] }
        // The detail is scrolled from the list, too.
        return browser.context == .books && book == detail.book && line != detail.line
            ? [browser.detailView.textOfTopLine] : []
    }
}

extension TextView.Paragraph {
    /// The paragraph on one line.
    fileprivate var spoken: String {
        let line = text.split(whereSeparator: \.isNewline).joined(separator: " ").sanitized
        return label.isEmpty ? line : "\(label.sanitized): \(line)"
    }
}

extension Browser {
    /// The table whose rows keys go through; nil in text.
    fileprivate var tableInFront: TableView? {
        switch context {
        case .lists: listsTable
        case .books: bookTable
        case .facets: facetsTable
        case .columns: columnChooser.table
        case .palette, .shelves: picker?.table
        case .history: historyTable
        case .prompt: focus == .lists ? listsTable : bookTable
        case .search: typedLine == .help ? nil : bookTable
        case .detail, .help, .statistics: nil
        }
    }

    /// A row in words: what it shows, without what only looks.
    fileprivate func spoken(_ cell: TableViewCell) -> String {
        var parts = cell.fields.map { $0.text.told }.filter { !$0.allSatisfy { $0 == " " } }
        switch context {
        case .facets: parts = Array(parts.prefix(2))
        case .columns: parts[0] = parts[0] == "[x]" ? "shown" : "hidden"
        default: break
        }
        if cell.fields.first == .favourite {
            // The sign before the list of them is none of a book.
            if context == .lists { parts.removeFirst() } else { parts[0] = "favourite" }
        }
        if cell.isMarked { parts.insert("marked", at: 0) }
        return parts.joined(separator: ", ")
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
