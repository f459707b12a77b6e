/// The meaning of a cell; the theme decides how it looks with the colours that the terminal has.
public struct Style: Hashable, Sendable {
    /// The purpose of a text.
    public enum Role: UInt8, CaseIterable, Sendable {
        /// Ordinary text.
        case plain
        /// Emphasized text: titles, headings, keys.
        case strong
        /// De-emphasized text: labels, column headings, placeholders.
        case secondary
        /// Lines and borders, which need not be read.
        case line
        /// A symbol of the user's data, such as the star of a favourite.
        case sign
        /// The symbol of a book that was read.
        case read
        /// The symbol of a book that is being read.
        case reading
        /// An error or a warning.
        case warning
        /// The bars of a chart, each with its number beside it.
        case chart
        /// A cell that shows a part of a picture.
        case picture
    }

    /// The background that text is drawn on.
    public enum Surface: UInt8, CaseIterable, Sendable {
        /// The screen itself.
        case window
        /// The title bar.
        case bar
        /// The current row of the focused pane.
        case selection
        /// The current row of a pane without the focus.
        case inactiveSelection
        /// A popup.
        case popup
    }

    /// The purpose of the text.
    public var role: Role
    /// The background of the text.
    public var surface: Surface
    /// Whether the text matches the search.
    public var isHighlighted: Bool

    /// Creates a style of a role on a surface.
    public init(_ role: Role = .plain, on surface: Surface = .window, isHighlighted: Bool = false) {
        self.role = role
        self.surface = surface
        self.isHighlighted = isHighlighted
    }

    /// The exclusive upper bound of style numbers.
    public static let numberLimit = 0x100

    /// Creates the style with this number; each style has a distinct one.
    public init(number: Int) {
        let number = UInt8(truncatingIfNeeded: number)
        self.init(
            Role(rawValue: number & 0xF) ?? .plain, on: Surface(rawValue: number >> 4 & 7) ?? .window,
            isHighlighted: number & 0x80 != 0)
    }

    /// The number of the style, below `numberLimit`.
    public var number: Int { Int(role.rawValue | surface.rawValue << 4 | (isHighlighted ? 0x80 : 0)) }

    /// Ordinary text on the screen.
    public static let plain = Style()
    /// Emphasized text on the screen.
    public static let strong = Style(.strong)
    /// De-emphasized text on the screen.
    public static let secondary = Style(.secondary)
    /// Lines and borders on the screen.
    public static let line = Style(.line)
    /// A symbol of the user's data on the screen.
    public static let sign = Style(.sign)
    /// An error or a warning on the screen.
    public static let warning = Style(.warning)
    /// The bars of a chart on the screen.
    public static let chart = Style(.chart)
    /// A part of a picture.
    public static let picture = Style(.picture)

    /// This style for text that matches the search.
    public var highlighted: Style { Style(role, on: surface, isHighlighted: true) }

    /// Returns this style on another surface.
    public func on(_ surface: Surface) -> Style { Style(role, on: surface, isHighlighted: isHighlighted) }
}
