import Testing

@testable import TerminalUI

@Suite("Themes") struct ThemeTests {
    /// All styles of a cell.
    static let styles = Style.Role.allCases.flatMap { role in
        Style.Surface.allCases.flatMap { surface in
            [false, true].map { Style(role, on: surface, isHighlighted: $0) }
        }
    }

    private static let names = Theme.all.map(\.name)

    @Test func thereAreFourAndTheFirstIsTheTerminalsOwn() {
        #expect(Theme.all.map(\.name) == ["terminal", "light", "dark", "contrast"])
    }

    @Test(arguments: ["terminal", "light", "dark", "contrast"])
    func aThemeIsFoundByItsName(name: String) {
        #expect(Theme(named: name)?.name == name)
    }

    @Test(arguments: ["", "Dark", "solarized", "dark "])
    func anUnknownNameIsNotATheme(name: String) {
        #expect(Theme(named: name) == nil)
    }

    @Test func onlyTheTerminalsOwnDependsOnTheBackground() {
        #expect(Theme.all.map(\.dependsOnBackground) == [true, false, false, false])
    }

    /// The terminal's default colours are unknown; a named colour combined with a default one may be equal to it.
    @Test(arguments: names.dropFirst(), Colour.Depth.allCases)
    func bothColoursOfAPairAreNamedOrNone(name: String, depth: Colour.Depth) throws {
        let theme = try #require(Theme(named: name))
        let isColoured = depth != .none
        for style in Self.styles {
            let look = theme.look(of: style, at: depth)
            #expect((look.foreground != nil) == isColoured)
            #expect((look.background != nil) == isColoured)
        }
    }

    @Test(arguments: names)
    func withoutColoursAllThemesAreTheTerminalsOwn(name: String) throws {
        let theme = try #require(Theme(named: name))
        for style in Self.styles {
            #expect(theme.look(of: style, at: .none) == Theme.terminal.look(of: style, at: .none))
        }
    }

    @Test(arguments: names, Colour.Depth.allCases)
    func onlyLinesAreFaint(name: String, depth: Colour.Depth) throws {
        let theme = try #require(Theme(named: name))
        // Facts are dim in the terminal's own colours, among which no other one is known to be readable.
        let others: [Style.Role] = theme.dependsOnBackground && depth != .none ? [.line, .secondary] : [.line]
        for style in Self.styles where !others.contains(style.role) {
            #expect(!theme.look(of: style, at: depth).attributes.contains(.dim))
        }
    }

    @Test(arguments: names, Colour.Depth.allCases)
    func matchesAreUnderlinedAndBoldIfPossible(name: String, depth: Colour.Depth) throws {
        let theme = try #require(Theme(named: name))
        for style in Self.styles where style.isHighlighted {
            let look = theme.look(of: style, at: depth)
            #expect(look.attributes.contains(.underline))
            if ![.eight, .sixteen].contains(depth) { #expect(look.attributes.contains(.bold)) }
            // The Linux console does not combine underlines and colours. Markers are not searched.
            let other = theme.look(of: Style(style.role, on: style.surface), at: depth)
            if look.background != nil, style.role != .sign {
                #expect(look.numbers(at: depth) != other.numbers(at: depth), "\(style)")
            }
        }
    }

    @Test(arguments: names, Colour.Depth.allCases)
    func barAndCurrentRowDifferFromTheWindow(name: String, depth: Colour.Depth) throws {
        let theme = try #require(Theme(named: name))
        for role in Style.Role.allCases {
            let window = theme.look(of: Style(role), at: depth)
            for surface in [Style.Surface.bar, .selection] {
                let look = theme.look(of: Style(role, on: surface), at: depth)
                if look.background == nil {
                    #expect(look.attributes.contains(.reverse))
                    #expect(!window.attributes.contains(.reverse))
                } else {
                    #expect(look.background?.number(at: depth) != window.background?.number(at: depth))
                }
            }
            let inactive = theme.look(of: Style(role, on: .inactiveSelection), at: depth)
            let active = theme.look(of: Style(role, on: .selection), at: depth)
            #expect(
                inactive.numbers(at: depth) != active.numbers(at: depth) || inactive.attributes != active.attributes)
        }
    }

    @Test("the bar of the current row is whole", arguments: names, Colour.Depth.allCases)
    func wholeBar(name: String, depth: Colour.Depth) throws {
        let theme = try #require(Theme(named: name))
        for surface in [Style.Surface.selection, .inactiveSelection] {
            let bar = theme.look(of: .plain.on(surface), at: depth)
            for role in Style.Role.allCases {
                for style in [Style(role, on: surface), Style(role, on: surface).highlighted] {
                    let look = theme.look(of: style, at: depth)
                    #expect(look.background?.number(at: depth) == bar.background?.number(at: depth))
                    #expect(look.attributes.contains(.reverse) == bar.attributes.contains(.reverse))
                }
            }
        }
    }

    @Test("The terminal's own colours: accents if the background is known, and the same current row on any")
    func accents() {
        func look(_ role: Style.Role, on background: Theme.Background?) -> Theme.Look {
            Theme.terminal.on(background).look(of: Style(role), at: .indexed)
        }
        for background in Theme.Background.allCases {
            let accents = [Style.Role.sign, .read, .reading].map { look($0, on: background).foreground }
            #expect(Set(accents).count == 3 && !accents.contains(nil))
            #expect(look(.plain, on: background) == Theme.Look() && look(.secondary, on: background) == .init(.dim))
        }
        for role in Style.Role.allCases { #expect(look(role, on: nil).foreground == nil) }
        for style in Self.styles where style.surface == .selection {
            let rows = [nil, .dark, .light].map { Theme.terminal.on($0).look(of: style, at: .indexed) }
            #expect(Set(rows).count == 1 && rows[0].foreground != nil && rows[0].background != nil)
        }
    }

    @Test func withoutColoursAStrongTextIsBoldAndALesserOnePlain() {
        #expect(Theme.terminal.look(of: .strong, at: .none) == Theme.Look(.bold))
        #expect(Theme.terminal.look(of: .secondary, at: .none) == Theme.Look())
        #expect(Theme.terminal.look(of: .plain.on(.bar), at: .none) == Theme.Look(.reverse))
        #expect(Theme.terminal.look(of: .plain.on(.selection), at: .none) == Theme.Look(.reverse))
        #expect(Theme.terminal.look(of: .plain.highlighted, at: .none) == Theme.Look([.bold, .underline]))
    }
}

extension Theme.Look {
    /// Returns the numbers of the colours on a terminal of this depth.
    fileprivate func numbers(at depth: Colour.Depth) -> [Int?] {
        [foreground?.number(at: depth), background?.number(at: depth)]
    }
}
