import Testing

@testable import Graphemes
@testable import TerminalUI

/// A table whose rows have several lines, as the columns say.
@Suite("Table: rows of several lines") struct TableCardsTests {
    init() { useUTF8Locale() }

    private func source(_ sections: [Int], headers: Bool = false) -> CountingSource {
        let source = CountingSource(sections: sections)
        if headers { source.title = { String(UnicodeScalar(UInt8(ascii: "A") + UInt8($0))) } }
        source.fields = { path in
            let name = "\(headers ? source.title(path.section) ?? "" : "")\(path.row)"
            return [.init("t\(name)"), .init("*"), .init("a\(name)"), .init("s\(name)")]
        }
        return source
    }

    /// Three lines: a title with a sign at the right, an author, a series.
    private func table(_ source: CountingSource, height: Int, width: Int = 10, headings: Bool = false) -> TableView {
        var author = TableColumn("Author", width: .share(1))
        (author.line, author.indent) = (1, 2)
        var series = TableColumn("Series", width: .share(1))
        (series.line, series.indent) = (2, 2)
        let table = TableView(
            columns: [TableColumn("Title", width: .share(1)), TableColumn("", width: .fixed(1)), author, series])
        table.showsHeadings = headings
        table.frame = Rect(row: 0, column: 0, height: height, width: width)
        table.dataSource = source
        table.reloadData()
        return table
    }

    private func drawn(_ table: TableView) -> [String] {
        var canvas = Canvas(size: Size(rows: table.frame.height, columns: table.frame.width))
        table.draw(on: &canvas, isFocused: true)
        return (0..<table.frame.height).map(canvas.text(ofRow:))
    }

    @Test func eachLineHasItsColumnsAndTheLastRowMayBeCutOff() {
        let source = source([100])
        #expect(
            drawn(table(source, height: 8)) == [
                "▌t0      *", "▌  a0", "▌  s0", " t1      *", "   a1", "   s1", " t2      *", "   a2",
            ])
    }

    @Test func aRowIsRequestedOncePerDrawing() {
        let source = source([1_000_000])
        let table = table(source, height: 8)
        source.asked = []
        _ = drawn(table)
        #expect(source.asked.map(\.row) == [0, 1, 2])
    }

    @Test func theBarCoversAllLinesOfTheCurrentRowAndNoOther() {
        let source = source([3])
        let table = table(source, height: 9)
        table.select(1)
        var canvas = Canvas(size: Size(rows: 9, columns: 10))
        table.draw(on: &canvas, isFocused: true)
        let bars = (0..<9).map { canvas.row($0).dropFirst().allSatisfy { $0.style.surface == .selection } }
        #expect(bars == [false, false, false, true, true, true, false, false, false])
        #expect(table.cursor == Position(row: 3, column: 0))
    }

    @Test func movingScrollsUntilTheWholeRowIsVisible() {
        let source = source([100])
        let table = table(source, height: 8)
        #expect(table.visibleRowCount == 2)
        table.moveSelection(by: 1)
        #expect(table.topRow == 0)
        // The third row has two of its three lines on the screen.
        table.moveSelection(by: 1)
        #expect(table.topRow == 1)
        table.select(.max)
        #expect(table.topRow == 98)
        #expect(drawn(table).suffix(2) == ["", ""])
    }

    @Test func pagesContinueWithTheFirstRowThatWasNotWhole() {
        let source = source([100])
        let table = table(source, height: 8)
        table.scroll(byPages: 1)
        #expect(table.topRow == 2)
        table.scroll(byPages: 3)
        #expect(table.topRow == 8)
        table.scroll(byPages: -1)
        #expect(table.topRow == 6)
        table.scroll(byPages: 1000)
        #expect((table.topRow, table.currentRow) == (98, 99))
    }

    @Test func centringPutsTheMiddleOfTheRowInTheMiddle() {
        let source = source([100])
        let table = table(source, height: 9)
        table.select(50)
        table.scrollSelection(to: .middle)
        #expect(table.cursor.row == 3)
        let high = self.table(source, height: 21)
        high.select(50)
        high.scrollSelection(to: .middle)
        #expect(high.cursor.row == 9)
    }

    @Test func sectionsKeepTheirHeadersOfOneLine() {
        let source = source([2, 2], headers: true)
        let table = table(source, height: 8)
        table.select(1)
        #expect(
            drawn(table) == [
                " A       2", " tA0     *", "   aA0", "   sA0", "▌tA1     *", "▌  aA1", "▌  sA1", " B       2",
            ])
        table.select(2)
        #expect(
            drawn(table) == [
                " A       2", " tA1     *", "   aA1", "   sA1", " B       2", "▌tB0     *", "▌  aB0", "▌  sB0",
            ])
        table.selectNextSection(by: -1)
        #expect(table.currentRow == 0)
        #expect(table.topRow == 0)
    }

    @Test func aTableLowerThanARowShowsItsFirstLines() {
        let source = source([2, 2], headers: true)
        let table = table(source, height: 2)
        #expect(drawn(table) == ["▌tA0     *", "▌  aA0"])
        table.moveSelection(by: 3)
        #expect(drawn(table) == ["▌tB1     *", "▌  aB1"])
        let single = self.table(source, height: 1)
        single.moveSelection(by: 1)
        #expect(drawn(single) == ["▌tA1     *"])
    }

    @Test func everyLineOfARowBelongsToItForTheMouse() {
        let source = source([100])
        let table = table(source, height: 8)
        #expect((0..<8).map { table.row(at: Position(row: $0, column: 3)) } == [0, 0, 0, 1, 1, 1, 2, 2])
        #expect(table.column(withHeadAt: Position(row: 0, column: 3)) == nil)
    }

    @Test func onlyTheFirstLineHasTheSignOfASelectedRow() {
        final class Selected: TableViewDataSource {
            func tableView(_ tableView: TableView, numberOfRowsInSection section: Int) -> Int { 2 }
            func tableView(_ tableView: TableView, cellForRowAt indexPath: IndexPath) -> TableViewCell {
                TableViewCell([.init("t"), .init("*"), .init("a"), .init("s")], isSelected: true)
            }
        }
        let selected = Selected()
        let table = table(source([0]), height: 6)
        table.dataSource = selected
        table.reloadData()
        #expect(drawn(table).map { $0.prefix(1) } == ["◆", "▌", "▌", "▪", " ", " "])
    }

    @Test func otherLinesPerRowKeepTheCurrentRowVisible() {
        let source = source([100])
        let table = table(source, height: 9)
        let cards = table.columns
        table.columns = [TableColumn("Title", width: .share(1))]
        table.select(8, top: 0)
        #expect(table.topRow == 0)
        table.columns = cards
        #expect(table.topRow == 6)
        #expect(table.cursor.row == 6)
    }

    @Test func noSequenceOfMovesHidesTheCurrentRow() {
        var random = SystemRandomNumberGenerator()
        let source = source([1, 4, 0, 7, 2, 30], headers: true)
        for height in 1...14 {
            let table = table(source, height: height, headings: height > 4)
            for _ in 0..<200 {
                let count = Int.random(in: -9...9, using: &random)
                switch Int.random(in: 0..<6, using: &random) {
                case 0: table.moveSelection(by: count)
                case 1: table.scroll(by: count)
                case 2: table.scrollScreen(by: count)
                case 3: table.scroll(byPages: count)
                case 4: table.scrollSelection(to: .middle)
                default: table.selectNextSection(by: count)
                }
                let lines = drawn(table)
                let bars = lines.filter { $0.hasPrefix("▌") }.count
                #expect(bars == table.rowHeight, "height \(height): \(lines)")
            }
        }
    }
}
