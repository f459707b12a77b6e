/// A scrolling view of a canvas that is as wide as the view's frame and may be higher.
public final class DrawingView: ScrollingView {
    /// Draws the content for a width in columns; called again if the width changes.
    public var drawing: (_ width: Int) -> Canvas {
        didSet { canvas = nil }
    }

    /// The rectangle that the view occupies on the screen.
    public var frame: Rect = .empty {
        didSet {
            if frame.width != oldValue.width { canvas = nil }
            if frame != oldValue { scroll(by: 0) }
        }
    }

    /// The row of the drawing that is at the top of the frame, counted from zero.
    public private(set) var topLine = 0

    private var canvas: Canvas?

    /// Creates a view of `drawing`, which is empty by default.
    public init(_ drawing: @escaping (_ width: Int) -> Canvas = { Canvas(size: Size(rows: 0, columns: $0)) }) {
        self.drawing = drawing
    }

    /// The number of rows of the drawing at the current width.
    public var lineCount: Int { drawn.size.rows }

    /// The text of the row at the top of the frame, without surrounding blanks, or "" if the drawing is empty.
    public var textOfTopLine: String {
        guard topLine < drawn.size.rows else { return "" }
        return String(drawn.text(ofRow: topLine).drop { $0 == " " })
    }

    /// Scrolls by `lines` rows, down if positive, and stops at either end.
    public func scroll(by lines: Int) {
        let (sum, overflow) = topLine.addingReportingOverflow(lines)
        let wanted = overflow ? (lines > 0 ? Int.max : 0) : max(0, sum)
        topLine = min(wanted, max(0, drawn.size.rows - frame.height))
    }

    /// Scrolls to the first row.
    public func scrollToTop() { topLine = 0 }

    /// Draws the visible rows.
    public func draw(on canvas: inout Canvas) {
        // The drawing may have become shorter since the last scroll.
        scroll(by: 0)
        canvas.draw(drawn, fromRow: topLine, in: frame)
    }

    private var drawn: Canvas {
        if let canvas { return canvas }
        let made = drawing(frame.width)
        canvas = made
        return made
    }
}
