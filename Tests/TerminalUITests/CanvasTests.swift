import TestSupport
import Testing

@testable import Graphemes
@testable import TerminalUI

@Suite("Canvas") struct CanvasTests {
    init() { useUTF8Locale() }

    @Test func aNewCanvasIsBlank() {
        let canvas = Canvas(size: Size(rows: 2, columns: 3))
        #expect(canvas.rows == ["   ", "   "])
        #expect(canvas.text == "\n")
        #expect(canvas.bounds == Rect(row: 0, column: 0, height: 2, width: 3))
        #expect(canvas[1, 2] == .blank)
    }

    @Test func aCanvasWithoutRowsOrColumnsTakesAnythingSilently() {
        for size in [Size(rows: 0, columns: 0), Size(rows: 0, columns: 5), Size(rows: 5, columns: 0)] {
            var canvas = Canvas(size: size)
            #expect(canvas.write("text", row: 0, column: 0) == 0)
            canvas.write([.ellipsis], row: 0, column: 0, width: 4, style: .plain)
            canvas.clear(Rect(row: 0, column: 0, height: 9, width: 9))
            #expect(canvas == Canvas(size: size))
        }
    }

    @Test func theTextOfARowHasNoTrailingBlanks() {
        var canvas = Canvas(size: Size(rows: 2, columns: 8))
        canvas.write(" a b", row: 1, column: 0)
        #expect(canvas.text(ofRow: 1) == " a b")
        #expect(canvas.text == "\n a b")
    }

    @Test func textAppearsWhereItIsWritten() {
        var canvas = Canvas(size: Size(rows: 3, columns: 6))
        #expect(canvas.write("abc", row: 1, column: 2) == 3)
        #expect(canvas.rows == ["      ", "  abc ", "      "])
    }

    @Test func theStyleIsThatOfTheCellsWritten() {
        var canvas = Canvas(columns: 4)
        canvas.write("a漢", row: 0, column: 0, style: .strong)
        #expect(canvas.row(0).map(\.style) == [.strong, .strong, .strong, .plain])
    }

    @Test func aRowHasChangedWhereItDiffersAndNoWideGlyphIsLeftHalf() {
        func changed(from old: String, to new: String) -> Range<Int>? {
            var (before, after) = (Canvas(columns: 8), Canvas(columns: 8))
            before.write(old, row: 0, column: 0)
            after.write(new, row: 0, column: 0)
            return after.changedColumns(ofRow: 0, since: before)
        }
        #expect(changed(from: "abcdef", to: "abcdef") == nil)
        #expect(changed(from: "abcdef", to: "abXdYf") == 2..<5)
        #expect(changed(from: "abc", to: "Xbc") == 0..<1)
        #expect(changed(from: "abcdefgh", to: "abcdefgX") == 7..<8)
        #expect(changed(from: "a漢d", to: "a字d") == 1..<3)
        #expect(changed(from: "abcd", to: "a漢d") == 1..<3)
        #expect(changed(from: "a漢d", to: "abcd") == 1..<3)
        #expect(changed(from: "ab漢", to: "a漢d") == 1..<4)
        #expect(changed(from: "e", to: "e\u{301}") == 0..<1)
    }

    @Test func unchangedCellsAreEqual() {
        var generator = SystemRandomNumberGenerator()
        let texts = ["", "a", "ab", "漢字", "a漢", "e\u{301}x", "🇩🇪 b", "plain text", "ﬁ ligature"]
        for _ in 0..<500 {
            var (before, after) = (Canvas(columns: 9), Canvas(columns: 9))
            for _ in 0..<3 {
                let (text, column) = (texts.randomElement(using: &generator)!, Int.random(in: 0..<9))
                before.write(text, row: 0, column: column, style: [.plain, .strong].randomElement()!)
                if Bool.random() { after.write(text, row: 0, column: column) }
            }
            let changed = after.changedColumns(ofRow: 0, since: before) ?? 0..<0
            for column in 0..<9 where !changed.contains(column) {
                #expect(after[0, column] == before[0, column])
            }
            guard let first = changed.first, let last = changed.last else { continue }
            #expect(!after[0, first].isContinuation)
            #expect(last == 8 || !after[0, last + 1].isContinuation)
        }
    }

    @Test func textIsTheSameWhetherAllOfItIsASCIIOrNot() {
        // The text is clipped after the last column and unchanged before it.
        for width in 1...6 {
            for text in ["", "a", "abc", "abcdef", "ab  ef", "abcde\u{301}"] {
                var (plain, other) = (Canvas(columns: 8), Canvas(columns: 8))
                for column in 0..<4 {
                    plain.write("漢", row: 0, column: 2 * column)
                    other.write("漢", row: 0, column: 2 * column)
                }
                let used = plain.write(text, row: 0, column: 1, width: width)
                let glyphs = Array(GraphemeSanitizer(text))
                var columns = 0
                for (place, glyph) in glyphs.prefix(width).enumerated() {
                    let isCut = glyphs.count > width && place == width - 1
                    other.write([isCut ? .ellipsis : glyph], row: 0, column: 1 + columns, width: 1, style: .plain)
                    columns += 1
                }
                #expect(plain == other && used == columns, "\(text) in \(width)")
            }
        }
    }

    @Test func textThatFitsExactlyHasNoEllipsis() {
        var canvas = Canvas(columns: 3)
        #expect(canvas.write("abc", row: 0, column: 0) == 3)
        #expect(canvas.rows == ["abc"])
    }

    @Test func textThatIsLongerEndsInAnEllipsis() {
        var canvas = Canvas(columns: 3)
        #expect(canvas.write("abcd", row: 0, column: 0) == 3)
        #expect(canvas.rows == ["ab…"])
    }

    @Test func textIsCutAtItsWidth() {
        var canvas = Canvas(columns: 6)
        #expect(canvas.write("abcdef", row: 0, column: 1, width: 3) == 3)
        #expect(canvas.rows == [" ab…  "])
    }

    @Test func oneColumnShowsOnlyTheEllipsis() {
        var canvas = Canvas(columns: 3)
        #expect(canvas.write("ab", row: 0, column: 2) == 1)
        #expect(canvas.write("漢", row: 0, column: 0, width: 1) == 1)
        #expect(canvas.rows == ["… …"])
    }

    @Test func trailingZeroWidthCharactersNeedNoSpace() {
        var canvas = Canvas(columns: 3)
        #expect(canvas.write("abc\u{301}\u{200B}", row: 0, column: 0) == 3)
        #expect(canvas.rows == ["abc\u{301}"])
    }

    @Test(arguments: [0, -1, Int.min])
    func withoutWidthNothingIsWritten(width: Int) {
        var canvas = Canvas(columns: 3)
        #expect(canvas.write("abc", row: 0, column: 0, width: width) == 0)
        canvas.write(Array(GraphemeSanitizer("abc")), row: 0, column: 0, width: max(width, -9), style: .plain)
        #expect(canvas.rows == ["   "])
    }

    @Test(arguments: [(-1, 0), (2, 0), (0, -1), (0, 3), (.max, 0), (0, .max), (.min, 0), (0, .min)] as [(Int, Int)])
    func outsideOfTheCanvasNothingIsWritten(row: Int, column: Int) {
        let blank = Canvas(size: Size(rows: 2, columns: 3))
        var canvas = blank
        #expect(canvas.write("abc", row: row, column: column) == 0)
        canvas.write(Array(GraphemeSanitizer("abc")), row: row, column: column, width: 3, style: .plain)
        #expect(canvas == blank)
    }

    @Test func aRowNeverRunsIntoTheNext() {
        var canvas = Canvas(size: Size(rows: 2, columns: 3))
        canvas.write("漢字漢字", row: 0, column: 0)
        canvas.write(Array(GraphemeSanitizer("a漢漢")), row: 0, column: 1, width: 99, style: .plain)
        #expect(canvas.text(ofRow: 1) == "")
        #expect(canvas.row(1).allSatisfy { $0 == .blank })
    }

    @Test func controlsAreNotWritten() {
        var canvas = Canvas(columns: 4)
        canvas.write("a\u{1B}\nb", row: 0, column: 0)
        #expect(canvas.rows == ["a\u{FFFD}\u{FFFD}b"])
    }

    @Test func writingCostsTheColumnsAndNotTheText() {
        let long = String(repeating: "word ", count: 2_000_000)
        var canvas = Canvas(columns: 80)
        let clock = ContinuousClock()
        let whole = clock.measure { _ = String(repeating: "word ", count: 20_000).displayColumns }
        let written = clock.measure { canvas.write(long, row: 0, column: 0) }
        #expect(canvas.text(ofRow: 0).hasSuffix("…"))
        // A hundredth of the text takes longer than the eighty visible columns of it.
        #expect(written < whole)
    }

    @Test func aWideGlyphTakesTwoCells() {
        var canvas = Canvas(columns: 4)
        #expect(canvas.write("漢a", row: 0, column: 0) == 3)
        #expect(canvas.row(0).map(\.isContinuation) == [false, true, false, false])
        #expect(canvas.text(ofRow: 0) == "漢a")
    }

    @Test func aWideGlyphThatDoesNotFitGivesWayToTheEllipsis() {
        var canvas = Canvas(columns: 3)
        #expect(canvas.write("ab漢", row: 0, column: 0) == 3)
        #expect(canvas.rows == ["ab…"])
    }

    @Test func aWideGlyphInTheLastColumnsGivesWayWhole() {
        var canvas = Canvas(columns: 4)
        #expect(canvas.write("ab漢c", row: 0, column: 0) == 4)
        #expect(canvas.rows == ["ab… "])
        #expect(canvas.isWhole)
    }

    @Test func writingOverTheFirstHalfOfAWideGlyphBlanksTheOther() {
        var canvas = Canvas(columns: 4)
        canvas.write("漢字", row: 0, column: 0)
        canvas.write("a", row: 0, column: 0)
        #expect(canvas.rows == ["a 字"])
        #expect(canvas.isWhole)
    }

    @Test func writingOverTheSecondHalfOfAWideGlyphBlanksTheOther() {
        var canvas = Canvas(columns: 4)
        canvas.write("漢字", row: 0, column: 0)
        canvas.write("a", row: 0, column: 1)
        #expect(canvas.rows == [" a字"])
        #expect(canvas.isWhole)
    }

    @Test func aWideGlyphOverTheMiddleOfTwoLeavesABlankOnEitherSide() {
        var canvas = Canvas(columns: 4)
        canvas.write("漢字", row: 0, column: 0)
        canvas.write("語", row: 0, column: 1)
        #expect(canvas.rows == [" 語 "])
        #expect(canvas.isWhole)
    }

    @Test func clearingHalfOfAWideGlyphLeavesNoneOfIt() {
        for column in 0...1 {
            var canvas = Canvas(columns: 2)
            canvas.write("漢", row: 0, column: 0)
            canvas.clear(Rect(row: 0, column: column, height: 1, width: 1))
            #expect(canvas.rows == ["  "])
            #expect(canvas.isWhole)
        }
    }

    @Test func noSequenceOfWritesLeavesHalfACharacter() {
        var generator = SplitMix(seed: 7)
        let pieces = ["漢字", "a", "ab漢", "\u{1F1EB}\u{1F1F7}", "e\u{301}", "한 글", "語語語"]
        var canvas = Canvas(size: Size(rows: 2, columns: 7))
        for _ in 0..<5000 {
            let text = pieces.randomElement(using: &generator) ?? ""
            let row = Int.random(in: -1...2, using: &generator)
            let column = Int.random(in: -1...7, using: &generator)
            let width = Int.random(in: -1...8, using: &generator)
            switch Int.random(in: 0...2, using: &generator) {
            case 0: canvas.write(text, row: row, column: column, width: width)
            case 1: canvas.write(Array(GraphemeSanitizer(text)), row: row, column: column, width: width, style: .strong)
            default: canvas.clear(Rect(row: row, column: column, height: 1, width: width))
            }
            guard canvas.isWhole else {
                Issue.record("half a glyph after \(text) at \(row), \(column), width \(width): \(canvas.rows)")
                return
            }
        }
    }

    @Test func glyphsAreWrittenAsManyAsFit() {
        var canvas = Canvas(columns: 4)
        canvas.write(Array(GraphemeSanitizer("abcdef")), row: 0, column: 1, width: 2, style: .secondary)
        #expect(canvas.rows == [" ab "])
        #expect(canvas.row(0).map(\.style) == [.plain, .secondary, .secondary, .plain])
    }

    @Test func noGlyphIsWrittenAfterOneThatDoesNotFit() {
        var canvas = Canvas(columns: 2)
        canvas.write(Array(GraphemeSanitizer("a漢b")), row: 0, column: 0, width: 2, style: .plain)
        #expect(canvas.rows == ["a "])
    }

    @Test func aHighlightIsTheStyleHighlighted() {
        var canvas = Canvas(columns: 6)
        let style = Style(.sign, on: .bar)
        let highlighted = Style(.sign, on: .bar, isHighlighted: true)
        canvas.write("abcd", row: 0, column: 1, style: style, highlights: [1..<3])
        #expect(canvas.row(0).map(\.style) == [.plain, style, highlighted, highlighted, style, .plain])
        #expect(canvas.rows == [" abcd "])
    }

    @Test func aHighlightOfAWideGlyphTakesBothItsColumns() {
        var canvas = Canvas(columns: 6)
        canvas.write("a漢字b", row: 0, column: 0, highlights: [1..<4])
        #expect(canvas.highlights(ofRow: 0) == " ^^")
        #expect(canvas.row(0).map(\.style)[2] == Style(isHighlighted: true))
    }

    @Test func theEllipsisIsNotHighlighted() {
        var canvas = Canvas(columns: 5)
        canvas.write("abcdefgh", row: 0, column: 0, highlights: [2..<8])
        #expect(canvas.rows == ["abcd…"])
        #expect(canvas.highlights(ofRow: 0) == "  ^^")
        canvas.write("abc漢字", row: 0, column: 0, width: 5, highlights: [3..<6])
        #expect(canvas.rows == ["abc… "])
        #expect(canvas.highlights(ofRow: 0) == "")
        canvas.write("abcdef", row: 0, column: 0, highlights: [5..<6])
        #expect(canvas.highlights(ofRow: 0) == "")
    }

    @Test func anotherTextOverAHighlightLeavesNothingOfIt() {
        var canvas = Canvas(columns: 4)
        canvas.write("abcd", row: 0, column: 0, highlights: [0..<4])
        canvas.write("abcd", row: 0, column: 0)
        var plain = Canvas(columns: 4)
        plain.write("abcd", row: 0, column: 0)
        #expect(canvas == plain)
    }

    @Test func aCellSaysByItsStyleAloneThatItIsHighlighted() {
        var canvas = Canvas(columns: 3)
        canvas.write("a漢", row: 0, column: 0, highlights: [0..<4])
        var bold = Canvas(columns: 3)
        bold.write("a漢", row: 0, column: 0, style: Style(isHighlighted: true))
        #expect(canvas == bold)
    }

    @Test func glyphsKeepTheHighlightsOfTheirText() {
        var canvas = Canvas(columns: 4)
        canvas.write(Array(GraphemeSanitizer("abcd", highlights: [1..<2])), row: 0, column: 0, width: 4, style: .plain)
        #expect(canvas.highlights(ofRow: 0) == " ^")
    }

    @Test func clearingBlanksARectangleInAStyle() {
        var canvas = Canvas(size: Size(rows: 3, columns: 4))
        for row in 0..<3 { canvas.write("abcd", row: row, column: 0) }
        canvas.clear(Rect(row: 1, column: 1, height: 1, width: 2), style: Style(on: .bar))
        #expect(canvas.rows == ["abcd", "a  d", "abcd"])
        #expect(canvas.row(1).map(\.style) == [.plain, Style(on: .bar), Style(on: .bar), .plain])
    }

    @Test func clearingIsClippedToTheCanvas() {
        var canvas = Canvas(size: Size(rows: 2, columns: 2))
        for row in 0..<2 { canvas.write("ab", row: row, column: 0) }
        canvas.clear(Rect(row: 5, column: 5, height: 9, width: 9))
        canvas.clear(Rect(row: -9, column: -9, height: 3, width: 3))
        #expect(canvas.rows == ["ab", "ab"])
        canvas.clear(Rect(row: -1, column: -1, height: 9, width: 2))
        #expect(canvas.rows == [" b", " b"])
    }
}
