import TerminalTesting
import Testing

@testable import Books
@testable import Browser
@testable import Graphemes
@testable import Library
@testable import TerminalUI

/// Cards: two or three lines for each book in place of the columns.
@Suite("Cards")
struct CardsTests {
    private func book(_ number: Int) -> Book {
        var book = Book.make(title: "Book \(number)", authors: ["Ann Author", "Bob Writer"], pageCount: 1200)
        book.published = PartialDate(year: 1980 + number)
        if number != 2 { (book.series, book.seriesPosition) = ("Discworld", Double(number)) }
        book.rating = 3.9
        return book
    }

    private var user: User { User(books: (1...30).map(book)) }

    /// The rows of the list, without the panes beside it.
    private func list(_ terminal: ScriptedTerminal) -> [String] {
        (1..<min(21, terminal.size.rows)).map { row in
            let text = terminal.row(row).split(separator: "│", omittingEmptySubsequences: false).first ?? ""
            return String(text)
        }
    }

    @Test func aCardHasTitleThenAuthorsAndYearThenSeriesAndNumbers() throws {
        let user = user
        let rows = list(try user.browse("c", columns: 50, resumes: false)).prefix(6)
        #expect(rows[0] == "▌Book 1")
        #expect(rows[1] == "▌Ann Author, Bob Writer                      1981")
        #expect(rows[2] == "▌Discworld, 1                     1,200 pp  3.9/5")
        #expect(rows[3] == " Book 2")
        #expect(rows[5] == "                                  1,200 pp  3.9/5")
    }

    @Test func theFirstLineHasStatusFavouriteAndOwnRating() throws {
        let user = user
        let rows = list(try user.browse("c t m r r 4", columns: 50, resumes: false)).prefix(3)
        #expect(rows[0] == "▌★ ◐ Book 1                                 ★★★★☆")
        #expect(rows[1].hasPrefix("▌    Ann Author, Bob Writer"))
        #expect(rows[2].hasPrefix("▌    Discworld, 1"))
    }

    @Test func aCatalogWithoutSeriesAndNumbersHasCardsOfTwoLines() throws {
        let plain = User(books: (1...30).map { .make(title: "Book \($0)", authors: ["Author \($0)"]) })
        let rows = list(try plain.browse("c j", columns: 50, resumes: false))
        #expect(Array(rows.prefix(4)) == [" Book 1", " Author 1", "▌Book 2", "▌Author 2"])
    }

    @Test func numbersStandAtTheRightEvenWithoutASeries() throws {
        let paged = User(books: (1...3).map { .make(title: "Book \($0)", authors: ["A"], pageCount: 90 + $0) })
        let rows = list(try paged.browse("c", columns: 50, resumes: false))
        #expect(rows[2] == "▌" + String(repeating: " ", count: 43) + "91 pp")
    }

    @Test func cAgainShowsTheColumnsAndBothAreRemembered() throws {
        let user = user
        let before = try user.browse("").row(1)
        #expect(before.contains("Author"))
        #expect(try user.browse("c").status == "1/30  Cards; c shows columns")
        #expect(try user.browse("").row(1).hasPrefix("▌Book 1"))
        #expect(try user.browse("c").status == "1/30  Columns; c shows cards")
        #expect(try user.browse("").row(1) == before)
    }

    @Test func theSettingShowsCardsAndTheUserCanLeaveThem() throws {
        let user = user
        user.settings.showsCards = true
        #expect(try user.browse("").row(1).hasPrefix("▌Book 1"))
        #expect(try user.browse("c").row(1).contains("Author"))
        #expect(try user.browse("").row(1).contains("Author"))
    }

    @Test func choosingColumnsShowsThem() throws {
        let user = user
        #expect(try user.browse("c | j j j Space Esc").row(1).contains("Title"))
    }

    @Test func scrollingAndResumingKeepTheCardOnTheScreen() throws {
        let user = user
        // 21 lines have room for seven cards.
        user.settings.showsCards = true
        let page = try user.browse("^f", resumes: false)
        #expect(page.row(1).hasPrefix("▌Book 8"))
        #expect(page.status.hasPrefix("8/30"))
        let left = try user.browse("2 0 j 3 k", resumes: false)
        let back = try user.browse("")
        #expect(list(back) == list(left))
        #expect(back.selection == "Book 18")
        #expect(back.row(1).hasPrefix(" Book 15"))
    }

    @Test func aClickOnAnyLineMakesTheCardCurrentAndTheWheelScrollsOne() throws {
        let user = user
        user.settings.showsCards = true
        for row in 4...6 {
            let terminal = try user.browse(steps: [.click(row: row, column: 20)], resumes: false)
            #expect(terminal.status.hasPrefix("2/30"), "row \(row)")
        }
        let wheel = try user.browse(steps: [.mouse(.wheel(1), row: 5, column: 5)], resumes: false)
        #expect(wheel.row(1).hasPrefix("▌Book 2"))
    }

    @Test func sectionsAndSelectedBooksAreShown() throws {
        let user = user
        let rows = list(try user.browse("c S d Space", columns: 50, resumes: false))
        #expect(rows[0].hasPrefix(" 1980s"))
        #expect(rows[1] == "▪Book 1")
        #expect(rows[2].hasPrefix(" Ann Author"))
        #expect(rows[4] == "▌Book 2")
    }

    @Test func theOrderOfDatesAddsThem() throws {
        let dated = User(
            books: (1...3).map {
                var book = book($0)
                book.dateAdded = PartialDate(year: 2020, month: 3, day: $0)
                return book
            })
        let rows = list(try dated.browse("c s d", columns: 50, resumes: false))
        #expect(rows.contains { $0.contains("Discworld, 3") && $0.hasSuffix("2020-03-03") })
    }

    @Test func aSearchHighlightsMatchesInCards() throws {
        let user = user
        let terminal = try user.browse("c / " + typed("ann") + " Enter", columns: 50, resumes: false)
        let row = terminal.screens.last?.row(2).prefix(50) ?? []
        #expect(row.filter(\.style.isHighlighted).map(\.glyph.text).joined() == "Ann")
    }

    @Test func narrowCardsKeepTitleAndAuthors() throws {
        let user = user
        let rows = list(try user.browse("c t m r r 4", columns: 20, rows: 10, resumes: false))
        #expect(rows[0].hasPrefix("▌★ ◐ Book 1"))
        #expect(rows[1].hasPrefix("▌    Ann Auth"))
    }

    @Test func lineModeReadsTheColumns() throws {
        let user = user
        let columns = try user.narrate("j", resumes: false).answers
        let cards = try user.narrate("c j", resumes: false).answers
        #expect(cards[1] == ["Cards; c shows columns"])
        #expect(cards[2] == columns[1])
    }
}
