/// A drawing of the width of its frame and of any height, that scrolls.
public final class DrawingView: ScrollingView {
    /// Draws what is shown, in so many columns. It is asked again in another width.
    public var drawing: (_ width: Int) -> Canvas {
        didSet { canvas = nil }
    }

    /// Where it stands on the screen.
    public var frame: Rect = .empty {
        didSet {
            if frame.width != oldValue.width { canvas = nil }
            if frame != oldValue { scroll(by: 0) }
        }
    }

    /// The row of the drawing at the top, counted from zero.
    public private(set) var topLine = 0

    private var canvas: Canvas?

    /// A view of `drawing`; of nothing, where there is none.
    public init(_ drawing: @escaping (_ width: Int) -> Canvas = { Canvas(size: Size(rows: 0, columns: $0)) }) {
        self.drawing = drawing
    }

    /// How many rows the drawing has at this width.
    public var lineCount: Int { drawn.size.rows }

    /// The text of the row at the top, without the blanks around it; "" where there is none.
    public var textOfTopLine: String {
        guard topLine < drawn.size.rows else { return "" }
        return String(drawn.text(ofRow: topLine).drop { $0 == " " })
    }

    /// Scrolls by so many rows, down where positive, and stops where the drawing ends.
    public func scroll(by lines: Int) {
        let (sum, overflow) = topLine.addingReportingOverflow(lines)
        let wanted = overflow ? (lines > 0 ? Int.max : 0) : max(0, sum)
        topLine = min(wanted, max(0, drawn.size.rows - frame.height))
    }

    /// Goes to the first row.
    public func scrollToTop() { topLine = 0 }

    /// Draws the rows on the screen.
    public func draw(on canvas: inout Canvas) {
        // What is drawn may have become shorter.
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
