internal import TerminalUI

/// Where the parts of the screen stand, by the size of the window.
struct Layout: Hashable {
    /// The title bar, one row.
    var title: Rect
    /// The list.
    var list: Rect
    /// The detail of the selected book; empty where there is room for one pane and the list has it.
    var detail: Rect
    /// The line between list and detail: a column, a row, or nothing.
    var divider: Rect
    /// The status line, one row.
    var status: Rect
    /// The hint bar, one row.
    var hints: Rect

    /// The layout for a window of `size`; nil where it is too small for any.
    ///
    /// List beside detail from 80 columns on, list over detail below that, one pane at a time below 60 columns or 12
    /// rows. Nothing fits below 20 columns or 5 rows.
    init?(size: Size, focus: Focus) {
        guard size.columns >= 20, size.rows >= 5 else { return nil }
        let width = size.columns
        title = Rect(row: 0, column: 0, height: 1, width: width)
        status = Rect(row: size.rows - 2, column: 0, height: 1, width: width)
        hints = Rect(row: size.rows - 1, column: 0, height: 1, width: width)
        let body = Rect(row: 1, column: 0, height: size.rows - 3, width: width)
        list = body
        detail = .empty
        divider = .empty
        if width < 60 || size.rows < 12 {
            if focus == .detail { (list, detail) = (.empty, body) }
        } else if width < 80 {
            let detailHeight = body.height / 3
            list.height = body.height - detailHeight - 1
            divider = Rect(row: list.endRow, column: 0, height: 1, width: width)
            detail = Rect(row: divider.endRow, column: 0, height: detailHeight, width: width)
        } else {
            list.width = width * 3 / 5
            divider = Rect(row: body.row, column: list.endColumn, height: body.height, width: 1)
            detail = Rect(
                row: body.row, column: divider.endColumn, height: body.height, width: width - divider.endColumn)
        }
    }
}

/// The pane that has the keyboard.
enum Focus: Hashable {
    case list, detail
}
