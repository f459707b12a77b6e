/// A bordered box over a part of the screen, with a title in its top border.
public struct Popup: Hashable, Sendable {
    /// The box, its border included.
    public let frame: Rect

    /// The area for the content, inside the border and one blank column on either side.
    public let content: Rect

    /// The rows and columns that the border and its padding add to the content.
    public static let frameSize = Size(rows: 2, columns: 4)

    /// The minimum width in columns, which leaves room for a title.
    private static let minimumWidth = 12

    /// Creates a popup in `area` for content of `size`, or as much as fits: centred horizontally, and at the bottom of
    /// the area or slightly below its top.
    ///
    /// If the area is too small for a border and two rows, the popup has no border.
    public init(in area: Rect, contentSize size: Size, isAtBottom: Bool = false) {
        let height = min(area.height, size.rows + Self.frameSize.rows)
        let width = min(area.width, max(size.columns + Self.frameSize.columns, Self.minimumWidth))
        if height < Self.frameSize.rows + min(2, size.rows) || width < Self.minimumWidth {
            let height = min(area.height, size.rows)
            frame = Rect(
                row: isAtBottom ? area.endRow - height : area.row, column: area.column, height: height,
                width: area.width)
            content = frame
            return
        }
        let above = isAtBottom ? area.height - height : min(2, (area.height - height) / 2)
        frame = Rect(
            row: area.row + above, column: area.column + (area.width - width) / 2, height: height, width: width)
        content = Rect(
            row: frame.row + 1, column: frame.column + 2, height: height - 2, width: width - Self.frameSize.columns)
    }

    /// Clears the box and draws its border with `title`.
    public func draw(_ title: String, on canvas: inout Canvas) {
        canvas.clear(frame, style: Style(on: .popup))
        guard content != frame else { return }
        let style = Style(.line, on: .popup)
        for row in frame.row + 1..<frame.endRow - 1 {
            canvas.write("│", row: row, column: frame.column, style: style)
            canvas.write("│", row: row, column: frame.endColumn - 1, style: style)
        }
        let line = String(repeating: "─", count: frame.width - 2)
        canvas.write("┌" + line + "┐", row: frame.row, column: frame.column, style: style)
        canvas.write("└" + line + "┘", row: frame.endRow - 1, column: frame.column, style: style)
        canvas.write(
            " " + title + " ", row: frame.row, column: frame.column + 2, width: frame.width - 4,
            style: Style(.strong, on: .popup))
    }
}
