import Foundation
import TerminalTesting
import Testing

/// The popup with the keys that can follow a prefix key.
@Suite("Which-key popup")
struct WhichKeyTests {
    private let user = User(bookCount: 30)

    private func entries(_ keys: String, title: String) throws -> [String] {
        try user.browse(keys, resumes: false).popup(title)
            .flatMap { $0.split(separator: "   ").map { $0.trimmingCharacters(in: .whitespaces) } }
            .filter { !$0.isEmpty }
    }

    @Test func thePopupAppearsAfter300Milliseconds() throws {
        #expect(try user.browse("g (pause)").pauses == [300])
        #expect(try user.browse("M (pause)").pauses == [300])
        #expect(try !user.browse("j (pause)").pauses.contains(300))
        // A count has no timeout.
        #expect(try !user.browse("5 (pause)").pauses.contains(300))
        // No timeout is needed while the popup is shown.
        #expect(try user.browse("g (pause) (pause)").pauses == [300, nil])
    }

    @Test func noPopupIsShownBeforeThePause() throws {
        #expect(try entries("g", title: "g") == [])
    }

    @Test func thePossibleKeysAreShownAfterThePause() throws {
        #expect(
            try entries("g (pause)", title: "g").sorted() == [
                "1  All books", "2  Favourites", "3  To read", "4  Reading", "5  Read", "D  Duplicates", "V  Values",
                "b  Scan books", "c  Fetch the cover", "g  Top", "i  Go forward", "s  Go to a letter or year",
            ])
        #expect(
            try entries("y (pause)", title: "y").sorted() == [
                "a  Copy authors", "i  Copy ISBN", "j  Copy record", "t  Copy title",
            ])
        #expect(
            try entries("a (pause)", title: "a").sorted() == [
                "a  Same author", "j  Same subject", "s  Same series", "y  Same year",
            ])
        #expect(
            try entries("z (pause)", title: "z").sorted() == [
                "b  Row to the bottom", "t  Row to the top", "z  Centre",
            ])
    }

    @Test func aFurtherPrefixKeyIsShownWithItsNumberOfCommands() throws {
        let sorts = try entries("s (pause)", title: "s")
        #expect(sorts.contains("S  Then by title, … (9)"))
        #expect(sorts.contains("t  Sort by title") && sorts.contains("l  List order"))
        #expect(sorts.count == 13)
        #expect(try entries("s S (pause)", title: "sS").contains("y  Then by year"))
        #expect(try entries("s S (pause)", title: "sS").count == 9)
        #expect(try entries("S (pause)", title: "S").count == 9)
    }

    @Test func theNumberOfAListShowsItsName() throws {
        let lists = ["1  All books", "2  Favourites", "3  To read", "4  Reading", "5  Read", "6  beach"]
        #expect(try entries("+ b e a c h Enter g (pause)", title: "g").filter { lists.contains($0) }.sorted() == lists)
        #expect(try entries(": " + typed("go to a list") + " Enter (pause)", title: "1 to 9").sorted() == lists)
    }

    @Test func theCountIsInTheTitle() throws {
        #expect(try entries("5 g (pause)", title: "5g").count == 12)
    }

    @Test func theNextKeyClosesItAndWorks() throws {
        let terminal = try user.browse("1 0 j g (pause) g")
        #expect(terminal.popup("g") == [])
        #expect(terminal.status == "1/30")
        #expect(try user.browse("g (pause) x").status == "1/30  gx is not bound. Press ? for all keys")
        #expect(try user.browse("g (pause) Esc").popup("g") == [])
    }

    @Test func itStaysWhileMoreKeysMustFollow() throws {
        #expect(try entries("s (pause) S", title: "sS").count == 9)
    }

    @Test func theMouseEndsIt() throws {
        let terminal = try user.browse(
            steps: ScriptedTerminal.Step.keys("g (pause)") + [.click(row: 4, column: 5)]
                + ScriptedTerminal.Step.keys("g"))
        #expect(terminal.popup("g") == [])
        #expect(terminal.status.hasPrefix("3/30"))
    }

    @Test func bookmarksAreListed() throws {
        #expect(try entries("' (pause)", title: "'") == ["a-z  no bookmarks yet"])
        let places = try entries("M b 4 j M a L j Enter ' (pause)", title: "'")
        #expect(places == ["a  All books, row 5", "b  All books, row 1"])
        // The bookmarks that would be replaced.
        #expect(try entries("M (pause)", title: "M") == places)
    }

    @Test func theBookmarkOfASearchShowsItsQuery() throws {
        #expect(try entries("/ 1 7 Enter M s Esc ' (pause)", title: "'") == ["s  All books / 17, row 1"])
    }

    @Test func itIsShownOverHelpToo() throws {
        let terminal = try user.browse("? g (pause)")
        #expect(terminal.popup("g").joined().contains("g  Top"))
    }
}
