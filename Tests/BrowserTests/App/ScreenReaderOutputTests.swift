import TerminalTesting
import Testing

@testable import Books
@testable import Browser

/// The lines for screen readers.
@Suite("Line mode")
struct ScreenReaderOutputTests {
    private let user = User(books: [
        .make(title: "The Stand", authors: ["Stephen King"], isbn: "978-0307947307", pageCount: 1200, fiction: true),
        .make(title: "Dispatches", authors: ["Michael Herr"]),
        .make(title: "Ulysses", authors: ["James Joyce"]),
    ])

    private func answer(_ keys: String) throws -> [String] { try user.narrate(keys, resumes: false).answer }

    @Test func theStartAnnouncesTheListAndTheFirstBook() throws {
        #expect(try user.narrate().answers[0] == ["All books (3)", "The Stand, Stephen King, 1 of 3"])
    }

    @Test func aMovementAnnouncesOnlyTheRow() throws {
        #expect(try answer("j") == ["Dispatches, Michael Herr, 2 of 3"])
        #expect(try answer("G") == ["Ulysses, James Joyce, 3 of 3"])
    }

    @Test func unchangedStateIsNotAnnouncedAgain() throws {
        #expect(try answer("k") == [])
        #expect(try answer("G j") == [])
        #expect(try answer("5") == [])
        #expect(try answer("Tab j (pause)") == [])
    }

    @Test func aSearchAnnouncesTheQueryAndTheFirstResult() throws {
        let terminal = try user.narrate("/ u l Enter", resumes: false)
        #expect(terminal.answers[1] == ["/"])
        #expect(terminal.answers[2] == ["/u", "Ulysses, James Joyce, 1 of 1"])
        #expect(terminal.answers[3] == ["/ul"])
        #expect(terminal.answers[4] == ["All books (1) / ul"])
        #expect(try answer("/ u l Esc") == ["The Stand, Stephen King, 1 of 3"])
        #expect(try answer("/ Esc") == [])
    }

    @Test func aSyntaxErrorIsAnnounced() throws {
        #expect(try answer("/ p a g e s : x")[0].hasPrefix("/pages:x: "))
    }

    @Test func anEmptyResultIsAnnounced() throws {
        #expect(try answer("/ q q q").last == "No match for “qqq”")
    }

    @Test func theWholeDetailIsAnnounced() throws {
        #expect(
            try answer("Enter") == [
                "Detail", "The Stand", "Stephen King", "1,200 pp   Fiction", "", "Facts", "ISBN: 978-0307947307",
            ])
        #expect(try answer("Enter h") == ["All books (3)", "The Stand, Stephen King, 1 of 3"])
    }

    @Test func theSelectedLinkOfTheDetailIsAnnounced() throws {
        #expect(try answer("Enter Tab") == ["Stephen King, link 1 of 1"])
        #expect(
            try answer("Enter Tab Enter") == [
                "All books (1) / author:=\"Stephen King\"", "The Stand, Stephen King, 1 of 1",
            ])
    }

    @Test func onlyChangedLinesOfTheDetailAreAnnounced() throws {
        #expect(try answer("Enter t") == ["YOU: ★ Favourite", "★ Favourite: The Stand"])
    }

    @Test func theWholeDetailOfAnotherBookIsAnnounced() throws {
        #expect(try answer("Enter Space").prefix(2) == ["Dispatches", "Michael Herr"])
    }

    @Test func scrollingTheDetailAnnouncesTheTopLine() throws {
        let long = User(books: [.make(title: (1...400).map { "word\($0)" }.joined(separator: " "))])
        // Eighty columns, twenty-eight of which are for the text of the detail pane: "word1 word2 word3 word4" in the
        // first line.
        #expect(try long.narrate("J", resumes: false).answer == ["word5 word6 word7 word8"])
        #expect(try long.narrate("Tab j", resumes: false).answer == ["word5 word6 word7 word8"])
    }

    @Test func theListsAreAnnounced() throws {
        #expect(try answer("L") == ["Lists", "All books, 3, 1 of 7"])
        #expect(try answer("L j") == ["Favourites, 0, 2 of 7"])
        #expect(
            try answer("L j Enter") == [
                "Favourites (0)", "No favourites yet. Press t on a book to add it",
            ])
    }

    @Test func favouritesAndSelectionAreAnnounced() throws {
        #expect(try answer("t") == ["favourite, The Stand, Stephen King, 1 of 3", "★ Favourite: The Stand"])
        #expect(try answer("Space k") == ["selected, favourite, The Stand, Stephen King, 1 of 3"])
        let star = User(books: [.make(title: "★", authors: ["A"])])
        #expect(try star.narrate().answers[0].last == "★, A, 1 of 1")
    }

    @Test func helpAndItsSearchResultsAreAnnounced() throws {
        let all = try answer("?")
        #expect(all.prefix(3) == ["Help", "Moving", "j ↓: Go down one row; 5j goes down five."])
        #expect(all.count > Command.allCases.count)
        #expect(try answer("? / j s o n") == ["/json"])
        #expect(
            try answer("? / j s o n Enter") == [
                "Help / json", "Books", "yj: Copy the record to the clipboard as JSON.",
                "x: Export the selected or listed books to a file: JSON, CSV, SQLite, MARCXML, BibTeX or others.",
            ])
    }

    @Test func thePaletteIsAnnounced() throws {
        let terminal = try user.narrate(": q u i Down", resumes: false)
        #expect(terminal.answers[1].contains("Commands"))
        #expect(
            terminal.answers[1].last?.hasPrefix(
                "Search, Search titles, authors, series, subjects and ISBNs; filter other screens., /, 1 of ") == true)
        #expect(terminal.answers[4].first == ":qui")
        #expect(terminal.answers[2...4].joined().contains { $0.hasPrefix("Quit, ") && $0.contains("q Q, 1 of ") })
        #expect(terminal.answers[5].count == 1)
    }

    @Test func theColumnsAreAnnounced() throws {
        #expect(try answer("|") == ["Columns", "shown, Favourite, auto, 1 of 14"])
        #expect(try answer("| Space") == ["hidden, Favourite, auto, 1 of 14"])
        #expect(try answer("| j j j j") == ["hidden, Series, auto, 5 of 14"])
    }

    @Test func thePossibleKeysAreAnnouncedAfterAPause() throws {
        #expect(
            try answer("g (pause)") == [
                "g: Top", "1: All books", "2: Favourites", "3: To read", "4: Reading", "5: Read", "c: Fetch the cover",
                "b: Scan books",
                "D: Duplicates", "V: Values", "i: Go forward", "s: Go to a letter or year",
            ])
        #expect(try answer("g (pause) (pause)") == [])
    }

    @Test func messagesAreAnnounced() throws {
        #expect(try answer("Z") == ["Z is not bound. Press ? for all keys"])
        #expect(try answer("y t") == ["Copied: title of The Stand"])
    }

    @Test func redrawAnnouncesThePositionAgain() throws {
        #expect(try answer("j ^l") == ["All books (3)", "Dispatches, Michael Herr, 2 of 3"])
    }

    @Test func linesAreSanitized() throws {
        let evil = "Evil\u{1B}]0;x\u{07}\u{9B}31m\u{202E}\r\nSecond\u{2028}Third\0"
        var book = Book.make(title: evil, authors: [evil], isbn: evil)
        book.description = evil
        book.series = evil
        book.subjects = [evil]
        book.otherFields = [.init(path: evil, text: evil)]
        let hostile = User(books: [book, book])
        hostile.settings.columns = ListColumns(ListColumn.ofEveryBook)
        let terminal = try hostile.narrate(
            "j Enter J J J h t Space M a ' (pause) a / e v i l Enter M b ' (pause) b a a F j Enter y t y j o ? Esc |")
        for line in terminal.answers.joined() {
            let isHarmless = line.unicodeScalars.allSatisfy {
                switch $0.properties.generalCategory {
                case .control, .format, .lineSeparator, .paragraphSeparator: false
                default: true
                }
            }
            #expect(isHarmless, "\(line.debugDescription)")
        }
        #expect(terminal.answers.joined().contains { $0.contains("Evil") })
    }

    @Test func longRowsAreShortened() throws {
        let huge = String(repeating: "x", count: 1_000_000)
        let long = User(books: [.make(title: huge, authors: [huge])])
        let terminal = try long.narrate("t", resumes: false)
        #expect(terminal.answers.joined().allSatisfy { $0.count < 2100 })
        // The detail pane has the complete text.
        #expect(try long.narrate("Enter", resumes: false).answer.contains(huge))
    }
}
