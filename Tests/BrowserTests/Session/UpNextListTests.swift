import CatalogTesting
import Glibc
import TerminalTesting
import TerminalUI
import Testing

@testable import Books
@testable import Browser
@testable import Library

@Suite("The list of the books up next") struct UpNextListTests {
    private func series(_ count: Int, of numbers: Int) -> [Book] {
        (0..<count).map { number in
            var book = Book.make(title: "S\(number / numbers) #\(number % numbers + 1)", authors: ["A"])
            (book.series, book.seriesPosition) = ("S\(number / numbers)", Double(number % numbers + 1))
            return book
        }
    }

    @Test func itHasTheNextBookOfEachBegunSeriesAndThenTheBooksToRead() throws {
        let user = User(books: series(9, of: 3))
        // The third book of the last series is to be read, and the first one of the first series was read.
        let terminal = try user.browse("G m t g g m d L 7 G Enter")
        #expect(terminal.hasTitle(" Up next (2)"))
        #expect(terminal.selection == "S0 #2")
        #expect(try user.browse("j").selection == "○ S2 #3")
    }

    @Test func aBookThatIsMarkedAsReadMakesPlaceForTheNextOne() throws {
        let user = User(books: series(6, of: 3))
        let terminal = try user.browse("m d L 7 G Enter m d")
        #expect(terminal.hasTitle(" Up next (1)"))
        #expect(terminal.selection == "S0 #3")
        #expect(try user.browse("m d").hasTitle(" Up next (0)"))
        #expect(try user.browse("u").hasTitle(" Up next (1)"))
    }

    @Test func theListsScreenHasItsCount() throws {
        let user = User(books: series(6, of: 3))
        let lists = try user.browse("m d 4 g g m d L", columns: 80)
        let row = try #require((1...10).map { lists.row($0) }.first { $0.contains("Up next") })
        #expect(row.prefix { $0 != "│" }.split(separator: " ").last == "2")
    }

    @Test func itIsEmptyUntilABookIsMarked() throws {
        let terminal = try User(bookCount: 3).browse("L 7 G Enter")
        #expect(terminal.text.contains("Nothing up next. Press mt on a book to read it later"))
    }

    @Test func itIsABuiltInListThatCanBeSearched() throws {
        let user = User(books: series(9, of: 3))
        try user.browse("m d 4 g g m d L 7 G Enter")
        #expect(try user.browse("/ s 1 Enter").hasTitle(" Up next (1)"))
        #expect(try user.browse("L D", resumes: true).status.contains("Built-in"))
    }

    @Test func inALargeCatalogItIsFoundInTheBackground() throws {
        let user = User(books: series(6000, of: 3))
        try user.browse("m d")
        let app = user.makeApp()
        app.main.openList(.upNext, app)
        for _ in 0..<1000 where app.session.books.table.rowCount == 0 {
            usleep(10_000)
            _ = app.handle(.wakeUp)
        }
        #expect(app.session.books.currentBook == 1)
        #expect(app.session.library.count(of: .upNext)?.books == 1)
    }
}
