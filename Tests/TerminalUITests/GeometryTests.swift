import Testing

@testable import TerminalUI

@Suite("Geometry") struct GeometryTests {
    @Test func aSizeIsNeverNegative() {
        let size = Size(rows: -1, columns: .min)
        #expect(size.rows == 0)
        #expect(size.columns == 0)
        #expect(Size(rows: 24, columns: 80).rows == 24)
        #expect(Size(rows: 24, columns: 80).columns == 80)
    }

    @Test func aRectangleIsNeverNegative() {
        let rect = Rect(row: 3, column: 4, height: -1, width: -5)
        #expect(rect.height == 0)
        #expect(rect.width == 0)
        #expect(rect.endRow == 3)
        #expect(rect.endColumn == 4)
    }

    @Test func aRectangleEndsAfterItsLastRowAndColumn() {
        let rect = Rect(row: 3, column: 4, height: 2, width: 5)
        #expect(rect.endRow == 5)
        #expect(rect.endColumn == 9)
    }

    @Test func aRectangleWithoutHeightOrWidthIsEmpty() {
        #expect(Rect.empty.isEmpty)
        #expect(Rect(row: 1, column: 1, height: 0, width: 5).isEmpty)
        #expect(Rect(row: 1, column: 1, height: 5, width: 0).isEmpty)
        #expect(!Rect(row: 1, column: 1, height: 1, width: 1).isEmpty)
    }

    @Test func droppingFirstRowsLeavesThoseBelow() {
        let rect = Rect(row: 3, column: 4, height: 5, width: 6)
        #expect(rect.droppingFirstRows(2) == Rect(row: 5, column: 4, height: 3, width: 6))
        #expect(rect.droppingFirstRows(0) == rect)
    }

    @Test func droppingMoreRowsThanThereAreLeavesNoneAtTheEnd() {
        let rect = Rect(row: 3, column: 4, height: 5, width: 6)
        #expect(rect.droppingFirstRows(9) == Rect(row: 8, column: 4, height: 0, width: 6))
    }
}
