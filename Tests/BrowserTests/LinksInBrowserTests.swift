import Testing

@testable import Books
@testable import Browser
@testable import Library
@testable import TerminalUI

/// Opening the links of books.
struct LinksInBrowserTests {
    private let reader: Reader

    init() {
        var first = Book.make(title: "First")
        first.description = "More at https://b.example/two, and javascript:alert(1)."
        first.otherFields = [.init(path: "url", text: "https://a.example/one")]
        first.cover = "https://c.example/cover.jpg"
        var second = Book.make(title: "Second")
        second.description = "None: file:///etc/passwd -oProxyCommand=x"
        var third = Book.make(title: "Third")
        third.identifiers = [.init(scheme: "uri", value: "http://d.example")]
        reader = Reader(books: [first, second, third])
    }

    @Test func theFirstLinkIsOpenedAndSaid() throws {
        let terminal = try reader.browse("o")
        #expect(reader.openedLinks == ["https://a.example/one"])
        #expect(terminal.status == "1/3  Opened: https://a.example/one")
    }

    @Test func aNumberOpensThatLink() throws {
        try reader.browse("2 o 3 o")
        #expect(reader.openedLinks == ["https://b.example/two", "https://c.example/cover.jpg"])
    }

    @Test func aNumberThatNoLinkHasIsSaid() throws {
        #expect(try reader.browse("4 o").status == "1/3  This book has 3 links, none by the number 4")
        #expect(try reader.browse("G 2 o").status == "3/3  This book has 1 link, none by the number 2")
        try reader.browse("9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 o")
        #expect(reader.openedLinks == [])
    }

    @Test func aBookWithoutLinksSaysSoAndNothingElseIsOpened() throws {
        #expect(try reader.browse("j o").status == "2/3  This book has no link to the web")
        #expect(reader.openedLinks == [])
    }

    @Test func ofMarkedBooksTheFirstLinkOfEachIsOpened() throws {
        let terminal = try reader.browse("V o")
        #expect(reader.openedLinks == ["https://a.example/one", "http://d.example"])
        #expect(terminal.status == "1/3  3 marked  Opened: 2 links")
        #expect(
            try reader.browse("g g j Space k 5 o", resumes: false).status.hasSuffix("none by the number 5") == false)
    }

    @Test func moreThanTenMarkedBooksAreNotOpenedAtOnce() throws {
        var book = Book.make()
        book.cover = "http://a.example"
        reader.books = Array(repeating: book, count: 11)
        #expect(
            try reader.browse("V o").status
                == "1/11  11 marked  11 books are marked: at most 10 links are opened at once")
        #expect(reader.openedLinks == [])
        try reader.browse("1 0 Space o", resumes: false)
        #expect(reader.openedLinks.count == 10)
    }

    @Test func whyALinkCannotBeOpenedIsSaid() throws {
        reader.linkProblem = "xdg-open cannot be started"
        #expect(try reader.browse("o").status == "1/3  xdg-open cannot be started")
    }

    @Test func theDetailListsTheLinksByTheirNumbers() throws {
        let detail = try reader.browse(rows: 40).detail
        let start = try #require(detail.firstIndex(of: "Links"))
        #expect(
            detail[start...].prefix(4) == [
                "Links", "1  https://a.example/one", "2  https://b.example/two", "3  https://c.example/cover.jpg",
            ])
        #expect(try !reader.browse("j", rows: 40).detail.contains("Links"))
    }

    @Test func aCoverAloneNeedsNoListOfLinks() {
        var book = Book.make()
        book.cover = "https://c.example/cover.jpg"
        #expect(book.links.count == 1)
        #expect(!BookDetail.book(book, shelves: []).paragraphs.contains { $0.text == "Links" })
    }

    @Test func aBookHasTwentyLinksAtMost() {
        var book = Book.make()
        book.description = (1...50).map { "http://a\($0).example" }.joined(separator: " ")
        book.cover = "http://cover.example"
        #expect(book.links.count == 20)
    }
}
