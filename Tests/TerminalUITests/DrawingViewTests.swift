import Testing

@testable import Graphemes
@testable import TerminalUI

@Suite("Drawing view") struct DrawingViewTests {
    init() { useUTF8Locale() }

    /// Creates a view of `rows` rows, "1" and so on, in a frame of three rows and five columns.
    private func view(rows: Int) -> DrawingView {
        let view = DrawingView { width in
            var canvas = Canvas(size: Size(rows: rows, columns: width))
            for row in 0..<rows { canvas.write("\(row + 1)", row: row, column: 0) }
            return canvas
        }
        view.frame = Rect(row: 1, column: 2, height: 3, width: 5)
        return view
    }

    private func text(_ view: DrawingView) -> [String] {
        var canvas = Canvas(size: Size(rows: 5, columns: 8))
        view.draw(on: &canvas)
        return (0..<5).map(canvas.text(ofRow:))
    }

    @Test func theRowsAreDrawnInTheFrame() {
        #expect(text(view(rows: 9)) == ["", "  1", "  2", "  3", ""])
        #expect(text(view(rows: 1)) == ["", "  1", "", "", ""])
        #expect(text(view(rows: 0)) == ["", "", "", "", ""])
    }

    @Test func scrollingStopsAtBothEnds() {
        let view = view(rows: 9)
        view.scroll(by: 2)
        #expect(text(view) == ["", "  3", "  4", "  5", ""])
        #expect(view.textOfTopLine == "3")
        view.scroll(by: .max)
        #expect(text(view) == ["", "  7", "  8", "  9", ""])
        view.scroll(by: -.max)
        #expect(view.topLine == 0)
        #expect(view.lineCount == 9)
    }

    @Test func aDrawingThatIsShorterIsShownToItsEnd() {
        let view = view(rows: 9)
        view.scroll(by: .max)
        view.drawing = self.view(rows: 4).drawing
        #expect(text(view) == ["", "  2", "  3", "  4", ""])
    }

    @Test func itIsRedrawnOnlyForAnotherWidth() {
        var widths: [Int] = []
        let view = DrawingView { width in
            widths.append(width)
            return Canvas(size: Size(rows: 4, columns: width))
        }
        for width in [10, 10, 20] {
            view.frame = Rect(row: 0, column: 0, height: 2, width: width)
            _ = text(view)
        }
        #expect(widths == [10, 20])
    }

    @Test func aWideCharacterThatDoesNotFitIsOmitted() {
        var drawing = Canvas(size: Size(rows: 1, columns: 6))
        drawing.write("a雪b雪", row: 0, column: 0)
        var canvas = Canvas(size: Size(rows: 1, columns: 8))
        canvas.draw(drawing, in: Rect(row: 0, column: 1, height: 1, width: 5))
        #expect(canvas.text(ofRow: 0) == " a雪b")
        canvas.draw(drawing, fromRow: 1, in: canvas.bounds)
        canvas.draw(drawing, in: Rect(row: 5, column: 7, height: 9, width: 9))
        #expect(canvas.text(ofRow: 0) == " a雪b")
    }
}
