import Testing

@testable import Browser
@testable import TerminalUI

@Suite("Layout by window size")
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

    @Test func below20ColumnsOr5RowsNoPaneIsShown() {
        #expect(make(19, 24) == nil)
        #expect(make(120, 4) == nil)
        #expect(make(20, 5) != nil)
    }
}

extension LayoutTests {
    /// Panes and dividers lie within the body, never overlap, and cover all of it.
    @Test(arguments: [Focus.lists, .list, .detail])
    func panesCoverTheWindowAndNeverOverlap(focus: Focus) {
        var seed: UInt64 = 7
        func random(_ range: ClosedRange<Int>) -> Int {
            seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return range.lowerBound + Int(seed >> 33) % range.count
        }
        for rows in 0...60 {
            for columns in 0...200 {
                var panes = Panes()
                if columns % 3 > 0 {
                    panes.listShare = random(0...1000)
                    panes.stackedShare = random(0...1000)
                    panes.listsWidth = random(0...1000)
                    panes.listsPaneFrom = columns % 2 == 0 ? random(1...200) : nil
                }
                guard let layout = Layout(size: Size(rows: rows, columns: columns), focus: focus, panes: panes) else {
                    if rows >= 5 && columns >= 20 { Issue.record("\(rows) \(columns)") }
                    continue
                }
                let bars = [layout.title, layout.tabs, layout.status, layout.hints]
                let parts = [
                    layout.lists, layout.previewDivider, layout.preview, layout.listsDivider, layout.list,
                    layout.divider,
                    layout.detail,
                ]
                let rects = (bars + parts).filter { !$0.isEmpty }
                let isWithin = rects.allSatisfy {
                    $0.row >= 0 && $0.column >= 0 && $0.endRow <= rows && $0.endColumn <= columns
                }
                let isApart = rects.indices.allSatisfy { first in
                    rects[(first + 1)...].allSatisfy { !rects[first].overlaps($0) }
                }
                let area = rects.reduce(0) { $0 + $1.height * $1.width }
                if !isWithin || !isApart || area != rows * columns {
                    Issue.record("\(rows) \(columns) \(focus) \(panes): \(layout)")
                }
                // The pane that has the keyboard is visible.
                let focused = focus == .lists ? layout.lists : focus == .list ? layout.list : layout.detail
                if focused.isEmpty { Issue.record("\(rows) \(columns) \(focus)") }
            }
        }
    }

    @Test func aPositionOnADividerFindsIt() throws {
        let three = try #require(make(140, 24))
        #expect(three.divider(at: Position(row: 5, column: 31)) == .lists)
        #expect(three.divider(at: Position(row: 5, column: 97)) == .detail)
        #expect(three.divider(at: Position(row: 5, column: 32)) == nil)
        #expect(three.divider(at: Position(row: 0, column: 31)) == nil)
        let stacked = try #require(make(70, 24))
        #expect(stacked.divider(at: Position(row: 14, column: 3)) == .stack)
        #expect(stacked.has(.stack) && !stacked.has(.detail) && !stacked.has(.lists))
    }
}

extension Rect {
    fileprivate func overlaps(_ other: Rect) -> Bool {
        row < other.endRow && other.row < endRow && column < other.endColumn && other.column < endColumn
    }
}
