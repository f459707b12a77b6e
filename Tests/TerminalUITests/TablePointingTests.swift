import Testing

@testable import Graphemes
@testable import TerminalUI

/// The row and column at a position of the screen, and the effect of the mouse wheel and of markers.
@Suite("Table: rows and columns at a position") struct TablePointingTests {
    init() { useUTF8Locale() }

    /// Rows "r0", "r1" ... in sections of these sizes, each with a header if there are several; the odd rows have
    /// markers.
    private final class Source: TableViewDataSource {
        var sections: [Int]

        init(_ sections: [Int]) { self.sections = sections }

        func numberOfSections(in tableView: TableView) -> Int { sections.count }

        func tableView(_ tableView: TableView, numberOfRowsInSection section: Int) -> Int { sections[section] }

        func tableView(_ tableView: TableView, titleForHeaderInSection section: Int) -> String? {
            sections.count > 1 ? "Section \(section)" : nil
        }

        func tableView(_ tableView: TableView, cellForRowAt indexPath: IndexPath) -> TableViewCell {
            let row = sections[..<indexPath.section].reduce(0, +) + indexPath.row
            return TableViewCell([.init("r\(row)"), .init("x")], isSelected: row % 2 == 1)
        }
    }

    private func table(_ source: Source, columns: [TableColumn]? = nil, height: Int = 6, width: Int = 20) -> TableView {
        let table = TableView(
            columns: columns ?? [TableColumn("Row", width: .fixed(6)), TableColumn("X", width: .share(1))])
        table.dataSource = source
        table.frame = Rect(row: 2, column: 3, height: height, width: width)
        table.reloadData()
        return table
    }

    @Test func aPositionBelongsToTheRowShownThere() {
        let source = Source([100])
        let table = table(source)
        #expect(table.row(at: Position(row: 3, column: 3)) == 0)
        #expect(table.row(at: Position(row: 7, column: 22)) == 4)
        table.select(50, top: 50)
        #expect(table.row(at: Position(row: 3, column: 3)) == 50)
    }

    @Test func headingsHeadersAndPositionsOutsideHaveNoRow() {
        let source = Source([2, 2])
        let table = table(source)
        // Column headings, header, two rows, header, one row.
        #expect((2...8).map { table.row(at: Position(row: $0, column: 5)) } == [nil, nil, 0, 1, nil, 2, nil])
        for (row, column) in [(3, 2), (3, 23), (1, 5), (8, 5), (-1, -1)] {
            #expect(table.row(at: Position(row: row, column: column)) == nil)
        }
        let few = Source([1])
        #expect(self.table(few).row(at: Position(row: 4, column: 5)) == nil)
    }

    @Test func aHeadIsOverItsColumn() {
        let source = Source([1])
        let table = table(source)
        // The bar, six columns, a blank, and the rest.
        #expect(
            [3, 4, 9, 10, 11, 22, 23].map { table.column(withHeadAt: Position(row: 2, column: $0)) } == [
                nil, 0, 0, nil, 1, 1, nil,
            ])
        #expect(table.column(withHeadAt: Position(row: 3, column: 5)) == nil)
    }

    @Test func aColumnIsAsWideAsItIsShown() {
        let source = Source([1])
        let columns = [
            TableColumn("A", width: .share(1), minimumWidth: 5), TableColumn("B", width: .fixed(6), priority: 1),
        ]
        #expect(table(source, columns: columns).shownWidth(ofColumn: 0) == 12)
        #expect(table(source, columns: columns).shownWidth(ofColumn: 1) == 6)
        // Too narrow for both.
        #expect(table(source, columns: columns, width: 11).shownWidth(ofColumn: 0) == 10)
        #expect(table(source, columns: columns, width: 11).shownWidth(ofColumn: 1) == nil)
        #expect(table(source, columns: columns).shownWidth(ofColumn: 7) == nil)
    }

    @Test func theWheelScrollsAndKeepsTheCurrentRowVisible() {
        let source = Source([100])
        let table = table(source)
        table.select(4)
        table.scrollScreen(by: 3)
        #expect((table.topRow, table.currentRow) == (3, 4))
        table.scrollScreen(by: 3)
        #expect((table.topRow, table.currentRow) == (6, 6))
        table.scrollScreen(by: -6)
        #expect((table.topRow, table.currentRow) == (0, 4))
        table.scrollScreen(by: .max)
        #expect((table.topRow, table.currentRow) == (95, 95))
        table.scrollScreen(by: .min)
        #expect((table.topRow, table.currentRow) == (0, 4))
    }

    @Test func theWheelDoesNothingIfAllRowsAreShownOrNone() {
        for rows in [0, 1, 5] {
            let source = Source([rows])
            let table = table(source)
            table.scrollScreen(by: 3)
            #expect(table.topRow == 0)
            #expect(table.currentRow == (rows == 0 ? nil : 0))
        }
        let source = Source([9])
        let low = table(source, height: 1)
        low.scrollScreen(by: 3)
        #expect(low.currentRow == 0)
    }

    @Test func threeMarkersDistinguishCurrentSelectedAndBoth() {
        let source = Source([4])
        let table = table(source)
        func signs() -> [String] {
            var canvas = Canvas(size: Size(rows: 10, columns: 30))
            table.draw(on: &canvas, isFocused: true)
            return (3...6).map { canvas[$0, 3].glyph.text }
        }
        #expect(signs() == ["▌", "▪", " ", "▪"])
        table.select(1)
        #expect(signs() == [" ", "◆", " ", "▪"])
    }

    @Test func theCurrentCellIsThatOfTheCurrentRow() {
        let source = Source([3])
        let table = table(source)
        table.select(2)
        #expect(table.selectedCell?.fields.first?.text == "r2")
        let none = Source([0])
        #expect(self.table(none).selectedCell == nil)
    }
}
