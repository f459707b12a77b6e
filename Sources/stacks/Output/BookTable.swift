internal import Books
internal import Formats
internal import Graphemes
internal import Library

/// A table of title, author, year and pages, fitted to the width of the terminal.
struct BookTable: BookFormatter {
    /// The width of the terminal in columns.
    let width: Int
    /// The column widths; nil until there are enough rows to compute them.
    private var layout: Layout?
    private var waiting: [Row] = []

    /// The number of rows that determine the widths.
    private static let sampleCount = 1000
    private static let gap = 2
    /// The minimum width of title and author together; below it, year and pages are hidden.
    private static let minimumTextWidth = 34
    /// The minimum width of the title; below it, the author is hidden.
    private static let minimumTitleWidth = 20

    /// The text of one row.
    struct Row: Equatable {
        /// The text of each column.
        var title, author, year, pages: String
    }

    /// The width of each column; 0 for a hidden one.
    struct Layout: Equatable {
        /// The widths in screen columns.
        var title, author, year, pages: Int
    }

    private static let header = Row(title: "Title", author: "Author", year: "Year", pages: "Pages")

    /// Creates a table of this width in columns.
    init(width: Int) { self.width = max(1, width) }

    var needsIdentities: Bool { false }

    mutating func append(_ printed: PrintedBook, to text: inout [UInt8]) {
        let book = printed.book
        let row = Row(
            title: book.nameInList, author: book.shownAuthors,
            year: book.published.map { PartialDate.name(ofYear: $0.year) } ?? "",
            pages: book.pageCount?.grouped ?? "")
        if let layout {
            append(row, layout, to: &text)
            return
        }
        waiting.append(row)
        if waiting.count == Self.sampleCount { end(&text) }
    }

    mutating func end(_ text: inout [UInt8]) {
        if waiting.isEmpty { return }
        let layout = Self.layout(of: waiting, width: width)
        self.layout = layout
        append(Self.header, layout, to: &text)
        for row in waiting { append(row, layout, to: &text) }
        waiting = []
    }

    private func append(_ row: Row, _ layout: Layout, to text: inout [UInt8]) {
        text += Self.line(row, layout).utf8
        text.append(UInt8(ascii: "\n"))
    }

    /// Returns the widths for `rows`: the natural widths or, if these are too large, three fifths for the title.
    static func layout(of rows: [Row], width: Int) -> Layout {
        func widest(_ text: KeyPath<Row, String>) -> Int {
            rows.contains { !$0[keyPath: text].isEmpty }
                ? ([header] + rows).map { columns($0[keyPath: text], width) }.max() ?? 0 : 0
        }
        var layout = Layout(
            title: widest(\.title), author: widest(\.author), year: widest(\.year), pages: widest(\.pages))
        func room() -> Int {
            [layout.year, layout.pages].reduce(width) { $1 == 0 ? $0 : $0 - $1 - gap }
        }
        if room() < minimumTextWidth { layout.pages = 0 }
        if room() < minimumTextWidth { layout.year = 0 }
        let room = room()
        if room < minimumTitleWidth + gap + 1 || layout.author == 0 {
            layout.author = 0
            layout.title = min(layout.title, room)
        } else if layout.title + gap + layout.author > room {
            let text = room - gap
            layout.author = min(layout.author, max(text * 2 / 5, text - layout.title))
            layout.title = text - layout.author
        }
        return layout
    }

    /// Returns the width of `text` in columns, at most `limit`; the cost depends on `limit`, not on the text.
    private static func columns(_ text: String, _ limit: Int) -> Int { text.clipped(to: limit).columns }

    /// Returns the line for a row; longer texts end in “…”.
    static func line(_ row: Row, _ layout: Layout) -> String {
        var line = ""
        var end = 0
        for (text, columns, isNumber) in [
            (row.title, layout.title, false), (row.author, layout.author, false), (row.year, layout.year, true),
            (row.pages, layout.pages, true),
        ] where columns > 0 {
            let shown = text.clipped(to: columns)
            let blanks = String(repeating: " ", count: columns - shown.columns)
            line += String(repeating: " ", count: end) + (isNumber ? blanks + shown.text : shown.text + blanks)
            end = gap
        }
        while line.hasSuffix(" ") { line.removeLast() }
        return line
    }
}
