import Testing

@testable import Books
@testable import Browser
@testable import Indexing
@testable import TerminalTesting
@testable import TerminalUI

/// The room of columns depends on what the catalog and the user have values of.
@Suite("Columns with values")
struct KnownColumnsTests {
    /// The headings of the list, which is beside the lists in a window of 140 columns or more.
    private func head(_ user: User, _ keys: String = "", columns: Int = 120) throws -> [String] {
        let terminal = try user.browse(keys, columns: columns, resumes: false)
        return terminal.row(1).split(separator: "│")[columns < 140 ? 0 : 1].split(separator: " ").map(String.init)
    }

    private func users(_ change: (inout Book, Int) -> Void) -> User {
        User(
            books: (1...5).map {
                var book = Book.make(title: "Book \($0)")
                change(&book, $0)
                return book
            })
    }

    @Test func aColumnIsShownIfABookHasAValue() throws {
        #expect(try head(users { _, _ in }) == ["Title", "Author"])
        #expect(try head(users { $0.pageCount = $1 }) == ["Title", "Author", "Pages"])
        #expect(try head(users { $0.published = PartialDate(year: 1990 + $1) }) == ["Title", "Author", "Year"])
        #expect(try head(users { book, _ in book.series = "Dune" }) == ["Title", "Author"])
    }

    @Test func aWideWindowShowsWhatANarrowOneHasNoRoomFor() throws {
        let user = users { book, number in
            (book.series, book.publisher, book.rating) = ("Dune", "Tor", 4)
            book.languages = [number == 1 ? "fr" : "en"]
        }
        #expect(try head(user, columns: 200) == ["Title", "Author", "Series", "Rating"])
        #expect(try head(user, "9 9 >", columns: 200).contains("Publisher"))
        // The reader's choice counts.
        user.settings.columns = ListColumns([.title])
        #expect(try head(user, columns: 200) == ["Title"])
    }

    @Test func oneLanguageInAllRowsIsNotWorthItsRoom() throws {
        #expect(try head(users { book, _ in book.languages = ["en"] }, columns: 200) == ["Title", "Author"])
        #expect(
            try head(users { $0.languages = [$1 == 1 ? "fr" : "en"] }, columns: 200) == ["Title", "Author", "Language"])
    }

    @Test func theSignOfFavouritesTakesNoRoomWithoutAny() throws {
        let user = User(bookCount: 2)
        #expect(try user.browse("").row(3).hasPrefix(" Book 2 "))
        #expect(try user.browse("t").row(3).hasPrefix("   Book 2 "))
        #expect(try user.browse("t").row(3).hasPrefix(" Book 2 "))
        // Not even if the reader has chosen it.
        user.settings.columns = ListColumns([.favourite, .status, .title])
        #expect(try user.browse("").row(3).hasPrefix(" Book 2 "))
    }

    @Test func chosenColumnsWithoutValuesKeepTheirHeadings() throws {
        let user = User(bookCount: 2)
        user.settings.columns = ListColumns([.title, .pages, .year])
        #expect(try head(user) == ["Title", "Pages", "Year"])
    }

    @Test func titlesHaveTheRoomThatColumnsWithoutValuesLeave() throws {
        let title = String(repeating: "abcde ", count: 11) + "end"
        let user = User(books: [.make(title: title, authors: ["J. R. R. Tolkien"])])
        // The list has 101 of 200 columns. Without the bar, the margin and a blank, three quarters of them are the title's.
        let row = try user.browse("", columns: 200, resumes: false).row(2).split(separator: "│")[1]
        #expect(row.contains("▌" + title + " ") && row.contains("J. R. R. Tolkien"))
    }
}
