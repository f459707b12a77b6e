import TerminalTesting
import Testing

@testable import Books
@testable import Browser

@Suite("Status area") struct StatusAreaTests {
    private let user = User(bookCount: 30)

    @Test func aLongMessageWrapsAndTheHintsStay() throws {
        let terminal = try user.browse(columns: 30, notices: ["one two three four five six seven eight"])
        #expect(terminal.row(-3) == " 1/30  one two three four")
        #expect(terminal.row(-2) == "       five six seven eight")
        #expect(terminal.hints == " Enter open    ? help  q quit")
    }

    @Test func aMessageHasAtMostThreeLinesAndIsClipped() throws {
        let notice = (1...30).map(String.init).joined(separator: " ")
        let terminal = try user.browse(columns: 20, rows: 12, notices: [notice])
        #expect(terminal.row(-4) == " 1/30  1 2 3 4 5 6")
        #expect(terminal.row(-3) == "       7 8 9 10 11")
        #expect(terminal.row(-2) == "       12 13 14 15…")
        #expect(terminal.hints.hasPrefix(" Enter open"))
    }

    @Test func thePanesShrinkAndTheCurrentRowStaysVisible() throws {
        let before = try user.browse("G", columns: 40, rows: 15, resumes: false)
        #expect(before.row(-3).hasPrefix("▌Book 30"))
        let terminal = try user.browse("G <", columns: 40, rows: 15, resumes: false)
        #expect(terminal.status == "30/30  The window has room for one pane only")
        #expect(terminal.row(-4).hasPrefix("▌Book 30"))
        #expect(terminal.hints.hasPrefix(" Enter open"))
        // The next key removes the message and restores the rows.
        #expect(try user.browse("G < Esc", columns: 40, rows: 15, resumes: false).row(-3).hasPrefix("▌Book 30"))
    }

    @Test func theSectionIsShownUntilThereIsAMessage() throws {
        #expect(try user.browse("j", resumes: false).row(-2) == " 2/30 · 6\u{A0}%")
        #expect(try user.browse("G", columns: 80, resumes: false).row(-2) == " 30/30 · 100\u{A0}%")
        #expect(try user.browse("j", columns: 79, resumes: false).row(-2) == " 2/30")
        let sections = try user.browse("S t j", resumes: false)
        #expect(sections.row(-2).hasPrefix(" 2/30 · 6\u{A0}%   ") && sections.row(-2).hasSuffix("   section B  ] ["))
        let both = try user.browse("S t s t j", resumes: false)
        #expect(both.row(-2).hasSuffix("   section B  ] ["))
        #expect(try user.browse("S t s t", resumes: false).row(-2).hasSuffix("Sorted by title"))
        #expect(try !user.browse("S t s t j", columns: 20, resumes: false).row(-2).contains("section"))
    }

    @Test(arguments: [(5, 1), (6, 2), (7, 3), (24, 3)])
    func inALowWindowTwoRowsStayForTheList(rows: Int, lines: Int) throws {
        let notice = (1...40).map(String.init).joined(separator: " ")
        let terminal = try user.browse(columns: 20, rows: rows, notices: [notice])
        #expect(Layout.maximumStatusHeight(rows: rows) == lines)
        #expect(terminal.row(-1 - lines).hasPrefix(" 1/30  1 2 3"))
        #expect(terminal.row(2).hasPrefix("▌Book 1"))
    }

    @Test func aMistakeInAQueryWrapsBelowTheLineThatIsTyped() throws {
        let terminal = try user.browse("/ f i c t i o n : p e r h a p s", columns: 30, rows: 15)
        #expect(terminal.row(-3).hasPrefix(" /fiction:perhaps"))
        #expect(terminal.row(-2).hasPrefix(" ^ fiction: "))
        #expect(terminal.row(-1).hasSuffix("“perhaps”"))
    }

    @Test(arguments: [
        ("year:2000..1990", "year:2000..1990 is an empty range. Did you mean year:1990..2000?"),
        ("book pages:300..200", "pages:300..200 is an empty range. Did you mean pages:200..300?"),
        ("rating:>9", "rating:>9 matches nothing. Ratings go from 0 to 5"),
        ("rating:<0", "rating:<0 matches nothing. Ratings go from 0 to 5"),
    ])
    func anImpossibleQueryIsReported(query: String, message: String) throws {
        let terminal = try user.browse("/ " + typed(query), columns: 120)
        #expect(terminal.hasTitle(" All books (0)"))
        #expect(terminal.row(2).contains(message))
    }

    @Test func tabPutsTheBoundsOfARangeInOrder() throws {
        user.books[3].published = PartialDate(year: 1995)
        let terminal = try user.browse("/ " + typed("book year:2000..1990") + " Tab")
        #expect(terminal.hasTitle(" All books (1)  ⟂ book year:1990..2000"))
        #expect(try user.browse("/ " + typed("year:2000..1990"), resumes: false).hints.contains("Tab accept"))
    }

    @Test func anUnfinishedRangeIsNotAnError() throws {
        user.books[3].published = PartialDate(year: 1995)
        #expect(try user.browse("/ " + typed("year:1990..2")).hasTitle(" All books (1)"))
    }
}
