import Testing

@testable import Books
@testable import Browser
@testable import Search
@testable import TerminalUI

/// The content of list columns.
@Suite("Columns of the list")
struct ListColumnTests {
    private var full: Book {
        var book = Book.make(
            title: "The Stand", authors: ["Stephen King", "A. Other"], isbn: "9780307947307", pageCount: 1200)
        book.series = "The Series"
        book.seriesPosition = 2.5
        book.published = PartialDate(year: 1978, month: 10, day: 3)
        book.rating = 4.25
        book.languages = ["en", "xx-unknown"]
        book.publisher = "Doubleday"
        book.subjects = ["Horror", "Plague"]
        book.dateAdded = PartialDate(year: 2004, month: 3, day: 5)
        return book
    }

    @Test func eachColumnShowsItsPartOfABook() {
        let texts: [(ListColumn, String)] = [
            (.title, "The Stand"), (.author, "Stephen King, A. Other"), (.year, "1978"), (.pages, "1,200"),
            (.rating, "★★★★½"), (.init(.publisher), "Doubleday"), (.init(.subjects), "Horror, Plague"),
            (.added, "2004-03-05"),
            (.init(.isbn), "978-0307947307"),
        ]
        for (column, text) in texts { #expect(column.text(of: full).text == text, "\(column)") }
        #expect(ListColumn.series.text(of: full).text.hasPrefix("The Series"))
        #expect(ListColumn(.languages).text(of: full).text.hasPrefix("English"))
    }

    @Test func unknownFieldsAreBlankExceptTitleAndAuthor() {
        let empty = Book(title: "", authors: [])
        for column in ListColumn.ofEveryBook where column != .title && column != .author {
            #expect(column.text(of: empty).text == "", "\(column)")
        }
        #expect(ListColumn.title.text(of: empty).text == "Untitled")
        #expect(ListColumn.author.text(of: empty).text == "Unknown author")
    }

    @Test func datesAreAsFarAsTheyAreKnown() {
        var book = Book.make()
        book.dateAdded = PartialDate(year: 2004)
        #expect(ListColumn.added.text(of: book).text == "2004")
        book.dateAdded = PartialDate(year: 2004, month: 11)
        #expect(ListColumn.added.text(of: book).text == "2004-11")
    }

    @Test func theHeadSaysWhatTheListIsSortedBy() {
        func head(_ column: ListColumn, _ order: SortOrder) -> String {
            column.tableColumn(width: nil, in: order).title
        }
        #expect(head(.title, .list) == "Title")
        #expect(head(.title, SortOrder([.init(.title)])) == "Title ↑")
        #expect(head(.title, SortOrder([.init(.title, isReversed: true)])) == "Title ↓")
        #expect(head(.year, SortOrder([.init(.title), .init(.year, isReversed: true)])) == "Year ↓")
        #expect(head(.init(.publisher), SortOrder([.init(.title)])) == "Publisher")
        #expect(head(.init(.isbn), .list) == "ISBN")
    }

    @Test func columnsAreWrittenUnchanged() throws {
        let columns = try #require(ListColumns(names: ["author:24", "title", "pages:3"]))
        #expect(columns.choices.map(\.column) == [.author, .title, .pages])
        #expect(columns.choices.map(\.width) == [24, nil, 3])
        #expect(columns.names == ["author:24", "title", "pages:3"])
    }

    @Test func columnsThatACatalogDoesNotHaveAreIgnored() throws {
        #expect(ListColumns(names: []) == nil && ListColumns(names: ["", ":"]) == nil)
        let columns = try #require(ListColumns(names: ["colour", "year", "year:9", "title", "Lent to:12"]))
        #expect(columns.names == ["colour", "year", "title", "Lent to:12"])
        #expect(columns.resolved(in: .ofEveryBook).map(\.column) == [.year, .title])
        #expect(columns.unknownNames(in: .ofEveryBook) == ["colour", "Lent to"])
        let lent = BookField(
            OwnField("lent-to", label: "Lent to", .text, at: FieldPath(steps: [.name("lentTo")])))
        let resolved = columns.resolved(in: Schema(own: [lent]))
        #expect(resolved.map(\.column) == [.year, .title, ListColumn(lent)] && resolved.last?.width == 12)
        for width in ["", "0", "2", "201", "-5", "x", "1e3", "99999999999999999999", "5:5"] {
            #expect(ListColumns(names: ["title:" + width])?.names == ["title"], "\(width)")
        }
        #expect(ListColumns(names: ["title:3"])?.names == ["title:3"])
        #expect(ListColumns(names: ["title:200"])?.names == ["title:200"])
    }

    @Test func storedColumnsKeepThePlacesOfHiddenOnes() throws {
        let columns = try #require(ListColumns(stored: ["title", "-author:24", "-Lent to"]))
        #expect(columns.choices.map(\.isHidden) == [false, true, true])
        #expect(columns.choices[1].column == .author && columns.choices[1].width == 24)
        #expect(columns.names == ["title", "-author:24", "-Lent to"])
        // In options and the config file, it is a misspelled name.
        #expect(ListColumns(names: ["title", "-author"])?.unknownNames(in: .ofEveryBook) == ["-author"])
    }

    @Test func aColumnWithoutValuesIsAsNarrowAsItsHeading() {
        func width(_ column: ListColumn, _ order: SortOrder = .list, chosen: Int? = nil) -> TableColumn.Width {
            column.tableColumn(width: chosen, in: order, isEmpty: true).width
        }
        #expect(width(.pages) == .fixed(5) && width(.mine) == .fixed(4) && width(.year) == .fixed(4))
        #expect(width(.year, SortOrder([.init(.year)])) == .fixed(6))
        #expect(width(.series) == .fixed(18))
        #expect(width(.pages, chosen: 12) == .fixed(12))
    }

    private func standard(_ width: Int, without missing: Set<ListColumn> = []) -> [ListColumn] {
        ListColumn.standard(inWidth: width) { !missing.contains($0) }
    }

    @Test func widerTablesHaveMoreColumns() {
        let first: [ListColumn] = [.favourite, .status, .title, .author]
        // The bar, the margin, two signs and a blank are 7 columns; title and author need 50 beside the year.
        #expect(standard(62) == first)
        #expect(standard(65) == first + [.year])
        #expect(standard(71) == first + [.year, .mine])
        #expect(standard(81) == first + [.year, .pages, .mine])
        #expect(standard(101) == first + [.series, .year, .pages, .mine])
        #expect(standard(0) == first && standard(-1) == first)
        #expect(
            standard(200) == first + [.series, .year, .pages, .rating, .mine, .language, .publisher, .added])
    }

    @Test func columnsWithoutValuesLeaveTheirRoomToOthers() {
        let first: [ListColumn] = [.favourite, .status, .title, .author]
        #expect(standard(72, without: [.year, .mine, .pages]) == first)
        #expect(standard(72, without: [.year, .mine]) == first + [.pages])
        #expect(standard(101, without: [.series, .pages, .mine]) == first + [.year, .rating, .language])
        // Two blanks and signs are room, too.
        #expect(standard(64) == first)
        #expect(standard(64, without: [.favourite, .status]) == first + [.year])
    }
}
