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

    /// The numbers of styles are below this.
    public static let numberLimit = 0x80

    /// The style of a number; each style has one.
    public init(number: Int) {
        let number = UInt8(truncatingIfNeeded: number)
        self.init(
            Role(rawValue: number & 7) ?? .plain, on: Surface(rawValue: number >> 3 & 7) ?? .window,
            isHighlighted: number & 0x40 != 0)
    }

    /// Its number, below `numberLimit`.
    public var number: Int { Int(role.rawValue | surface.rawValue << 3 | (isHighlighted ? 0x40 : 0)) }

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
