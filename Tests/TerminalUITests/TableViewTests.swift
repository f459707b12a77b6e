import Testing

@testable import Graphemes
@testable import TerminalUI

@Suite("Table: rows, current row and scrolling") struct TableViewTests {
    init() { useUTF8Locale() }

    @Test func drawingAMillionRowsRequestsOnlyVisibleOnes() {
        let source = CountingSource(rows: 1_000_000)
        let table = source.table(height: 11, width: 20)
        var canvas = Canvas(size: Size(rows: 24, columns: 80))
        table.draw(on: &canvas, isFocused: true)
        #expect(source.asked.map(\.row) == Array(0..<10))
    }

    @Test func drawingTheEndOfAMillionRowsRequestsOnlyVisibleOnes() {
        let source = CountingSource(rows: 1_000_000)
        let table = source.table(height: 11, width: 20)
        table.select(.max)
        source.asked = []
        var canvas = Canvas(size: Size(rows: 24, columns: 80))
        table.draw(on: &canvas, isFocused: true)
        #expect(source.asked.map(\.row) == Array(999_990..<1_000_000))
    }

    @Test func reloadingRequestsOnlyRowCounts() {
        let source = CountingSource(rows: 1_000_000)
        let table = source.table(height: 11, width: 20)
        #expect(source.sectionQuestions == 1)
        #expect(source.rowQuestions == 1)
        #expect(source.asked == [])
        #expect(table.rowCount == 1_000_000)
    }

    @Test func movingAndScrollingRequestNothing() {
        let source = CountingSource(rows: 1_000_000)
        let table = source.table(height: 11, width: 20)
        table.moveSelection(by: 5)
        table.scroll(by: 500_000)
        table.scrollSelection(to: .middle)
        table.frame = Rect(row: 0, column: 0, height: 5, width: 9)
        #expect(source.rowQuestions == 1)
        #expect(source.asked == [])
    }

    @Test func aTableLargerThanItsListRequestsOnlyExistingRows() {
        let source = CountingSource(rows: 3)
        let table = source.table(height: 50, width: 20)
        var canvas = Canvas(size: Size(rows: 50, columns: 20))
        table.draw(on: &canvas, isFocused: true)
        #expect(source.asked.map(\.row) == [0, 1, 2])
    }

    @Test func rowsAreNumberedThroughAllSections() {
        let source = CountingSource(sections: [2, 0, 3, 0])
        let table = source.table(height: 11, width: 20)
        #expect(table.rowCount == 5)
        #expect(
            (0..<5).map(table.indexPath(forRow:)) == [
                IndexPath(row: 0, section: 0), IndexPath(row: 1, section: 0),
                IndexPath(row: 0, section: 2), IndexPath(row: 1, section: 2), IndexPath(row: 2, section: 2),
            ])
        var canvas = Canvas(size: Size(rows: 11, columns: 20))
        table.draw(on: &canvas, isFocused: true)
        #expect(source.asked == (0..<5).map(table.indexPath(forRow:)))
    }

    @Test func anEmptyFirstSectionIsSkipped() {
        let source = CountingSource(sections: [0, 0, 1])
        let table = source.table(height: 5, width: 20)
        #expect(table.indexPath(forRow: 0) == IndexPath(row: 0, section: 2))
    }

    @Test func thereIsOneSectionByDefault() {
        let source = PlainSource()
        let table = TableView(columns: [])
        table.dataSource = source
        table.reloadData()
        #expect(table.rowCount == 7)
        #expect(table.indexPath(forRow: 6) == IndexPath(row: 6, section: 0))
    }

    @Test func numbersBelowZeroCountAsNoRows() {
        let source = CountingSource(sections: [-5, 2])
        let table = source.table(height: 5, width: 20)
        #expect(table.rowCount == 2)
        #expect(table.indexPath(forRow: 0) == IndexPath(row: 0, section: 1))
    }

    @Test func theFirstRowIsSelectedAtFirst() {
        let source = CountingSource(rows: 3)
        let table = source.table(height: 5, width: 20)
        #expect(table.currentRow == 0)
    }

    @Test func movingDownSelectsTheNextRow() {
        let source = CountingSource(rows: 3)
        let table = source.table(height: 5, width: 20)
        table.moveSelection(by: 1)
        #expect(table.currentRow == 1)
    }

    @Test func movingDownAtTheLastRowStaysThere() {
        let source = CountingSource(rows: 3)
        let table = source.table(height: 5, width: 20)
        table.select(2)
        table.moveSelection(by: 1)
        #expect(table.currentRow == 2)
    }

    @Test func movingUpAtTheFirstRowStaysThere() {
        let source = CountingSource(rows: 3)
        let table = source.table(height: 5, width: 20)
        table.moveSelection(by: -1)
        #expect(table.currentRow == 0)
    }

    @Test func movingWithACountMovesThatManyRows() {
        let source = CountingSource(rows: 100)
        let table = source.table(height: 5, width: 20)
        table.moveSelection(by: 12)
        #expect(table.currentRow == 12)
        table.moveSelection(by: -5)
        #expect(table.currentRow == 7)
    }

    @Test(arguments: [Int.max, 5, 3])
    func selectingBelowTheLastRowSelectsTheLast(row: Int) {
        let source = CountingSource(rows: 3)
        let table = source.table(height: 5, width: 20)
        table.select(row)
        #expect(table.currentRow == 2)
    }

    @Test(arguments: [Int.min, -1])
    func selectingAboveTheFirstRowSelectsTheFirst(row: Int) {
        let source = CountingSource(rows: 3)
        let table = source.table(height: 5, width: 20)
        table.select(2)
        table.select(row)
        #expect(table.currentRow == 0)
    }

    @Test func movingByTheLargestNumbersStopsAtTheEnds() {
        let source = CountingSource(rows: 1000)
        let table = source.table(height: 11, width: 20)
        table.select(500)
        table.moveSelection(by: .max)
        #expect(table.currentRow == 999)
        #expect(table.topRow == 990)
        table.moveSelection(by: .min)
        #expect(table.currentRow == 0)
        #expect(table.topRow == 0)
    }

    @Test func scrollingByTheLargestNumbersStopsAtTheEnds() {
        let source = CountingSource(rows: 1000)
        let table = source.table(height: 11, width: 20)
        table.select(500)
        table.scroll(by: .max)
        #expect(table.currentRow == 999)
        #expect(table.topRow == 990)
        table.scroll(by: .min)
        #expect(table.currentRow == 0)
        #expect(table.topRow == 0)
    }

    @Test func theScreenScrollsOnlyAsFarAsNecessary() {
        let source = CountingSource(rows: 100)
        let table = source.table(height: 11, width: 20)
        table.select(9)
        #expect(table.topRow == 0)
        table.select(10)
        #expect(table.topRow == 1)
        table.select(50)
        #expect(table.topRow == 41)
        table.select(45)
        #expect(table.topRow == 41)
        table.select(40)
        #expect(table.topRow == 40)
    }

    @Test func pagingKeepsTheScreenPositionOfTheCurrentRow() {
        let source = CountingSource(rows: 100)
        let table = source.table(height: 11, width: 20)
        table.select(3)
        table.scroll(by: 10)
        #expect(table.topRow == 10)
        #expect(table.currentRow == 13)
        table.scroll(by: -10)
        #expect(table.topRow == 0)
        #expect(table.currentRow == 3)
    }

    @Test func pagingBeyondTheEndSelectsTheLastRow() {
        let source = CountingSource(rows: 25)
        let table = source.table(height: 11, width: 20)
        table.select(3)
        table.scroll(by: 10)
        table.scroll(by: 10)
        #expect(table.topRow == 15)
        #expect(table.currentRow == 23)
        table.scroll(by: 10)
        #expect(table.topRow == 15)
        #expect(table.currentRow == 24)
    }

    @Test func pagingBeyondTheBeginningSelectsTheFirstRow() {
        let source = CountingSource(rows: 25)
        let table = source.table(height: 11, width: 20)
        table.select(14)
        #expect(table.topRow == 5)
        table.scroll(by: -10)
        #expect(table.topRow == 0)
        #expect(table.currentRow == 4)
        table.scroll(by: -10)
        #expect(table.currentRow == 0)
    }

    @Test func centringMovesTheCurrentRowToTheMiddle() {
        let source = CountingSource(rows: 100)
        let table = source.table(height: 11, width: 20)
        table.select(50)
        table.scrollSelection(to: .middle)
        #expect(table.topRow == 45)
        #expect(table.currentRow == 50)
    }

    @Test func centringStopsAtTheEnds() {
        let source = CountingSource(rows: 100)
        let table = source.table(height: 11, width: 20)
        table.select(2)
        table.scrollSelection(to: .middle)
        #expect(table.topRow == 0)
        table.select(98)
        table.scrollSelection(to: .middle)
        #expect(table.topRow == 90)
    }

    @Test func aPositionIsRestored() {
        let source = CountingSource(rows: 100)
        let table = source.table(height: 11, width: 20)
        table.select(50, top: 47)
        #expect(table.currentRow == 50)
        #expect(table.topRow == 47)
    }

    @Test func aRestoredPositionShowsTheCurrentRow() {
        let source = CountingSource(rows: 100)
        let table = source.table(height: 11, width: 20)
        table.select(50, top: 10)
        #expect(table.topRow == 41)
        table.select(50, top: 70)
        #expect(table.topRow == 50)
    }

    @Test(arguments: [(Int.min, Int.min), (-1, 5), (5, -1), (.max, .max), (.min, .max), (.max, .min), (100, 100)])
    func anInvalidPositionIsClamped(row: Int, top: Int) throws {
        for count in [1, 2, 10, 11, 100] {
            let source = CountingSource(rows: count)
            let table = source.table(height: 11, width: 20)
            table.select(row, top: top)
            let selected = try #require(table.currentRow)
            #expect((0..<count).contains(selected))
            #expect((0...max(0, count - 10)).contains(table.topRow))
            #expect((table.topRow..<table.topRow + 10).contains(selected))
        }
    }

    @Test(arguments: [[], [0], [0, 0]])
    func anEmptyListHasNoSelection(sections: [Int]) {
        let source = CountingSource(sections: sections)
        let table = source.table(height: 5, width: 20)
        #expect(table.currentRow == nil)
        for move in [1, -1, Int.max, .min] {
            table.moveSelection(by: move)
            table.scroll(by: move)
            table.select(move)
            table.select(move, top: move)
            table.scrollScreen(by: move)
            table.scroll(byPages: move)
            table.selectNextSection(by: move)
            table.scrollSelection(to: .middle)
        }
        #expect(table.currentRow == nil)
        #expect(table.topRow == 0)
        #expect(table.cursor == Position(row: 1, column: 0))
    }

    @Test func anEmptyListShowsItsPlaceholderAndRequestsNoCell() {
        let source = CountingSource(rows: 0)
        let table = source.table(height: 4, width: 16)
        table.placeholder = "No books yet"
        var canvas = Canvas(size: Size(rows: 4, columns: 16))
        table.draw(on: &canvas, isFocused: true)
        #expect(canvas.text == " Name\n No books yet\n\n")
        #expect(source.asked == [])
    }

    @Test func aListWithRowsShowsNoPlaceholder() {
        let source = CountingSource(rows: 1)
        let table = source.table(height: 3, width: 16)
        table.placeholder = "No books yet"
        var canvas = Canvas(size: Size(rows: 3, columns: 16))
        table.draw(on: &canvas, isFocused: true)
        #expect(canvas.text == " Name\n▌0\n")
    }

    @Test func aTableWithoutADataSourceIsEmpty() {
        let table = TableView(columns: [TableColumn("Name", width: .share(1))])
        table.frame = Rect(row: 0, column: 0, height: 3, width: 10)
        table.reloadData()
        var canvas = Canvas(size: Size(rows: 3, columns: 10))
        table.draw(on: &canvas, isFocused: true)
        #expect(table.rowCount == 0)
        #expect(canvas.text == " Name\n\n")
    }

    @Test func theDelegateIsNotifiedOfTheCurrentRow() {
        let source = CountingSource(sections: [2, 3])
        let table = source.table(height: 5, width: 20)
        let delegate = SelectionRecorder()
        table.delegate = delegate
        table.moveSelection(by: 3)
        table.scroll(by: -1)
        #expect(delegate.selections == [IndexPath(row: 1, section: 1), IndexPath(row: 0, section: 1)])
        source.sections = []
        table.reloadData()
        #expect(delegate.selections.last == .some(nil))
    }

    @Test func reloadingKeepsTheCurrentRowIfPossible() {
        let source = CountingSource(rows: 100)
        let table = source.table(height: 11, width: 20)
        table.select(50)
        source.sections = [200]
        table.reloadData()
        #expect(table.currentRow == 50)
        source.sections = [20]
        table.reloadData()
        #expect(table.currentRow == 19)
        #expect(table.topRow == 10)
    }

    @Test func theFirstRowOfAFilledListIsCurrent() {
        let source = CountingSource(rows: 0)
        let table = source.table(height: 11, width: 20)
        source.sections = [5]
        table.reloadData()
        #expect(table.currentRow == 0)
    }

    @Test func aSmallerFrameKeepsTheSelectionOnTheScreen() {
        let source = CountingSource(rows: 100)
        let table = source.table(height: 21, width: 20)
        table.select(19)
        #expect(table.topRow == 0)
        table.frame = Rect(row: 0, column: 0, height: 6, width: 20)
        #expect(table.currentRow == 19)
        #expect(table.topRow == 15)
    }

    @Test func aLargerFrameLeavesNoRoomBelowTheLastRow() {
        let source = CountingSource(rows: 100)
        let table = source.table(height: 6, width: 20)
        table.select(99)
        #expect(table.topRow == 95)
        table.frame = Rect(row: 0, column: 0, height: 21, width: 20)
        #expect(table.topRow == 80)
        #expect(table.currentRow == 99)
    }

    @Test func theSelectionSurvivesAFrameWithoutRows() {
        let source = CountingSource(rows: 100)
        let table = source.table(height: 11, width: 20)
        table.select(50)
        table.frame = .empty
        table.frame = Rect(row: 0, column: 0, height: 1, width: 1)
        table.frame = Rect(row: 0, column: 0, height: 11, width: 20)
        #expect(table.currentRow == 50)
        #expect((41...50).contains(table.topRow))
    }

    @Test func aRowOfTheScreenShowsItsCells() {
        let source = CountingSource(rows: 3)
        source.fields = { [.init("Title \($0.row)"), .init("Author")] }
        let table = source.table(
            columns: [TableColumn("Title", width: .share(1)), TableColumn("By", width: .fixed(6))], height: 4, width: 20
        )
        table.select(1)
        var canvas = Canvas(size: Size(rows: 4, columns: 20))
        table.draw(on: &canvas, isFocused: true)
        #expect(
            canvas.rows == [
                " Title        By    ",
                " Title 0      Author",
                "▌Title 1      Author",
                " Title 2      Author",
            ])
    }

    @Test func theTableDrawsWithinItsFrameOnly() {
        let source = CountingSource(rows: 9)
        source.fields = { _ in [.init("a text that is far too long")] }
        let table = source.table(height: 3, width: 6)
        table.frame = Rect(row: 1, column: 2, height: 3, width: 6)
        var canvas = Canvas(size: Size(rows: 5, columns: 10))
        table.draw(on: &canvas, isFocused: true)
        #expect(
            canvas.rows == [
                "          ",
                "   Name   ",
                "  ▌a te…  ",
                "   a te…  ",
                "          ",
            ])
    }

    @Test func theBarFillsTheCurrentRowOfTheFocusedTable() {
        let canvas = Self.drawnTwoRows(isFocused: true)
        #expect(canvas.row(1).first?.style == .sign)
        #expect(canvas.row(1).dropFirst().allSatisfy { $0.style == Style(on: .selection) })
        #expect(canvas.row(2).allSatisfy { $0.style == .plain })
    }

    @Test func theBarOfATableWithoutFocusFillsItsRow() {
        let canvas = Self.drawnTwoRows(isFocused: false)
        #expect(canvas.row(1).first?.style == .sign)
        #expect(canvas.row(1).dropFirst().allSatisfy { $0.style == Style(on: .inactiveSelection) })
        #expect(canvas.row(2).allSatisfy { $0.style == .plain })
    }

    private static func drawnTwoRows(isFocused: Bool) -> Canvas {
        let source = CountingSource(rows: 2)
        let table = source.table(height: 3, width: 8)
        var canvas = Canvas(size: Size(rows: 3, columns: 8))
        table.draw(on: &canvas, isFocused: isFocused)
        return canvas
    }

    @Test func theBarCoversColumnsGapsAndMargin() {
        let source = CountingSource(rows: 2)
        source.fields = { _ in [.init("a"), .init("b", style: .sign), .init("c")] }
        let table = source.table(
            columns: ["A", "B", "C"].map { TableColumn($0, width: .fixed(1)) }, height: 3, width: 8)
        table.rightMargin = 1
        var canvas = Canvas(size: Size(rows: 3, columns: 8))
        table.draw(on: &canvas, isFocused: true)
        let bar = Style(on: .selection)
        #expect(canvas.row(1).map(\.style) == [.sign, bar, bar, Style(.sign, on: .selection), bar, bar, bar, bar])
        table.draw(on: &canvas, isFocused: false)
        #expect(canvas.row(1).dropFirst().allSatisfy { $0.style.surface == .inactiveSelection })
    }

    /// In black, the bar marker of the theme `contrast` would look like the window beside it.
    @Test(arguments: Theme.all.map(\.name), Colour.Depth.allCases)
    func theMarkerOfTheCurrentRowIsVisibleInEachTheme(name: String, depth: Colour.Depth) throws {
        let theme = try #require(Theme(named: name))
        let canvas = Self.drawnTwoRows(isFocused: true)
        let (sign, window) = (theme.look(of: canvas[1, 0].style, at: depth), theme.look(of: .plain, at: depth))
        #expect(canvas[1, 0].glyph.text == "▌")
        // The cell has the window's background, on which text is readable (`ContrastTests`).
        #expect(sign.background == window.background)
        #expect(!sign.attributes.contains(.reverse))
        let bar = theme.look(of: canvas[1, 1].style, at: depth)
        #expect(bar.background != window.background || bar.attributes.contains(.reverse))
    }

    @Test func theCurrentRowHasItsOwnSurface() {
        let source = CountingSource(rows: 2)
        source.fields = { _ in [.init("x", style: .sign)] }
        let table = source.table(height: 3, width: 4)
        var canvas = Canvas(size: Size(rows: 3, columns: 4))
        table.draw(on: &canvas, isFocused: true)
        #expect(canvas[1, 1].style == Style(.sign, on: .selection))
        #expect(canvas[2, 1].style == .sign)
    }

    @Test func theCursorIsAtTheCurrentRow() {
        let source = CountingSource(rows: 100)
        let table = source.table(height: 11, width: 20)
        table.frame = Rect(row: 2, column: 3, height: 11, width: 20)
        #expect(table.cursor == Position(row: 3, column: 3))
        table.select(50)
        #expect(table.topRow == 41)
        #expect(table.cursor == Position(row: 12, column: 3))
    }

    @Test func missingFieldsAreBlankAndSurplusOnesOmitted() {
        let source = CountingSource(rows: 2)
        source.fields = { $0.row == 0 ? [] : [.init("a"), .init("b"), .init("c")] }
        let table = source.table(
            columns: [TableColumn("", width: .fixed(2)), TableColumn("", width: .fixed(2))], height: 3, width: 8)
        var canvas = Canvas(size: Size(rows: 3, columns: 8))
        table.draw(on: &canvas, isFocused: true)
        #expect(canvas.rows == ["        ", "▌       ", " a  b   "])
    }

    @Test func columnsShareTheRemainingWidthByWeight() {
        // 21 columns: the bar, a fixed column of 2, and shares of 3 and 1 of the 16 that two blanks leave.
        #expect(
            Self.head(
                [
                    TableColumn("AAAA", width: .fixed(2)), TableColumn("B", width: .share(3)),
                    TableColumn("C", width: .share(1)),
                ], width: 21) == " A… B            C   ")
    }

    @Test func theRemainderOfTheDivisionGoesToTheLastColumn() {
        // 1 + 3 + 1 + 3 + 1 + 4 columns.
        let columns = ["aaaaaa", "bbbbbb", "cccccc"].map { TableColumn($0, width: .share(1)) }
        #expect(Self.head(columns, width: 13) == " aa… bb… ccc…")
    }

    @Test func columnsGrowToTheirComfortableWidthBeforeTheRestIsShared() {
        let columns = [
            TableColumn("AAAAAAAA", width: .share(1), minimumWidth: 2, comfortableWidth: 4),
            TableColumn("BBBBBBBBBBBBBBBB", width: .share(3), minimumWidth: 3, comfortableWidth: 6),
        ]
        // The bar and a blank, and 5, 8, 10 and 20 columns to share.
        #expect(Self.head(columns, width: 7) == " A… BB…")
        #expect(Self.head(columns, width: 10) == " A… BBBBB…")
        #expect(Self.head(columns, width: 12) == " AAA… BBBBB…")
        #expect(Self.head(columns, width: 22) == " AAAA… BBBBBBBBBBBBBB…")
    }

    @Test func aLargeShareLeavesTheOthersTheirMinimum() {
        let columns = [
            TableColumn("AAAAAAAA", width: .share(9)), TableColumn("BBBBBBBB", width: .share(1), minimumWidth: 4),
        ]
        #expect(Self.head(columns, width: 11) == " AAAA… BBB…")
    }

    @Test func theColumnsWithTheLowestPriorityDropOutFirst() {
        let columns = [
            TableColumn("T", width: .share(1), minimumWidth: 5),
            TableColumn("A", width: .fixed(1), priority: 1),
            TableColumn("Y", width: .fixed(1), priority: 0),
        ]
        #expect(Self.head(columns, width: 10) == " T     A Y")
        #expect(Self.head(columns, width: 9) == " T      A")
        #expect(Self.head(columns, width: 8) == " T     A")
        #expect(Self.head(columns, width: 7) == " T     ")
    }

    @Test func aHiddenColumnHidesItsField() {
        let source = CountingSource(rows: 1)
        source.fields = { _ in [.init("a"), .init("b"), .init("c")] }
        let columns = [
            TableColumn("", width: .fixed(1)), TableColumn("", width: .fixed(10), priority: 0),
            TableColumn("", width: .fixed(1)),
        ]
        let table = source.table(columns: columns, height: 2, width: 6)
        var canvas = Canvas(size: Size(rows: 2, columns: 6))
        table.draw(on: &canvas, isFocused: true)
        #expect(canvas.text(ofRow: 1) == "▌a c")
    }

    @Test func numbersAreRightAligned() {
        let source = CountingSource(rows: 2)
        source.fields = { [.init($0.row == 0 ? "7" : "1234567"), .init("x")] }
        let table = source.table(
            columns: [TableColumn("No", width: .fixed(5), isRightAligned: true), TableColumn("", width: .fixed(1))],
            height: 3, width: 10)
        var canvas = Canvas(size: Size(rows: 3, columns: 10))
        table.draw(on: &canvas, isFocused: true)
        #expect(canvas.rows == ["    No    ", "▌    7 x  ", " 1234… x  "])
    }

    @Test func highlightsAreShownInEachColumn() {
        let source = CountingSource(rows: 2)
        source.fields = { _ in [.init("a title", highlights: [2..<4]), .init("1815", highlights: [2..<4])] }
        let table = source.table(
            columns: [TableColumn("T", width: .fixed(5)), TableColumn("Y", width: .fixed(6), isRightAligned: true)],
            height: 3, width: 13)
        var canvas = Canvas(size: Size(rows: 3, columns: 13))
        table.draw(on: &canvas, isFocused: true)
        #expect(canvas.rows == [" T          Y", "▌a ti…   1815", " a ti…   1815"])
        #expect(canvas.highlights(ofRow: 1) == "   ^^      ^^")
        #expect(canvas.highlights(ofRow: 2) == "   ^^      ^^")
        #expect(canvas[1, 3].style == Style(on: .selection, isHighlighted: true))
    }

    private static func head(_ columns: [TableColumn], width: Int) -> String {
        let source = CountingSource(rows: 0)
        let table = source.table(columns: columns, height: 2, width: width)
        var canvas = Canvas(columns: width)
        table.draw(on: &canvas, isFocused: true)
        return canvas.rows[0]
    }

    @Test func everySizeIsDrawnWithinItsFrame() throws {
        let source = CountingSource(rows: 1000)
        source.fields = { [.init("★"), .init("漢字の本 \($0.row)"), .init("e\u{301}crivain"), .init("\($0.row)")] }
        let table = source.table(
            columns: [
                TableColumn("", width: .fixed(1)), TableColumn("Title", width: .share(3)),
                TableColumn("Author", width: .share(2), minimumWidth: 8, priority: 1),
                TableColumn("Year", width: .fixed(5), priority: 0, isRightAligned: true),
            ], height: 2, width: 2)
        table.select(500)
        for width in 1...40 {
            for height in 1...20 {
                table.frame = Rect(row: 1, column: 1, height: height, width: width)
                source.asked = []
                var canvas = Canvas(size: Size(rows: height + 2, columns: width + 2))
                table.draw(on: &canvas, isFocused: true)
                #expect(source.asked.count == height - 1)
                #expect(canvas.isWhole)
                let isFrameKept = (0..<height + 2).allSatisfy { row in
                    let isOutside = row == 0 || row == height + 1
                    let cells = Array(canvas.row(row))
                    return cells[0] == .blank && cells[width + 1] == .blank
                        && (!isOutside || cells.allSatisfy { $0 == .blank })
                }
                #expect(isFrameKept, "\(width) x \(height)")
                let isSelectionShown = height == 1 || canvas[table.cursor.row, table.cursor.column].glyph.text == "▌"
                #expect(isSelectionShown, "\(width) x \(height)")
            }
        }
        #expect(table.currentRow == 500)
    }

    @Test func aFrameLargerThanTheCanvasIsClipped() {
        let source = CountingSource(rows: 100)
        let table = source.table(height: 30, width: 90)
        var canvas = Canvas(size: Size(rows: 2, columns: 4))
        table.draw(on: &canvas, isFocused: true)
        #expect(canvas.rows == [" Na…", "▌0  "])
    }

    @Test func fixedColumnsThatDoNotFitAreClipped() {
        let columns = [TableColumn("aaaa", width: .fixed(4)), TableColumn("bbbb", width: .fixed(4))]
        #expect(Self.head(columns, width: 8) == " aaaa b…")
        #expect(Self.head(columns, width: 4) == " aa…")
        #expect(Self.head(columns, width: 1) == " ")
    }
}

/// A data source that counts its calls.
final class CountingSource: TableViewDataSource {
    var sections: [Int]
    var fields: (IndexPath) -> [TableViewCell.Field] = { [.init("\($0.row)")] }
    var title: (Int) -> String? = { _ in nil }
    var summary: (Int) -> String? = { _ in nil }
    var asked: [IndexPath] = []
    var askedTitles: [Int] = []
    private(set) var sectionQuestions = 0
    private(set) var rowQuestions = 0

    init(sections: [Int]) {
        self.sections = sections
    }

    convenience init(rows: Int) {
        self.init(sections: [rows])
    }

    func numberOfSections(in tableView: TableView) -> Int {
        sectionQuestions += 1
        return sections.count
    }

    func tableView(_ tableView: TableView, numberOfRowsInSection section: Int) -> Int {
        rowQuestions += 1
        return sections[section]
    }

    func tableView(_ tableView: TableView, titleForHeaderInSection section: Int) -> String? {
        askedTitles.append(section)
        return title(section)
    }

    func tableView(_ tableView: TableView, summaryForHeaderInSection section: Int) -> String? { summary(section) }

    func tableView(_ tableView: TableView, cellForRowAt indexPath: IndexPath) -> TableViewCell {
        asked.append(indexPath)
        return TableViewCell(fields(indexPath))
    }

    /// Creates a table with one column that shows these rows. It holds the source weakly: keep the source while the
    /// table draws or reloads.
    func table(height: Int, width: Int) -> TableView {
        table(columns: [TableColumn("Name", width: .share(1))], height: height, width: width)
    }

    func table(columns: [TableColumn], height: Int, width: Int) -> TableView {
        let table = TableView(columns: columns)
        table.frame = Rect(row: 0, column: 0, height: height, width: width)
        table.dataSource = self
        table.reloadData()
        return table
    }
}

/// A data source with only the required methods.
private final class PlainSource: TableViewDataSource {
    func tableView(_ tableView: TableView, numberOfRowsInSection section: Int) -> Int { 7 }

    func tableView(_ tableView: TableView, cellForRowAt indexPath: IndexPath) -> TableViewCell { TableViewCell([]) }
}

/// A delegate that records its calls.
private final class SelectionRecorder: TableViewDelegate {
    private(set) var selections: [IndexPath?] = []

    func tableView(_ tableView: TableView, didSelectRowAt indexPath: IndexPath?) {
        selections.append(indexPath)
    }
}
