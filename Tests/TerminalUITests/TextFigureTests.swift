import Testing

@testable import Graphemes
@testable import TerminalUI

/// The place that a text leaves to a figure.
@Suite("Text view: figure") struct TextFigureTests {
    init() { useUTF8Locale() }

    private func view(
        _ paragraphs: [TextView.Paragraph], place: TextView.Place?, height: Int = 7, width: Int = 20
    ) -> TextView {
        let view = TextView()
        view.frame = Rect(row: 0, column: 0, height: height, width: width)
        view.paragraphs = paragraphs
        view.figurePlace = place
        return view
    }

    /// A place of two rows and six columns at the right, so that three lines have twelve columns.
    private let beside = TextView.Place(size: Size(rows: 2, columns: 6), isBeside: true)
    /// The same place above the text, with a blank line between.
    private let above = TextView.Place(size: Size(rows: 2, columns: 6), isBeside: false)

    private func drawn(_ view: TextView) -> [String] {
        var canvas = Canvas(size: Size(rows: view.frame.endRow, columns: view.frame.endColumn))
        view.draw(on: &canvas)
        return (0..<canvas.size.rows).map(canvas.text(ofRow:))
    }

    private static let words = "aaaa bbbb cccc dddd eeee ffff gggg hhhh iiii jjjj kkkk llll"

    @Test("A long paragraph is narrow beside the figure and one line below, and then as wide as the frame")
    func longParagraph() {
        #expect(
            drawn(view([.init(Self.words)], place: beside)) == [
                "aaaa bbbb", "cccc dddd", "eeee ffff", "gggg hhhh iiii jjjj", "kkkk llll", "", "",
            ])
    }

    @Test("Paragraphs beside the figure are narrow, and those below are not")
    func paragraphs() {
        let paragraphs: [TextView.Paragraph] = [
            .init("one two three"), .init(""), .init("one two three four"), .init("one two three four"),
        ]
        #expect(
            drawn(view(paragraphs, place: beside)) == [
                "one two", "three", "", "one two three four", "one two three four", "", "",
            ])
        #expect(view(paragraphs, place: beside).lineCount == 5)
    }

    @Test("A word that is wider than the room beside the figure is broken there")
    func longWord() {
        #expect(
            drawn(view([.init("abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz")], place: beside)).prefix(4) == [
                "abcdefghijkl", "mnopqrstuvwx", "yzabcdefghij", "klmnopqrstuvwxyz",
            ])
    }

    @Test("Labels keep their column beside the figure")
    func labels() {
        let paragraphs: [TextView.Paragraph] = [
            .init("Jane Austen", label: "By"), .init("1815", label: "Year"), .init("a long text is wide", label: "X"),
        ]
        #expect(
            drawn(view(paragraphs, place: beside)) == [
                "By    Jane", "      Austen", "Year  1815", "X     a long text is", "      wide", "", "",
            ])
    }

    @Test("The rule of a heading ends before the figure, and below it at the edge of the frame")
    func headings() {
        let paragraphs: [TextView.Paragraph] = [.heading("ab"), .init("x"), .init("x"), .heading("ab"), .init("x")]
        #expect(
            drawn(view(paragraphs, place: beside)) == [
                "AB ─────────", "x", "x", "AB ─────────────────", "x", "", "",
            ])
    }

    @Test("A trailing text stands before the figure, and below it at the edge of the frame")
    func trailingTexts() {
        func paragraph(_ text: String, isHeading: Bool = false) -> TextView.Paragraph {
            var paragraph = isHeading ? TextView.Paragraph.heading(text) : .init(text)
            paragraph.trailing = "end"
            return paragraph
        }
        #expect(
            drawn(
                view(
                    [paragraph("one"), paragraph("one", isHeading: true), .init("x"), paragraph("one")], place: beside)
            ) == ["one      end", "ONE ──── end", "x", "one              end", "", "", ""])
        // It has no room in its line.
        #expect(
            drawn(view([paragraph("one two five")], place: beside)).prefix(3) == ["one two five", "         end", ""])
    }

    @Test("Above the text, the figure has its lines and a blank one")
    func aboveText() {
        let view = view([.init("one two three four five"), .init("x")], place: above)
        #expect(drawn(view) == ["", "", "", "one two three four", "five", "x", ""])
        #expect(view.lineCount == 6)
        #expect(view.line(ofParagraph: 1) == 5)
    }

    @Test("A link is found where it is drawn, below the figure and beside it")
    func links() throws {
        var paragraph = TextView.Paragraph("see the link here")
        paragraph.links = [8..<17]
        let low = view([paragraph], place: above)
        #expect(low.link(at: Position(row: 3, column: 8))?.text == "link here")
        #expect(low.link(at: Position(row: 0, column: 8)) == nil && low.link(at: Position(row: 3, column: 7)) == nil)
        // "see the link" has twelve columns.
        let narrow = view([paragraph], place: beside)
        #expect(drawn(narrow).prefix(2) == ["see the link", "here"])
        let link = try #require(narrow.link(at: Position(row: 0, column: 11)))
        #expect(narrow.link(at: Position(row: 1, column: 0)) == link && link.line == 0)
        #expect(narrow.link(at: Position(row: 0, column: 12)) == nil)
    }

    @Test("The rectangle of the figure is at the right edge of the text or at the left above it, and scrolls with it")
    func rectangle() {
        let view = view([.init(Self.words)], place: beside)
        view.frame = Rect(row: 1, column: 2, height: 3, width: 20)
        #expect(view.figureRect == Rect(row: 1, column: 16, height: 2, width: 6))
        view.scroll(by: 1)
        #expect(view.figureRect == Rect(row: 0, column: 16, height: 2, width: 6))
        view.scroll(by: .max)
        #expect(view.topLine == 2 && view.figureRect?.row == -1)
        view.scrollToTop()
        // Beside the scroll mark and its margin.
        view.hasScrollMark = true
        #expect(view.figureRect == Rect(row: 1, column: 14, height: 2, width: 6))
        view.figurePlace = above
        #expect(view.figureRect == Rect(row: 1, column: 2, height: 2, width: 6))
        view.figurePlace = nil
        #expect(view.figureRect == nil)
    }

    @Test("The text scrolls past the figure")
    func scrolling() {
        let view = view([.init(Self.words)], place: beside, height: 2)
        view.scroll(by: 1)
        #expect(drawn(view) == ["cccc dddd", "eeee ffff"])
        view.scroll(by: 2)
        #expect(drawn(view) == ["gggg hhhh iiii jjjj", "kkkk llll"])
        let low = self.view([.init("x"), .init("y")], place: above, height: 2)
        #expect(drawn(low) == ["", ""] && low.isScrollable && low.textOfTopLine == "")
        low.scroll(by: .max)
        #expect(drawn(low) == ["x", "y"] && low.topLine == 3)
    }

    @Test("A text without a figure is as if there had never been one")
    func noFigure() {
        let paragraphs: [TextView.Paragraph] = [
            .heading("ab"), .init(Self.words), .init("Jane Austen", label: "By"),
        ]
        let plain = [
            "AB ─────────────────", "aaaa bbbb cccc dddd", "eeee ffff gggg hhhh", "iiii jjjj kkkk llll",
            "By  Jane Austen", "", "",
        ]
        let view = view(paragraphs, place: nil)
        #expect(drawn(view) == plain)
        view.figurePlace = beside
        #expect(drawn(view) != plain)
        view.figurePlace = above
        #expect(drawn(view) != plain)
        view.figurePlace = nil
        #expect(drawn(view) == plain)
    }

    @Test("A text that becomes shorter without its figure is not scrolled beyond its end")
    func endOfText() {
        let view = view([.init("x"), .init("y"), .init("z")], place: above, height: 3)
        view.scroll(by: .max)
        #expect(view.topLine == 3)
        view.figurePlace = nil
        #expect(drawn(view) == ["x", "y", "z"])
        #expect(view.topLine == 0)
    }

    @Test("Whatever the sizes, nothing is drawn outside of the frame or over a figure beside the text")
    func sizes() {
        var trailing = TextView.Paragraph("trailing")
        trailing.trailing = "end"
        let paragraphs: [TextView.Paragraph] = [
            .heading("heading"), .init("漢字の本 and a title"), .init("an author", label: "By"), trailing,
        ]
        for width in 12...40 {
            for columns in 1...width - 6 {
                let place = TextView.Place(size: Size(rows: 4, columns: columns), isBeside: true)
                let view = view(paragraphs, place: place, height: 8, width: width)
                var canvas = Canvas(size: Size(rows: 8, columns: width + 1))
                view.draw(on: &canvas)
                let isKept = (0..<8).allSatisfy { row in
                    let cells = Array(canvas.row(row))
                    // A column of margin is always blank.
                    let end = row <= 4 ? width - columns - 1 : width
                    return cells[end...].allSatisfy { $0.glyph == .space }
                }
                #expect(isKept && canvas.isWhole, "\(width), \(columns)")
            }
        }
    }
}
