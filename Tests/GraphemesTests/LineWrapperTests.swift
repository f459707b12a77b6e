import TestSupport
import Testing

@testable import Graphemes

@Suite("Wrapping lines") struct LineWrapperTests {
    init() { useUTF8Locale() }

    private func lines(of text: String, width: Int) -> [String] {
        LineWrapper(text, width: width).map { $0.map(\.text).joined() }
    }

    @Test func textThatFitsIsOneLine() {
        #expect(lines(of: "one two", width: 7) == ["one two"])
    }

    @Test func textWithoutAnyIsOneEmptyLine() {
        #expect(lines(of: "", width: 10) == [""])
    }

    @Test func aLineIsBrokenBeforeTheWordThatDoesNotFit() {
        #expect(lines(of: "one two three", width: 8) == ["one two", "three"])
        #expect(lines(of: "one two three", width: 5) == ["one", "two", "three"])
        #expect(lines(of: "one two three", width: 12) == ["one two", "three"])
    }

    @Test func aWordThatFillsTheLineExactlyIsNotBroken() {
        #expect(lines(of: "one two", width: 3) == ["one", "two"])
    }

    @Test func aWordWiderThanALineIsBrokenWithin() {
        #expect(lines(of: "abcdefgh", width: 3) == ["abc", "def", "gh"])
    }

    @Test func aWordWiderThanALineStartsOnItsOwn() {
        #expect(lines(of: "a bcdefgh i", width: 4) == ["a", "bcde", "fgh", "i"])
    }

    @Test func newlinesEndLines() {
        #expect(lines(of: "one\ntwo", width: 20) == ["one", "two"])
        #expect(lines(of: "one\n\ntwo", width: 20) == ["one", "", "two"])
        #expect(lines(of: "\n", width: 20) == ["", ""])
        #expect(lines(of: "one\n", width: 20) == ["one", ""])
    }

    @Test func aCarriageReturnBeforeANewlineIsPartOfIt() {
        #expect(lines(of: "one\r\n\r\ntwo", width: 20) == ["one", "", "two"])
    }

    @Test func aCarriageReturnAloneIsAControl() {
        #expect(lines(of: "one\rtwo", width: 20) == ["one\u{FFFD}two"])
    }

    @Test func aNewlineAfterAnInvisibleCharacterEndsTheLine() {
        #expect(
            lines(of: "\u{200B}\none\u{200B}\n\u{1F469}\u{200D}\n\u{1F1EB}\nx", width: 20)
                == ["", "one", "\u{1F469}", "\u{FFFD}", "x"])
    }

    @Test func textWithoutBlanksIsBrokenBetweenWideCharacters() {
        #expect(lines(of: "吾輩は猫である", width: 6) == ["吾輩は", "猫であ", "る"])
        #expect(lines(of: "吾輩は猫である", width: 7) == ["吾輩は", "猫であ", "る"])
    }

    @Test func aWordBetweenWideCharactersIsNotBroken() {
        #expect(lines(of: "猫cat犬dog", width: 6) == ["猫cat", "犬dog"])
        #expect(lines(of: "猫猫cat", width: 6) == ["猫猫", "cat"])
    }

    @Test func blanksWithinALineStay() {
        #expect(lines(of: "  one  two", width: 20) == ["  one  two"])
    }

    @Test func noBlankAtWhichALineWasBrokenIsLeft() {
        #expect(lines(of: "one  two", width: 3) == ["one", "two"])
        #expect(lines(of: "one.   two", width: 6) == ["one.", "two"])
        #expect(lines(of: "one     two", width: 5) == ["one", "two"])
    }

    @Test func blanksAtTheEndMakeNoLineOfTheirOwn() {
        #expect(lines(of: "one ", width: 3) == ["one"])
        #expect(lines(of: "one   \ntwo", width: 3) == ["one", "two"])
    }

    @Test func aNonBreakingSpaceDoesNotBreak() {
        #expect(lines(of: "a 10\u{A0}km", width: 5) == ["a", "10\u{A0}km"])
    }

    @Test func aMarkStaysOnTheLineOfItsBase() {
        #expect(lines(of: "abce\u{301}f", width: 4) == ["abce\u{301}", "f"])
    }

    @Test(arguments: [Int.min, -1, 0, 1, 2])
    func theNarrowestLineTakesAWideCharacter(width: Int) {
        #expect(lines(of: "漢字", width: width) == ["漢", "字"])
    }

    @Test func anEmojiAfterALeadingBlankMakesNoLineTooWide() {
        #expect(lines(of: " abc\u{1F600}", width: 4) == [" abc", "\u{1F600}"])
    }

    @Test func noLineIsWiderThanItsWidthAndNoWordIsLost() {
        var generator = SplitMix(seed: 11)
        let pieces: [String] = [
            "a", "bc", " ", "  ", "漢", "字漢", "\u{1F600}", "e\u{301}", "\u{1F1EB}\u{1F1F7}", "\n", "long-word",
        ]
        for _ in 0..<3000 {
            let count = Int.random(in: 0...12, using: &generator)
            let text = (0..<count).map { _ in pieces.randomElement(using: &generator) ?? "" }.joined()
            let width = Int.random(in: 2...9, using: &generator)
            let lines = Array(LineWrapper(text, width: width))
            let letters = lines.joined().filter { $0 != .space }.map(\.text).joined()
            let isWithin = lines.allSatisfy { $0.reduce(0) { $0 + Int($1.columns) } <= width }
            let isWhole = letters == text.filter { $0 != " " && $0 != "\n" }
            guard isWithin, isWhole else {
                Issue.record("\(text.debugDescription) at \(width): \(self.lines(of: text, width: width))")
                return
            }
        }
    }

    @Test func aHighlightGoesOnInTheNextLine() {
        let lines = Array(LineWrapper("one two three\nfour", width: 8, highlights: [4..<9, 12..<15]))
        #expect(lines.map { $0.map(\.text).joined() } == ["one two", "three", "four"])
        // "two t", then "e", a newline and "f".
        #expect(lines.map { $0.map { $0.isHighlighted ? "^" : " " }.joined() } == ["    ^^^", "^   ^", "^   "])
    }

    @Test func highlightsBreakNoLineElsewhere() {
        for text in ["one two  three", "漢字の本 and a title", "abcdefghijkl mnop\r\n\r\nqr"] {
            for width in 2...20 {
                let plain = LineWrapper(text, width: width).map { $0.map(\.text) }
                #expect(LineWrapper(text, width: width, highlights: [0..<99]).map { $0.map(\.text) } == plain)
            }
        }
    }

    @Test(arguments: ["word ", "a line of text\n", "漢"])
    func aLongTextCostsOnlyTheLinesTaken(piece: String) {
        let long = String(repeating: piece, count: 10_000_000 / piece.utf8.count)
        let hundredth = String(repeating: piece, count: 100_000 / piece.utf8.count)
        let clock = ContinuousClock()
        let whole = clock.measure { for _ in LineWrapper(hundredth, width: 40) {} }
        let first = clock.measure {
            var wrapper = LineWrapper(long, width: 40)
            for _ in 0..<10 { #expect(wrapper.next() != nil) }
        }
        // A hundredth of the text takes longer than ten lines of it.
        #expect(first < whole)
    }

    @Test func columnsOfGlyphsAreAddedUp() {
        #expect(Array(GraphemeSanitizer("a漢e\u{301}")).columns == 4)
        #expect([Grapheme]().columns == 0)
    }
}
