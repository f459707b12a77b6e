internal import TerminalUI

/// Where the parts of the screen stand, by the size of the window.
struct Layout: Hashable {
    /// The title bar, one row.
    var title: Rect
    /// What is between the title bar and the status line.
    var body: Rect
    /// The lists; empty where there is no room for them beside the list, and they have not the keyboard.
    var lists = Rect.empty
    /// The line between the lists and the list; empty where there is none.
    var listsDivider = Rect.empty
    /// The list; empty where there is room for one pane and another has it.
    var list = Rect.empty
    /// The detail of the selected book; the same.
    var detail = Rect.empty
    /// The line between list and detail: a column, a row, or nothing.
    var divider = Rect.empty
    /// The status area, one row or as many as its message takes.
    var status: Rect
    /// The hint bar, one row.
    var hints: Rect

    /// The layout for a window of `size`; nil where it is too small for any.
    ///
    /// Lists beside list beside detail from 140 columns on, or as `panes` has it; list beside detail from 80 columns on,
    /// list over detail below that, one pane at a time below 60 columns or 12 rows. Where the lists have no pane of their
    /// own, they take the place of the others while they have the keyboard. Nothing fits below 20 columns or 5 rows.
    ///
    /// - Parameter statusHeight: The height of the status area, at most `maximumStatusHeight(rows:)`.
    init?(size: Size, focus: Focus, panes: Panes = Panes(), statusHeight: Int = 1) {
        guard size.columns >= 20, size.rows >= 5 else { return nil }
        let width = size.columns
        title = Rect(row: 0, column: 0, height: 1, width: width)
        hints = Rect(row: size.rows - 1, column: 0, height: 1, width: width)
        status = Rect(row: hints.row - statusHeight, column: 0, height: statusHeight, width: width)
        body = Rect(row: 1, column: 0, height: status.row - 1, width: width)
        let isLow = size.rows < 12
        let hasListsPane = !isLow && width >= 80 && panes.listsPaneFrom.map { width >= $0 } ?? false
        if focus == .lists && !hasListsPane {
            lists = body
        } else if width < 60 || isLow {
            if focus == .detail { detail = body } else { list = body }
        } else if width < 80 {
            stack(by: panes)
        } else {
            if hasListsPane { placeLists(by: panes) }
            placeBeside(by: panes)
        }
    }

    /// Returns the number of rows that the status area of a window can have: three, unless fewer than two would be left
    /// for the panes.
    static func maximumStatusHeight(rows: Int) -> Int { min(3, max(1, rows - 4)) }

    private mutating func stack(by panes: Panes) {
        list = body
        list.height = Self.clamped(
            Panes.length(panes.stackedShare, of: body.height - 1), in: body.height, least: Panes.minimumHeight)
        divider = Rect(row: list.endRow, column: 0, height: 1, width: body.width)
        detail = Rect(
            row: divider.endRow, column: 0, height: body.endRow - divider.endRow, width: body.width)
    }

    private mutating func placeLists(by panes: Panes) {
        lists = body
        // What list and detail have at least is theirs.
        lists.width = min(max(panes.listsWidth, Panes.minimumWidth), body.width - 2 * Panes.minimumWidth - 2)
        listsDivider = Rect(row: body.row, column: lists.endColumn, height: body.height, width: 1)
    }

    private mutating func placeBeside(by panes: Panes) {
        list = Rect(
            row: body.row, column: listsDivider.endColumn, height: body.height,
            width: body.width - listsDivider.endColumn)
        list.width = Self.clamped(
            Panes.length(panes.listShare, of: list.width), in: list.width, least: Panes.minimumWidth)
        divider = Rect(row: body.row, column: list.endColumn, height: body.height, width: 1)
        detail = Rect(
            row: body.row, column: divider.endColumn, height: body.height, width: body.width - divider.endColumn)
    }

    /// A part of `whole` that leaves either side of a divider `least`.
    private static func clamped(_ length: Int, in whole: Int, least: Int) -> Int {
        min(max(length, least), max(least, whole - 1 - least))
    }

    /// Whether the lists stand beside the list.
    var hasListsPane: Bool { !listsDivider.isEmpty }

    /// Whether the list stands over the detail.
    var isStacked: Bool { divider.height == 1 && divider.width > 1 }

    /// Whether it has `divider`.
    func has(_ divider: Panes.Divider) -> Bool {
        switch divider {
        case .lists: hasListsPane
        case .detail: !self.divider.isEmpty && !isStacked
        case .stack: isStacked
        }
    }

    /// The divider on which the cell at `position` is.
    func divider(at position: Position) -> Panes.Divider? {
        if listsDivider.contains(position) { return .lists }
        if divider.contains(position) { return isStacked ? .stack : .detail }
        return nil
    }
}

/// The pane that has the keyboard.
enum Focus: Hashable {
    case lists, list, detail
}
