internal import TerminalUI

/// The positions of the parts of the screen, for the size of the window.
struct Layout: Hashable {
    /// The title bar, one row.
    var title: Rect
    /// The row of lists under the title bar; empty if there is none.
    var tabs = Rect.empty
    /// The area between the title bar, or the row of lists, and the status area.
    var body: Rect
    /// The lists pane; empty if it does not fit beside the list and does not have the keyboard.
    var lists = Rect.empty
    /// The preview of the current list beside the lists, if they have the whole body and it is wide enough; else empty.
    var preview = Rect.empty
    /// The divider between the lists and their preview; empty if there is none.
    var previewDivider = Rect.empty
    /// The facets, in place of the lists pane; empty if they do not fit beside the list or are closed.
    var facets = Rect.empty
    /// The divider between the lists or facets and the list; empty if there is none.
    var listsDivider = Rect.empty
    /// The list; empty if only one pane fits and another one has the keyboard.
    var list = Rect.empty
    /// The detail of the current book; empty if only one pane fits and another one has the keyboard.
    var detail = Rect.empty
    /// The divider between list and detail: a column, a row, or empty.
    var divider = Rect.empty
    /// The status area, with one or more rows for the message.
    var status: Rect
    /// The hint bar, one row.
    var hints: Rect

    /// Lays out a window of `size`; returns nil if it is too small.
    ///
    /// From 80 columns on, the detail is beside the list; below that, it is under the list. Below 60 columns or 12
    /// rows, and below 64 columns with cards, only one pane is visible at a time. The lists pane is beside the list from the width that `panes` sets,
    /// by default 140 columns; otherwise it replaces the other panes while it has the keyboard. The minimum is 20
    /// columns and 5 rows. The row of lists needs the width that `panes` sets, by default 100 columns, and 28 rows, and
    /// gives way to the lists pane.
    ///
    /// Open facets are beside the list from 80 columns on, and leave the detail its place if the others keep 80.
    ///
    /// - Parameters:
    ///   - hasCards: Whether the list shows cards.
    ///   - hasFacets: Whether the facets are open.
    ///   - statusHeight: The height of the status area, at most `maximumStatusHeight(rows:)`.
    ///   - hasTabs: Whether there may be a row of lists.
    init?(
        size: Size, focus: Focus, panes: Panes = Panes(), hasCards: Bool = false, hasFacets: Bool = false,
        statusHeight: Int = 1, hasTabs: Bool = true
    ) {
        guard size.columns >= 20, size.rows >= 5 else { return nil }
        let width = size.columns
        title = Rect(row: 0, column: 0, height: 1, width: width)
        hints = Rect(row: size.rows - 1, column: 0, height: 1, width: width)
        status = Rect(row: hints.row - statusHeight, column: 0, height: statusHeight, width: width)
        body = Rect(row: 1, column: 0, height: status.row - 1, width: width)
        let isLow = size.rows < 12
        let hasListsPane = !isLow && width >= 80 && panes.listsPaneFrom.map { width >= $0 } ?? false
        if hasTabs && focus != .lists && !hasListsPane && size.rows >= 28, panes.tabsFrom.map({ width >= $0 }) ?? false
        {
            tabs = Rect(row: body.row, column: 0, height: 1, width: width)
            body.row += 1
            body.height -= 1
        }
        if hasFacets && !isLow && width >= 80 {
            placeFacets(by: panes)
        } else if focus == .lists && !hasListsPane {
            lists = body
            if !isLow && width >= 80 { placePreview() }
        } else if width < (hasCards ? 64 : 60) || isLow {
            if focus == .detail { detail = body } else { list = body }
        } else if width < 80 {
            stack(by: panes)
        } else {
            if hasListsPane { placeLists(by: panes) }
            placeBeside(by: panes)
        }
    }

    /// Returns the maximum height of the status area: three rows, unless that leaves fewer than two for the panes.
    static func maximumStatusHeight(rows: Int) -> Int { min(3, max(1, rows - 4)) }

    private mutating func stack(by panes: Panes) {
        list = body
        list.height = Self.clamped(
            Panes.length(panes.stackedShare, of: body.height - 1), in: body.height, least: Panes.minimumHeight)
        divider = Rect(row: list.endRow, column: 0, height: 1, width: body.width)
        detail = Rect(
            row: divider.endRow, column: 0, height: body.endRow - divider.endRow, width: body.width)
    }

    private mutating func placePreview() {
        lists.width = min(56, body.width * 9 / 20)
        previewDivider = Rect(row: body.row, column: lists.endColumn, height: body.height, width: 1)
        preview = Rect(
            row: body.row, column: previewDivider.endColumn, height: body.height,
            width: body.width - previewDivider.endColumn)
    }

    private mutating func placeLists(by panes: Panes) {
        lists = body
        // List and detail keep their minimum width.
        lists.width = min(max(panes.listsWidth, Panes.minimumWidth), body.width - 2 * Panes.minimumWidth - 2)
        listsDivider = Rect(row: body.row, column: lists.endColumn, height: body.height, width: 1)
    }

    private mutating func placeFacets(by panes: Panes) {
        placeLists(by: panes)
        (facets, lists) = (lists, .empty)
        if body.width - listsDivider.endColumn >= 80 {
            placeBeside(by: panes)
        } else {
            list = body
            list.column = listsDivider.endColumn
            list.width = body.endColumn - list.column
        }
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

    /// Returns `length`, limited so that both sides of a divider in `whole` have at least `least`.
    private static func clamped(_ length: Int, in whole: Int, least: Int) -> Int {
        min(max(length, least), max(least, whole - 1 - least))
    }

    /// Whether the lists pane is beside the list.
    var hasListsPane: Bool { !listsDivider.isEmpty && facets.isEmpty }

    /// Whether the list is above the detail.
    var isStacked: Bool { divider.height == 1 && divider.width > 1 }

    /// Whether the layout has `divider`.
    func has(_ divider: Panes.Divider) -> Bool {
        switch divider {
        case .lists: !listsDivider.isEmpty
        case .detail: !self.divider.isEmpty && !isStacked
        case .stack: isStacked
        }
    }

    /// Returns the divider at `position`.
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
