import Foundation
import TerminalTesting
import TestSupport
import Testing

@testable import Browser
@testable import TerminalUI

@Suite("Guide")
struct GuideScreenTests {
    private let user = User(bookCount: 3)
    private let open = ": g u i d e Enter"

    init() throws { user.guide = try user.writeGuide() }

    private func browse(_ keys: String, columns: Int = 100, rows: Int = 24) throws -> ScriptedTerminal {
        try user.browse(keys, columns: columns, rows: rows, resumes: false)
    }

    private func lines(_ keys: String, columns: Int = 100, rows: Int = 24) throws -> [String] {
        try browse(keys, columns: columns, rows: rows).text.split(separator: "\n").map(String.init)
    }

    // MARK: - Index

    @Test func theIndexListsThePages() throws {
        let terminal = try browse(open)
        #expect(terminal.hasTitle(" Guide"))
        #expect(terminal.row(1) == " The guide")
        #expect(terminal.row(3) == " page           what it has")
        #expect(terminal.row(4) == "▌Searching [1]  words and fields")
        #expect(terminal.row(5) == " Keys [2]       all keys")
        #expect(terminal.status == "1/3")
    }

    @Test func movingGoesFromPageToPage() throws {
        #expect(try lines(open + " j").contains("▌Keys [2]       all keys"))
        #expect(try lines(open + " G k Down").contains("▌Nowhere [3]    no such page"))
        #expect(try lines(open + " 5 j g g").contains("▌Searching [1]  words and fields"))
        #expect(try browse(open + " Tab Tab BackTab").status == "2/3")
    }

    @Test func enterOpensAPageAndEscGoesBack() throws {
        let page = try browse(open + " j k Enter")
        #expect(page.hasTitle(" Guide ▸ Searching"))
        #expect(page.row(3) == " Type / and words. See the keys [1], https://example.org/a [2] or this [3].")
        let back = try browse(open + " j l h")
        #expect(back.hasTitle(" Guide"))
        #expect(back.status == "2/3")
        #expect(try browse(open + " Enter Esc Esc").hasTitle(" All books (3)"))
        #expect(try browse(open + " Enter q").hasTitle(" All books (3)"))
    }

    @Test func theCommandLeadsToTheIndexAndClosesIt() throws {
        #expect(try browse(open + " Enter " + open).hasTitle(" Guide"))
        #expect(try browse(open + " Enter " + open + " Esc").hasTitle(" Guide ▸ Searching"))
        #expect(try browse(open + " Enter " + open + " " + open).hasTitle(" All books (3)"))
        #expect(try browse(open).row(-1).contains("Esc back"))
    }

    @Test func aMissingPageIsReported() throws {
        let terminal = try browse(open + " G Enter")
        #expect(terminal.hasTitle(" Guide"))
        #expect(terminal.status.contains("The guide has no page nowhere.md"))
    }

    @Test func aMissingGuideIsReported() throws {
        user.guide = nil
        let terminal = try browse(open)
        #expect(terminal.hasTitle(" All books (3)"))
        #expect(terminal.status.contains("The guide is not installed. Read the manual with: man stacks"))
        user.guide = user.home.path
        #expect(try browse(open).status.contains("The guide is not installed."))
    }

    // MARK: - Pages

    @Test func aPageShowsListsAndCode() throws {
        let page = try browse(open + " Enter")
        #expect(page.row(5) == " •  one word finds a word")
        #expect(page.row(6) == " •  two words find both, in any order")
        #expect(page.row(8).hasPrefix(" FIELDS ──"))
        #expect(page.row(9) == "     stacks search 'author:austen'")
    }

    @Test func tabSelectsALinkAndEnterOpensIt() throws {
        #expect(try lines(open + " Enter").contains { $0.hasPrefix("▌") } == false)
        let selected = try browse(open + " Enter Tab")
        #expect(selected.row(3).hasPrefix("▌Type / and words."))
        let keys = try browse(open + " Enter Tab Enter")
        #expect(keys.hasTitle(" Guide ▸ Keys"))
        #expect(keys.row(4) == " |     Columns")
        #expect(try browse(open + " Enter Tab Enter Esc").row(3).hasPrefix("▌Type / and words."))
    }

    @Test func aNumberOpensALink() throws {
        #expect(try browse(open + " Enter 1 Enter").hasTitle(" Guide ▸ Keys"))
        #expect(try browse(open + " Enter 7 Enter").status.contains("No link 7. This page has 3 links"))
        #expect(try browse(open + " Enter Enter").status.contains("No link is selected. Tab selects one"))
    }

    @Test func aLinkLeadsToAHeadingOrToTheWeb() throws {
        let page = try browse(open + " j Enter")
        #expect(page.hasTitle(" Guide ▸ Keys"))
        #expect(try lines(open + " j Enter").contains { $0.hasPrefix(" MORE KEYS ──") })
        _ = try browse(open + " Enter 2 Enter")
        #expect(user.openedLinks == ["https://example.org/a"])
        #expect(try browse(open + " Enter 3 Enter", rows: 7).status == "6-9/9")
    }

    @Test func aLongPageScrolls() throws {
        #expect(try browse(open + " Enter 1 Enter").status == "1-21/87")
        #expect(try browse(open + " Enter 1 Enter 3 j").status == "4-24/87")
        // Where it was left.
        _ = try user.writeGuide(["index.md": "[keys](keys.md)", "keys.md": "[s](searching.md)\n\n" + "a\n\n".times(40)])
        #expect(try browse(open + " Enter 2 j 1 Enter h").status == "3-23/81")
    }

    @Test func tabStartsFromWhatIsVisible() throws {
        let page = (1...60).map { "[to \($0)](searching.md)\n\n" }.joined()
        _ = try user.writeGuide(["index.md": "[keys](keys.md)", "keys.md": page])
        #expect(try lines(open + " Enter Tab").contains("▌to 1 [1]"))
        #expect(try lines(open + " Enter 2 0 j Tab").contains("▌to 11 [11]"))
        #expect(try lines(open + " Enter Tab G Tab").contains("▌to 50 [50]"))
        #expect(try lines(open + " Enter Tab G BackTab").contains("▌to 60 [60]"))
        #expect(try lines(open + " Enter 2 0 j 2 0 Tab 5 Tab").contains("▌to 16 [16]"))
    }

    @Test func aFilterShowsMatchingPartsBelowTheirHeading() throws {
        let found = try lines(open + " Enter / a u s t e n")
        #expect(found[1...2].map { $0.prefix(10) } == [" FIELDS ──", "     stack"])
        // A heading that matches shows its section.
        #expect(try lines(open + " Enter / f i e l d s Enter")[2] == "     stacks search 'author:austen'")
        #expect(try browse(open + " Enter / a u s t e n").hasTitle(" Guide ▸ Searching / austen"))
        #expect(try lines(open + " Enter / x y z z y")[1] == " No match")
        #expect(try browse(open + " Enter / a u s t e n Enter Esc").row(1) == " Searching")
        #expect(try browse(open + " / k e y s Enter Enter").hasTitle(" Guide ▸ Keys"))
    }

    @Test func aClickSelectsALinkAndAnotherOneOpensIt() throws {
        let app = user.makeApp(resumes: false)
        let size = Size(rows: 24, columns: 100)
        func click(_ row: Int, _ column: Int) {
            _ = app.handle(.mouse(Mouse(.press, at: Position(row: row, column: column), time: 0)))
        }
        for case .events(let events) in ScriptedTerminal.Step.keys(open + " Enter") {
            events.forEach { _ = app.handle($0) }
            _ = app.draw(size: size)
        }
        // "Type / and words. See the keys [1], https://example.org/a [2] or this [3]."
        click(3, 20)
        #expect(app.draw(size: size).cursor.column == 1)
        click(3, 67)
        #expect(app.draw(size: size).cursor == Position(row: 3, column: 0))
        click(3, 28)
        #expect(app.front.heading(app).title == "Guide ▸ Searching")
        click(3, 28)
        #expect(app.front.heading(app).title == "Guide ▸ Keys")
    }

    // MARK: - Width

    @Test func aResizeKeepsTheFirstParagraph() throws {
        let page = (1...30).map { "\($0) " + "word ".times(30) + "\n\n| a \($0) | b |\n|---|---|\n| c | d |\n\n" }
            .joined()
        _ = try user.writeGuide(["index.md": "[keys](keys.md)", "keys.md": page])
        let app = user.makeApp(resumes: false)
        for case .events(let events) in ScriptedTerminal.Step.keys(open + " Enter 9 0 j") {
            events.forEach { _ = app.handle($0) }
            _ = app.draw(size: Size(rows: 24, columns: 100))
        }
        func firstLine(columns: Int) -> String {
            app.draw(size: Size(rows: 24, columns: columns)).canvas.text(ofRow: 1)
        }
        let first = firstLine(columns: 100)
        let number = try #require(first.firstMatch(of: /\d+/)).0
        for columns in [50, 80, 120, 30, 100] {
            #expect(firstLine(columns: columns).contains(number), "\(columns)")
        }
    }

    @Test func aTableThatDoesNotFitHasARowForEachItem() throws {
        let page =
            "| name | kind | meaning |\n|---|---|---|\n| `a` | text | " + "word ".times(8) + "|\n| `bc` | | x |\n"
        _ = try user.writeGuide(["index.md": page])
        #expect(
            try lines(open, columns: 40)[1...4].map { $0 } == [
                " name  kind — meaning", " a     text — word word word word word", "       word word word",
                " bc    x",
            ])
        #expect(try lines(open, columns: 100)[2] == " a     text  word word word word word word word word")
    }

    @Test func aFirstCellWiderThanTheWindowIsShownInFull() throws {
        let page = "| name | meaning |\n|---|---|\n| " + "long ".times(10) + "| x |\n"
        _ = try user.writeGuide(["index.md": page])
        let rows = try lines(open, columns: 40)
        #expect(rows[1] == " name  meaning")
        #expect(rows[2...3].joined().matches(of: /long/).count == 10)
        #expect(rows[3].hasSuffix("long — x"))
    }

    @Test func anIndexInANarrowWindowHasSigns() throws {
        let rows = try lines(open, columns: 28)
        #expect(rows.contains("▌•  Searching [1] — words"))
        #expect(!rows.contains { $0.contains("what it has") })
    }

    @Test func controlCharactersDoNotReachTheTerminal() throws {
        _ = try user.writeGuide(["index.md": "# A\u{1B}[31m\u{202E}\n\na\u{7}b `\u{1B}]0;x\u{7}`\n"])
        for size in [(100, 24), (20, 5)] {
            let text = try browse(open, columns: size.0, rows: size.1).text
            #expect(!text.unicodeScalars.contains { $0.value < 32 && $0 != "\n" || $0.value == 0x202E })
        }
    }

    @Test func onlyPagesOfTheGuideAreRead() {
        let folder = GuideFolder(path: user.home.path + "/guide")
        #expect(folder.page(named: "index.md") != nil)
        for name in ["../guide/index.md", "/etc/passwd", ".md", "index", "a/../index.md", ""] {
            #expect(folder.page(named: name) == nil)
        }
    }

    @Test func aPageThatIsTooLargeIsNotRead() throws {
        _ = try user.writeGuide(["big.md": "a".times(1 << 20 + 1)])
        #expect(GuideFolder(path: user.home.path + "/guide").page(named: "big.md") == nil)
    }

    // MARK: - Line mode

    @Test func itIsReadOutInLineMode() throws {
        let index = try user.narrate(open, resumes: false).answer
        #expect(
            index.suffix(6) == [
                "Guide", "The guide", "page what it has", "Searching [1] words and fields", "Keys [2] all keys",
                "Nowhere [3] no such page",
            ])
        #expect(try user.narrate(open + " j", resumes: false).answer == ["Keys, link 2"])
        let page = try user.narrate(open + " Enter", resumes: false).answer
        #expect(page.prefix(2) == ["Guide ▸ Searching", "Searching"])
        #expect(page.contains("one word finds a word"))
        #expect(try user.narrate(open + " Enter Tab", resumes: false).answer == ["the keys, link 1"])
        // A link to a heading reads out its section.
        let section = try user.narrate(open + " Enter 3 Enter", resumes: false).answer
        #expect(section.contains("Fields"))
        #expect(!section.contains("one word finds a word"))
    }
}

extension String {
    fileprivate func times(_ count: Int) -> String { String(repeating: self, count: count) }
}
