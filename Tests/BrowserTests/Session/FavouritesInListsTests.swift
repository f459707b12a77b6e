import Foundation
import TerminalTesting
import Testing

@testable import Books
@testable import TerminalUI

/// Favourites, from the key to the disk.
@Suite("Favourites")
struct FavouritesInListsTests {
    private let user = User(bookCount: 5)

    @Test func oneKeyMakesABookAFavouriteAndTheNextOneNot() throws {
        let terminal = try user.browse("j t")
        #expect(terminal.row(3).hasPrefix("▌★ Book 2"))
        #expect(terminal.status == "2/5  ★ Favourite: Book 2")
        #expect(terminal.detail.contains("YOU  ★ Favourite"))
        let again = try user.browse("*")
        #expect(again.row(3).hasPrefix("▌Book 2"))
        #expect(again.status == "2/5  Removed from favourites: Book 2")
        #expect(!again.detail.contains("YOU  ★ Favourite"))
    }

    @Test func aFavouriteSurvivesARestart() throws {
        try user.browse("j t")
        #expect(try user.browse().text.contains("★ Book 2"))
    }

    @Test func favouritesAreListedInTheCatalogsOrder() throws {
        let terminal = try user.browse("G t g g t L j Enter")
        #expect(terminal.row(2).hasPrefix("▌★ Book 1"))
        #expect(terminal.row(3).hasPrefix(" ★ Book 5"))
        #expect(terminal.status == "1/2")
    }

    @Test func aRemovedFavouriteLeavesTheListAndTheNextIsCurrent() throws {
        try user.browse("t j t j t")
        let terminal = try user.browse("L j Enter j t")
        #expect(terminal.hasTitle(" Favourites (2)"))
        #expect(terminal.selection == "★ Book 3")
    }

    @Test func booksWithTheSameKeyAreDistinguished() throws {
        let doubles = User(books: Array(repeating: .make(title: "Twin"), count: 3))
        let terminal = try doubles.browse("j t")
        #expect(terminal.row(2).hasPrefix("   Twin"))
        #expect(terminal.row(3).hasPrefix("▌★ Twin"))
        #expect(terminal.row(4).hasPrefix("   Twin"))
        #expect(try doubles.browse("L j Enter").hasTitle(" Favourites (1)"))
    }

    @Test func removingAFavouriteInTheDetailPaneFocusesTheList() throws {
        let terminal = try user.browse("t L j Enter Enter t")
        #expect(terminal.row(2).contains("No favourites yet"))
        #expect(terminal.status == "0/0  Removed from favourites: Book 1")
    }

    @Test func theDetailPaneDoesNotScrollWhenUserDataChanges() throws {
        let long = User(books: [.make(title: (1...400).map { "word\($0)" }.joined(separator: " "))])
        let before = try long.browse("Tab 9 j").detail[0]
        #expect(!before.hasPrefix("word1 "))
        #expect(try long.browse("Tab 9 j t", resumes: false).detail[0] == before)
    }

    @Test func theFavouriteFollowsABookThatGetsAnISBN() throws {
        try user.browse("j t")
        user.books[1].isbn = ISBN("9780441478125")
        #expect(try user.browse("L j Enter").hasTitle(" Favourites (1)"))
        #expect(try user.browse("Enter").text.contains("★ Book 2"))
    }

    @Test func oneKeyRemovesAFavouriteWithTwoRecords() throws {
        // Favourites of the same book in a catalog without its ISBN and in one with it.
        try user.browse("j t")
        let before = user.books
        user.books = [Book.make(title: "Book 2", isbn: "9780441478125")] + [.make(title: "Book 2")]
        try user.browse("g g t", resumes: false)
        user.books = [Book.make(title: "Book 2", isbn: "9780441478125")]
        let terminal = try user.browse("g g t", resumes: false)
        #expect(terminal.status == "1/1  Removed from favourites: Book 2")
        #expect(!terminal.row(2).contains("★"))
        user.books = before
        #expect(try user.browse("L j Enter").hasTitle(" Favourites (0)"))
    }

    @Test func theFavouriteFollowsAnISBNWithACorrectedTitle() throws {
        user.books[1].isbn = ISBN("9780441478125")
        try user.browse("j t")
        user.books[1].title = "Book Two"
        #expect(try user.browse().text.contains("★ Book Two"))
    }

    @Test func editionsWithOneISBNKeepTheirUserDataWhenReordered() throws {
        let isbn = ISBN("9780441478125")
        user.books = ["First", "Second", "Third"].map { Book(title: $0, isbn: isbn) }
        try user.browse("j t")
        user.books.reverse()
        user.books.swapAt(0, 1)
        let terminal = try user.browse("g g")
        #expect(terminal.row(2).hasPrefix("▌★ Second"))
        #expect(!terminal.text.contains("★ First") && !terminal.text.contains("★ Third"))
        // The book that replaced it in the file can be made a favourite too.
        #expect(try user.browse("j t L j Enter").hasTitle(" Favourites (2)"))
        #expect(try user.browse("g g t").hasTitle(" Favourites (1)"))
    }

    @Test func aFavouriteIsRemovedEvenIfItsBookHasANewIdentity() throws {
        try user.browse("j t")
        user.books[1].isbn = ISBN("9780441478125")
        try user.browse("t")
        #expect(try user.browse("L j Enter").hasTitle(" Favourites (0)"))
    }

    @Test func userDataOfADuplicateIsNeverShownOnTheOthers() throws {
        let doubles = User(books: Array(repeating: .make(title: "Twin"), count: 3))
        for screen in try doubles.browse("j t j t k t").screens {
            #expect(!screen.text(ofRow: 2).contains("★"))
        }
    }

    @Test func theFirstScreenShowsTheFavouriteAmongDuplicates() throws {
        let doubles = User(books: Array(repeating: .make(title: "Twin"), count: 3))
        try doubles.browse("j t")
        let screens = try doubles.browse("g g").screens.map { screen in (2...4).map { screen.text(ofRow: $0).prefix(2) }
        }
        #expect(screens[0] == ["  ", "▌★", "  "])
        #expect(screens.last == ["▌ ", " ★", "  "])
    }

    @Test func aFailedSaveIsReportedAndTheChangeShown() throws {
        try FileManager.default.createDirectory(at: user.home, withIntermediateDirectories: true)
        try Data().write(to: URL(fileURLWithPath: user.dataDirectory))
        let terminal = try user.browse("t")
        #expect(terminal.row(2).hasPrefix("▌★ Book 1"))
        #expect(terminal.status.hasPrefix("1/5  Not saved; the next"))
    }
}
