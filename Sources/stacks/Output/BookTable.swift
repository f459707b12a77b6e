internal import Books
internal import Formats
internal import Library
internal import TerminalUI

/// Books as rows for a reader: title, author, year and pages in columns, within the window's width.
struct BookTable: BookFormatter {
    /// The width of the window.
    let width: Int
    /// The columns; nil as long as there are not enough rows to know how wide they must be.
    private var layout: Layout?
    private var waiting: [Row] = []

    /// How many rows the columns are made for.
    private static let sampleCount = 1000
    private static let gap = 2
    /// Title and author have so many columns before years and pages have any.
    private static let leastTextWidth = 34
    /// A title has so many before an author has any.
    private static let leastTitleWidth = 20

    /// What is shown of a book.
    struct Row: Equatable {
        /// The text of each column.
        var title, author, year, pages: String
    }

    /// How wide each column is; 0 for one that is not shown.
    struct Layout: Equatable {
        /// In columns of the screen.
        var title, author, year, pages: Int
    }

    private static let header = Row(title: "Title", author: "Author", year: "Year", pages: "Pages")

    /// A table for a window of so many columns.
    init(width: Int) { self.width = max(1, width) }

    var needsIdentities: Bool { false }

    mutating func append(_ printed: PrintedBook, to text: inout [UInt8]) {
        let book = printed.book
        let row = Row(
            title: book.shownTitle, author: book.shownAuthors, year: book.published.map { String($0.year) } ?? "",
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
        text += Self.line(row, layout, width: width).utf8
        text.append(UInt8(ascii: "\n"))
    }

    /// The columns for `rows`: as wide as they need to be, and where that is too much, the title has three fifths.
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
        if room() < leastTextWidth { layout.pages = 0 }
        if room() < leastTextWidth { layout.year = 0 }
        let room = room()
        if room < leastTitleWidth + gap + 1 || layout.author == 0 {
            layout.author = 0
            layout.title = min(layout.title, room)
        } else if layout.title + gap + layout.author > room {
            let text = room - gap
            layout.author = min(layout.author, max(text * 2 / 5, text - layout.title))
            layout.title = text - layout.author
        }
        return layout
    }

    /// How many columns a text needs, of so many at most. The cost is that of those, whatever the length of the text.
    private static func columns(_ text: String, _ limit: Int) -> Int {
        var canvas = Canvas(size: Size(rows: 1, columns: limit))
        return canvas.write(text, row: 0, column: 0)
    }

    /// The line of a row; what is longer than its column ends in "…".
    static func line(_ row: Row, _ layout: Layout, width: Int) -> String {
        var canvas = Canvas(size: Size(rows: 1, columns: width))
        var column = 0
        for (text, columns, isNumber) in [
            (row.title, layout.title, false), (row.author, layout.author, false), (row.year, layout.year, true),
            (row.pages, layout.pages, true),
        ] where columns > 0 {
            let indent = isNumber ? columns - Self.columns(text, columns) : 0
            canvas.write(text, row: 0, column: column + indent, width: columns - indent)
            column += columns + gap
        }
        return canvas.text(ofRow: 0)
    }
}
