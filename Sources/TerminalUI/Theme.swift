/// How styles look.
public struct Theme: Hashable, Sendable {
    /// What it is called, in options and the config file.
    public var name: String

    /// How text looks.
    public struct Look: Hashable, Sendable {
        /// The colour of the text.
        public var foreground: Colour
        /// The colour behind the text.
        public var background: Colour
        /// The emphasis.
        public var attributes: Attributes

        /// A look of these colours and attributes.
        public init(
            _ attributes: Attributes = [], foreground: Colour = .standard, background: Colour = .standard
        ) {
            self.foreground = foreground
            self.background = background
            self.attributes = attributes
        }
    }

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

    /// The terminal's own colours.
    public static let terminal = Theme(name: "terminal")

    /// How `style` looks. Colour is never the only sign: a highlight, a selection and a bar are seen without, too.
    public func look(of style: Style) -> Look {
        var look = Look()
        switch style.role {
        case .plain: break
        case .strong, .warning: look.attributes = .bold
        case .secondary, .line: look.attributes = .dim
        case .sign: look = Look(.bold, foreground: .yellow)
        }
        switch style.surface {
        case .window, .popup: break
        case .bar, .selection: look.attributes.insert(.reverse)
        case .inactiveSelection: look.attributes.insert(.bold)
        }
        if style.isHighlighted { look.attributes.formUnion([.bold, .underline]) }
        return look
    }
}
