import TerminalUI
import Testing

/// Frames over a part of the screen.
struct PopupTests {
    private let area = Rect(row: 1, column: 0, height: 20, width: 80)

    @Test func oneRowOfTextHasAFrameToo() {
        let popup = Popup(in: area, contentSize: Size(rows: 1, columns: 30), isAtBottom: true)
        #expect(popup.frame == Rect(row: 18, column: 23, height: 3, width: 34))
        #expect(popup.content == Rect(row: 19, column: 25, height: 1, width: 30))
    }

    @Test func aShortTextLeavesTheFrameRoomForATitle() {
        let popup = Popup(in: area, contentSize: Size(rows: 2, columns: 3))
        #expect(popup.frame.width == 12)
    }

    @Test func whereTheAreaIsTooLowForAFrameAndTwoRowsThereIsNone() {
        let low = Rect(row: 1, column: 0, height: 3, width: 80)
        let popup = Popup(in: low, contentSize: Size(rows: 5, columns: 30))
        #expect(popup.frame == popup.content)
        #expect(popup.frame == low)
    }
}
