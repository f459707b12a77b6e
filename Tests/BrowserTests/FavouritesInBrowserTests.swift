import Foundation
import TerminalTesting
import Testing

@testable import Books
@testable import TerminalUI

/// The reader's favourites, from the key to the disk.
struct FavouritesInBrowserTests {
    private let reader = Reader(bookCount: 5)

    @Test func oneKeyMakesABookAFavouriteAndTheNextOneNot() throws {
        let terminal = try reader.browse("j t")
        #expect(terminal.row(3).hasPrefix("▌★ Book 2"))
        #expect(terminal.status == "2/5  ★ Favourite: Book 2")
        #expect(terminal.detail.contains("Shelves  Favourites"))
        let again = try reader.browse("*")
        #expect(again.row(3).hasPrefix("▌  Book 2"))
        #expect(again.status == "2/5  No longer a favourite: Book 2")
        #expect(!again.detail.contains("Shelves  Favourites"))
    }

    @Test func aFavouriteIsThereAtTheNextStart() throws {
        try reader.browse("j t")
        #expect(try reader.browse().text.contains("★ Book 2"))
    }

    @Test func favouritesAreListedInTheCatalogsOrder() throws {
        let terminal = try reader.browse("G t g g t L j Enter")
        #expect(terminal.row(2).hasPrefix("▌★ Book 1"))
        #expect(terminal.row(3).hasPrefix(" ★ Book 5"))
        #expect(terminal.status == "1/2")
    }

    @Test func aBookThatIsNoFavouriteAnyMoreLeavesTheListAndTheNextIsSelected() throws {
        try reader.browse("t j t j t")
        let terminal = try reader.browse("L j Enter j t")
        #expect(terminal.title.hasPrefix(" Favourites (2)"))
        #expect(terminal.selection == "★ Book 3")
    }

    @Test func booksOfOneIdentityAreToldApart() throws {
        let doubles = Reader(books: Array(repeating: .make(title: "Twin"), count: 3))
        let terminal = try doubles.browse("j t")
        #expect(terminal.row(2).hasPrefix("   Twin"))
        #expect(terminal.row(3).hasPrefix("▌★ Twin"))
        #expect(terminal.row(4).hasPrefix("   Twin"))
        #expect(try doubles.browse("L j Enter").title.hasPrefix(" Favourites (1)"))
    }

    @Test func aMarkIsTakenAwayInTheDetailOfFavouritesAndTheListHasTheKeyboard() throws {
        let terminal = try reader.browse("t L j Enter Enter t")
        #expect(terminal.row(2).contains("No favourites yet"))
        #expect(terminal.status == "0/0  No longer a favourite: Book 1")
    }

    @Test func theDetailStaysWhereItIsWhenAMarkIsSet() throws {
        let long = Reader(books: [.make(title: (1...400).map { "word\($0)" }.joined(separator: " "))])
        let before = try long.browse("Tab 9 j").detail[0]
        #expect(!before.hasPrefix("word1 "))
        #expect(try long.browse("Tab 9 j t", resumes: false).detail[0] == before)
    }

    @Test func theMarkFollowsABookThatGotAnISBN() throws {
        try reader.browse("j t")
        reader.books[1].isbn = ISBN("9780441478125")
        #expect(try reader.browse("L j Enter").title.hasPrefix(" Favourites (1)"))
        #expect(try reader.browse("Enter").text.contains("★ Book 2"))
    }

    @Test func aBookThatTwoMarksMatchIsNoFavouriteAfterOneKey() throws {
        // Marked in one catalog that has no ISBN and in another that has.
        try reader.browse("j t")
        let before = reader.books
        reader.books = [Book.make(title: "Book 2", isbn: "9780441478125")] + [.make(title: "Book 2")]
        try reader.browse("g g t", resumes: false)
        reader.books = [Book.make(title: "Book 2", isbn: "9780441478125")]
        let terminal = try reader.browse("g g t", resumes: false)
        #expect(terminal.status == "1/1  No longer a favourite: Book 2")
        #expect(!terminal.row(2).contains("★"))
        reader.books = before
        #expect(try reader.browse("L j Enter").title.hasPrefix(" Favourites (0)"))
    }

    @Test func theMarkFollowsAnISBNWhoseTitleWasMended() throws {
        reader.books[1].isbn = ISBN("9780441478125")
        try reader.browse("j t")
        reader.books[1].title = "Book Two"
        #expect(try reader.browse().text.contains("★ Book Two"))
    }

    @Test func editionsOfOneISBNKeepTheirMarksWhenTheyAreSortedAnew() throws {
        let isbn = ISBN("9780441478125")
        reader.books = ["First", "Second", "Third"].map { Book(title: $0, isbn: isbn) }
        try reader.browse("j t")
        reader.books.reverse()
        reader.books.swapAt(0, 1)
        let terminal = try reader.browse("g g")
        #expect(terminal.row(2).hasPrefix("▌★ Second"))
        #expect(!terminal.text.contains("★ First") && !terminal.text.contains("★ Third"))
        // And the one that took its place in the file can be marked besides.
        #expect(try reader.browse("j t L j Enter").title.hasPrefix(" Favourites (2)"))
        #expect(try reader.browse("g g t").title.hasPrefix(" Favourites (1)"))
    }

    @Test func aMarkIsTakenAwayThoughItsBookHasAnotherIdentityNow() throws {
        try reader.browse("j t")
        reader.books[1].isbn = ISBN("9780441478125")
        try reader.browse("t")
        #expect(try reader.browse("L j Enter").title.hasPrefix(" Favourites (0)"))
    }

    @Test func aMarkOnADoubleIsNeverShownOnTheOthers() throws {
        let doubles = Reader(books: Array(repeating: .make(title: "Twin"), count: 3))
        for screen in try doubles.browse("j t j t k t").screens {
            #expect(!screen.text(ofRow: 2).contains("★"))
        }
    }

    @Test func theFirstScreenShowsWhichOfSeveralDoublesIsAFavourite() throws {
        let doubles = Reader(books: Array(repeating: .make(title: "Twin"), count: 3))
        try doubles.browse("j t")
        let screens = try doubles.browse("g g").screens.map { screen in (2...4).map { screen.text(ofRow: $0).prefix(2) }
        }
        #expect(screens[0] == ["  ", "▌★", "  "])
        #expect(screens.last == ["▌ ", " ★", "  "])
    }

    @Test func whatCannotBeSavedIsSaidAndShown() throws {
        try FileManager.default.createDirectory(at: reader.home, withIntermediateDirectories: true)
        try Data().write(to: URL(fileURLWithPath: reader.dataDirectory))
        let terminal = try reader.browse("t")
        #expect(terminal.row(2).hasPrefix("▌★ Book 1"))
        #expect(terminal.status.hasPrefix("1/5  Not saved yet"))
    }
}
