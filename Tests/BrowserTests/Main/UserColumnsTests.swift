import Testing

@testable import Books
@testable import Browser
@testable import TerminalTesting
@testable import TerminalUI

/// The signs and columns of the user's own values in the rows of the list.
@Suite("The user's own values in the list")
struct UserColumnsTests {
    private let user = User(bookCount: 5)

    private func heading(_ terminal: ScriptedTerminal) -> [Substring] {
        terminal.row(1).prefix { $0 != "│" }.split(separator: " ")
    }

    @Test func titlesInTheSectionsOfSeriesHaveTheirPlace() throws {
        var book = Book.make(title: "Three")
        (book.series, book.seriesPosition) = ("Dune", 2.5)
        let user = User(books: [book, Book.make(title: "Alone")])
        let terminal = try user.browse("/ t h r e e Enter S s", resumes: false)
        #expect(terminal.selection.hasSuffix("#2.5 Three"))
        #expect(try user.browse("S s G", resumes: false).selection == "Alone")
    }

    @Test func sectionsSayWhatTheUserHasReadOfThem() throws {
        let books = [("One", "Dune"), ("Two", "Dune"), ("Three", "Dune"), ("Other", "Emma")].map { title, series in
            var book = Book.make(title: title)
            book.series = series
            return book
        }
        let user = User(books: books)
        let terminal = try user.browse("S s m d j m d G m r", resumes: false)
        #expect(terminal.row(2).firstMatch(of: #/^ Dune +● 2  3 │/#) != nil, "\(terminal.row(2))")
        #expect(terminal.row(6).firstMatch(of: #/^ Emma +◐ 1  1 │/#) != nil, "\(terminal.row(6))")
        // The title of a section of a status says it.
        let statuses = try user.browse("S r", resumes: false)
        #expect(statuses.text.firstMatch(of: #/ Read +2 │/#) != nil, "\(statuses.text)")
    }

    @Test("Each status has a sign before the title", arguments: [("t", "○"), ("r", "◐"), ("d", "●"), ("x", "✕")])
    func eachStatusHasASign(key: String, sign: String) throws {
        let terminal = try user.browse("j m " + key)
        #expect(terminal.row(3).hasPrefix("▌\(sign) Book 2 "))
        #expect(terminal.row(2).hasPrefix("   Book 1 "))
        // With the sign of a favourite, too.
        #expect(try user.browse("t").row(3).hasPrefix("▌★ \(sign) Book 2 "))
    }

    @Test("Without any status, its sign takes no room, and after the last one was cleared neither")
    func withoutAnyStatusThereIsNoColumn() throws {
        #expect(try user.browse("j").row(3).hasPrefix("▌Book 2 "))
        #expect(try user.browse("m r m n").row(3).hasPrefix("▌Book 2 "))
    }

    @Test("The status of the catalog counts as long as the user gives none")
    func theStatusOfTheCatalogCountsUntilTheUserGivesOne() throws {
        user.books[2].status = .read
        #expect(try user.browse("", resumes: false).row(4).hasPrefix(" ● Book 3 "))
        #expect(try user.browse("j j m r", resumes: false).row(4).hasPrefix("▌◐ Book 3 "))
        #expect(try user.browse("j j m n", resumes: false).row(4).hasPrefix("▌● Book 3 "))
    }

    @Test("The user's rating has a column in a wide list, once there is one")
    func ratingsHaveAColumnOnceThereIsOne() throws {
        #expect(try heading(user.browse("", columns: 120)) == ["Title", "Author"])
        let terminal = try user.browse("r 4", columns: 120)
        #expect(heading(terminal) == ["Title", "Author", "Mine"])
        #expect(terminal.row(2).prefix { $0 != "│" }.contains("★★★★☆"))
        #expect(try !heading(user.browse("", columns: 80)).contains("Mine"))
        #expect(try heading(user.browse("u", columns: 120)) == ["Title", "Author"])
    }

    @Test("Chosen columns show the status and the rating only where they were chosen")
    func chosenColumnsAreThoseThatAreShown() throws {
        user.settings.columns = ListColumns([.title, .status, .mine])
        let terminal = try user.browse("r 3 m d")
        let row = terminal.row(2).prefix { $0 != "│" }.split(separator: " ")
        #expect(row == ["▌Book", "1", "●", "★★★☆☆"])
        user.settings.columns = ListColumns([.title])
        #expect(try user.browse("").row(2).prefix { $0 != "│" }.split(separator: " ") == ["▌Book", "1"])
    }

    @Test("Rows show titles in original script where that is set and the catalog has them")
    func titlesInOriginalScript() throws {
        user.books[0].otherTitle = "Хоббит"
        #expect(try user.browse("").row(2).prefix(12).contains("Book 1"))
        user.settings.showsOriginalScript = true
        let terminal = try user.browse("")
        #expect(terminal.row(2).prefix(12).contains("Хоббит") && terminal.row(3).contains("Book 2"))
        #expect(terminal.row(1).contains("Book 1"))
    }

    @Test("A screen reader says the status and the rating in words")
    func aScreenReaderSaysThemInWords() throws {
        user.settings.columns = ListColumns([.status, .title, .mine])
        let answers = try user.narrate("m r r 2 j k").answers
        #expect(answers.last?.first == "reading, Book 1, rated 2 of 5, 1 of 5")
    }

    @Test("A narrow list gives up the sign after the author, and keeps the title")
    func aNarrowListKeepsTheTitle() throws {
        let terminal = try user.browse("m r", columns: 30, rows: 11)
        #expect(terminal.row(2).contains("Book 1"))
        #expect(heading(terminal) == ["Title"])
    }

    @Test("A book that is not in the catalog shows its status and rating")
    func aMissingBookShowsThem() throws {
        try user.browse("m d r 5")
        user.books.removeFirst()
        user.settings.columns = ListColumns([.status, .title, .mine])
        let terminal = try user.browse("L j j j j Enter", resumes: false)
        #expect(terminal.row(3).prefix { $0 != "│" }.split(separator: " ") == ["▌●", "Book", "1", "★★★★★"])
    }
}
