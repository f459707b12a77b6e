import CatalogTesting
import Testing

@testable import Books
@testable import Browser
@testable import Library
@testable import TerminalUI

/// Opening the links of books.
@Suite("Links of books")
struct LinksTests {
    private let user: User

    init() {
        var first = Book.make(title: "First")
        first.description = "More at https://b.example/two, and javascript:alert(1)."
        first.otherFields = [.init(path: "url", text: "https://a.example/one")]
        first.cover = "https://c.example/cover.jpg"
        var second = Book.make(title: "Second")
        second.description = "None: file:///etc/passwd -oProxyCommand=x"
        var third = Book.make(title: "Third")
        third.identifiers = [.init(scheme: "uri", value: "http://d.example")]
        user = User(books: [first, second, third])
    }

    @Test func theFirstLinkIsOpenedAndSaid() throws {
        let terminal = try user.browse("o")
        #expect(user.openedLinks == ["https://a.example/one"])
        #expect(terminal.status == "1/3  Opened: https://a.example/one")
    }

    @Test func aNumberOpensThatLink() throws {
        try user.browse("2 o 3 o")
        #expect(user.openedLinks == ["https://b.example/two", "https://c.example/cover.jpg"])
    }

    @Test func aNumberThatNoLinkHasIsSaid() throws {
        #expect(try user.browse("4 o").status == "1/3  This book has 3 links, none by the number 4")
        #expect(try user.browse("G 2 o").status == "3/3  This book has 1 link, none by the number 2")
        try user.browse("9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 o")
        #expect(user.openedLinks == [])
    }

    @Test func aBookWithoutLinksSaysSoAndNothingElseIsOpened() throws {
        #expect(try user.browse("j o").status == "2/3  This book has no link to the web")
        #expect(user.openedLinks == [])
    }

    @Test func ofMarkedBooksTheFirstLinkOfEachIsOpened() throws {
        let terminal = try user.browse("V o")
        #expect(user.openedLinks == ["https://a.example/one", "http://d.example"])
        #expect(terminal.status == "1/3  3 marked  Opened: 2 links")
        #expect(
            try user.browse("g g j Space k 5 o", resumes: false).status.hasSuffix("none by the number 5") == false)
    }

    @Test func moreThanTenMarkedBooksAreNotOpenedAtOnce() throws {
        var book = Book.make()
        book.cover = "http://a.example"
        user.books = Array(repeating: book, count: 11)
        #expect(
            try user.browse("V o").status
                == "1/11  11 marked  11 books are marked: at most 10 links are opened at once")
        #expect(user.openedLinks == [])
        try user.browse("1 0 Space o", resumes: false)
        #expect(user.openedLinks.count == 10)
    }

    @Test func whyALinkCannotBeOpenedIsSaid() throws {
        user.linkProblem = "xdg-open cannot be started"
        #expect(try user.browse("o").status == "1/3  xdg-open cannot be started")
    }

    @Test func theDetailListsTheLinksByTheirNumbers() throws {
        let detail = try user.browse(rows: 40).detail
        let start = try #require(detail.firstIndex(of: "Links"))
        #expect(
            detail[start...].prefix(4) == [
                "Links", "1  https://a.example/one", "2  https://b.example/two", "3  https://c.example/cover.jpg",
            ])
        #expect(try !user.browse("j", rows: 40).detail.contains("Links"))
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
