import TestSupport
import Testing

@testable import Graphemes
@testable import TerminalUI

/// A table whose sections have headers.
@Suite("Table: sections") struct TableSectionsTests {
    init() { useUTF8Locale() }

    private func source(_ sections: [Int]) -> CountingSource {
        let source = CountingSource(sections: sections)
        source.title = { String(UnicodeScalar(UInt8(ascii: "A") + UInt8($0))) }
        source.fields = { [.init("\(source.title($0.section) ?? "-")\($0.row)".lowercased())] }
        return source
    }

    private func drawn(_ table: TableView) -> [String] {
        var canvas = Canvas(size: Size(rows: table.frame.height, columns: table.frame.width))
        table.draw(on: &canvas, isFocused: true)
        return (1..<table.frame.height).map(canvas.text(ofRow:))
    }

    @Test func aSectionHasAHeaderAboveItsFirstRow() {
        let source = source([2, 3])
        let table = source.table(height: 8, width: 12)
        #expect(drawn(table) == [" A         2", "▌a0", " a1", " B         3", " b0", " b1", " b2"])
        #expect(table.rowCount == 5)
        #expect(table.currentRow == 0)
        #expect(table.cursor == Position(row: 2, column: 0))
    }

    @Test func headersAreNotSelected() {
        let source = source([2, 3])
        let table = source.table(height: 8, width: 12)
        table.moveSelection(by: 2)
        #expect(table.currentRow == 2)
        #expect(drawn(table) == [" A         2", " a0", " a1", " B         3", "▌b0", " b1", " b2"])
        #expect(table.cursor == Position(row: 5, column: 0))
        table.moveSelection(by: -1)
        #expect(table.currentRow == 1)
        #expect(table.cursor == Position(row: 3, column: 0))
    }

    @Test func aHeaderIsBoldAndItsCountDim() {
        let source = source([1])
        let table = source.table(height: 3, width: 6)
        var canvas = Canvas(size: Size(rows: 3, columns: 6))
        table.draw(on: &canvas, isFocused: true)
        #expect(canvas.row(1).map(\.style) == [.plain, .strong, .plain, .plain, .plain, .secondary])
    }

    @Test func theHeaderOfTheSectionAtTheTopStaysWhileItScrolls() {
        let source = source([5, 5])
        let table = source.table(height: 5, width: 8)
        table.select(3)
        #expect(table.topRow == 1)
        #expect(drawn(table) == [" A     5", " a1", " a2", "▌a3"])
        table.select(4)
        #expect(drawn(table) == [" A     5", " a2", " a3", "▌a4"])
    }

    @Test func theNextHeaderTakesItsPlace() {
        let source = source([3, 5])
        let table = source.table(height: 5, width: 8)
        table.select(3)
        #expect(table.topRow == 2)
        #expect(drawn(table) == [" A     3", " a2", " B     5", "▌b0"])
        table.select(4)
        #expect(table.topRow == 3)
        #expect(drawn(table) == [" B     5", " b0", "▌b1", " b2"])
        table.select(2)
        #expect(table.topRow == 2)
        #expect(drawn(table) == [" A     3", "▌a2", " B     5", " b0"])
    }

    @Test func aSectionWithoutRowsHasNoHeader() {
        let source = source([0, 1, 0, 0, 1, 0])
        let table = source.table(height: 7, width: 8)
        #expect(drawn(table) == [" B     1", "▌b0", " E     1", " e0", "", ""])
    }

    @Test func sectionsWithATitleAndWithoutMayBeMixed() {
        let source = source([2, 2, 1])
        source.title = { $0 == 1 ? "B" : nil }
        let table = source.table(height: 5, width: 8)
        #expect(drawn(table) == ["▌-0", " -1", " B     2", " b0"])
        table.select(4)
        #expect(table.topRow == 2)
        #expect(drawn(table) == [" B     2", " b0", " b1", "▌-0"])
    }

    @Test func theCountHasItsThousandsSetApart() {
        let source = source([1_234_567, 12_345, 999])
        let table = source.table(height: 3, width: 24)
        #expect(drawn(table)[0] == " A             1,234,567")
        table.select(1_234_567)
        #expect(drawn(table)[0] == " B                12,345")
        table.select(.max)
        #expect(drawn(table)[0] == " C                   999")
    }

    @Test func aTitleThatIsTooLongIsCutBeforeItsCount() {
        let source = source([1234])
        source.title = { _ in "Twentieth century 漢字" }
        #expect(drawn(source.table(height: 3, width: 20))[0] == " Twentieth ce… 1,234")
        #expect(drawn(source.table(height: 3, width: 30))[0] == " Twentieth century 漢字  1,234")
    }

    @Test func aSummaryStandsBeforeTheCountWhereThereIsRoom() {
        let source = source([1234])
        source.title = { _ in "Twentieth century" }
        source.summary = { _ in "● 12 ○ 3" }
        #expect(drawn(source.table(height: 3, width: 40))[0] == " Twentieth century       ● 12 ○ 3  1,234")
        #expect(drawn(source.table(height: 3, width: 34))[0] == " Twentieth century ● 12 ○ 3  1,234")
        #expect(drawn(source.table(height: 3, width: 33))[0] == " Twentieth centu… ● 12 ○ 3  1,234")
        #expect(drawn(source.table(height: 3, width: 23))[0] == " Twentieth centu… 1,234")
        let table = source.table(height: 3, width: 30)
        table.hasHeaderCounts = false
        #expect(drawn(table)[0] == " Twentieth century    ● 12 ○ 3")
    }

    @Test func aCountWiderThanHalfIsOmitted() {
        let source = source([1234])
        source.title = { _ in "Twentieth century" }
        #expect(drawn(source.table(height: 3, width: 14))[0] == " Twenti… 1,234")
        #expect(drawn(source.table(height: 3, width: 13))[0] == " Twentieth c…")
    }

    @Test func inOneLineTheSelectionIsShownAndNoHeader() {
        let source = source([2, 3])
        let table = source.table(height: 2, width: 8)
        #expect(drawn(table) == ["▌a0"])
        table.select(3)
        #expect(drawn(table) == ["▌b1"])
        table.frame.height = 3
        #expect(drawn(table) == [" B     3", "▌b1"])
    }

    @Test func atTheEndNoMoreRoomIsLeftThanAHeaderNeeds() {
        let source = source([2, 2])
        let table = source.table(height: 6, width: 8)
        table.select(3)
        #expect(table.topRow == 1)
        #expect(drawn(table) == [" A     2", " a1", " B     2", " b0", "▌b1"])
        table.frame.height = 5
        // The header of A would leave no line for one of its rows.
        #expect(table.topRow == 2)
        #expect(drawn(table) == [" B     2", " b0", "▌b1", ""])
        table.frame.height = 7
        #expect(drawn(table) == [" A     2", " a0", " a1", " B     2", " b0", "▌b1"])
    }

    @Test func centringPutsTheSelectionInTheMiddleLine() {
        let source = source([10, 10, 10])
        let table = source.table(height: 10, width: 8)
        table.select(15)
        table.scrollSelection(to: .middle)
        #expect(table.topRow == 12)
        #expect(drawn(table)[4] == "▌b5")
        table.select(11)
        table.scrollSelection(to: .middle)
        #expect(drawn(table) == [" A    10", " a9", " B    10", " b0", "▌b1", " b2", " b3", " b4", " b5"])
    }

    @Test func aPositionIsRestored() {
        let source = source([10, 10])
        let table = source.table(height: 6, width: 8)
        table.select(8, top: 6)
        #expect(table.topRow == 6)
        #expect(drawn(table) == [" A    10", " a6", " a7", "▌a8", " a9"])
        table.select(8, top: 2)
        #expect(table.topRow == 5)
        #expect(drawn(table) == [" A    10", " a5", " a6", " a7", "▌a8"])
    }

    @Test func asManyRowsFitAsHeadersLeave() {
        let source = source([2, 30])
        let table = source.table(height: 11, width: 8)
        #expect(table.visibleRowCount == 8)
        table.select(25)
        #expect(table.visibleRowCount == 9)
        source.sections = [1]
        table.reloadData()
        #expect(table.visibleRowCount == 9)
    }

    @Test func pagingShowsWhatWasBelowTheScreen() {
        let source = source([2, 2, 20])
        let table = source.table(height: 7, width: 8)
        #expect(drawn(table) == [" A     2", "▌a0", " a1", " B     2", " b0", " b1"])
        table.scroll(byPages: 1)
        #expect(drawn(table) == [" C    20", "▌c0", " c1", " c2", " c3", " c4"])
        table.scroll(byPages: 2)
        #expect(drawn(table) == [" C    20", "▌c10", " c11", " c12", " c13", " c14"])
        table.scroll(byPages: -1)
        #expect(drawn(table) == [" C    20", "▌c5", " c6", " c7", " c8", " c9"])
        table.scroll(byPages: -2)
        #expect(drawn(table) == [" A     2", "▌a0", " a1", " B     2", " b0", " b1"])
    }

    @Test func pagingUpPassesNoRowWhereMoreHeadersAre() {
        let source = source([1, 1, 1, 1, 1, 1, 20])
        let table = source.table(height: 7, width: 8)
        table.select(10, top: 6)
        #expect(drawn(table) == [" G    20", " g0", " g1", " g2", " g3", "▌g4"])
        table.scroll(byPages: -1)
        #expect(drawn(table) == [" D     1", " d0", " E     1", " e0", " F     1", "▌f0"])
        table.scroll(byPages: 1)
        #expect(table.topRow == 6)
    }

    @Test func pagingAtTheEndsSelectsTheLastAndTheFirstRow() {
        let source = source([3, 30])
        let table = source.table(height: 7, width: 8)
        table.scroll(byPages: .max)
        #expect(table.currentRow == 32)
        #expect(table.topRow == 28)
        table.select(30)
        table.scroll(byPages: 1)
        #expect(table.currentRow == 32)
        table.scroll(byPages: .min)
        #expect(table.currentRow == 0)
        table.select(2)
        table.scroll(byPages: -1)
        #expect(table.currentRow == 0)
    }

    @Test func withoutHeadersAPageIsAsManyRowsAsFit() {
        for row in [0, 3, 7, 14, 21, 24] {
            for count in [-4, -2, -1, 1, 2, 4] {
                let source = CountingSource(rows: 25)
                let paged = source.table(height: 11, width: 20)
                let scrolled = source.table(height: 11, width: 20)
                paged.select(row)
                scrolled.select(row)
                paged.scroll(byPages: count)
                scrolled.scroll(by: 10 * count)
                #expect(paged.currentRow == scrolled.currentRow)
                #expect(paged.topRow == scrolled.topRow)
            }
        }
    }

    @Test func theNextSectionIsShownWhole() {
        let source = source([3, 3, 30, 3])
        let table = source.table(height: 8, width: 8)
        #expect(drawn(table) == [" A     3", "▌a0", " a1", " a2", " B     3", " b0", " b1"])
        table.selectNextSection(by: 1)
        #expect(drawn(table) == [" A     3", " a1", " a2", " B     3", "▌b0", " b1", " b2"])
        table.selectNextSection(by: 1)
        #expect(drawn(table) == [" C    30", "▌c0", " c1", " c2", " c3", " c4", " c5"])
        table.selectNextSection(by: 1)
        #expect(drawn(table) == [" C    30", " c28", " c29", " D     3", "▌d0", " d1", " d2"])
        table.selectNextSection(by: 1)
        #expect(table.currentRow == 36)
    }

    @Test func thePreviousSectionIsFirstTheBeginningOfThisOne() {
        let source = source([3, 3, 30, 3])
        let table = source.table(height: 8, width: 8)
        table.select(20)
        table.selectNextSection(by: -1)
        #expect(drawn(table) == [" C    30", "▌c0", " c1", " c2", " c3", " c4", " c5"])
        table.selectNextSection(by: -1)
        #expect(table.currentRow == 3)
        table.selectNextSection(by: -1)
        #expect(table.currentRow == 0)
        table.selectNextSection(by: -1)
        #expect(table.currentRow == 0)
    }

    @Test func sectionsArePassedWithACount() {
        let source = source([3, 0, 3, 3, 3])
        let table = source.table(height: 8, width: 8)
        table.selectNextSection(by: 2)
        #expect(table.currentRow == 6)
        table.selectNextSection(by: .max)
        #expect(table.currentRow == 9)
        table.moveSelection(by: 1)
        table.selectNextSection(by: 1)
        #expect(table.currentRow == 10)
        table.selectNextSection(by: -2)
        #expect(table.currentRow == 6)
        table.selectNextSection(by: .min)
        #expect(table.currentRow == 0)
    }

    @Test func anEmptyTableHasNoSections() {
        for sections in [[], [0], [0, 0, 0]] {
            let source = source(sections)
            let table = source.table(height: 5, width: 8)
            table.selectNextSection(by: 1)
            table.selectNextSection(by: -1)
            table.scroll(byPages: 1)
            table.scroll(byPages: -1)
            #expect(table.currentRow == nil)
            #expect(drawn(table) == ["", "", "", ""])
            #expect(source.askedTitles == [])
        }
    }

    @Test func withoutRoomTheSelectionStays() {
        let source = source([30, 30])
        let table = source.table(height: 8, width: 8)
        table.select(40)
        table.frame = .empty
        table.scroll(by: 2)
        table.scroll(byPages: 1)
        table.scrollSelection(to: .middle)
        table.selectNextSection(by: -1)
        #expect(table.currentRow == 30)
        table.frame = Rect(row: 0, column: 0, height: 4, width: 8)
        #expect(drawn(table).contains("▌b0"))
    }

    @Test func drawingAndMovingInAHundredThousandSectionsAskForThoseOnTheScreenOnly() {
        let source = CountingSource(sections: Array(repeating: 1, count: 100_000))
        source.title = { "Section \($0)" }
        let table = source.table(height: 11, width: 20)
        table.select(50_000)
        source.askedTitles = []
        var canvas = Canvas(size: Size(rows: 11, columns: 20))
        table.draw(on: &canvas, isFocused: true)
        #expect(source.asked.map(\.section) == Array(49_996...50_000))
        #expect(source.askedTitles == Array(49_996...50_000))
        source.asked = []
        for move in [
            { table.moveSelection(by: 1) }, { table.scroll(by: 5) }, { table.scrollSelection(to: .middle) },
            { table.selectNextSection(by: 1) }, { table.selectNextSection(by: -20_000) }, { table.scroll(byPages: 1) },
            { table.select(.max) }, { table.scroll(byPages: -1) }, { table.reloadData() }, { _ = table.cursor },
        ] {
            source.askedTitles = []
            move()
            // A screen with five sections asks for each title a few times.
            #expect(source.askedTitles.count <= 40)
        }
        #expect(source.asked == [])
    }

    @Test func aSectionOfMillionsAsksForItsTitleOnce() {
        let source = source([5_000_000, 5_000_000])
        let table = source.table(height: 11, width: 20)
        table.select(7_000_000)
        source.askedTitles = []
        var canvas = Canvas(size: Size(rows: 11, columns: 20))
        table.draw(on: &canvas, isFocused: true)
        #expect(source.askedTitles == [1])
        #expect(source.asked.count == 9)
    }

    /// Checks the rows on the screen with a simpler computation than the table's.
    private func expectRightScreen(_ table: TableView, _ source: CountingSource, _ comment: String) {
        let height = table.frame.height - 1
        var expected: [String] = []
        var previous: Int?
        for row in table.topRow..<table.rowCount where expected.count < height {
            let path = table.indexPath(forRow: row)
            if path.section != previous, height > 1, let title = source.title(path.section) {
                let count = "\(source.sections[path.section])"
                expected.append(" " + title + String(repeating: " ", count: 10 - count.count) + count)
            }
            previous = path.section
            let sign = row == table.currentRow ? "▌" : " "
            if expected.count < height { expected.append(sign + source.fields(path)[0].text) }
        }
        let screen = drawn(table)
        #expect(screen == expected + Array(repeating: "", count: height - expected.count), "\(comment)")
        #expect(screen.contains { $0.hasPrefix("▌") }, "\(comment): the selection is not on the screen")
        let fits = expected.filter { $0.contains(/[a-z-]\d/) }.count
        #expect(table.visibleRowCount == fits + height - expected.count, "\(comment)")
        // The row above would fit but for the header of its section.
        let hasRoom = expected.count < height - 1 && table.topRow > 0
        #expect(!hasRoom, "\(comment): there is room below the last row")
        let line = screen.firstIndex { $0.hasPrefix("▌") } ?? -1
        #expect(table.cursor == Position(row: 1 + line, column: 0), "\(comment)")
    }

    @Test(.thorough) func whateverIsDoneTheScreenIsRight() {
        var generator = SplitMix(seed: 11)
        for _ in 0..<300 {
            let count = Int.random(in: 1...12, using: &generator)
            let sections = (0..<count).map { _ in [0, 1, 1, 2, 3, 8, 30].randomElement(using: &generator) ?? 1 }
            guard sections.contains(where: { $0 > 0 }) else { continue }
            let source = source(sections)
            let untitled = Int.random(in: 1...15, using: &generator)
            source.title = { $0 % untitled == 0 && untitled < 4 ? nil : String(UnicodeScalar(UInt8(65 + $0))) }
            let table = source.table(height: 5, width: 12)
            for step in 0..<30 {
                let number = Int.random(in: -12...12, using: &generator)
                let kind = Int.random(in: 0...7, using: &generator)
                switch kind {
                case 0: table.select(Int.random(in: 0..<max(1, table.rowCount), using: &generator))
                case 1: table.moveSelection(by: number)
                case 2: table.scroll(by: number)
                case 3: table.scroll(byPages: number / 4)
                case 4: table.selectNextSection(by: number / 3)
                case 5: table.scrollSelection(to: .middle)
                case 6: table.frame.height = 2 + abs(number)
                default: table.select(table.currentRow ?? 0, top: (table.currentRow ?? 0) + number)
                }
                expectRightScreen(table, source, "\(sections), step \(step), \(kind) by \(number)")
            }
        }
    }

    @Test(.thorough) func pagingShowsEveryRowOnItsWay() {
        var generator = SplitMix(seed: 13)
        for _ in 0..<200 {
            let sections = (0..<20).map { _ in [0, 1, 1, 2, 3, 8].randomElement(using: &generator) ?? 1 }
            let source = source(sections)
            let table = source.table(height: Int.random(in: 2...15, using: &generator), width: 12)
            for direction in [1, -1] {
                var seen = Set<IndexPath>()
                for _ in 0..<(table.rowCount + 1) {
                    source.asked = []
                    _ = drawn(table)
                    seen.formUnion(source.asked)
                    table.scroll(byPages: direction)
                }
                #expect(seen.count == table.rowCount, "\(sections), \(table.frame.height), \(direction)")
                #expect(table.currentRow == (direction > 0 ? table.rowCount - 1 : 0))
            }
        }
    }
}
