/// One of the terminal's own eight colours, or what the terminal uses when nothing is said.
public enum Colour: UInt8, Hashable, Sendable {
    case standard, black, red, green, yellow, blue, magenta, cyan, white
}

/// How a cell looks besides its text.
public struct Style: Hashable, Sendable {
    /// The ways of emphasis that every terminal knows.
    public struct Attributes: OptionSet, Hashable, Sendable {
        /// The set as bits.
        public let rawValue: UInt8

        /// The set with these bits.
        public init(rawValue: UInt8) {
            self.rawValue = rawValue
        }

        /// Heavier.
        public static let bold = Attributes(rawValue: 1)
        /// Fainter.
        public static let dim = Attributes(rawValue: 2)
        /// Foreground and background exchanged.
        public static let reverse = Attributes(rawValue: 4)
        /// With a line below.
        public static let underline = Attributes(rawValue: 8)
    }

    /// The colour of the text.
    public var foreground: Colour
    /// The colour behind the text.
    public var background: Colour
    /// The emphasis.
    public var attributes: Attributes

    /// Whether both look the same; asked of each cell that is drawn.
    @inlinable
    public static func == (left: Style, right: Style) -> Bool {
        left.foreground == right.foreground && left.background == right.background
            && left.attributes.rawValue == right.attributes.rawValue
    }

    /// A style of these colours and attributes.
    public init(
        _ attributes: Attributes = [], foreground: Colour = .standard, background: Colour = .standard
    ) {
        self.foreground = foreground
        self.background = background
        self.attributes = attributes
    }

    /// The terminal's own colours, without emphasis.
    public static let plain = Style()
    /// Heavier.
    public static let bold = Style(.bold)
    /// Fainter.
    public static let dim = Style(.dim)

    /// This style as it is within a highlight: seen without colour, in a selected row, and on any background.
    public var highlighted: Style { adding([.bold, .underline]) }

    /// This style with more emphasis.
    public func adding(_ more: Attributes) -> Style {
        var style = self
        style.attributes.formUnion(more)
        return style
    }
}
