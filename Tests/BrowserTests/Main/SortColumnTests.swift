import TerminalTesting
import Testing

@testable import Books
@testable import Browser
@testable import Library

@Suite("Sorting: first direction and column") struct SortColumnTests {
    private let user: User

    init() {
        var books = ["Old", "New", "Mid"].map { Book.make(title: $0) }
        for (place, (year, rating)) in [(-350, 2.0), (2001, 4.5), (1900, 3.0)].enumerated() {
            books[place].published = PartialDate(year: year)
            books[place].rating = rating
            books[place].dateAdded = PartialDate(year: 2000 + place)
        }
        user = User(books: books)
    }

    private func titles(_ keys: String) throws -> [String] {
        let terminal = try user.browse(keys + " g g", columns: 120, resumes: false)
        return (2..<5).map { row in
            terminal.row(row).drop { "▌ ".contains($0) }.split(separator: " ").first.map(String.init) ?? ""
        }
    }

    @Test func theNewestBestAndLatestComeFirst() throws {
        #expect(try titles("s y") == ["New", "Mid", "Old"])
        #expect(try titles("s y s y") == ["Old", "Mid", "New"])
        #expect(try titles("s r") == ["New", "Mid", "Old"])
        #expect(try titles("s d") == ["Mid", "New", "Old"])
        #expect(try titles("s a s S y") == ["New", "Mid", "Old"])
        #expect(try titles("s t") == ["Mid", "New", "Old"])
    }

    @Test func aStoredOrderKeepsItsDirection() throws {
        _ = try user.browse("s y s y q", resumes: false)
        #expect(user.place?.sort == "year")
        #expect(try user.browse().title.contains("year ↑"))
    }

    @Test func theColumnOfTheOrderIsShownWhileItHolds() throws {
        let terminal = try user.browse("s r", columns: 80, resumes: false)
        #expect(terminal.row(1).contains("Rating ↓"))
        // Numbers tell apart what has the same stars.
        #expect(terminal.row(2).contains(" 4.5 ") && !terminal.row(2).contains("★★★★½ "))
        #expect(try !user.browse("s r s l", columns: 80, resumes: false).row(1).contains("Rating"))
        // The user's choice of columns is kept.
        #expect(try user.browse("s y", columns: 120, resumes: false).row(4).contains("350 BC"))
    }

    /// The headings of the list's columns, without the detail pane.
    private func heads(_ keys: String, columns: Int) throws -> [String] {
        let row = try user.browse(keys, columns: columns, resumes: false).row(1).prefix { $0 != "│" }
        return row.split(separator: " ").filter { !"↑↓".contains($0) }.map(String.init)
    }

    @Test(arguments: [80, 60, 50])
    func titleAndAuthorNarrowForTheColumnOfTheOrder(columns: Int) throws {
        #expect(try heads("s y", columns: columns) == ["Title", "Author", "Year"])
        #expect(try heads("s p", columns: columns) == ["Title", "Author", "Pages"])
        #expect(try heads("s r", columns: columns) == ["Title", "Author", "Rating"])
        #expect(try heads("s d", columns: columns) == ["Title", "Author", "Added"])
    }

    @Test func inANarrowListTheAuthorIsHidden() throws {
        #expect(try heads("s y", columns: 38) == ["Title", "Year"])
        #expect(try heads("s a s S y", columns: 38) == ["Title", "Author"])
    }

    @Test func anOrderByTwoColumnsLosesTheSecondBeforeTheAuthor() throws {
        // With the sign of a favourite, the rating has no room.
        #expect(try heads("t s y s S r", columns: 80) == ["Title", "Author", "Year"])
        #expect(try heads("s y s S r", columns: 60) == ["Title", "Author", "Year", "Rating"])
    }
}
