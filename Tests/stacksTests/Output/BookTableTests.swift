import Testing

@testable import Books
@testable import Formats
@testable import Graphemes
@testable import stacks

@Suite("Output: books as a table") struct BookTableTests {
    init() { useUTF8Locale() }

    /// Returns the lines of the table of `books`.
    private func lines(_ books: [Book], width: Int) -> [String] {
        var table = BookTable(width: width)
        var text: [UInt8] = []
        for book in books { table.append(PrintedBook(book: book), to: &text) }
        table.end(&text)
        return String(decoding: text, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    private func book(_ title: String, _ author: String, year: Int? = nil, pages: Int? = nil) -> Book {
        var book = Book(title: title, authors: [author], pageCount: pages)
        book.published = year.map { PartialDate(year: $0) }
        return book
    }

    @Test func columnsFitTheirContent() {
        #expect(
            lines([book("Emma", "Jane Austen", year: 1815, pages: 1200), book("It", "Stephen King")], width: 80) == [
                "Title  Author        Year  Pages", "Emma   Jane Austen   1815  1,200", "It     Stephen King",
            ])
    }

    @Test func emptyColumnsAreOmitted() {
        #expect(lines([book("Emma", "Jane Austen", pages: 7)], width: 80)[0] == "Title  Author       Pages")
        #expect(lines([book("Emma", "Jane Austen", year: 1815)], width: 80)[0] == "Title  Author       Year")
    }

    @Test func longTextIsClippedAndTheTitleGetsThreeFifths() {
        let long = book(String(repeating: "t", count: 100), String(repeating: "a", count: 100), year: 1999, pages: 5)
        // 60 minus year, pages and three gaps is 45: 27 and 18.
        #expect(
            lines([long], width: 60)[1]
                == String(repeating: "t", count: 26) + "…  " + String(repeating: "a", count: 17) + "…  1999      5")
        let shortTitle = book("It", String(repeating: "a", count: 100))
        #expect(lines([shortTitle], width: 40)[1] == "It     " + String(repeating: "a", count: 32) + "…")
    }

    @Test func inANarrowWindowOnlyTheTitleRemains() {
        let books = [book("The Left Hand of Darkness", "Ursula K. Le Guin", year: 1969, pages: 304)]
        #expect(lines(books, width: 47)[0].hasSuffix("Year  Pages"))
        #expect(lines(books, width: 46)[0].hasSuffix("Year"))
        #expect(lines(books, width: 39)[1] == "The Left Hand of Darkn…  Ursula K. Le …")
        #expect(lines(books, width: 22)[1] == "The Left Hand of Dark…")
        #expect(lines(books, width: 1)[1] == "…")
    }

    @Test func wideCharactersKeepTheColumnsInPlace() {
        #expect(
            lines([book("紅樓夢", "曹雪芹", pages: 9), book("Emma", "X", pages: 10)], width: 80) == [
                "Title   Author  Pages", "紅樓夢  曹雪芹      9", "Emma    X          10",
            ])
        #expect(lines([book("漢字漢字漢字漢字漢字漢字漢字", "X")], width: 20)[1] == "漢字漢字漢字漢字漢…")
    }

    @Test func missingValuesAreShownAndControlsAreSanitized() {
        #expect(lines([Book(title: "")], width: 80)[1] == "Untitled  Unknown author")
        #expect(lines([book("a\u{1B}[31mb", "c")], width: 80)[1] == "a\u{FFFD}[31mb  c")
    }

    @Test func laterRowsFitTheColumnsOfTheFirst() {
        let books = (0..<1000).map { _ in book("Emma", "Jane") } + [book("A longer title", "Somebody")]
        let lines = lines(books, width: 80)
        #expect(lines.count == 1002)
        #expect(lines[1001] == "A lo…  Someb…")
    }

    @Test func withoutBooksThereIsNoHeader() {
        #expect(lines([], width: 80) == [])
    }
}
