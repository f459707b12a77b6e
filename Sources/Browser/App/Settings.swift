/// How the reader wants the browser to be, whatever the catalog: what the config file and the options say.
public struct Settings: Sendable {
    /// Which keys give which commands; nil for those that the commands declare.
    public var keys: KeyBindings?
    /// The columns of the list, from left to right; nil for those that the width has room for. What was chosen for a
    /// catalog goes before it.
    public var columns: [ListColumn]?
    /// From how many columns of the window on the lists stand in a pane of their own; nil for 140.
    public var listsPaneWidth: Int?
    /// The share of the list in the width that it shares with the detail, in per cent, 10 to 90; nil for 60.
    public var listShare: Int?
    /// Whether the catalog is reloaded when it changes on disk.
    public var follows = false

    /// How long the screen waits for what is listed, in milliseconds; nil for what suits the size of the catalog.
    var timeBudget: Int?

    /// What stacks does of itself.
    public init() {}
}
