import TestSupport
import Testing

@testable import Graphemes
@testable import TerminalUI

/// A table whose rows are tiles beside each other, each with a figure above its texts.
@Suite("Table: tiles") struct TableTilesTests {
    init() { useUTF8Locale() }

    /// Rows "t0", "t1" ... in sections of these sizes, with headers "A", "B" ... or without.
    private final class Source: TableViewDataSource {
        private let sections: [Int]
        private let hasHeaders: Bool
        var title: (Int) -> String = { "t\($0)" }
        var figure: (Int) -> Figure? = { .frame("f\($0)") }

        init(_ sections: [Int], hasHeaders: Bool = false) { (self.sections, self.hasHeaders) = (sections, hasHeaders) }

        func numberOfSections(in tableView: TableView) -> Int { sections.count }

        func tableView(_ tableView: TableView, numberOfRowsInSection section: Int) -> Int { sections[section] }

        func tableView(_ tableView: TableView, titleForHeaderInSection section: Int) -> String? {
            hasHeaders ? String(UnicodeScalar(UInt8(ascii: "A") + UInt8(section))) : nil
        }

        func tableView(_ tableView: TableView, cellForRowAt indexPath: IndexPath) -> TableViewCell {
            let row = sections[..<indexPath.section].reduce(0, +) + indexPath.row
            return TableViewCell([.init(title(row)), .init("a\(row)")], figure: figure(row))
        }
    }

    /// A table of tiles of ten columns: a figure of three rows and seven columns, a title, an author, and a blank line.
    /// It holds the source weakly.
    private func table(_ source: Source, height: Int, width: Int = 20, row: Int = 0, column: Int = 0) -> TableView {
        var (title, author) = (TableColumn("Title", width: .share(1)), TableColumn("Author", width: .share(1)))
        (title.line, author.line) = (3, 4)
        let table = TableView(columns: [title, author])
        table.showsHeadings = false
        table.tiles = TableView.Tiles(width: 10, figure: Size(rows: 3, columns: 7))
        table.frame = Rect(row: row, column: column, height: height, width: width)
        table.dataSource = source
        table.reloadData()
        return table
    }

    private func canvas(_ table: TableView, rows: Int? = nil) -> Canvas {
        var canvas = Canvas(size: Size(rows: rows ?? table.frame.endRow, columns: table.frame.endColumn))
        table.draw(on: &canvas, isFocused: true)
        return canvas
    }

    private func drawn(_ table: TableView) -> [String] {
        let canvas = canvas(table)
        return (0..<canvas.size.rows).map(canvas.text(ofRow:))
    }

    /// The rows on the screen line by line of tiles, "-" for a header.
    private func shown(_ table: TableView) -> [String] {
        table.lines(from: table.topRow).compactMap { line -> String? in
            switch line {
            case .header: "-"
            case .rows(let rows, line: 0): rows.map { String($0) }.joined(separator: " ")
            case .rows: nil
            }
        }
    }

    /// The rows that are wholly on the screen.
    private func wholeRows(_ table: TableView) -> [Int] {
        table.lines(from: table.topRow).flatMap { line -> [Int] in
            guard case .rows(let rows, line: table.rowHeight - 1) = line else { return [] }
            return Array(rows)
        }
    }

    // MARK: - Lines

    @Test("A line has as many tiles as fit beside each other, the last one what is left")
    func lines() {
        let source = Source([5])
        #expect(shown(table(source, height: 18)) == ["0 1", "2 3", "4"])
        #expect(shown(table(source, height: 18, width: 30)) == ["0 1 2", "3 4"])
        #expect(shown(table(source, height: 18, width: 29)) == ["0 1", "2 3", "4"])
        for width in [1, 9, 10, 19] { #expect(shown(table(source, height: 13, width: width)) == ["0", "1", "2"]) }
        #expect(table(source, height: 18).tilesPerLine == 2 && table(source, height: 18).rowHeight == 6)
    }

    @Test("A header begins a new line")
    func headers() {
        let source = Source([3, 0, 2, 1], hasHeaders: true)
        #expect(shown(table(source, height: 40)) == ["-", "0 1", "2", "-", "3 4", "-", "5"])
        // Without headers, sections are apart nevertheless.
        let plain = Source([3, 2])
        #expect(shown(table(plain, height: 40)) == ["0 1", "2", "3 4"])
    }

    @Test("The first of a line is told from the others")
    func firstInLine() {
        let source = Source([3, 2], hasHeaders: true)
        let table = table(source, height: 30)
        let isFirst = (0..<5).map { row -> Bool in
            table.select(row)
            return table.isFirstInLine
        }
        #expect(isFirst == [true, false, true, true, false])
        table.tiles = nil
        #expect(table.isFirstInLine && table.tilesPerLine == 1)
        let empty = Source([0])
        #expect(self.table(empty, height: 30).isFirstInLine)
    }

    // MARK: - Moving

    @Test("A line down or up is the tile below or above, or the last one of a shorter line")
    func moves() {
        let source = Source([3, 4], hasHeaders: true)
        let table = table(source, height: 30)
        func move(from row: Int, by lines: Int) -> Int? {
            table.select(row)
            table.moveSelection(byLines: lines)
            return table.currentRow
        }
        // 0 1 / 2 / 3 4 / 5 6
        #expect((0..<7).map { move(from: $0, by: 1) } == [2, 2, 3, 5, 6, 6, 6])
        #expect((0..<7).map { move(from: $0, by: -1) } == [0, 0, 0, 2, 2, 3, 4])
        #expect(move(from: 0, by: 2) == 3 && move(from: 0, by: 3) == 5 && move(from: 6, by: -3) == 1)
        #expect(move(from: 3, by: .max) == 6 && move(from: 3, by: .min) == 0 && move(from: 3, by: 0) == 3)
        #expect(move(from: 1, by: .max) == 6 && move(from: 6, by: .min) == 0)
    }

    @Test("Moving by lines is what a plain list of lines says, over any sections, sizes and steps")
    func modelledMoves() {
        var random = SplitMix(seed: 0x711E)
        for round in 0..<300 {
            let sections = (0..<Int.random(in: 1...6, using: &random)).map { _ in Int.random(in: 0...7, using: &random)
            }
            let perLine = Int.random(in: 1...4, using: &random)
            var (lines, next): ([[Int]], Int) = ([], 0)
            for count in sections {
                for start in stride(from: 0, to: count, by: perLine) {
                    lines.append((start..<min(start + perLine, count)).map { next + $0 })
                }
                next += count
            }
            guard next > 0 else { continue }
            let source = Source(sections, hasHeaders: round.isMultiple(of: 2))
            let table = table(source, height: Int.random(in: 1...25, using: &random), width: 10 * perLine)
            for _ in 0..<20 {
                let (row, count) = (Int.random(in: 0..<next, using: &random), Int.random(in: -9...9, using: &random))
                let line = lines.firstIndex { $0.contains(row) } ?? 0
                let place = lines[line].firstIndex(of: row) ?? 0
                let target = line + count
                let expected =
                    target < 0
                    ? 0 : target >= lines.count ? next - 1 : lines[target][min(place, lines[target].count - 1)]
                table.select(row)
                table.moveSelection(byLines: count)
                #expect(table.currentRow == expected, "from \(row) by \(count) in \(lines)")
            }
        }
    }

    @Test("Scrolling moves whole lines")
    func scrolling() {
        let source = Source([40])
        let table = table(source, height: 12)
        table.scroll(by: 1)
        #expect((table.topRow, table.currentRow) == (2, 2))
        table.scroll(by: 3)
        #expect((table.topRow, table.currentRow) == (6, 6))
        table.scroll(by: -1)
        #expect((table.topRow, table.currentRow) == (4, 4))
        table.scrollScreen(by: 2)
        #expect((table.topRow, table.currentRow) == (6, 6))
        table.scroll(byPages: 1)
        #expect((table.topRow, table.currentRow) == (10, 10))
        table.scroll(by: .max)
        #expect((table.topRow, table.currentRow) == (36, 39))
        table.scroll(byPages: -1)
        #expect(table.topRow == 32)
        table.scroll(by: .min)
        #expect((table.topRow, table.currentRow) == (0, 0))
    }

    @Test("The screen begins with a line, and the whole current row is on it, whatever moves it")
    func invariants() {
        var random = SplitMix(seed: 0x5C40)
        let source = Source([1, 4, 0, 7, 2, 30], hasHeaders: true)
        for height in 1...20 {
            let table = table(source, height: height)
            for _ in 0..<150 {
                let count = Int.random(in: -9...9, using: &random)
                switch Int.random(in: 0..<9, using: &random) {
                case 0: table.moveSelection(by: count)
                case 1: table.moveSelection(byLines: count)
                case 2: table.scroll(by: count)
                case 3: table.scrollScreen(by: count)
                case 4: table.scroll(byPages: count)
                case 5: table.scrollSelection(to: .middle)
                case 6: table.select(20 + count, top: 20 - count)
                case 7: table.frame.width = 10 * Int.random(in: 1...4, using: &random)
                default: table.selectNextSection(by: count)
                }
                let top = table.topRow
                #expect(table.lineStart(ofRow: top) == top, "height \(height), width \(table.frame.width)")
                let current = table.currentRow ?? -1
                #expect(wholeRows(table).contains(current), "\(current) in \(shown(table)), height \(height)")
            }
        }
    }

    /// A line of a small section has fewer tiles than fit into it.
    @Test("Pages, wheel and jumps on the screen count the tiles that are there")
    func shortLines() {
        let source = Source(Array(repeating: 1, count: 8), hasHeaders: true)
        let table = table(source, height: 20)
        #expect(shown(table) == ["-", "0", "-", "1", "-", "2"])
        #expect(table.visibleRowCount == 2)
        table.select(at: .bottom)
        #expect((table.topRow, table.currentRow) == (0, 1))
        var seen: Set<Int> = []
        for _ in 0..<8 {
            seen.formUnion(wholeRows(table))
            table.scroll(byPages: 1)
        }
        #expect(seen == Set(0..<8))
        #expect(table.currentRow == 7)
        let top = table.topRow
        table.scrollScreen(by: -2)
        #expect(table.topRow < top)
    }

    // MARK: - Places

    @Test("A position belongs to the tile there, and to none between tiles and beside the last one")
    func positions() {
        let source = Source([3])
        let table = table(source, height: 12, row: 2, column: 3)
        func row(_ row: Int, _ column: Int) -> Int? { table.row(at: Position(row: row, column: column)) }
        for line in 2..<8 {
            #expect([2, 3, 11, 12, 13, 21, 22, 23].map { row(line, $0) } == [nil, 0, 0, nil, 1, 1, nil, nil])
        }
        #expect([3, 11, 12, 13, 21].map { row(8, $0) } == [2, 2, nil, nil, nil])
        #expect(row(13, 5) == 2 && row(14, 5) == nil && row(1, 5) == nil)
    }

    @Test("A header belongs to no tile")
    func headerPositions() {
        let source = Source([1, 1], hasHeaders: true)
        let table = table(source, height: 14)
        #expect([0, 1, 6, 7, 8, 13].map { table.row(at: Position(row: $0, column: 1)) } == [nil, 0, 0, nil, 1, 1])
    }

    @Test("The cursor is at the sign of the current tile")
    func cursor() {
        let source = Source([5])
        let table = table(source, height: 12, row: 2, column: 3)
        #expect(table.cursor == Position(row: 2, column: 3))
        table.select(3)
        #expect(table.cursor == Position(row: 8, column: 13))
        table.select(4)
        #expect(table.cursor == Position(row: 8, column: 3))
    }

    // MARK: - Drawing

    @Test("Each tile has its figure, and its texts below")
    func drawing() {
        let source = Source([3])
        #expect(
            drawn(table(source, height: 11)).prefix(5) == [
                "▌┌─────┐   ┌─────┐", "▌│f0   │   │f1   │", "▌└─────┘   └─────┘", "▌t0        t1", "▌a0        a1",
            ])
        #expect(
            drawn(table(source, height: 11)).suffix(5) == [
                " ┌─────┐", " │f2   │", " └─────┘", " t2", " a2",
            ])
        source.figure = { _ in nil }
        #expect(drawn(table(source, height: 5)) == ["▌", "▌", "▌", "▌t0        t1", "▌a0        a1"])
    }

    @Test("The text of a frame is wrapped, and cut where it has no room")
    func longFigureText() {
        let source = Source([2])
        source.figure = { .frame($0 == 0 ? "one two three" : "") }
        #expect(
            drawn(table(source, height: 5)).prefix(3) == [
                "▌┌─────┐   ┌─────┐", "▌│one  │   │     │", "▌└─────┘   └─────┘",
            ])
    }

    @Test("A text that is too long is cut where the bar ends, and a margin remains")
    func longTexts() {
        let source = Source([2])
        source.title = { _ in "abcdefghijkl" }
        let table = table(source, height: 6)
        #expect(drawn(table)[3] == "▌abcdefg…  abcdefg…")
        let surfaces = canvas(table).row(3).map { $0.style.surface == .selection }
        #expect(surfaces == [false] + Array(repeating: true, count: 8) + Array(repeating: false, count: 11))
    }

    @Test("The bar of the current tile is behind its texts only, and the figure keeps its colours")
    func bar() {
        let source = Source([4])
        let table = table(source, height: 12)
        table.select(3)
        let canvas = canvas(table)
        func hasBar(_ row: Int, _ columns: Range<Int>) -> Bool {
            canvas.row(row)[(canvas.row(row).startIndex + columns.lowerBound)...].prefix(columns.count)
                .allSatisfy { $0.style.surface == .selection }
        }
        for row in [9, 10] {
            #expect(hasBar(row, 11..<19) && !hasBar(row, 1..<2) && !hasBar(row, 10..<11) && !hasBar(row, 19..<20))
        }
        for row in [3, 4, 6, 7, 8] { #expect(!hasBar(row, 11..<12), "row \(row)") }
        #expect((6...10).allSatisfy { canvas[$0, 10].glyph.text == "▌" && canvas[$0, 0].glyph.text == " " })
    }

    private func picture(rows: Int, columns: Int) throws -> Picture {
        let cell = PictureCell(symbol: "▀", foreground: 1, background: 2)
        return try #require(
            Picture(size: Size(rows: rows, columns: columns), cells: Array(repeating: cell, count: rows * columns)))
    }

    @Test("A picture that is smaller than its place is at the bottom of it, in the middle")
    func smallPicture() throws {
        let picture = try picture(rows: 2, columns: 3)
        let source = Source([2])
        source.figure = { $0 == 1 ? .picture(picture) : nil }
        let canvas = canvas(table(source, height: 6))
        for row in 0..<6 {
            for column in 0..<20 {
                let part = canvas.picture(row: row, column: column)
                let isInside = (1..<3).contains(row) && (13..<16).contains(column)
                #expect((part != nil) == isInside, "\(row), \(column)")
                if let part { #expect(part.row == row - 1 && part.column == column - 13) }
            }
        }
    }

    @Test("A picture at the bottom of the frame is clipped there")
    func clippedPicture() throws {
        let picture = try picture(rows: 3, columns: 7)
        let source = Source([4])
        source.figure = { _ in .picture(picture) }
        let canvas = canvas(table(source, height: 8), rows: 12)
        #expect((6..<12).map { canvas.picture(row: $0, column: 1)?.row } == [0, 1, nil, nil, nil, nil])
        #expect((6..<12).map { canvas.picture(row: $0, column: 17)?.column } == [6, 6, nil, nil, nil, nil])
        #expect(canvas.picture(row: 3, column: 1) == nil && canvas.picture(row: 7, column: 8) == nil)
    }

    @Test("A table that is lower or narrower than a tile shows a part of it, and draws nothing outside")
    func smallTables() throws {
        let picture = try picture(rows: 3, columns: 7)
        let source = Source([9, 3], hasHeaders: true)
        source.figure = { $0.isMultiple(of: 2) ? .picture(picture) : .frame("a frame") }
        for width in 1...25 {
            for height in 1...9 {
                let table = table(source, height: height, width: width, row: 1, column: 1)
                table.select(4)
                var canvas = Canvas(size: Size(rows: height + 2, columns: width + 2))
                table.draw(on: &canvas, isFocused: true)
                let isFrameKept = (0..<height + 2).allSatisfy { row in
                    let isOutside = row == 0 || row == height + 1
                    let cells = Array(canvas.row(row))
                    return cells[0] == .blank && cells[width + 1] == .blank
                        && (!isOutside || cells.allSatisfy { $0 == .blank })
                }
                #expect(isFrameKept, "\(width) x \(height)")
            }
        }
    }
}
