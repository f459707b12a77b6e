import CSystem
import CatalogTesting
import Foundation
import TerminalUI
import TestSupport
import Testing

@testable import Books
@testable import Catalog
@testable import Graphemes
@testable import Indexing

/// Titles drawn into cells stay within their columns and contain nothing that a terminal would execute.
@Suite("Data: titles on the screen") struct TitlesOnScreenTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
        try #require(useUTF8Locale())
    }

    /// Returns a description of the problem if a row shows `title` wrongly in `width` columns beside a marker,
    /// otherwise nil.
    private func complaint(about title: String, width: Int) -> String? {
        var canvas = Canvas(size: Size(rows: 1, columns: width + 2))
        let used = canvas.write(title, row: 0, column: 0, width: width)
        canvas.write("│", row: 0, column: width)
        guard used <= width else { return "\(used) columns were written" }
        let row = Array(canvas.row(0))
        guard row[width].glyph.text == "│", !row[width].isContinuation else { return "the marker is not in its column" }
        // A terminal advances by the width of each character.
        var columns = 0
        for (column, cell) in row.enumerated() where !cell.isContinuation {
            if columns != column { return "column \(column) is drawn in column \(columns)" }
            for scalar in cell.glyph.text.unicodeScalars {
                if scalar.isForbidden { return "U+\(String(scalar.value, radix: 16)) is in column \(column)" }
                columns += Int(cs_columns(scalar.value))
            }
        }
        return columns == width + 2 ? nil : "the row is \(columns) columns wide"
    }

    private func check(_ title: String) {
        for width in [1, 2, 7, 40] {
            let complaint = complaint(about: title, width: width)
            #expect(complaint == nil, "\(title.debugDescription) in \(width) columns")
        }
    }

    @Test(arguments: [
        "goodbooks-10k/native-derived.json", "gutenberg/native-derived-multiscript.json",
        "mongodb-books/native-derived.json", "malformed-books/15-nul-and-controls.json",
        "malformed-books/16-bidi-override.json", "malformed-books/17-zwj-combining.json",
        "malformed-books/19-huge-title.json",
    ])
    func everyTitleOfACatalogKeepsItsColumns(file: String) throws {
        let records = try JSONFileLoader(path: DataDirectory.path(file)).load()
        while records.state.isLoading { records.loadMore() }
        try #require(records.count > 0)
        for index in 0..<records.count { check(try #require(records.book(BookID(index)).value).title) }
    }

    @Test func everyNaughtyStringKeepsItsColumns() throws {
        let strings = try JSONDecoder().decode([String].self, from: Data(DataDirectory.bytes("blns/blns.json")))
        try #require(strings.count == 515)
        let catalog = try JSONEncoder().encode(strings.map { Book(title: $0, authors: [$0]) })
        let records = try JSONFileLoader(path: directory.write(catalog, to: "blns.json")).load()
        while records.state.isLoading { records.loadMore() }
        try #require(records.count == 515)
        for (index, string) in strings.enumerated() {
            check(try #require(records.book(BookID(index)).value).title)
            check(string)
        }
    }
}

extension Unicode.Scalar {
    /// Whether the character could mislead a terminal or a user: a control, a format character or a line separator.
    fileprivate var isForbidden: Bool {
        switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate: true
        default: false
        }
    }
}
