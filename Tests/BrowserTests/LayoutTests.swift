import Testing

@testable import Browser
@testable import TerminalUI

struct LayoutTests {
    private func make(_ columns: Int, _ rows: Int, focus: Focus = .list) -> Layout? {
        Layout(size: Size(rows: rows, columns: columns), focus: focus)
    }

    @Test func from80ColumnsTheDetailIsBesideTheList() throws {
        let layout = try #require(make(80, 24))
        #expect(layout.list == Rect(row: 1, column: 0, height: 21, width: 48))
        #expect(layout.divider == Rect(row: 1, column: 48, height: 21, width: 1))
        #expect(layout.detail == Rect(row: 1, column: 49, height: 21, width: 31))
    }

    @Test func below80ColumnsTheDetailIsBelowTheListWithAThirdOfTheHeight() throws {
        let layout = try #require(make(79, 24))
        #expect(layout.list == Rect(row: 1, column: 0, height: 13, width: 79))
        #expect(layout.divider == Rect(row: 14, column: 0, height: 1, width: 79))
        #expect(layout.detail == Rect(row: 15, column: 0, height: 7, width: 79))
    }

    @Test(arguments: [(59, 24), (120, 11)])
    func below60ColumnsOr12RowsOnePaneIsShownAtATime(columns: Int, rows: Int) throws {
        let list = try #require(make(columns, rows))
        #expect(list.detail.isEmpty)
        #expect(list.list == Rect(row: 1, column: 0, height: rows - 3, width: columns))
        let detail = try #require(make(columns, rows, focus: .detail))
        #expect(detail.list.isEmpty)
        #expect(detail.detail == Rect(row: 1, column: 0, height: rows - 3, width: columns))
    }

    @Test func below20ColumnsOr5RowsThereIsNone() {
        #expect(make(19, 24) == nil)
        #expect(make(120, 4) == nil)
        #expect(make(20, 5) != nil)
    }
}
