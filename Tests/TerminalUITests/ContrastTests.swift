import Glibc
import Testing

@testable import TerminalUI

/// The contrast of text according to the Web Content Accessibility Guidelines (2.2, success criteria 1.4.3 and 1.4.6).
@Suite("Themes: contrast") struct ContrastTests {
    /// A colour on the screen.
    private struct Shade: ExpressibleByIntegerLiteral {
        let red, green, blue: Double

        init(integerLiteral rgb: Int) {
            self.init(UInt8(rgb >> 16), UInt8(rgb >> 8 & 0xFF), UInt8(rgb & 0xFF))
        }

        init(_ red: UInt8, _ green: UInt8, _ blue: UInt8) {
            (self.red, self.green, self.blue) = (Double(red) / 255, Double(green) / 255, Double(blue) / 255)
        }

        /// The relative luminance.
        var luminance: Double {
            func linear(_ share: Double) -> Double {
                share <= 0.04045 ? share / 12.92 : pow((share + 0.055) / 1.055, 2.4)
            }
            return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
        }

        func contrast(with other: Shade) -> Double {
            let (a, b) = (luminance, other.luminance)
            return (max(a, b) + 0.05) / (min(a, b) + 0.05)
        }
    }

    /// The sixteen default colours of terminals.
    enum Palette: CaseIterable {
        case xterm, linuxConsole
    }

    private func shades(of palette: Palette) -> [Shade] {
        switch palette {
        case .xterm:
            [
                0x000000, 0xCD0000, 0x00CD00, 0xCDCD00, 0x0000EE, 0xCD00CD, 0x00CDCD, 0xE5E5E5,
                0x7F7F7F, 0xFF0000, 0x00FF00, 0xFFFF00, 0x5C5CFF, 0xFF00FF, 0x00FFFF, 0xFFFFFF,
            ]
        case .linuxConsole:
            [
                0x000000, 0xAA0000, 0x00AA00, 0xAA5500, 0x0000AA, 0xAA00AA, 0x00AAAA, 0xAAAAAA,
                0x555555, 0xFF5555, 0x55FF55, 0xFFFF55, 0x5555FF, 0xFF55FF, 0x55FFFF, 0xFFFFFF,
            ]
        }
    }

    private static let coloured = Theme.all.filter { !$0.dependsOnBackground }.map(\.name)

    @Test func contrastIsComputedAsInTheGuidelines() {
        #expect((0x000000 as Shade).contrast(with: 0xFFFFFF) == 21)
        #expect(((0x777777 as Shade).contrast(with: 0xFFFFFF) * 100).rounded(.down) == 447)
        #expect(((0x0000FF as Shade).contrast(with: 0xFFFFFF) * 100).rounded(.down) == 859)
    }

    @Test(arguments: coloured, ThemeTests.styles)
    func textIsReadableWithExactColours(name: String, style: Style) throws {
        let theme = try #require(Theme(named: name))
        let look = theme.look(of: style, at: .direct)
        let (text, ground) = try (#require(look.foreground).rgb, #require(look.background).rgb)
        let contrast = Shade(text.red, text.green, text.blue)
            .contrast(with: Shade(ground.red, ground.green, ground.blue))
        #expect(contrast >= (theme == .contrast ? 7 : 4.5), "\(style)")
    }

    @Test(arguments: coloured, [Colour.Depth.eight, .sixteen])
    func textIsReadableWithFewColours(name: String, depth: Colour.Depth) throws {
        let theme = try #require(Theme(named: name))
        for style in ThemeTests.styles {
            let look = theme.look(of: style, at: depth)
            let text = try #require(look.foreground?.number(at: depth))
            let ground = try #require(look.background?.number(at: depth))
            #expect(text < (depth == .eight ? 8 : 16) && ground < (depth == .eight ? 8 : 16))
            // Many terminals show bold text in the brighter colour, and many do not.
            let texts = look.attributes.contains(.bold) && text < 8 ? [text, text + 8] : [text]
            for palette in Palette.allCases {
                for text in texts {
                    let contrast = shades(of: palette)[text].contrast(with: shades(of: palette)[ground])
                    #expect(contrast >= 4.5, "\(style) on \(palette): \(text) on \(ground)")
                }
            }
        }
    }

    @Test("The accents of the terminal's own colours are readable on black or white", arguments: ThemeTests.styles)
    func accents(style: Style) throws {
        for palette in Palette.allCases {
            for background in Theme.Background.allCases {
                // The console is black.
                if palette == .linuxConsole && background == .light { continue }
                let look = Theme.terminal.on(background).look(of: style, at: .sixteen)
                guard let text = look.foreground?.number(at: .sixteen) else { continue }
                let shades = shades(of: palette)
                let ground =
                    look.background?.number(at: .sixteen).map { shades[$0] } ?? (background == .dark ? 0 : 0xFFFFFF)
                // The console shows bold text in the brighter colour, and other terminals may.
                let isBold = look.attributes.contains(.bold)
                let texts = isBold ? (palette == .linuxConsole ? [text + 8] : [text, text + 8]) : [text]
                // Signs are graphics (1.4.11).
                let least = [.sign, .read, .reading].contains(style.role) && !style.isHighlighted ? 3 : 4.5
                for text in texts {
                    let contrast = shades[text].contrast(with: ground)
                    #expect(contrast >= least, "\(style) on \(palette), \(background): \(text), \(contrast)")
                }
            }
        }
    }
}
