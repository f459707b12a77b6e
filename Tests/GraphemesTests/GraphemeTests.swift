import Testing

@testable import Graphemes

@Suite("Graphemes") struct GraphemeTests {
    init() { useUTF8Locale() }

    @Test func aGraphemeStartsWithoutMarks() {
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

    @Test func aLineMayBeBrokenAtWideCharactersButNotAtLettersOrEmoji() {
        let breakable = GraphemeSanitizer("漢あ。a é\u{1F600}").map(\.isBreakable)
        #expect(breakable == [true, true, true, false, false, false, false])
    }
}
