import Testing

@testable import Graphemes
@testable import TerminalUI

@Suite("Popups") struct PopupTests {
    init() { useUTF8Locale() }

    private let area = Rect(row: 1, column: 0, height: 21, width: 80)

    @Test func itIsCentredAndNearTheTop() {
        let popup = Popup(in: area, contentSize: Size(rows: 5, columns: 20))
        #expect(popup.frame == Rect(row: 3, column: 28, height: 7, width: 24))
        #expect(popup.content == Rect(row: 4, column: 30, height: 5, width: 20))
    }

    @Test func orNearTheBottom() {
        let popup = Popup(in: area, contentSize: Size(rows: 5, columns: 20), isAtBottom: true)
        #expect(popup.frame == Rect(row: 15, column: 28, height: 7, width: 24))
    }

    @Test func itIsNoLargerThanTheArea() {
        let popup = Popup(in: area, contentSize: Size(rows: 99, columns: 99))
        #expect(popup.frame == area)
        #expect(popup.content == Rect(row: 2, column: 2, height: 19, width: 76))
    }

    @Test func oneRowHasAFrameToo() {
        let popup = Popup(in: area, contentSize: Size(rows: 1, columns: 20), isAtBottom: true)
        #expect(popup.frame == Rect(row: 19, column: 28, height: 3, width: 24))
        #expect(popup.content == Rect(row: 20, column: 30, height: 1, width: 20))
    }

    @Test func withoutRoomThereIsNoFrame() {
        let low = Popup(in: Rect(row: 1, column: 0, height: 3, width: 40), contentSize: Size(rows: 9, columns: 20))
        #expect(low.frame == Rect(row: 1, column: 0, height: 3, width: 40))
        #expect(low.content == low.frame)
        let narrow = Popup(in: Rect(row: 1, column: 0, height: 9, width: 11), contentSize: Size(rows: 4, columns: 20))
        #expect(narrow.content == narrow.frame)
    }

    @Test func itsFrameHasTheTitleAndCoversTheScreen() {
        var canvas = Canvas(size: Size(rows: 5, columns: 16))
        for row in 0..<5 { canvas.write("################", row: row, column: 0) }
        let popup = Popup(in: canvas.bounds, contentSize: Size(rows: 2, columns: 10))
        popup.draw("Keys", on: &canvas)
        #expect(
            canvas.text == """
                #┌─ Keys ─────┐#
                #│            │#
                #│            │#
                #└────────────┘#
                ################
                """)
    }

    @Test func aLongTitleIsCutWithinTheFrame() {
        var canvas = Canvas(size: Size(rows: 4, columns: 14))
        Popup(in: canvas.bounds, contentSize: Size(rows: 2, columns: 10)).draw("A very long title", on: &canvas)
        #expect(canvas.text(ofRow: 0) == "┌─ A very l…─┐")
    }

    @Test func atEverySizeItStaysInItsArea() {
        for height in 0...20 {
            for width in 0...40 {
                for rows in 0...12 {
                    for isAtBottom in [true, false] {
                        let area = Rect(row: 1, column: 2, height: height, width: width)
                        let popup = Popup(
                            in: area, contentSize: Size(rows: rows, columns: rows * 3), isAtBottom: isAtBottom)
                        var canvas = Canvas(size: Size(rows: height + 2, columns: width + 4))
                        popup.draw("Title", on: &canvas)
                        let (frame, content) = (popup.frame, popup.content)
                        let isWithin =
                            frame.row >= area.row && frame.column >= area.column && frame.endRow <= area.endRow
                            && frame.endColumn <= area.endColumn && content.row >= frame.row
                            && content.endRow <= frame.endRow && content.column >= frame.column
                            && content.endColumn <= frame.endColumn
                        if !isWithin { Issue.record("\(height) \(width) \(rows) \(isAtBottom): \(popup)") }
                    }
                }
            }
        }
    }
}
