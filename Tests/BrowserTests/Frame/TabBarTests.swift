import CatalogTesting
import TerminalTesting
import TerminalUI
import Testing

@testable import Books
@testable import Browser

/// The lists with their counts in a row under the title bar.
@Suite("Row of lists") struct TabBarTests {
    private let user = User(bookCount: 30)

    init() { user.settings.tabsWidth = nil }

    private func browse(_ keys: String = "", columns: Int = 120, rows: Int = 30) throws -> ScriptedTerminal {
        try user.browse(keys, columns: columns, rows: rows, resumes: false)
    }

    @Test func theListsHaveTheirCounts() throws {
        #expect(try browse().row(1) == "[1 All 30] 2 ★ 0  3 ○ To read 0  4 ◐ Reading 0  5 ● Read 0")
        #expect(
            try browse("t j m t j m r j m d j m d").row(1)
                == "[1 All 30] 2 ★ 1  3 ○ To read 1  4 ◐ Reading 1  5 ● Read 2")
    }

    @Test func shelvesAndSavedSearchesAreGroupsOfTheirOwn() throws {
        let isCounted: (Canvas) -> Bool = { $0.text(ofRow: 1).hasSuffix(" 17 1") }
        let terminal = try user.browse(
            steps: ScriptedTerminal.Step.keys("b c o m f o r t Enter / 1 7 Enter W Enter g 1")
                + [.wakeUps(until: isCounted)], columns: 120, rows: 30, resumes: false)
        #expect(
            terminal.row(1)
                == "[1 All 30] 2 ★ 0  3 ○ To read 0  4 ◐ Reading 0  5 ● Read 0 │ 6 comfort 1 │ 7 ⌕ 17 1")
        #expect(terminal.row(2).hasPrefix(" Title"))
    }

    @Test func aNumberAfterGGoesToTheList() throws {
        let terminal = try browse("j t g 2")
        #expect(terminal.row(1) == " 1 All 30 [2 ★ 1] 3 ○ To read 0  4 ◐ Reading 0  5 ● Read 0")
        #expect(terminal.hasTitle(" Favourites (1)"))
        #expect(try browse("/ 1 7 Enter g 1").hasTitle(" All books (30)"))
        // The position before is in the navigation history.
        #expect(try browse("4 j g 3 ^o").status == "5/30")
        // A number works from the lists and from the detail, too.
        #expect(try browse("L g 2").title.hasPrefix(" Favourites"))
        #expect(try browse("Enter g 2").title.hasPrefix(" Favourites"))
        #expect(try browse("g 8").status == "1/30  No list has number 8. Press L for all lists")
    }

    @Test func aClickGoesToTheListAndEndsTheSearchBar() throws {
        func click(_ column: Int, after keys: String = "") throws -> ScriptedTerminal {
            try user.browse(
                steps: ScriptedTerminal.Step.keys(keys) + [.click(row: 1, column: column)], columns: 120, rows: 30,
                resumes: false)
        }
        #expect(try click(10).hasTitle(" Favourites (0)"))
        #expect(try click(16).hasTitle(" Favourites (0)"))
        #expect(try click(17).hasTitle(" To read (0)"))
        #expect(try click(90).hasTitle(" All books (30)"))
        let typing = try click(12, after: "/ 1")
        #expect(typing.hasTitle(" Favourites (0)") && !typing.status.hasPrefix("/"))
    }

    @Test(arguments: [(99, 30), (120, 27), (140, 30), (200, 50)])
    func itGivesWayToTheListAndToTheListsPane(columns: Int, rows: Int) throws {
        #expect(try !browse(columns: columns, rows: rows).text.contains("1 All 30"))
    }

    @Test func otherScreensDoNotHaveIt() throws {
        for keys in ["L", "?", "F", "%", "U"] { #expect(try !browse(keys).text.contains("1 All 30"), "\(keys)") }
        // Popups and input lines are above the panes.
        for keys in [":", "/", "|", "x"] { #expect(try browse(keys).text.contains("1 All 30"), "\(keys)") }
    }

    @Test func theConfigDisablesIt() throws {
        user.settings.tabsWidth = .max
        #expect(try browse().row(1).hasPrefix(" Title"))
        user.settings.tabsWidth = 80
        #expect(try browse(columns: 80).row(1).hasPrefix("[1 All 30]"))
    }

    @Test func whatDoesNotFitIsLeftOutButNotTheOpenList() throws {
        let shelves = (1...9).map { "+ " + typed("shelf number \($0)") + " Enter" }.joined(separator: " ")
        let row = try browse(shelves + " g 1").row(1)
        #expect(row.hasPrefix("[1 All 30] 2 ★ 0 ") && row.hasSuffix("│ 6 shelf number 1 0  7 shelf number 2 0 …"))
        let last = try browse("L G Enter").row(1)
        #expect(last.hasPrefix(" 1 All 30  2 ★ 0 ") && last.hasSuffix(" 7 shelf number 2 0 …[shelf number 9 0]"))
        let middle = try browse("g 9").row(1)
        #expect(middle.hasSuffix("…[9 shelf number 4 0]…"), "\(middle)")
    }

    @Test func aLongNameIsCut() throws {
        let row = try browse("+ " + typed("a shelf with a very long name") + " Enter g 1").row(1)
        #expect(row.hasSuffix("│ 6 a shelf with a very… 0"))
    }

    @Test func abandonedBooksHaveATabOnlyWhileTheyAreOpen() throws {
        let terminal = try browse("m x L 5 j Enter")
        #expect(terminal.hasTitle(" Abandoned (1)"))
        #expect(terminal.row(1).hasSuffix(" 5 ● Read 0 [✕ Abandoned 1]"))
    }

    @Test func theRowsMoveDownWithIt() throws {
        let terminal = try browse("j")
        #expect(terminal.row(4).hasPrefix("▌Book 2"))
        #expect(terminal.cursor == Position(row: 4, column: 0))
    }

    @Test func countsAreComputedForChangesOfTheListsOnly() throws {
        let app = user.makeApp()
        func row() -> String {
            app.update()
            return app.draw(size: Size(rows: 30, columns: 120)).canvas.text(ofRow: 1)
        }
        let before = row()
        for key in "jjjk" { _ = app.handle(.key(.character(key))) }
        #expect(row() == before)
        _ = app.handle(.key(.character("t")))
        #expect(row().hasPrefix("[1 All 30] 2 ★ 1 "))
        _ = app.handle(.key(.character("u")))
        #expect(row() == before)
    }
}
