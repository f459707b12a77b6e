import Testing

@testable import Graphemes
@testable import TerminalUI

@Suite("Text view") struct TextViewTests {
    init() { useUTF8Locale() }

    private func view(_ paragraphs: [TextView.Paragraph], height: Int, width: Int) -> TextView {
        let view = TextView()
        view.frame = Rect(row: 0, column: 0, height: height, width: width)
        view.paragraphs = paragraphs
        return view
    }

    private func drawn(_ view: TextView) -> [String] {
        var canvas = Canvas(size: Size(rows: view.frame.endRow, columns: view.frame.endColumn))
        view.draw(on: &canvas)
        return (0..<canvas.size.rows).map(canvas.text(ofRow:))
    }

    /// Creates a view of `count` lines, "0", "1" and so on.
    private func numbered(_ count: Int, height: Int) -> TextView {
        view((0..<count).map { .init("\($0)") }, height: height, width: 10)
    }

    @Test func aViewWithoutTextIsBlank() {
        #expect(drawn(view([], height: 2, width: 5)) == ["", ""])
    }

    @Test func paragraphsAreWrappedAtWords() {
        #expect(
            drawn(view([.init("one two three"), .init(""), .init("four")], height: 5, width: 8))
                == ["one two", "three", "", "four", ""])
    }

    @Test func theLinesOfParagraphsAndHighlightsAreFound() {
        var last = TextView.Paragraph("five six seven eight")
        last.highlights = [9..<14]
        let view = view([.init("one two three"), .init(""), last], height: 3, width: 8)
        #expect((0...3).map(view.line(ofParagraph:)) == [0, 2, 3, nil])
        #expect(view.highlightedLine == 4)
        view.paragraphs[2].highlights = []
        #expect(view.highlightedLine == nil)
        #expect(self.view([], height: 3, width: 8).line(ofParagraph: 0) == nil)
    }

    @Test func aLineIsRevealedWithALineBesideIt() {
        let view = numbered(20, height: 5)
        for (line, top) in [(2, 0), (4, 1), (12, 9), (11, 9), (10, 9), (9, 8), (19, 15), (0, 0)] {
            view.reveal(line: line)
            #expect(view.topLine == top, "line \(line)")
        }
        let low = numbered(20, height: 1)
        low.reveal(line: 7)
        #expect(low.topLine == 7)
    }

    @Test func labelsShareAColumnAndAreOnTheFirstLine() {
        let view = view(
            [.init("Emma"), .init("Jane Austen", label: "By"), .init("1815", label: "Year")], height: 5, width: 12)
        #expect(drawn(view) == ["Emma", "By    Jane", "      Austen", "Year  1815", ""])
    }

    @Test func aDrawnTextIsWrappedAgainWhenItsShapeChanges() {
        let view = view([.init("one two"), .init("x", label: "By"), .init("y")], height: 4, width: 8)
        #expect(drawn(view) == ["one two", "By  x", "y", ""])
        view.frame.width = 5
        #expect(drawn(view) == ["one", "two", "By", "  x"])
        view.frame.width = 14
        view.paragraphs = [.init("a", label: "Long"), .init("b"), .init("c", label: "By")]
        #expect(drawn(view) == ["Long  a", "b", "By  c", ""])
        view.alignsAllLabels = true
        #expect(drawn(view) == ["Long  a", "b", "By    c", ""])
        view.paragraphs = [.init("one two three")]
        #expect(drawn(view) == ["one two three", "", "", ""])
        view.hasScrollMark = true
        #expect(drawn(view) == ["one two", "three", "", ""])
    }

    @Test func aTextThatIsTooLongToKeepIsDrawnAnywhere() {
        let view = numbered(3000, height: 2)
        view.hasScrollMark = true
        #expect(drawn(view).map { $0.prefix(4) } == ["0", "1"])
        view.scroll(by: 2000)
        #expect(drawn(view).map { $0.prefix(4) } == ["2000", "2001"])
        view.scroll(by: -1500)
        #expect(drawn(view).map { $0.prefix(4) } == ["500", "501"])
        #expect(view.lineCount == 3000)
        view.scroll(toLine: 2999)
        #expect(drawn(view).map { $0.prefix(4) } == ["2998", "2999"])
    }

    @Test func aLabelIsShownBeforeAnEmptyText() {
        #expect(drawn(view([.init("", label: "By")], height: 1, width: 12)) == ["By"])
    }

    @Test func aLabelWiderThanHalfIsAboveItsText() {
        #expect(drawn(view([.init("ab", label: "Publisher")], height: 3, width: 10)) == ["Publisher", "  ab", ""])
        #expect(drawn(view([.init("ab", label: "Publisher")], height: 3, width: 6)) == ["Publi…", "  ab", ""])
        #expect(drawn(view([.init("ab", label: "Publisher")], height: 2, width: 22)) == ["Publisher  ab", ""])
        let mixed = view([.init("ab cd", label: "Publisher"), .init("ef", label: "By")], height: 4, width: 10)
        #expect(drawn(mixed) == ["Publisher", "  ab cd", "By  ef", ""])
        #expect(mixed.lineCount == 3)
    }

    @Test func labelsWithTextBetweenHaveColumnsOfTheirOwn() {
        let paragraphs: [TextView.Paragraph] = [
            .init("a", label: "By"), .init("b", label: "Year"), .init("More"), .init("c", label: "metadata"),
            .init("d", label: "key"),
        ]
        #expect(
            drawn(view(paragraphs, height: 5, width: 20))
                == ["By    a", "Year  b", "More", "metadata  c", "key       d"])
    }

    @Test func aTextBelowALabelledOneHasItsColumn() {
        var second = TextView.Paragraph("one two three")
        second.continuesLabel = true
        let paragraphs: [TextView.Paragraph] = [.init("first", label: "You"), second, .init("end")]
        #expect(drawn(view(paragraphs, height: 4, width: 14)) == ["You  first", "     one two", "     three", "end"])
        // Here the label has a line to itself.
        #expect(drawn(view(paragraphs, height: 4, width: 8)) == ["You", "  first", "  one", "  two"])
        #expect(drawn(view([second], height: 2, width: 14)) == ["one two three", ""])
    }

    @Test func aTrailingTextStandsAtTheEdgeOfTheLastLine() {
        func drawn(_ text: String, width: Int, isHeading: Bool = false) -> [String] {
            var paragraph = isHeading ? TextView.Paragraph.heading(text) : .init(text)
            paragraph.trailing = "end"
            return self.drawn(view([paragraph, .init("x")], height: 3, width: width)).filter { !$0.isEmpty }
        }
        #expect(drawn("one two", width: 12) == ["one two  end", "x"])
        #expect(drawn("one two", width: 11) == ["one two", "        end", "x"])
        #expect(drawn("one two three", width: 11) == ["one two", "three   end", "x"])
        #expect(drawn("one", width: 11, isHeading: true) == ["ONE ─── end", "x"])
        #expect(drawn("one", width: 10, isHeading: true) == ["ONE ──────", "x"])
    }

    @Test func aLineAtTheBottomOfTheFrameHasTheTrailingTextOnlyIfItIsTheLast() {
        var paragraph = TextView.Paragraph("one two three")
        paragraph.trailing = "end"
        let view = view([paragraph], height: 1, width: 11)
        #expect(view.textOfTopLine == "one two")
        view.scroll(by: 1)
        #expect(view.textOfTopLine == "three  end")
    }

    @Test func aHeadingIsInCapitalsWithARuleToTheEdge() {
        let view = view([.heading("More by him"), .init("x")], height: 4, width: 14)
        #expect(drawn(view) == ["MORE BY HIM ──", "x", "", ""])
        view.frame.width = 8
        #expect(drawn(view) == ["MORE BY", "HIM ────", "x", ""])
        view.frame.width = 4
        #expect(drawn(view) == ["MORE", "BY", "HIM", "x"])
        var canvas = Canvas(columns: 14)
        view.frame = Rect(row: 0, column: 0, height: 1, width: 14)
        view.draw(on: &canvas)
        #expect(canvas[0, 0].style == .strong && canvas[0, 13].style == .line)
    }

    @Test func aNoBreakSpaceKeepsWordsTogetherAndIsDrawnAsABlank() {
        #expect(
            drawn(view([.init("one two\u{A0}three", highlights: [4..<8])], height: 3, width: 9)) == [
                "one", "two three", "",
            ])
        #expect(highlights(view([.init("two\u{A0}three", highlights: [3..<5])], height: 1, width: 9)) == ["   ^"])
    }

    // MARK: - Links

    /// A view of a labelled paragraph whose second and third words and last word are links.
    private var linked: TextView {
        var paragraph = TextView.Paragraph("one two\u{A0}three 書名 four", label: "By")
        paragraph.links = [4..<14, 22..<26]
        return view([.init("x"), paragraph], height: 3, width: 14)
    }

    @Test func aLinkIsFoundWhereItIsDrawn() {
        let view = linked
        #expect(drawn(view) == ["x", "By  one", "    two three"])
        #expect(view.links.map(\.text) == ["two three", "four"])
        #expect(view.links.map(\.line) == [2, 3])
        func number(_ row: Int, _ column: Int) -> Int? { view.link(at: Position(row: row, column: column))?.number }
        #expect([3, 4, 7, 12, 13].map { number(2, $0) } == [nil, 0, 0, 0, nil])
        #expect(number(1, 4) == nil && number(9, 4) == nil)
        view.scroll(by: 1)
        #expect(number(1, 4) == 0 && number(2, 4) == nil)
        // "    書名 four"
        #expect(number(2, 9) == 1 && number(2, 12) == 1 && number(2, 13) == nil)
    }

    @Test func aLinkIsInSeveralLines() {
        let view = linked
        view.frame.width = 9
        view.frame.height = 6
        #expect(drawn(view) == ["x", "By  one", "    two t", "    hree", "    書名", "    four"])
        #expect(view.links.map(\.line) == [2, 5])
        #expect(view.link(at: Position(row: 3, column: 7))?.number == 0)
    }

    @Test func theSelectedLinkIsDrawnAsTheCurrentRow() {
        let view = linked
        view.selectedLink = 0
        var canvas = Canvas(size: Size(rows: 3, columns: 14))
        view.draw(on: &canvas)
        #expect((0..<14).filter { canvas[2, $0].style.surface == .selection } == Array(4..<13))
        #expect(canvas.text(ofRow: 2) == "    two three")
        view.paragraphs = [.init("x")]
        #expect(view.selectedLink == nil)
    }

    @Test func aLinkWithoutVisibleCharactersHasNoPlaceButANumber() {
        var paragraph = TextView.Paragraph("\u{200B} x")
        paragraph.links = [0..<3, 4..<5]
        let view = view([paragraph], height: 1, width: 9)
        #expect(view.hasLinks && view.links.map(\.number) == [1])
    }

    // MARK: - Scroll mark

    /// Creates a view of `count` lines with a scroll mark, 12 columns wide.
    private func marked(_ count: Int, height: Int) -> TextView {
        let view = view((0..<count).map { .init("\($0)") }, height: height, width: 12)
        view.hasScrollMark = true
        return view
    }

    /// The column of the scroll mark: "#" for the mark.
    private func mark(_ view: TextView) -> String {
        var canvas = Canvas(size: Size(rows: view.frame.endRow, columns: view.frame.endColumn))
        view.draw(on: &canvas)
        return (0..<canvas.size.rows).map { canvas[$0, view.frame.endColumn - 1].glyph.text == "┃" ? "#" : "." }
            .joined()
    }

    @Test func theScrollMarkShowsWhichPartIsVisible() {
        let view = marked(12, height: 4)
        #expect(mark(view) == "#...")
        view.scroll(by: 1)
        #expect(mark(view) == ".#..")
        view.scroll(by: 6)
        #expect(mark(view) == "..#.")
        view.scroll(by: 1)
        #expect(mark(view) == "...#")
        #expect(mark(marked(8, height: 4)) == "##..")
    }

    @Test func aTextThatFitsHasNoScrollMark() {
        let view = marked(4, height: 4)
        #expect(mark(view) == "....")
        view.paragraphs.append(.init("4"))
        #expect(mark(view) == "###.")
        view.frame.height = 5
        #expect(mark(view) == ".....")
    }

    @Test func aColumnOfMarginIsBetweenTheTextAndTheScrollMark() {
        let view = view([.init("abcdefghijklm"), .heading("n"), .init("o")], height: 3, width: 12)
        view.hasScrollMark = true
        #expect(drawn(view) == ["abcdefghij ┃", "klm        ┃", "N ────────"])
        // No room for a mark.
        view.frame.width = 11
        #expect(drawn(view) == ["abcdefghijk", "lm", "N ─────────"])
    }

    @Test func theScrollMarkOfALongTextIsEstimated() {
        let view = view([.init(String(repeating: "a line of text\n", count: 100_000))], height: 20, width: 40)
        view.hasScrollMark = true
        #expect(mark(view) == "#" + String(repeating: ".", count: 19))
        view.scroll(by: 50_000)
        #expect(mark(view).filter { $0 == "#" }.count == 1)
        view.scroll(by: .max)
        #expect(mark(view) == String(repeating: ".", count: 19) + "#")
    }

    @Test func labelsAreDimAndTextHasItsStyle() {
        let view = view([.init("x", label: "By", style: .strong)], height: 1, width: 12)
        var canvas = Canvas(columns: 12)
        view.draw(on: &canvas)
        #expect(canvas[0, 0].style == .secondary)
        #expect(canvas[0, 4].style == .strong)
        #expect(canvas[0, 4].glyph.text == "x")
    }

    private func highlights(_ view: TextView) -> [String] {
        var canvas = Canvas(size: Size(rows: view.frame.endRow, columns: view.frame.endColumn))
        view.draw(on: &canvas)
        return (0..<canvas.size.rows).map(canvas.highlights(ofRow:))
    }

    @Test func aHighlightOverTheEndOfALineIsDrawnOnBoth() {
        let view = view([.init("one two three", highlights: [5..<10]), .init("four")], height: 3, width: 8)
        #expect(drawn(view) == ["one two", "three", "four"])
        #expect(highlights(view) == ["     ^^", "^^", ""])
    }

    @Test func aHighlightOfALabelledTextCountsFromTheText() {
        let view = view([.init("Jane Austen", label: "By", highlights: [0..<2, 5..<7])], height: 2, width: 12)
        #expect(drawn(view) == ["By  Jane", "    Austen"])
        #expect(highlights(view) == ["    ^^", "    ^^"])
    }

    @Test func aHighlightIsScrolledWithItsText() {
        let view = view([.init("a b c d e f", highlights: [4..<5, 8..<9])], height: 2, width: 2)
        view.scroll(by: 2)
        #expect(drawn(view) == ["c", "d"])
        #expect(highlights(view) == ["^", ""])
    }

    @Test func theTextIsDrawnWithinItsFrameOnly() {
        let view = TextView()
        view.frame = Rect(row: 1, column: 2, height: 2, width: 4)
        view.paragraphs = [.init("abcdefghijklmnop")]
        var canvas = Canvas(size: Size(rows: 4, columns: 8))
        view.draw(on: &canvas)
        #expect(canvas.rows == ["        ", "  abcd  ", "  efgh  ", "        "])
    }

    @Test func scrollingDownShowsWhatFollows() {
        let view = numbered(10, height: 3)
        #expect(drawn(view) == ["0", "1", "2"])
        view.scroll(by: 2)
        #expect(view.topLine == 2)
        #expect(drawn(view) == ["2", "3", "4"])
        view.scroll(by: -1)
        #expect(drawn(view) == ["1", "2", "3"])
    }

    @Test func scrollingStopsAtTheEnds() {
        let view = numbered(10, height: 3)
        view.scroll(by: -1)
        #expect(view.topLine == 0)
        view.scroll(by: 100)
        #expect(view.topLine == 7)
        #expect(drawn(view) == ["7", "8", "9"])
        view.scroll(by: 1)
        #expect(view.topLine == 7)
    }

    @Test func scrollingByTheLargestNumbersStopsAtTheEnds() {
        let view = numbered(10, height: 3)
        view.scroll(by: .max)
        #expect(view.topLine == 7)
        view.scroll(by: .max)
        #expect(view.topLine == 7)
        view.scroll(by: .min)
        #expect(view.topLine == 0)
        view.scroll(by: -.max)
        #expect(view.topLine == 0)
    }

    @Test func textThatFitsDoesNotScroll() {
        let view = numbered(3, height: 3)
        view.scroll(by: 1)
        #expect(view.topLine == 0)
    }

    @Test func otherContentKeepsTheTopLineIfPossible() {
        let view = numbered(10, height: 3)
        view.scroll(by: 5)
        view.paragraphs = (0..<10).map { .init("other \($0)") }
        #expect(view.topLine == 5)
        view.paragraphs = (0..<4).map { .init("short \($0)") }
        #expect(view.topLine == 1)
    }

    @Test func itScrollsOnlyIfNecessary() {
        let view = TextView()
        view.paragraphs = (1...4).map { TextView.Paragraph("line \($0)") }
        view.frame = Rect(row: 0, column: 0, height: 4, width: 20)
        #expect(!view.isScrollable)
        view.frame = Rect(row: 0, column: 0, height: 3, width: 20)
        #expect(view.isScrollable)
    }

    @Test func theTopIsTheFirstLine() {
        let view = numbered(10, height: 3)
        view.scroll(by: 5)
        view.scrollToTop()
        #expect(view.topLine == 0)
        #expect(view.lineCount == 10)
    }

    @Test func equalContentKeepsItsPosition() {
        let view = numbered(10, height: 3)
        view.scroll(by: 5)
        view.paragraphs = (0..<10).map { .init("\($0)") }
        #expect(view.topLine == 5)
    }

    @Test func aLargerFrameLeavesNoRoomBelowTheText() {
        let view = numbered(10, height: 3)
        view.scroll(by: .max)
        view.frame = Rect(row: 0, column: 0, height: 6, width: 10)
        #expect(drawn(view) == ["4", "5", "6", "7", "8", "9"])
    }

    @Test func aWiderFrameInWhichTheTextIsShorterStillShowsIt() {
        let view = view([.init("a b c d e f g h i j")], height: 2, width: 2)
        view.scroll(by: .max)
        #expect(view.topLine == 8)
        view.frame = Rect(row: 0, column: 0, height: 2, width: 40)
        #expect(drawn(view) == ["a b c d e f g h i j", ""])
    }

    @Test func everySizeIsDrawnWithinItsFrame() {
        let view = TextView()
        view.paragraphs = [
            .init("漢字の本 and a title"), .init("e\u{301}crivain \u{1F600}", label: "著者"), .init("", label: "Publisher"),
        ]
        view.paragraphs.append(.heading("漢字 heading"))
        for width in 1...40 {
            for height in 1...20 {
                view.hasScrollMark = height.isMultiple(of: 2)
                view.frame = Rect(row: 1, column: 1, height: height, width: width)
                var canvas = Canvas(size: Size(rows: height + 2, columns: width + 2))
                view.draw(on: &canvas)
                let isFrameKept = (0..<height + 2).allSatisfy { row in
                    let isOutside = row == 0 || row == height + 1
                    let cells = Array(canvas.row(row))
                    return cells[0] == .blank && cells[width + 1] == .blank
                        && (!isOutside || cells.allSatisfy { $0 == .blank })
                }
                #expect(isFrameKept && canvas.isWhole, "\(width) x \(height)")
                #expect(width == 1 || canvas.text(ofRow: 1) != "", "\(width) x \(height)")
            }
        }
    }

    @Test func aFrameWithoutRoomTakesAnythingSilently() {
        let view = numbered(10, height: 3)
        for frame in [
            Rect.empty, Rect(row: 0, column: 0, height: 0, width: 5), Rect(row: 0, column: 0, height: 5, width: 0),
        ] {
            view.frame = frame
            view.scroll(by: 1)
            view.scroll(by: .max)
            var canvas = Canvas(columns: 5)
            view.draw(on: &canvas)
            #expect(canvas == Canvas(columns: 5))
        }
    }

    @Test func drawingALongTextCostsTheLinesOnTheScreen() {
        let piece = "a line of text\n"
        let long = view([.init(String(repeating: piece, count: 700_000))], height: 20, width: 40)
        let hundredth = String(repeating: piece, count: 7_000)
        let clock = ContinuousClock()
        let whole = clock.measure { for _ in LineWrapper(hundredth, width: 40) {} }
        var canvas = Canvas(size: Size(rows: 20, columns: 40))
        let first = clock.measure { long.draw(on: &canvas) }
        #expect(canvas.text(ofRow: 19) == "a line of text")
        // A hundredth of the text takes longer than the twenty visible lines of it.
        #expect(first < whole)
    }
}
