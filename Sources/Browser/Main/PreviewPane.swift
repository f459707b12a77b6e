internal import Graphemes
internal import Library
internal import TerminalUI

/// The pane with the preview of the current list, beside the lists.
final class PreviewPane {
    private let session: Session
    private var preview: ListPreview?
    /// What the preview was made for.
    private var subject: (list: NamedList?, frame: Rect)?

    /// Creates the pane of `session`.
    init(_ session: Session) { self.session = session }

    /// Makes the lines again before the next drawing, because the lists or their books changed.
    func forgetLines() { preview = nil }

    /// Sets the frame and the list that is shown; nil for the group of what is to be tidied up.
    func layout(in frame: Rect, showing list: NamedList?) {
        if preview != nil, let subject, subject.list == list, subject.list?.name == list?.name, subject.frame == frame {
            return
        }
        subject = (list, frame)
        // A column at each side is blank.
        let size = Size(rows: frame.height, columns: max(1, frame.width - 2))
        preview = list.map { ListPreview(of: $0, in: size, session) } ?? ListPreview(ofTidyUpIn: size, session)
    }

    /// Draws the lines that fit.
    func draw(on canvas: inout Canvas) {
        guard let preview, let frame = subject?.frame else { return }
        for (number, line) in preview.lines.prefix(frame.height).enumerated() {
            var column = frame.column + 1
            for piece in line.pieces {
                let room = frame.endColumn - 1 - column
                let width = min(piece.width ?? piece.text.displayColumns, room)
                canvas.write(piece.text, row: frame.row + number, column: column, width: width, style: piece.style)
                column += width + 1
            }
        }
    }
}
