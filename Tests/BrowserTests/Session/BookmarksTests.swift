import Foundation
import TerminalTesting
import Testing

@testable import TerminalUI

/// Bookmarks with letters.
@Suite("Bookmarks")
struct BookmarksTests {
    private let user = User(bookCount: 30)

    @Test func aBookmarkLeadsBackToItsPosition() throws {
        let set = try user.browse("4 j M a", resumes: false)
        #expect(set.status == "5/30  Bookmark a set. Return with 'a")
        #expect(try user.browse("G ' a", resumes: false).status == "5/30")
    }

    @Test func listSearchAndOrderAreRestored() throws {
        let terminal = try user.browse("/ 2 Enter s t s t j j M q Esc s l g g ' q", resumes: false)
        // 2, 12, 20 to 29: twelve books, by title in descending order: 29, 28, 27.
        #expect(terminal.hasTitle(" All books (12) ▸ title ↓  ⟂ 2"))
        #expect(terminal.status.hasPrefix("3/12"))
        #expect(terminal.selection == "Book 27")
        let list = try user.browse("t j t L j Enter M f L k Enter ' f", resumes: false)
        #expect(list.hasTitle(" Favourites (2)"))
    }

    @Test func theBookDecidesAndNotTheRow() throws {
        try user.browse("9 j M b")
        user.books.removeFirst(3)
        #expect(try user.browse("' b").selection == "Book 10")
        user.books.removeFirst(10)
        #expect(try user.browse("g g ' b").status == "10/17  The book you left is no longer in this list")
    }

    @Test func theFocusOfTheDetailPaneIsRestored() throws {
        #expect(try user.browse("j Tab M d Esc g g ' d", resumes: false).row(1).contains("│▌Book 2"))
    }

    @Test func theListsScreenCanBeBookmarked() throws {
        let terminal = try user.browse("L j M l k Enter ' l", resumes: false)
        #expect(terminal.title.hasPrefix(" Lists"))
        #expect(terminal.selection == "★ Favourites")
        #expect(try user.browse("5 G M a L ' a", resumes: false).status == "5/30")
    }

    @Test func anUnsetBookmarkSaysHowToSetIt() throws {
        #expect(try user.browse("j ' x").status == "2/30  Bookmark x is not set. Set it with Mx")
    }

    @Test(arguments: ["M A", "M 1", "M Enter", "M é", "' Tab"])
    func onlyTheLettersAToZAreTaken(keys: String) throws {
        let name = keys.split(separator: " ").map { Key(name: String($0))?.label ?? "" }.joined()
        #expect(try user.browse(keys, resumes: false).status == "1/30  \(name) is not bound. Press ? for all keys")
    }

    @Test func escapeSetsNoBookmark() throws {
        #expect(try user.browse("M Esc G").status == "30/30")
    }

    @Test func aLetterHasOneBookmarkTheLatest() throws {
        #expect(try user.browse("M a 9 j M a G ' a").status == "10/30")
    }

    @Test func bookmarksSurviveAKill() throws {
        let killed = try user.browse("4 j M a")
        #expect(killed.status == "5/30  Bookmark a set. Return with 'a")
        let text = try String(contentsOfFile: user.stateDirectory + "/preferences.json", encoding: .utf8)
        #expect(text.contains("\"marks\""))
        #expect(try user.browse("G ' a", resumes: false).status == "5/30")
        // Bookmarks belong to the catalog.
        user.catalog = "/books/other.json"
        #expect(try user.browse("' a").status == "1/30  Bookmark a is not set. Set it with Ma")
    }

    @Test func unknownMembersOfTheFileAreIgnored() throws {
        try user.writePreferences(
            """
            {"version": 1, "catalogs": {"/books/test.json": {"lastViewedListIndex": 0, "row": 1, "scrollOffset": 0,
             "marks": {"a": {"lastViewedListIndex": 0, "row": 7, "scrollOffset": 0}, "A": {"lastViewedListIndex": 0,
             "row": 7, "scrollOffset": 0}, "\\u001b": {"lastViewedListIndex": 0, "row": 7, "scrollOffset": 0},
             "b": 7, "c": {"row": 1}, "é": {"lastViewedListIndex": 0, "row": 7, "scrollOffset": 0},
             "d": {"lastViewedListIndex": 99, "row": 9223372036854775807, "scrollOffset": -9223372036854775808}}}}}
            """)
        #expect(
            try user.browse("' (pause)").popup("'").map { $0.split(separator: " ").joined(separator: " ") } == [
                "a All books, row 8 d Up next, row 9,223,372,036,854,775,807"
            ])
        #expect(try user.browse("' a").status == "8/30")
        #expect(try user.browse("' d").hasTitle(" Up next (0)"))
    }

    @Test func goingBackAfterAJumpReturnsToThePreviousPosition() throws {
        #expect(try user.browse("M a 9 j ' a ^o", resumes: false).status == "10/30")
        #expect(try user.browse("M a 9 j ' a ^o Tab", resumes: false).status == "1/30")
        let list = try user.browse("t M a L j Enter ' a ^o", resumes: false)
        #expect(list.hasTitle(" Favourites (1)"))
    }
}
