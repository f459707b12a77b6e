internal import Library
public import TerminalUI

/// The user's settings for all catalogs, from the config file and the options.
public struct Settings: Sendable {
    /// The key bindings; nil for the standard keys.
    public var keys: KeyBindings?
    /// The columns of the list, from left to right; nil for automatic ones. Columns chosen for a catalog take
    /// precedence.
    public var columns: ListColumns?
    /// Whether the list shows cards instead of columns; the choice for a catalog takes precedence.
    public var showsCards = false
    /// Whether rows show the other title of a book in place of its title: in catalogs of libraries the one in original
    /// script.
    public var showsOriginalScript = false
    /// The minimum width of the window for a lists pane beside the list, in columns; nil for
    /// `standardListsPaneWidth`.
    public var listsPaneWidth: Int?
    /// The share of the list in the width of list and detail, in per cent, 10 to 90; nil for 60.
    public var listShare: Int?
    /// The minimum width of the window for a row of lists under the title bar, in columns; nil for `standardTabsWidth`.
    public var tabsWidth: Int?
    /// Whether there is a group of lists of what is to be tidied up.
    public var hasTidyUp = true
    /// The number of books to read in a year; nil for no goal.
    public var readingGoal: Int?
    /// The theme.
    public var theme = Theme.terminal
    /// Whether the mouse is used.
    public var usesMouse = true
    /// The settings for covers.
    public var covers = CoverSettings()
    /// Whether the catalog is reloaded when it changes on disk.
    public var follows = false

    /// The standard of `listsPaneWidth`.
    public static let standardListsPaneWidth = 140
    /// The standard of `tabsWidth`.
    public static let standardTabsWidth = 100

    /// The time that the screen waits for rows, in milliseconds; nil for one that suits the size of the catalog.
    var timeBudget: Int?

    /// The day that counts as today; nil for that of the clock.
    var today: CalendarDay?

    /// Creates the standard settings.
    public init() {}
}
