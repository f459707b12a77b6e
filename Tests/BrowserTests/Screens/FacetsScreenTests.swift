import CatalogTesting
import TerminalTesting
import TerminalUI
import Testing

@testable import Books
@testable import Browser

@Suite("Facets") struct FacetsScreenTests {
    private let user: User

    init() {
        func book(_ title: String, _ author: String, _ year: Int, series: String? = nil) -> Book {
            var book = Book.make(title: title, authors: [author])
            (book.published, book.series) = (PartialDate(year: year), series)
            return book
        }
        user = User(books: [
            book("Emma", "Jane Austen", 1815), book("Foundation", "Isaac Asimov", 1951, series: "Foundation"),
            book("Contact", "Carl Sagan", 1985), book("Cosmos", "Carl Sagan", 1980),
            book("Foundation and Empire", "Isaac Asimov", 1952, series: "Foundation"),
            book("Persuasion", "Jane Austen", 1817), book("I, Robot", "Isaac Asimov", 1950),
        ])
    }

    /// The rows of the table without the bars: "Jane Austen 2".
    private func rows(_ keys: String) throws -> [String] {
        let terminal = try user.browse(keys, rows: 40, resumes: false)
        return (2..<36).map { row in
            terminal.row(row).filter { !"▌█▏▎▍▋▊▉".contains($0) }.split(separator: " ").joined(separator: " ")
        }.filter { !$0.isEmpty }
    }

    @Test func headersCountTheValuesAndDecadesAreInOrderOfTime() throws {
        #expect(
            try rows("F") == [
                "Authors 3", "Isaac Asimov 3", "Jane Austen 2", "Carl Sagan 2",
                "Decades 3", "1810s 2", "1950s 3", "1980s 2", "Series 1", "Foundation 2", "No series 5",
            ])
    }

    @Test func statusRatingsAndShelvesAreFacets() throws {
        try user.browse("m d r 4 j m t r 5 j m d b " + typed("Beach Reads") + " Enter")
        #expect(
            try rows("F").suffix(11) == [
                "Status 2", "To read 1", "Read 2", "No status 4", "Ratings 2", "★★★★★ 1", "★★★★☆ 1", "Not rated 5",
                "Shelves 1", "Beach Reads 1", "On no shelf 6",
            ])
        for (filter, title) in [("to read", "Foundation"), ("4 stars", "Emma"), ("reads", "Contact")] {
            let terminal = try user.browse("F / " + typed(filter) + " Enter Enter", resumes: false)
            #expect(terminal.hasTitle(" All books (1)"), "\(filter)")
            #expect(terminal.row(2).contains(title), "\(filter)")
        }
        // Books on no shelf, and all others.
        #expect(try user.browse("F G Enter", resumes: false).hasTitle(" All books (6)"))
        #expect(try user.browse("F G -", resumes: false).hasTitle(" All books (1)"))
    }

    @Test func slashFiltersTheValuesByTheirWords() throws {
        #expect(try rows("F / a s i m") == ["Authors 1", "Isaac Asimov 3"])
        #expect(try rows("F / " + typed("austen jane")) == ["Authors 1", "Jane Austen 2"])
        #expect(try rows("F / 1 9") == ["Decades 2", "1950s 3", "1980s 2"])
        #expect(try rows("F / x y z").first == "No value contains “xyz”")
        let terminal = try user.browse("F / a s i m", resumes: false)
        #expect(terminal.title.hasPrefix(" Facets of All books (7) · values with “asim”"))
        #expect(terminal.selection == "Isaac Asimov")
        #expect(terminal.status.hasPrefix("/asim"))
    }

    @Test func typedWordsAreNotCommands() throws {
        // Each of these letters is a command elsewhere.
        let terminal = try user.browse("F / q L U R j k g g", resumes: false)
        #expect(terminal.title.hasPrefix(" Facets of All books (7) · values with “qLURjkgg”"))
        #expect(try rows("F / " + typed("fql") + " Esc").first == "Authors 3")
    }

    @Test func aFilterIsKeptWithEnterAndEndsWithEsc() throws {
        #expect(try rows("F / s a g Enter") == ["Authors 1", "Carl Sagan 2"])
        #expect(try rows("F / s a g Enter Esc").first == "Authors 3")
        #expect(try user.browse("F / s a g Enter Esc Esc", resumes: false).hasTitle(" All books (7)"))
        #expect(try user.browse("F / s a g Enter Enter", resumes: false).hasTitle(" All books (2)  ⟂ author"))
        #expect(try user.browse("F / o u n d Down Enter -", resumes: false).hasTitle(" All books (5)  ⟂ -series:="))
    }

    @Test func aValueFindsAsManyBooksAsItsCount() throws {
        // "or" has lower precedence than the added condition.
        let alternatives = "/ " + typed("emma | asimov") + " Enter F "
        #expect(try rows(alternatives).prefix(3) == ["Authors 2", "Isaac Asimov 3", "Jane Austen 1"])
        let found = try user.browse(alternatives + "j Enter", resumes: false)
        #expect(found.hasTitle(" All books (1)  ⟂ (emma | asimov) author:=\"Jane Austen\""))
        let quoted = try user.browse("/ " + typed("\"found") + " Enter F Enter", resumes: false)
        #expect(quoted.hasTitle(" All books (2)  ⟂ \"found\" author:=\"Isaac Asimov\""))
    }

    @Test func hiddenValuesAreFilteredToo() throws {
        let many = User(books: (0..<500).map { .make(title: "Book \($0)", authors: ["Writer \(1000 + $0)"]) })
        let terminal = try many.browse("F", resumes: false)
        #expect(terminal.row(2).hasPrefix(" Authors, the 200 most frequent") && terminal.row(2).hasSuffix("500"))
        #expect(try many.browse("F / 1 4 9 9", resumes: false).selection == "Writer 1499")
    }

    @Test func aReloadedCatalogIsCountedAgain() throws {
        let books = user.books
        let source = ReloadedSource(name: "test.json") { books }
        let app = user.makeApp(source: source, resumes: false)
        for key in "F" { _ = app.handle(.key(.character(key))) }
        app.session.reload()
        app.update()
        #expect(app.draw(size: .init(rows: 24, columns: 100)).canvas.text(ofRow: 3).contains("Isaac Asimov"))
    }
}
