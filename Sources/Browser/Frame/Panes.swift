internal import TerminalUI

/// The division of the window among the panes, as far as the user controls it.
struct Panes: Hashable {
    /// The share of the list in the width of list and detail, in thousandths.
    var listShare = 600
    /// The share of the list in the height of list and detail, in thousandths.
    var stackedShare = 667
    /// The width of the lists pane, in columns.
    var listsWidth = 31
    /// The minimum width of the window for a lists pane beside the list, in columns; nil for never.
    var listsPaneFrom: Int?
    /// The minimum width of the window for a row of lists under the title bar, in columns; nil for never.
    var tabsFrom: Int?

    /// A divider between panes.
    enum Divider: Hashable {
        /// Between the lists and the list.
        case lists
        /// Between the list and the detail to its right.
        case detail
        /// Between the list and the detail below it.
        case stack
    }

    /// The minimum width of a pane beside another, in columns.
    static let minimumWidth = 12
    /// The minimum height of a pane above another, in rows: a header and a row.
    static let minimumHeight = 2

    /// Creates the panes with the sizes of `settings`.
    init(_ settings: Settings = Settings()) {
        if let share = settings.listShare { listShare = min(max(share, 10), 90) * 10 }
        follow(settings)
    }

    /// Takes over the widths from which windows show lists, and keeps the sizes that the user has moved.
    mutating func follow(_ settings: Settings) {
        func limit(_ width: Int) -> Int? { width > 0 && width < .max ? width : nil }
        listsPaneFrom = limit(settings.listsPaneWidth ?? Settings.standardListsPaneWidth)
        tabsFrom = limit(settings.tabsWidth ?? Settings.standardTabsWidth)
    }

    /// Moves `divider` to a column or row of the window; does nothing if `layout` does not have it.
    mutating func move(_ divider: Divider, to position: Int, in layout: Layout) {
        guard layout.has(divider) else { return }
        switch divider {
        case .lists:
            listsWidth = min(max(Self.minimumWidth, position), layout.body.width - 2 * Self.minimumWidth - 2)
        case .detail:
            // The share of the width includes the divider.
            let whole = layout.list.width + layout.detail.width + 1
            listShare = Self.share(
                position - layout.list.column, of: whole, least: Self.minimumWidth,
                most: whole - 1 - Self.minimumWidth)
        case .stack:
            // The share of the height does not include the divider.
            let whole = layout.list.height + layout.detail.height
            stackedShare = Self.share(
                position - layout.list.row, of: whole, least: Self.minimumHeight, most: whole - Self.minimumHeight)
        }
    }

    /// Returns `length`, limited to `least` to `most`, in thousandths of `whole`.
    private static func share(_ length: Int, of whole: Int, least: Int, most: Int) -> Int {
        guard most > least else { return 500 }
        return (min(max(length, least), most) * 1000 + whole / 2) / whole
    }

    /// Returns the length that a share of `whole` is.
    static func length(_ share: Int, of whole: Int) -> Int { (whole * share + 500) / 1000 }
}
