/// A mapping from styles to colours and attributes.
public struct Theme: Hashable, Sendable {
    /// The name of the theme in options and the config file.
    public let name: String
    /// The colours; nil uses those of the terminal.
    let palettes: Palettes?
    /// The background of the terminal; nil if unknown. Only a theme that uses the terminal's colours depends on it.
    public private(set) var background: Background?

    /// A background of terminals.
    public enum Background: Hashable, Sendable, CaseIterable {
        case dark, light
    }

    /// The appearance of text.
    public struct Look: Hashable, Sendable {
        /// The text attributes.
        public var attributes: Attributes
        /// The text colour; nil is the terminal's default.
        public var foreground: Colour?
        /// The background colour; nil is the terminal's default.
        public var background: Colour?

        /// Creates a look of these attributes and colours.
        public init(_ attributes: Attributes = [], foreground: Colour? = nil, background: Colour? = nil) {
            self.attributes = attributes
            self.foreground = foreground
            self.background = background
        }
    }

    /// The text attributes that every terminal supports.
    public struct Attributes: OptionSet, Hashable, Sendable {
        /// The attributes as bits.
        public let rawValue: UInt8

        /// Creates the set of attributes with these bits.
        public init(rawValue: UInt8) {
            self.rawValue = rawValue
        }

        /// Bold.
        public static let bold = Attributes(rawValue: 1)
        /// Dim.
        public static let dim = Attributes(rawValue: 2)
        /// Foreground and background colours swapped.
        public static let reverse = Attributes(rawValue: 4)
        /// Underlined.
        public static let underline = Attributes(rawValue: 8)
    }

    /// The colours of one surface.
    struct Palette: Hashable, Sendable {
        /// The background of the surface.
        let background: Colour
        let plain: Colour
        let strong: Colour
        let secondary: Colour
        let line: Colour
        let sign: Colour
        let warning: Colour
        /// The symbol of a book that was read; nil uses `plain`.
        var read: Colour?
        /// The symbol of a book that is being read; nil uses `plain`.
        var reading: Colour?
        /// The bars of a chart; nil uses `plain`.
        var chart: Colour?
        /// Text that matches the search, whatever its role.
        let highlight: Colour
        /// The background of that text; nil uses `background`, as in the bar of the current row, which is whole.
        var highlightBackground: Colour?

        fileprivate func foreground(of role: Style.Role) -> Colour {
            switch role {
            case .plain, .picture: plain
            case .strong: strong
            case .secondary: secondary
            case .line: line
            case .sign: sign
            case .read: read ?? plain
            case .reading: reading ?? plain
            case .warning: warning
            case .chart: chart ?? plain
            }
        }
    }

    /// The palettes of all surfaces.
    struct Palettes: Hashable, Sendable {
        let window, bar, selection, inactiveSelection, popup: Palette

        fileprivate func palette(of surface: Style.Surface) -> Palette {
            switch surface {
            case .window: window
            case .bar: bar
            case .selection: selection
            case .inactiveSelection: inactiveSelection
            case .popup: popup
            }
        }
    }

    /// Creates the theme with this name; nil if the name is unknown.
    public init?(named name: String) {
        guard let theme = Self.all.first(where: { $0.name == name }) else { return nil }
        self = theme
    }

    init(name: String, palettes: Palettes?) {
        self.name = name
        self.palettes = palettes
    }

    /// Whether the theme depends on the background of the terminal.
    public var dependsOnBackground: Bool { palettes == nil }

    /// Returns the theme for terminals with this background.
    public func on(_ background: Background?) -> Theme {
        var theme = self
        theme.background = background
        return theme
    }

    /// Returns the look of `style` on a terminal of this colour depth.
    ///
    /// Colour is never the only cue: search matches are bold and underlined, and the title bar and the current row are
    /// reversed if they have no colour.
    public func look(of style: Style, at depth: Colour.Depth) -> Look {
        if depth == .none { return Self.colourlessLook(of: style) }
        guard let palettes else { return ownLook(of: style) }
        let palette = palettes.palette(of: style.surface)
        var look = Look(foreground: palette.foreground(of: style.role), background: palette.background)
        if [.strong, .sign, .warning].contains(style.role) { look.attributes = .bold }
        if style.isHighlighted {
            look = Look(
                [.bold, .underline], foreground: palette.highlight,
                background: palette.highlightBackground ?? palette.background)
        }
        if Self.losesByBold(look, at: depth) { look.attributes.remove(.bold) }
        return look
    }

    /// Returns the look of `style` without colours. Only lines are dim, since dim text is hard to read on many
    /// terminals.
    private static func colourlessLook(of style: Style) -> Look {
        var look = Look()
        switch style.role {
        case .plain, .secondary, .chart, .read, .reading, .picture: break
        case .strong, .sign, .warning: look.attributes = .bold
        case .line: look.attributes = .dim
        }
        switch style.surface {
        case .window, .popup: break
        case .bar, .selection: look.attributes.insert(.reverse)
        case .inactiveSelection: look.attributes.insert(.bold)
        }
        if style.isHighlighted { look.attributes.formUnion([.bold, .underline]) }
        return look
    }

    /// Returns the look of `style` in the terminal's own colours: only the current row has a background colour, facts
    /// are dim, and signs and matches have accents if the background of the terminal is known.
    private func ownLook(of style: Style) -> Look {
        if style.surface == .selection {
            let (attributes, text): (Attributes, Colour) =
                style.isHighlighted ? ([.bold, .underline], .yellow) : (style.role == .strong ? .bold : [], .white)
            return Look(attributes, foreground: text, background: .blue)
        }
        var look = Self.colourlessLook(of: style)
        guard style.surface == .window || style.surface == .popup else { return look }
        let isDark = background == .dark
        let accent: Colour? =
            switch style.role {
            case _ where style.isHighlighted: isDark ? .yellow : .blue
            case .sign: isDark ? .yellow : .magenta
            case .read: isDark ? .green : .blue
            case .reading: isDark ? .cyan : .red
            case .plain, .strong, .secondary, .line, .warning, .chart, .picture: nil
            }
        if background != nil { look.foreground = accent }
        if style.role == .secondary, !style.isHighlighted { look.attributes.insert(.dim) }
        return look
    }

    /// Returns whether bold would reduce the contrast: terminals with few colours show bold text in the bright variant
    /// of its colour, which contrasts less with a bright background.
    private static func losesByBold(_ look: Look, at depth: Colour.Depth) -> Bool {
        guard [.eight, .sixteen].contains(depth), let foreground = look.foreground?.number(at: depth),
            let background = look.background?.number(at: depth)
        else { return false }
        // Black and blue are the backgrounds that bright text contrasts with.
        return foreground < 8 && background != 0 && background != 4
    }
}

extension Theme {
    /// All themes, starting with the default.
    public static let all = [terminal, light, dark, contrast]

    /// The theme that keeps the terminal's own colours, with accents among the first eight of them.
    public static let terminal = Theme(name: "terminal", palettes: nil)

    // Each pair of colours has a contrast of at least 4.5:1 (WCAG 2.2, 1.4.3), including the 8- and 16-colour
    // substitutes as xterm and the Linux console show them. Therefore grey is not used among 16 colours, nor yellow
    // among 8.

    /// Dark text on a light background.
    public static let light = Theme(
        name: "light",
        palettes: Palettes(
            window: Palette(
                background: Colour(231, ofSixteen: 15, ofEight: 7),
                plain: Colour(235, ofSixteen: 0, ofEight: 0),
                strong: Colour(16, ofSixteen: 4, ofEight: 4),
                secondary: Colour(241, ofSixteen: 0, ofEight: 0),
                line: Colour(242, ofSixteen: 0, ofEight: 0),
                sign: Colour(130, ofSixteen: 5, ofEight: 4),
                warning: Colour(124, ofSixteen: 1, ofEight: 0),
                read: Colour(28, ofSixteen: 4, ofEight: 4),
                reading: Colour(24, ofSixteen: 4, ofEight: 4),
                chart: Colour(25, ofSixteen: 4, ofEight: 4),
                highlight: Colour(16, ofSixteen: 0, ofEight: 7),
                highlightBackground: Colour(222, ofSixteen: 11, ofEight: 4)),
            bar: Palette(
                background: Colour(252, ofSixteen: 7, ofEight: 0),
                plain: Colour(235, ofSixteen: 0, ofEight: 7),
                strong: Colour(16, ofSixteen: 4, ofEight: 7),
                secondary: Colour(239, ofSixteen: 0, ofEight: 7),
                line: Colour(239, ofSixteen: 0, ofEight: 7),
                sign: Colour(16, ofSixteen: 0, ofEight: 7),
                warning: Colour(88, ofSixteen: 0, ofEight: 7),
                highlight: Colour(16, ofSixteen: 0, ofEight: 7),
                highlightBackground: Colour(222, ofSixteen: 11, ofEight: 4)),
            selection: Palette(
                background: Colour(153, ofSixteen: 4, ofEight: 4),
                plain: Colour(16, ofSixteen: 15, ofEight: 7),
                strong: Colour(16, ofSixteen: 15, ofEight: 7),
                secondary: Colour(238, ofSixteen: 7, ofEight: 7),
                line: Colour(238, ofSixteen: 7, ofEight: 7),
                sign: Colour(16, ofSixteen: 11, ofEight: 6),
                warning: Colour(88, ofSixteen: 15, ofEight: 7),
                highlight: Colour(18, ofSixteen: 11, ofEight: 6)),
            inactiveSelection: Palette(
                background: Colour(253, ofSixteen: 7, ofEight: 0),
                plain: Colour(235, ofSixteen: 0, ofEight: 7),
                strong: Colour(16, ofSixteen: 0, ofEight: 7),
                secondary: Colour(239, ofSixteen: 0, ofEight: 7),
                line: Colour(239, ofSixteen: 0, ofEight: 7),
                sign: Colour(58, ofSixteen: 0, ofEight: 7),
                warning: Colour(88, ofSixteen: 0, ofEight: 7),
                highlight: Colour(18, ofSixteen: 4, ofEight: 6)),
            popup: Palette(
                background: Colour(255, ofSixteen: 15, ofEight: 7),
                plain: Colour(235, ofSixteen: 0, ofEight: 0),
                strong: Colour(16, ofSixteen: 4, ofEight: 4),
                secondary: Colour(240, ofSixteen: 0, ofEight: 0),
                line: Colour(240, ofSixteen: 0, ofEight: 0),
                sign: Colour(94, ofSixteen: 5, ofEight: 4),
                warning: Colour(124, ofSixteen: 1, ofEight: 0),
                highlight: Colour(16, ofSixteen: 0, ofEight: 7),
                highlightBackground: Colour(222, ofSixteen: 11, ofEight: 4))))

    /// Light text on a dark background.
    public static let dark = Theme(
        name: "dark",
        palettes: Palettes(
            window: Palette(
                background: Colour(234, ofSixteen: 0, ofEight: 0),
                plain: Colour(252, ofSixteen: 7, ofEight: 7),
                strong: Colour(231, ofSixteen: 15, ofEight: 7),
                secondary: Colour(247, ofSixteen: 7, ofEight: 7),
                line: Colour(245, ofSixteen: 7, ofEight: 7),
                sign: Colour(179, ofSixteen: 11, ofEight: 6),
                warning: Colour(210, ofSixteen: 9, ofEight: 7),
                read: Colour(114, ofSixteen: 10, ofEight: 7),
                reading: Colour(80, ofSixteen: 14, ofEight: 7),
                chart: Colour(110, ofSixteen: 14, ofEight: 7),
                highlight: Colour(222, ofSixteen: 11, ofEight: 6)),
            bar: Palette(
                background: Colour(238, ofSixteen: 7, ofEight: 7),
                plain: Colour(252, ofSixteen: 0, ofEight: 0),
                strong: Colour(231, ofSixteen: 4, ofEight: 4),
                secondary: Colour(250, ofSixteen: 0, ofEight: 0),
                line: Colour(250, ofSixteen: 0, ofEight: 0),
                sign: Colour(221, ofSixteen: 0, ofEight: 0),
                warning: Colour(217, ofSixteen: 0, ofEight: 0),
                highlight: Colour(222, ofSixteen: 11, ofEight: 6),
                highlightBackground: Colour(238, ofSixteen: 4, ofEight: 4)),
            selection: Palette(
                background: Colour(24, ofSixteen: 4, ofEight: 4),
                plain: Colour(255, ofSixteen: 15, ofEight: 7),
                strong: Colour(231, ofSixteen: 15, ofEight: 7),
                secondary: Colour(253, ofSixteen: 7, ofEight: 7),
                line: Colour(253, ofSixteen: 7, ofEight: 7),
                sign: Colour(221, ofSixteen: 11, ofEight: 6),
                warning: Colour(224, ofSixteen: 15, ofEight: 7),
                highlight: Colour(228, ofSixteen: 11, ofEight: 6)),
            inactiveSelection: Palette(
                background: Colour(239, ofSixteen: 7, ofEight: 7),
                plain: Colour(254, ofSixteen: 0, ofEight: 0),
                strong: Colour(231, ofSixteen: 0, ofEight: 0),
                secondary: Colour(251, ofSixteen: 0, ofEight: 0),
                line: Colour(251, ofSixteen: 0, ofEight: 0),
                sign: Colour(221, ofSixteen: 0, ofEight: 0),
                warning: Colour(217, ofSixteen: 0, ofEight: 0),
                highlight: Colour(222, ofSixteen: 4, ofEight: 4)),
            popup: Palette(
                background: Colour(236, ofSixteen: 0, ofEight: 0),
                plain: Colour(252, ofSixteen: 7, ofEight: 7),
                strong: Colour(231, ofSixteen: 15, ofEight: 7),
                secondary: Colour(248, ofSixteen: 7, ofEight: 7),
                line: Colour(247, ofSixteen: 7, ofEight: 7),
                sign: Colour(179, ofSixteen: 11, ofEight: 6),
                warning: Colour(210, ofSixteen: 9, ofEight: 7),
                highlight: Colour(222, ofSixteen: 11, ofEight: 6))))

    /// The maximum contrast: at least 7:1 if colours are exact (WCAG 2.2, 1.4.6).
    public static let contrast = Theme(
        name: "contrast",
        palettes: Palettes(
            window: Palette(
                background: Colour(16, ofSixteen: 0, ofEight: 0),
                plain: Colour(231, ofSixteen: 15, ofEight: 7),
                strong: Colour(231, ofSixteen: 15, ofEight: 7),
                secondary: Colour(254, ofSixteen: 15, ofEight: 7),
                line: Colour(231, ofSixteen: 15, ofEight: 7),
                sign: Colour(226, ofSixteen: 11, ofEight: 6),
                warning: Colour(226, ofSixteen: 11, ofEight: 6),
                chart: Colour(51, ofSixteen: 14, ofEight: 6),
                highlight: Colour(16, ofSixteen: 0, ofEight: 0),
                highlightBackground: Colour(226, ofSixteen: 11, ofEight: 7)),
            bar: Palette(
                background: Colour(231, ofSixteen: 15, ofEight: 7),
                plain: Colour(16, ofSixteen: 0, ofEight: 0),
                strong: Colour(16, ofSixteen: 0, ofEight: 0),
                secondary: Colour(16, ofSixteen: 0, ofEight: 0),
                line: Colour(16, ofSixteen: 0, ofEight: 0),
                sign: Colour(16, ofSixteen: 0, ofEight: 0),
                warning: Colour(16, ofSixteen: 0, ofEight: 0),
                highlight: Colour(226, ofSixteen: 11, ofEight: 7),
                highlightBackground: Colour(16, ofSixteen: 0, ofEight: 0)),
            selection: Palette(
                background: Colour(51, ofSixteen: 14, ofEight: 6),
                plain: Colour(16, ofSixteen: 0, ofEight: 0),
                strong: Colour(16, ofSixteen: 0, ofEight: 0),
                secondary: Colour(16, ofSixteen: 0, ofEight: 0),
                line: Colour(16, ofSixteen: 0, ofEight: 0),
                sign: Colour(16, ofSixteen: 0, ofEight: 0),
                warning: Colour(16, ofSixteen: 0, ofEight: 0),
                highlight: Colour(18, ofSixteen: 4, ofEight: 4)),
            inactiveSelection: Palette(
                background: Colour(239, ofSixteen: 7, ofEight: 4),
                plain: Colour(231, ofSixteen: 0, ofEight: 7),
                strong: Colour(231, ofSixteen: 0, ofEight: 7),
                secondary: Colour(231, ofSixteen: 0, ofEight: 7),
                line: Colour(231, ofSixteen: 0, ofEight: 7),
                sign: Colour(226, ofSixteen: 0, ofEight: 7),
                warning: Colour(226, ofSixteen: 0, ofEight: 7),
                highlight: Colour(195, ofSixteen: 4, ofEight: 6)),
            popup: Palette(
                background: Colour(17, ofSixteen: 4, ofEight: 4),
                plain: Colour(231, ofSixteen: 15, ofEight: 7),
                strong: Colour(231, ofSixteen: 15, ofEight: 7),
                secondary: Colour(254, ofSixteen: 15, ofEight: 7),
                line: Colour(231, ofSixteen: 15, ofEight: 7),
                sign: Colour(226, ofSixteen: 11, ofEight: 7),
                warning: Colour(226, ofSixteen: 11, ofEight: 7),
                highlight: Colour(16, ofSixteen: 0, ofEight: 0),
                highlightBackground: Colour(226, ofSixteen: 11, ofEight: 7))))
}

extension Colour {
    fileprivate static let red = Colour(ansi: 1)
    fileprivate static let green = Colour(ansi: 2)
    fileprivate static let yellow = Colour(ansi: 3)
    fileprivate static let blue = Colour(ansi: 4)
    fileprivate static let magenta = Colour(ansi: 5)
    fileprivate static let cyan = Colour(ansi: 6)
    fileprivate static let white = Colour(ansi: 7)
}
