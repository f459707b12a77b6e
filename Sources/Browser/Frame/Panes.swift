internal import TerminalUI

/// How the panes share the window, as far as the reader decides it.
struct Panes: Hashable {
    /// The share of the list in the width that it shares with the detail, in thousandths.
    var listShare = 600
    /// The share of the list in the height that it shares with the detail below it, in thousandths.
    var stackedShare = 667
    /// How many columns the pane of the lists has.
    var listsWidth = 31
    /// From how many columns of the window on the lists have a pane of their own; nil for never.
    var listsPaneFrom: Int? = 140

    /// A divider between panes.
    enum Divider: Hashable {
        /// Between the lists and the list.
        case lists
        /// Between the list and the detail beside it.
        case detail
        /// Between the list and the detail below it.
        case stack
    }

    /// The fewest columns that a pane has beside another.
    static let minimumWidth = 12
    /// The fewest rows that a pane has over another: a head, and a row.
    static let minimumHeight = 2

    /// Panes as `settings` have them.
    init(_ settings: Settings = Settings()) {
        if let share = settings.listShare { listShare = min(max(share, 10), 90) * 10 }
        if let width = settings.listsPaneWidth { listsPaneFrom = width > 0 && width < .max ? width : nil }
    }

    /// Puts `divider` at a column, or a row, of the part of `layout` that it divides; where `layout` does not have it,
    /// nothing is moved.
    mutating func move(_ divider: Divider, to position: Int, in layout: Layout) {
        guard layout.has(divider) else { return }
        switch divider {
        case .lists:
            listsWidth = min(max(Self.minimumWidth, position), layout.body.width - 2 * Self.minimumWidth - 2)
        case .detail:
            // Of the width with the divider.
            let whole = layout.list.width + layout.detail.width + 1
            listShare = Self.share(
                position - layout.list.column, of: whole, least: Self.minimumWidth,
                most: whole - 1 - Self.minimumWidth)
        case .stack:
            // Of the height without it.
            let whole = layout.list.height + layout.detail.height
            stackedShare = Self.share(
                position - layout.list.row, of: whole, least: Self.minimumHeight, most: whole - Self.minimumHeight)
        }
    }

    /// `length`, brought between `least` and `most`, in thousandths of `whole`.
    private static func share(_ length: Int, of whole: Int, least: Int, most: Int) -> Int {
        guard most > least else { return 500 }
        return (min(max(length, least), most) * 1000 + whole / 2) / whole
    }

    /// How much of `whole` a share is.
    static func length(_ share: Int, of whole: Int) -> Int { (whole * share + 500) / 1000 }
}
