/// A frame over a part of the screen, with a title in its upper line.
public struct Popup: Hashable, Sendable {
    /// Where it stands, its frame included.
    public let frame: Rect

    /// The content's place, within the frame and a blank on either side.
    public let content: Rect

    /// How many columns and rows the frame takes of the width and the height.
    public static let frameSize = Size(rows: 2, columns: 4)

    /// The fewest columns that a frame has, so that there is room for a title in it.
    private static let minimumWidth = 12

    /// A popup in `area` whose content has `size`, or what there is room for: in the middle of the width, and at the
    /// bottom of the area or a little below its top. Where the area is too low for a frame and two rows, or too narrow,
    /// it has none.
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

    /// Clears its place and draws its frame, with `title`.
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
