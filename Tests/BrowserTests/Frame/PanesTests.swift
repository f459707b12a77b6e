import CatalogTesting
import Foundation
import TerminalTesting
import Testing

@testable import Books
@testable import Browser
@testable import TerminalUI

/// The layout of the panes, and how the user changes it.
@Suite("Panes and dividers")
struct PanesTests {
    private let user = User(bookCount: 30)

    /// The columns of the dividers in the row below the title.
    private func dividers(_ terminal: ScriptedTerminal, row: Int = 1) -> [Int] {
        terminal.row(row).enumerated().filter { $0.element == "│" }.map(\.offset)
    }

    private func dividers(_ keys: String, columns: Int = 100, rows: Int = 24, resumes: Bool = false) throws -> [Int] {
        dividers(try user.browse(keys, columns: columns, rows: rows, resumes: resumes))
    }

    @Test(arguments: [
        ("", 60), ("<", 59), (">", 61), ("5 <", 55), ("5 > <", 64), ("< >", 60), ("9 9 9 <", 12), ("9 9 9 >", 87),
        ("9 9 9 < <", 12), ("9 9 9 > >", 87), ("9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 >", 87), ("Tab 5 <", 55),
    ])
    func keysMoveTheDividerBetweenListAndDetail(keys: String, column: Int) throws {
        #expect(try dividers(keys) == [column])
    }

    @Test func everyColumnCanBeReachedStepByStep() throws {
        for columns in [80, 97, 139, 233, 400] {
            let keys = Array(repeating: "<", count: 20).joined(separator: " ")
            let list = try user.browse(keys, columns: columns, resumes: false)
            user.catalog += "x"
            let screens = list.screens.map { $0.text(ofRow: 1).distanceToLastDivider }
            #expect(Set(screens).sorted(by: >) == (0...20).map { screens[0] - $0 }, "\(columns)")
        }
    }

    @Test func inANarrowWindowTheyMoveTheHorizontalDivider() throws {
        func row(_ keys: String) throws -> Int? {
            let terminal = try user.browse(keys, columns: 70, resumes: false)
            user.catalog += "x"
            return (0..<24).first { terminal.row($0).hasPrefix("───") }
        }
        #expect(try row("") == 14)
        #expect(try row("<") == 13)
        #expect(try row("2 >") == 16)
        #expect(try row("9 9 <") == 3)
        #expect(try row("9 9 >") == 19)
    }

    @Test func inAWindowWithOnePaneTheMissingDividerIsReported() throws {
        #expect(try user.browse("<", columns: 50).status == "1/30  The window has room for one pane only")
        #expect(try user.browse("L <").status == "1/7  The window has room for one pane only")
    }

    @Test func dividerPositionsSurviveARestart() throws {
        try user.browse("1 0 <")
        #expect(try dividers("") == [50])
        // A window of another size has the same proportions.
        #expect(try dividers("", columns: 120) == [60])
        user.catalog = "/books/other.json"
        #expect(try dividers("") == [60])
    }

    @Test func unmovedDividersFollowTheSettings() throws {
        #expect(try dividers("") == [60])
        user.settings.listShare = 40
        #expect(try dividers("") == [40])
        try user.browse("5 >")
        user.settings.listShare = 70
        #expect(try dividers("") == [45])
    }

    @Test func invalidStoredWidthsAreIgnored() throws {
        for share in ["0", "-5", "100001", "1e99", "\"600\"", "null"] {
            try user.writePreferences(
                """
                {"version": 1, "catalogs": {"/books/test.json": {"lastViewedListIndex": 0, "row": 0,
                 "scrollOffset": 0, "listShare": \(share), "listsWidth": \(share), "stackedShare": \(share)}}}
                """)
            #expect(try dividers("", resumes: true) == [60])
            #expect(try dividers("", columns: 140) == [31, 97])
        }
    }

    // MARK: - Three panes

    @Test func from140ColumnsTheListsHaveAPane() throws {
        #expect(try dividers("", columns: 139) == [83])
        let terminal = try user.browse(columns: 140)
        #expect(dividers(terminal) == [31, 97])
        #expect(terminal.row(2).hasPrefix("▌  All books"))
        #expect(terminal.hasTitle(" All books (30)"))
        #expect(terminal.row(2).contains("│▌Book 1"))
    }

    @Test func theFirstScreenHasTheCountsOfTheLists() throws {
        try user.browse("t")
        let screens = try user.browse(columns: 140).screens.map { $0.text(ofRow: 3).prefix(31) }
        #expect(screens[0].trimmingCharacters(in: .whitespaces) == "★ Favourites                1")
    }

    @Test func theSettingsDefineTheMinimumWidthForTheListsPane() throws {
        user.settings.listsPaneWidth = 100
        #expect(try dividers("").count == 2)
        user.settings.listsPaneWidth = 0
        #expect(try dividers("", columns: 200).count == 1)
        // The minimum width of three panes applies.
        user.settings.listsPaneWidth = 1
        #expect(try dividers("", columns: 79).count == 0)
        #expect(try dividers("", columns: 80).count == 2)
    }

    private func wide(_ keys: String) throws -> ScriptedTerminal {
        try user.browse(keys, columns: 140, resumes: false)
    }

    @Test func tabGoesFromTheListToTheDetailToTheLists() throws {
        #expect(try wide("").cursor == Position(row: 2, column: 32))
        #expect(try wide("Tab").cursor == Position(row: 1, column: 98))
        // The links of the card come first: the author, and eight other books by her.
        #expect(try wide("Tab Tab").cursor == Position(row: 2, column: 98))
        #expect(try wide("Tab 9 Tab").cursor == Position(row: 12, column: 98))
        #expect(try wide("Tab 9 Tab Tab").cursor == Position(row: 2, column: 0))
        #expect(try wide("Tab 9 Tab Tab Tab").cursor == Position(row: 2, column: 32))
    }

    @Test func shiftTabGoesTheSameWayBack() throws {
        #expect(try wide("BackTab").cursor == Position(row: 2, column: 0))
        #expect(try wide("BackTab BackTab").cursor == Position(row: 12, column: 98))
        #expect(try wide("BackTab BackTab 8 BackTab").cursor == Position(row: 2, column: 98))
        #expect(try wide("BackTab BackTab 8 BackTab BackTab").cursor == Position(row: 2, column: 32))
        #expect(try wide("Tab BackTab").cursor == Position(row: 2, column: 32))
    }

    @Test func enterFollowsTheSelectedNameOrTitle() throws {
        let name = try wide("j Tab Tab Enter")
        #expect(name.hasTitle(" All books (30)  ⟂ author:=\"An Author\"") && name.cursor.column == 32)
        // From card to card, the keyboard stays in the detail.
        let title = try wide("Tab 3 Tab Enter")
        #expect(title.row(1).contains("│▌Book 3") && title.status.hasPrefix("3/30"))
        #expect(try wide("Tab 3 Tab Enter ^o").status.hasPrefix("1/30"))
        #expect(try wide("Tab Enter").status.contains("No link is selected. Tab selects one"))
    }

    @Test func theSelectedLinkIsLeftByEscapeByScrollingAndByAnotherBook() throws {
        #expect(try wide("Tab Tab Esc").cursor == Position(row: 1, column: 98))
        #expect(try wide("Tab Tab Esc Esc").cursor.column == 32)
        #expect(try wide("Tab Tab Space").cursor == Position(row: 1, column: 98))
        let long = User(books: [.make(title: (1...400).map { "word\($0)" }.joined(separator: " "))])
        let scrolled = try long.browse("Tab Tab g g", resumes: false)
        #expect(scrolled.cursor.row == 1 && scrolled.detail[0].hasPrefix("word1 "))
        #expect(try long.browse("Tab Tab", resumes: false).detail.contains("An Author"))
    }

    @Test func withoutABookTabSkipsTheDetailPane() throws {
        #expect(try wide("L j Enter Tab").cursor == Position(row: 3, column: 0))
        #expect(try wide("L j Enter Tab Tab").cursor.column == 32)
    }

    @Test func movingInTheListsPaneShowsTheListBesideIt() throws {
        let terminal = try wide("j t L j")
        #expect(terminal.title.hasPrefix(" Lists"))
        #expect(terminal.row(2).contains("│▌★ Book 2"))
        #expect(!terminal.row(3).contains("Book"))
        #expect(terminal.detail.contains { $0.contains("Book 2") })
        #expect(try wide("L k").row(2).contains("│▌  Book 1"))
        #expect(try wide("j t L j Enter").title.hasPrefix(" Favourites"))
    }

    @Test func enterFocusesTheListAsShown() throws {
        let terminal = try wide("/ 2 Enter j L Enter")
        #expect(terminal.hasTitle(" All books (12)  ⟂ 2"))
        #expect(terminal.cursor.column == 32)
    }

    @Test func theDetailScrollsFromTheListsToo() throws {
        let long = User(books: [.make(title: (1...900).map { "word\($0)" }.joined(separator: " "))])
        #expect(try long.browse("L", columns: 140).text.contains("│ word1 "))
        #expect(try !long.browse("L J", columns: 140).text.contains("│ word1 "))
    }

    @Test func theListsPaneIsResizedWhenFocused() throws {
        #expect(try dividers("L 5 <", columns: 140) == [26, 95])
        #expect(try dividers("Tab Tab", columns: 140) == [26, 95])
        #expect(try dividers("L 9 9 9 <", columns: 140)[0] == 12)
        #expect(try dividers("L 9 9 9 >", columns: 140)[0] == 114)
        // The saved width can be read again.
        #expect(try dividers("L 9 9 9 > 9 9 9 >", columns: 1500)[0] == 1474)
        #expect(try dividers("", columns: 140)[0] == 114)
    }

    @Test func inALowWindowThereIsOnePane() throws {
        #expect(try dividers("", columns: 140, rows: 11) == [])
        #expect(try user.browse("L", columns: 140, rows: 11).row(2).hasPrefix("▌  All books"))
    }

    // MARK: - Where the reader was

    @Test func theDetailPaneKeepsTheScrollPositionOfEachBook() throws {
        let words = (1...400).map { "word\($0)" }.joined(separator: " ")
        let long = User(books: [.make(title: "A " + words), .make(title: "B " + words), .make(title: "C")])
        let first = try long.browse("3 J", resumes: false).detail
        let second = try long.browse("j 5 J", resumes: false).detail
        #expect(first[0] != second[0] && first[0].hasPrefix("word"))
        #expect(try long.browse("3 J j 5 J k", resumes: false).detail == first)
        #expect(try long.browse("3 J j 5 J k j", resumes: false).detail == second)
        #expect(try long.browse("3 J / q q q Esc", resumes: false).detail == first)
        #expect(try long.browse("3 J j", resumes: false).detail[0].hasPrefix("B word1 "))
    }

    @Test func reloadingKeepsTheScrollPositionOfTheDetailPane() throws {
        let words = (1...400).map { "word\($0)" }.joined(separator: " ")
        let books = [Book.make(title: "A"), .make(title: "B " + words), .make(title: "C " + words)]
        let long = User(books: books)
        let before = try long.browse("j 3 J", resumes: false).detail
        let again = changingSource([.success(books), .success(Array(books.dropFirst()))])
        #expect(try long.browse("j 3 J R", source: again, resumes: false).detail == before)
        // The scroll position belongs to the book, not to its number.
        let other = changingSource([.success(books), .success(Array(books.dropFirst()))])
        #expect(try long.browse("j 3 J R j", source: other, resumes: false).detail[0].hasPrefix("C word1 "))
    }

    @Test func thePaneWithTheKeyboardIsResumed() throws {
        try user.browse("j Tab")
        #expect(try user.browse().row(1).contains("│▌Book 2"))
        try user.browse("Esc")
        #expect(try user.browse().row(3).hasPrefix("▌Book 2"))
    }
}

extension String {
    /// The column of the last divider.
    fileprivate var distanceToLastDivider: Int { lastIndex(of: "│").map { distance(from: startIndex, to: $0) } ?? -1 }
}
