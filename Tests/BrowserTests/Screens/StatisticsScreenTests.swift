import TerminalTesting
import TerminalUI
import Testing

@testable import Books

/// Charts of the listed books on top of the list.
@Suite("Statistics")
struct StatisticsScreenTests {
    private let user = User(
        books: (0..<40).map { number in
            var book = Book.make(
                title: "Book \(number)", authors: ["Author \(number % 4)"], pageCount: 50 * (number + 1),
                fiction: number % 2 == 0)
            book.published = PartialDate(year: 1900 + number)
            return book
        })

    private func screen(_ keys: String, columns: Int = 80, rows: Int = 24) throws -> ScriptedTerminal {
        try user.browse(keys, columns: columns, rows: rows, resumes: false)
    }

    @Test func theyCountTheListedBooks() throws {
        let all = try screen("%")
        #expect(all.title.hasPrefix(" Statistics of All books (40)"))
        #expect(all.row(1) == " 40 books, 4 authors")
        #expect(all.row(3).hasPrefix(" Decades ─────"))
        let found = try screen("/ a u t h o r : = \" A u t h o r Space 1 \" Enter %")
        #expect(found.title.hasPrefix(" Statistics of All books (10) / author:"))
        #expect(found.row(1) == " 10 books, 1 author")
    }

    @Test func theKeyThatOpensThemClosesThem() throws {
        for key in ["%", "Esc", "q", "h"] {
            #expect(try screen("j % " + key).hasTitle(" All books (40)"))
            #expect(try screen("j % " + key).selection == "Book 1")
        }
        #expect(try screen("% L").title.hasPrefix(" Lists"))
    }

    @Test func theyScroll() throws {
        let first = try screen("%")
        #expect(first.status.hasPrefix("1-21/"))
        #expect(try screen("% j").status.hasPrefix("2-22/"))
        #expect(try screen("% 5 j k").status.hasPrefix("5-25/"))
        #expect(try screen("% ^d").status.hasPrefix("11-31/"))
        let last = try screen("% G")
        #expect(last.row(-3).contains("date added.") || last.row(-3).contains("when it was added."))
        #expect(try screen("% G g g").text == first.text)
        #expect(first.hints == " j down   E goal   Esc close")
    }

    @Test func theCursorIsAtTheirBeginning() throws {
        let terminal = try screen("%")
        #expect(terminal.cursor == Position(row: 1, column: 1))
    }

    @Test(arguments: [(20, 5), (40, 10), (50, 15), (99, 24), (100, 24), (200, 60)])
    func theyFitEachWindow(columns: Int, rows: Int) throws {
        #expect(try screen("%", columns: columns, rows: rows).title.hasPrefix(" Statistics"))
    }

    @Test func theyAreAnnouncedInLineMode() throws {
        let told = try user.narrate("%", resumes: false).answer
        #expect(told.first == "Statistics of All books (40)")
        #expect(told.contains("Authors"))
        #expect(told.contains("Author 0: 10, 25 %"))
        #expect(told.contains("Fiction: 20, 50 %"))
        #expect(told.last?.hasPrefix("No data for: subject, language") == true)
        #expect(try user.narrate("% 4 j", resumes: false).answer.count == 1)
    }

    @Test func withoutBooksThereIsAMessage() throws {
        #expect(try screen("/ x y z z y Enter %").row(1) == " This list is empty.")
    }

    @Test func favouritesAndStatusAreUserData() throws {
        #expect(try screen("t j t m d %").row(1) == " 40 books, 4 authors, 2 favourites")
    }
}
