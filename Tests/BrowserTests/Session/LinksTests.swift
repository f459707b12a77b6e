import CatalogTesting
import Foundation
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

    @Test func theFirstLinkIsOpenedAndReported() throws {
        let terminal = try user.browse("o")
        #expect(user.openedLinks == ["https://a.example/one"])
        #expect(terminal.status == "1/3  Opened https://a.example/one")
    }

    @Test func aNumberOpensThatLink() throws {
        try user.browse("2 o")
        #expect(user.openedLinks == ["https://b.example/two"])
    }

    @Test func enterOpensTheSelectedLinkOfTheCard() throws {
        // Shift-Tab enters the detail at its last link, the cover.
        let terminal = try user.browse("BackTab BackTab Enter")
        #expect(user.openedLinks == ["https://b.example/two"])
        #expect(terminal.status == "1/3  Opened https://b.example/two")
        // The selected books do not matter.
        try user.browse("V BackTab BackTab BackTab Enter", resumes: false)
        #expect(user.openedLinks.last == "https://a.example/one")
        #expect(user.openedLinks.count == 2)
    }

    @Test func theCoverIsTheLastLink() throws {
        try user.browse("3 o")
        #expect(user.openedLinks == ["https://c.example/cover.jpg"])
    }

    @Test func anUnknownLinkNumberIsReported() throws {
        #expect(try user.browse("4 o").status == "1/3  No link 4. This book has 3 links")
        #expect(try user.browse("G 2 o").status == "3/3  No link 2. This book has 1 link")
        try user.browse("9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 o")
        #expect(user.openedLinks == [])
    }

    @Test func aBookWithoutLinksSaysSoAndNothingElseIsOpened() throws {
        #expect(try user.browse("j o").status == "2/3  This book has no web link")
        #expect(user.openedLinks == [])
    }

    @Test func theFirstLinkOfEachSelectedBookIsOpened() throws {
        let terminal = try user.browse("V o")
        #expect(user.openedLinks == ["https://a.example/one", "http://d.example"])
        #expect(terminal.status == "1/3  3 selected  Opened 2 links")
        #expect(
            try user.browse("g g j Space k 5 o", resumes: false).status.contains("No link 5") == false)
    }

    @Test func linksOfMoreThanTenSelectedBooksAreNotOpened() throws {
        var book = Book.make()
        book.otherFields = [.init(path: "url", text: "http://a.example")]
        user.books = Array(repeating: book, count: 11)
        #expect(
            try user.browse("V o").status
                == "1/11  11 selected  At most 10 links open at once; 11 books are selected")
        #expect(user.openedLinks == [])
        try user.browse("1 0 Space o", resumes: false)
        #expect(user.openedLinks.count == 10)
    }

    @Test func aLinkThatCannotBeOpenedIsReported() throws {
        user.linkProblem = "Cannot start xdg-open"
        #expect(try user.browse("o").status == "1/3  Cannot start xdg-open")
    }

    @Test func aLinkIsBeingOpenedUntilTheProgramHasEnded() throws {
        let isEnded = DispatchSemaphore(value: 0)
        user.slowOpener = {
            isEnded.wait()
            return .opened
        }
        let app = user.makeApp(resumes: false)
        func type(_ key: Key) -> String {
            _ = app.handle(.key(key))
            return app.session.status.text
        }
        #expect(type(.character("o")) == "Opening https://a.example/one")
        // Keys still work, and their messages are not overwritten.
        #expect(type(.character("j")) == "")
        isEnded.signal()
        #expect(messages(of: app, until: { _ in app.session.openingLinks.isEmpty }) == "")
        app.session.open([.web(try #require(WebLink("https://a.example/two")))])
        isEnded.signal()
        #expect(messages(of: app) { $0.hasPrefix("Opened") } == "Opened https://a.example/two")
    }

    @Test func aLateFailureIsReportedOverLaterMessages() throws {
        let isEnded = DispatchSemaphore(value: 0)
        user.slowOpener = {
            isEnded.wait()
            return .failed("xdg-open could not open it (exit status 3)")
        }
        let app = user.makeApp(resumes: false)
        _ = app.handle(.key(.character("o")))
        _ = app.handle(.key(.character("t")))
        #expect(app.session.status.text == "★ Favourite: First")
        isEnded.signal()
        #expect(messages(of: app) { $0.hasPrefix("xdg-open") } == "xdg-open could not open it (exit status 3)")
    }

    /// Returns the message in the status line once `isDone` returns true for it.
    private func messages(of app: App, until isDone: (String) -> Bool) -> String {
        for _ in 0..<1000 where !isDone(app.session.status.text) {
            usleep(10_000)
            _ = app.handle(.wakeUp)
        }
        return app.session.status.text
    }

    @Test func imagesAreNotLinksOfABook() {
        var book = Book.make()
        book.cover = "https://a.example/front"
        book.otherFields = [
            .init(path: "small_image_url", text: "https://a.example/1"),
            .init(path: "imageLinks.thumbnail", text: "https://a.example/2?img=1"),
            .init(path: "formats", text: "https://a.example/3.JPG?size=s https://a.example/3.epub"),
            .init(path: "url", text: "https://a.example/front"),
        ]
        #expect(book.webLinks.map(\.text) == ["https://a.example/3.epub"])
    }

    @Test func theDetailListsTheLinksByTheirNumbers() throws {
        let detail = try user.browse(rows: 40).detail
        #expect(detail.joined(separator: " ").contains("Links  1 a.example   2 b.example 3 cover"))
        #expect(try !user.browse("j", rows: 40).detail.contains { $0.hasPrefix("Links") })
    }

    @Test func aRelationIsNoLink() {
        var book = Book.make()
        book.otherFields = [
            .init(path: "links[0].rel", text: "http://opds-spec.org/acquisition"),
            .init(path: "links[0].href", text: "https://a.example/1.epub"),
        ]
        #expect(book.webLinks.map(\.text) == ["https://a.example/1.epub"])
    }

    @Test func aCoverIsALinkOfTheCardOnly() {
        var book = Book.make()
        book.cover = "https://c.example/cover.jpg"
        #expect(book.webLinks == [])
        #expect(book.links(below: nil) == [])
        #expect(book.namedLinks(below: nil).map(\.name) == ["cover"])
    }

    @Test func aBookHasTwentyLinksAtMost() {
        var book = Book.make()
        book.description = (1...50).map { "http://a\($0).example" }.joined(separator: " ")
        #expect(book.webLinks.count == 20)
    }

    /// In a library, the files come first and are not listed among the identifiers; elsewhere they are only paths.
    @Test func filesAreLinksInTheirLibraryOnly() throws {
        var book = Book.make(title: "Emma")
        book.identifiers = [
            .init(scheme: "file", value: "/home/ann/Books/Jane Austen/Emma (1)/Emma.epub"),
            .init(scheme: "file", value: "/etc/passwd"), .init(scheme: "goodreads", value: "6969"),
        ]
        book.otherFields = [.init(path: "url", text: "https://a.example/one")]
        #expect(book.links(below: nil).map(\.text) == ["https://a.example/one"])
        let links = book.links(below: "/home/ann/Books")
        #expect(links.map(\.text) == ["Jane Austen/Emma (1)/Emma.epub", "https://a.example/one"])
        let detail = BookDetail.book(book, shelves: [], directory: "/home/ann/Books")
        let card = detail.card().paragraphs
        #expect(card.first { $0.label == "Links" }?.text == "1\u{A0}EPUB   2\u{A0}a.example")
        #expect(card.first { $0.label == "File" }?.text == "/etc/passwd")
        #expect(card.first { $0.label == "Goodreads" }?.text == "6969")
        let printed = LabelledBook(book: book, directory: "/home/ann/Books").paragraphs
        #expect(printed.first { $0.label == "Identifiers" }?.text == "file: /etc/passwd\ngoodreads: 6969")
    }
}
