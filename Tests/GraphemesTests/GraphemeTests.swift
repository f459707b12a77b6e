import Testing

@testable import Graphemes

struct GraphemeTests {
    init() { useUTF8Locale() }

    @Test func aGlyphStartsWithoutMarks() {
        let glyph = Grapheme(base: "a", columns: 1)
        #expect(glyph.markCount == 0)
        #expect(glyph.text == "a")
    }

    @Test func marksAreKeptInTheirOrder() {
        var glyph = Grapheme(base: "a", columns: 1)
        for mark in ["\u{301}", "\u{302}", "\u{303}", "\u{304}"] as [Unicode.Scalar] { glyph.append(mark: mark) }
        #expect(glyph.text == "a\u{301}\u{302}\u{303}\u{304}")
        #expect(glyph.marks == (0x301, 0x302, 0x303, 0x304))
    }

    @Test func theFifthMarkIsDropped() {
        var glyph = Grapheme(base: "a", columns: 1)
        for _ in 0..<4 { glyph.append(mark: "\u{301}") }
        glyph.append(mark: "\u{302}")
        #expect(glyph.markCount == 4)
        #expect(glyph.marks == (0x301, 0x301, 0x301, 0x301))
    }

    /// The largest of all characters that there are, in each place.
    @Test func aCellKeepsItsGlyphAndItsStyle() {
        let largest: Unicode.Scalar = "\u{10FFFF}"
        for (columns, markCount) in [(1, 0), (2, 1), (1, 2), (2, 3), (2, 4)] {
            var glyph = Grapheme(base: largest, columns: columns)
            for _ in 0..<markCount { glyph.append(mark: largest) }
            for style in Style.all {
                for isContinuation in [false, true] {
                    var cell = Cell(glyph: glyph, style: style, isContinuation: isContinuation)
                    #expect(cell.glyph == glyph)
                    #expect(cell.glyph.base == largest)
                    #expect((cell.glyph.columns, cell.glyph.markCount) == (columns, markCount))
                    #expect(cell.glyph.text.unicodeScalars.allSatisfy { $0 == largest })
                    #expect(cell.style == style)
                    #expect(cell.isContinuation == isContinuation)
                    cell.glyph = .space
                    #expect(cell == Cell(glyph: .space, style: style, isContinuation: isContinuation))
                }
            }
        }
    }

    @Test func eachStyleHasANumberOfItsOwn() {
        #expect(Set(Style.all.map(\.number)).count == Style.all.count)
        for style in Style.all {
            #expect((0..<Style.numberLimit).contains(style.number))
            #expect(Style(number: style.number) == style)
        }
    }

    @Test func aScreenOfCellsIsSmall() {
        #expect(MemoryLayout<Cell>.stride == 16)
    }

    @Test func aLineMayBeBrokenAtWideCharactersButNotAtLettersOrEmoji() {
        let breakable = GraphemeSanitizer("漢あ。a é\u{1F600}").map(\.isBreakable)
        #expect(breakable == [true, true, true, false, false, false, false])
    }
}

extension Style {
    /// All styles.
    fileprivate static var all: [Style] {
        Role.allCases.flatMap { role in
            Surface.allCases.flatMap { surface in
                [false, true].map { Style(role, on: surface, isHighlighted: $0) }
            }
        }
    }
}
