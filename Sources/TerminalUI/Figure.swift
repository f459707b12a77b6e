internal import Graphemes

/// A picture in its place, or what is there instead of it.
public enum Figure: Hashable, Sendable {
    /// A picture, at the bottom of its place and in the middle.
    case picture(Picture)
    /// A frame of the size of the place with a text; "" while the picture is being loaded.
    case frame(String)

    /// Draws the figure in a place, as far as that is inside of `clip`.
    public func draw(in place: Rect, clippedTo clip: Rect, on canvas: inout Canvas) {
        switch self {
        case .picture(let picture):
            canvas.draw(
                picture, row: place.endRow - picture.size.rows,
                column: place.column + (place.width - picture.size.columns) / 2, clippedTo: place.intersection(clip))
        case .frame(let text): drawFrame(around: text, in: place, clippedTo: clip, on: &canvas)
        }
    }

    private func drawFrame(around text: String, in place: Rect, clippedTo clip: Rect, on canvas: inout Canvas) {
        guard place.width > 1, place.height > 1 else { return }
        let inner = place.width - 2
        let lines = text.isEmpty ? [] : Array(LineWrapper(text, width: inner).prefix(place.height - 2))
        for row in max(place.row, clip.row)..<max(place.row, clip.row, min(place.endRow, clip.endRow)) {
            let number = row - place.row
            let edges =
                number == 0 ? ("┌", "─", "┐") : number == place.height - 1 ? ("└", "─", "┘") : ("│", " ", "│")
            canvas.write(
                edges.0 + String(repeating: edges.1, count: inner) + edges.2, row: row, column: place.column,
                style: .line)
            if lines.indices.contains(number - 1), number < place.height - 1 {
                canvas.write(
                    lines[number - 1], row: row, column: place.column + 1, width: inner, style: .secondary)
            }
        }
    }
}
