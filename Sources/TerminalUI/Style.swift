/// What a cell is besides its text. How that looks is for a theme to say, and for what the terminal can do.
public struct Style: Hashable, Sendable {
    /// What text is to the reader.
    public enum Role: UInt8, CaseIterable, Sendable {
        /// Text like most.
        case plain
        /// What stands out: titles, headings, keys.
        case strong
        /// What stands back: labels, heads of columns, placeholders.
        case secondary
        /// What divides: lines and frames, not read.
        case line
        /// A sign of the reader's own, such as that of a favourite.
        case sign
        /// What is wrong.
        case warning
        /// The bars of a chart; beside each stands its number.
        case chart
    }

    /// What text stands on.
    public enum Surface: UInt8, CaseIterable, Sendable {
        /// The screen.
        case window
        /// The bar at the top.
        case bar
        /// The selected row of the pane that has the keyboard: its sign and what comes first.
        case selection
        /// The rest of that row. Where a theme gives it no look of its own, to move sends half the bytes.
        case selectionRest
        /// The selected row of another pane.
        case inactiveSelection
        /// What covers a part of the screen for a while.
        case popup
    }

    /// What the text is.
    public var role: Role
    /// What it stands on.
    public var surface: Surface
    /// Whether it is what was looked for.
    public var isHighlighted: Bool

    /// A style of this role on this surface.
    public init(_ role: Role = .plain, on surface: Surface = .window, isHighlighted: Bool = false) {
        self.role = role
        self.surface = surface
        self.isHighlighted = isHighlighted
    }

    /// Whether both are the same; asked of each cell that is drawn.
    @inlinable
    public static func == (left: Style, right: Style) -> Bool {
        left.role.rawValue == right.role.rawValue && left.surface.rawValue == right.surface.rawValue
            && left.isHighlighted == right.isHighlighted
    }

    /// Text like most, on the screen.
    public static let plain = Style()
    /// What stands out.
    public static let strong = Style(.strong)
    /// What stands back.
    public static let secondary = Style(.secondary)
    /// What divides.
    public static let line = Style(.line)
    /// A sign of the reader's own.
    public static let sign = Style(.sign)
    /// What is wrong.
    public static let warning = Style(.warning)
    /// The bars of a chart.
    public static let chart = Style(.chart)

    /// This style as what was looked for.
    public var highlighted: Style { Style(role, on: surface, isHighlighted: true) }

    /// This style on another surface.
    public func on(_ surface: Surface) -> Style { Style(role, on: surface, isHighlighted: isHighlighted) }
}
