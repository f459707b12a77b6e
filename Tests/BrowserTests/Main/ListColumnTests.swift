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

    @Test func widerTablesHaveMoreColumns() {
        #expect(ListColumn.standard(inWidth: 63) == [.favourite, .status, .title, .author])
        #expect(ListColumn.standard(inWidth: 64) == [.favourite, .status, .title, .author, .year, .mine])
        #expect(ListColumn.standard(inWidth: 74) == [.favourite, .status, .title, .author, .year, .pages, .mine])
        #expect(
            ListColumn.standard(inWidth: 96) == [.favourite, .status, .title, .author, .series, .year, .pages, .mine])
    }
}
