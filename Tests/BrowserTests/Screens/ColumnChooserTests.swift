import TerminalTesting
import Testing

@testable import Books
@testable import Browser
@testable import TerminalUI

/// The columns of the list and the column chooser.
@Suite("Column chooser")
struct ColumnChooserTests {
    private let user = User(
        books: (1...3).map { number in
            var book = Book.make(title: "Book \(number)", pageCount: 100 * number)
            book.published = PartialDate(year: 2000 + number)
            return book
        })

    /// The headings of the list's columns.
    private func head(_ keys: String = "", columns: Int = 100, resumes: Bool = false) throws -> [String] {
        let terminal = try user.browse(keys, columns: columns, resumes: resumes)
        return (terminal.row(1).split(separator: "│").first ?? "").split(separator: " ").map(String.init)
    }

    /// The rows of the chooser.
    private func rows(_ keys: String, columns: Int = 100) throws -> [String] {
        try user.browse(keys, columns: columns, resumes: false).popup("Columns")
    }

    @Test func theBarShowsAllColumnsThoseOfTheListFirst() throws {
        let rows = try rows("|")
        #expect(rows.count == 15)
        #expect(rows[0].split(separator: " ") == ["Column", "Width"])
        #expect(rows[1].split(separator: " ") == ["▌[x]", "Favourite", "auto"])
        // The signs have no room as long as no book has one.
        #expect(rows[2].split(separator: " ") == ["[x]", "Status", "auto"])
        #expect(rows[3].split(separator: " ") == ["[x]", "Title", "auto"])
        #expect(rows[4].split(separator: " ") == ["[x]", "Author", "auto"])
        #expect(rows[5].hasPrefix("[ ] Series"))
    }

    @Test func spaceShowsAndHidesAColumnAtOnce() throws {
        #expect(try head("") == ["Title", "Author"])
        #expect(try head("| j j j j j Space Esc") == ["Title", "Author", "Year"])
        #expect(try head("| j j Space Esc") == ["Author", "Year"])
        #expect(try rows("| j j j Space")[4].hasPrefix("▌[ ] Author"))
    }

    @Test func aHiddenColumnKeepsItsPlace() throws {
        #expect(try head("| j j Space Esc") == ["Author"])
        #expect(try rows("|")[3].hasPrefix("[ ] Title"))
        #expect(try head("| j j Space Esc") == ["Title", "Author"])
        // A place that the user gave it, too.
        #expect(try head("| j j J Esc") == ["Author", "Title"])
        #expect(try head("| j j Space Esc") == ["Title"])
        #expect(try head("| j j Space Esc") == ["Author", "Title"])
    }

    @Test func aListThatIsSortedByAHiddenColumnShowsItAtItsPlace() throws {
        #expect(try head("s t | j j Space Esc") == ["Title", "↑", "Author"])
        let rows = try rows("s t |")
        #expect(rows[3].hasPrefix("[ ] Title (shown while sorted)"))
        #expect(rows[4].hasPrefix("[x] Author  "))
        #expect(try head("s a") == ["Author", "↑"])
        #expect(try user.narrate("| j j", resumes: false).answer.first == "hidden, Title, auto, 3 of 14")
    }

    @Test func theSignOfAFavouriteIsAColumnThatCanBeHiddenAndMoved() throws {
        #expect(try user.browse("t", resumes: false).row(2).hasPrefix("▌★ Book 1 "))
        #expect(try user.browse("| Space Esc", resumes: false).row(2).hasPrefix("▌Book 1 "))
        #expect(try rows("|")[1].hasPrefix("▌[ ] Favourite"))
        user.catalog = "/books/other.json"
        #expect(try user.browse("| 2 J Esc", resumes: false).row(2).firstMatch(of: #/^▌Book 1 +★ An Author/#) != nil)
    }

    @Test func aSignDoesNotCountAsTheLastColumn() throws {
        let terminal = try user.browse("| j j Space j Space")
        #expect(terminal.status == "1/3  The list needs at least one column")
        #expect(try head("| Space Esc") == ["Author"])
    }

    @Test func theListKeepsOneColumn() throws {
        let terminal = try user.browse("| j j Space j Space")
        #expect(terminal.status == "1/3  The list needs at least one column")
        #expect(try head("") == ["Author"])
    }

    @Test func JAndKMoveAColumn() throws {
        #expect(try head("| j j J Esc") == ["Author", "Title"])
        #expect(try head("| j j j K Esc") == ["Title", "Author"])
        // It stays the current row.
        #expect(try rows("| j j J")[4].hasPrefix("▌[x] Title"))
    }

    @Test func aColumnCannotBeMovedOutOfTheChooser() throws {
        let many = "9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9"
        #expect(try rows("| j j \(many) J").last?.contains("▌[x] Title") == true)
        #expect(try rows("| G \(many) K")[1].contains("▌[x] Title"))
    }

    @Test func angleBracketsGiveAColumnAWidth() throws {
        // Sixty columns minus the divider's margin, the bar and a blank: 57, of which the author has 17.
        let author = try user.browse("| j j j", resumes: false).popup("Columns")[4]
        #expect(author.hasSuffix("auto"))
        let width = try #require(try rows("| j j j 5 >")[4].split(separator: " ").last.flatMap { Int($0) })
        #expect(width == 22)
        #expect(try rows("| j j j 2 <")[4].hasSuffix(" \(width - 2)"))
        #expect(try rows("| j j j 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 >")[4].hasSuffix(" 200"))
        // Below the minimum, the width is automatic.
        #expect(try rows("| j j j 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 <")[4].hasSuffix("auto"))
    }

    @Test func aListIsNeverWithoutAColumn() throws {
        #expect(try head("| j j Space j 9 9 9 > Esc") == ["Author"])
        #expect(try head("", columns: 60, resumes: true) == ["Author"])
    }

    @Test func theChooserWorksBeforeTheListIsShown() throws {
        try user.browse("L")
        #expect(try user.browse("| j j > > Space Space").popup("Columns").count == 15)
        try user.browse("Enter Tab", columns: 50)
        #expect(try user.browse("| j j > < Space J", columns: 50, rows: 20).popup("Columns").count == 15)
    }

    @Test func columnsAreRememberedForTheirCatalog() throws {
        try user.browse("| j j j j j Space Esc")
        #expect(try head("") == ["Title", "Author", "Year"])
        user.catalog = "/books/other.json"
        #expect(try head("") == ["Title", "Author"])
    }

    @Test func theSettingsDefineTheDefaultColumns() throws {
        user.settings.columns = ListColumns([.pages, .title])
        #expect(try head("") == ["Pages", "Title"])
        #expect(try user.browse(resumes: false).row(2).contains("100 Book 1"))
        try user.browse("| Space Esc")
        #expect(try head("") == ["Title"])
        user.settings.columns = ListColumns([.author])
        #expect(try head("") == ["Title"])
        user.settings.columns = ListColumns([])
        user.catalog = "/books/other.json"
        #expect(try user.browse().status == "1/3")
    }

    @Test func unknownColumnNamesInTheFileAreIgnored() throws {
        func remember(_ columns: String) throws {
            try user.writePreferences(
                """
                {"version": 1, "catalogs": {"/books/test.json": {"lastViewedListIndex": 0, "row": 0,
                 "scrollOffset": 0, "columns": \(columns)}}}
                """)
        }
        try remember(#"["colour", "year", 7, "title:12"]"#)
        #expect(try head("") == ["Year", "Title"])
        for columns in ["[]", "7", "null", "[7]", #"["colour"]"#, #"{"title": 1}"#] {
            try remember(columns)
            #expect(try head("") == ["Title", "Author"], "\(columns)")
        }
    }

    @Test func theOrderIsInTheHeads() throws {
        #expect(try head("s t") == ["Title", "↑", "Author"])
        #expect(try head("s t s t") == ["Title", "↓", "Author"])
        #expect(try head("s a s S t", resumes: false) == ["Title", "↑", "Author", "↑"])
        #expect(try head("s t s l") == ["Title", "Author"])
    }

    @Test func columnsWithoutRoomAreHidden() throws {
        user.settings.columns = ListColumns([.title, .author, .year, .pages, .rating, .added])
        #expect(try head("", columns: 139) == ["Title", "Author", "Year", "Pages", "Rating", "Added"])
        // The list has 54 of 90 columns: title 26, author 14, year 7 and two blanks fit beside the bar.
        #expect(try head("", columns: 90) == ["Title", "Author", "Year"])
        #expect(try head("", columns: 80) == ["Title", "Author"])
        #expect(try head("", columns: 20) == ["Title"])
    }

    @Test func theFirstScreenHasAllColumns() throws {
        user.books[0].publisher = "Tor"
        user.settings.columns = ListColumns([.title, .pages, .init(.publisher)])
        let rows = try user.browse(resumes: false).screens.map { $0.text(ofRow: 2).prefix { $0 != "│" } }
        #expect(rows[0].contains("Book 1") && rows[0].contains("100") && rows[0].contains("Tor"))
    }
}
