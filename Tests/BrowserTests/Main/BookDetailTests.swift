internal import CatalogTesting
import Editing
import Foundation
import Glibc
import Indexing
import Search
import Shelves
import TerminalTesting
import TerminalUI
import Testing

@testable import Books
@testable import Browser
@testable import Graphemes
@testable import Library

@Suite("Detail pane of a book")
struct BookDetailTests {
    init() { useUTF8Locale() }

    /// The card of `book` at this width.
    private func card(_ book: Book, width: Int, shelves: [String] = [], bookData: UserBookData? = nil) -> String {
        BookDetail.book(book, shelves: shelves, bookData: bookData).card().paragraphs.drawn(width: width)
    }

    @Test func theCardHasHeadingAboutAndFacts() {
        let expected = """
            War and Peace
            In four volumes
            World Classics #2.5 · Tolstoy, Leo;
            Somebody Else · 1869
            ★★★★☆ 4.17   1,392 pp   Fiction

            ABOUT ────────────────────────────────
            A first paragraph, long enough to be
            wrapped.

            The parts:
            • One
            • Two

            The end.

            FACTS ────────────────────────────────
            ISBN         978-0441478125
            Publisher    The Russian Messenger
            Published    March 1869
            Subjects     War · Russia, history
            Languages    Russian · French · Old
                         Church Something
            Translator   Rosemary Edmonds, Another
                         Translator
            Contributor  A. Nonymous
            Goodreads    656
            LCCN         n 12
            Status       ○ To read
            Date added   5 March 2004
            Sort title   war and peace
            ID           OL267171W
            Links        1 cover

            MORE FIELDS ──────────────────────────
            _rev               3-a1b2
            metadata.modified  2020-01-01T00:00:00
                               Z
            """
        #expect(card(.full, width: 38) == expected)
    }

    @Test func whatTheReaderHasFollowsTheHeading() {
        var bookData = UserBookData(title: "Emma", keys: MatchKeys(of: .make()))
        bookData.status = .reading
        bookData.readingLog = ReadingLog(
            statusDates: [.reading: "2026-03-09", .toRead: "2026-02-02"], status: .reading)
        (bookData.isFavourite, bookData.rating, bookData.note) = (true, 4, "Lent to Bob.\n\nHe wants to keep it.")
        var book = Book.make(title: "Emma", authors: ["Jane Austen"])
        book.status = .toRead
        #expect(
            card(book, width: 50, shelves: ["comfort", "winter"], bookData: bookData) == """
                Emma
                Jane Austen

                YOU  ◐ Reading since 9 Mar 2026   ★ Favourite
                     My rating ★★★★☆   Shelves: comfort, winter
                     Log: 9 Mar 2026 started · 2 Feb 2026 to read
                     Note: Lent to Bob.

                     He wants to keep it.
                """)
        // Values are not divided between lines.
        #expect(
            card(book, width: 29, shelves: ["comfort"], bookData: bookData) == """
                Emma
                Jane Austen

                YOU  ◐ Reading since
                     9 Mar 2026   ★ Favourite
                     My rating ★★★★☆
                     Shelf: comfort
                     Log: 9 Mar 2026
                     started · 2 Feb 2026 to
                     read
                     Note: Lent to Bob.

                     He wants to keep it.
                """)
    }

    @Test(arguments: [
        (Book.ReadingStatus.toRead, "○ To read"), (.reading, "◐ Reading"), (.read, "● Read"),
        (.abandoned, "✕ Abandoned"),
    ])
    func eachStatusHasASign(status: Book.ReadingStatus, text: String) {
        var bookData = UserBookData(title: "Emma", keys: MatchKeys(of: .make()))
        bookData.status = status
        #expect(card(.make(), width: 50, bookData: bookData).hasSuffix("YOU  \(text)"))
    }

    @Test func unknownValuesAreLeftOut() {
        #expect(card(Book(title: ""), width: 38) == "Untitled")
        var book = Book.make(title: "Emma", authors: [])
        book.publisher = ""
        book.subtitle = ""
        book.description = ""
        book.sortTitle = book.title
        book.published = PartialDate(year: 1815)
        #expect(card(book, width: 38) == "Emma\n1815")
        #expect(card(book, width: 38, bookData: UserBookData(title: "Emma", keys: MatchKeys(of: book))) == "Emma\n1815")
    }

    @Test func aTextWithVeryManyLinesHasFewParagraphs() {
        let lines = (0..<30_000).map { "Line \($0)" }
        var book = Book.make(title: "Emma")
        book.description = lines.joined(separator: "\n")
        let detail = BookDetail.book(book, shelves: [])
        #expect(detail.card().paragraphs.count < 2100 && LabelledBook(book: book).paragraphs.count < 2100)
        let drawn = detail.card().paragraphs.drawn(width: 40).split(separator: "\n").map(String.init)
        #expect(drawn.filter { $0.hasPrefix("Line ") } == lines)
        var bookData = UserBookData(title: "Emma", keys: MatchKeys(of: book))
        bookData.note = lines.joined(separator: "\n")
        #expect(bookData.noteLines.count < 1100 && bookData.noteLines.joined(separator: "\n") == bookData.note)
    }

    @Test func anInvalidISBNIsMarked() {
        #expect(
            card(.make(isbn: "0441478124", pageCount: 1, fiction: false), width: 50) == """
                A Title
                An Author
                1 p   Non-fiction

                FACTS ────────────────────────────────────────────
                ISBN  0441478124 (not a valid ISBN)
                """)
    }

    @Test func aBookThatIsNotInTheCatalogHasItsUserDataOnly() {
        var bookData = UserBookData(title: "Emma", authors: ["Jane Austen"], keys: MatchKeys(of: .make()))
        bookData.isFavourite = true
        #expect(
            BookDetail.absent(bookData, shelves: []).card().paragraphs.drawn(width: 38) == """
                Emma
                Jane Austen
                Not in this catalog

                YOU  ★ Favourite
                """)
    }

    @Test(
        arguments: [
            ("https://covers.example.org/1/a.jpg?x=1", "covers.example.org"),
            ("Austen/Emma (1)/cover.jpg", "cover.jpg"),
            ("file:///home/ann/cover.png", "cover.png"), ("", nil), (nil, nil),
            // The picture itself has neither a host nor a name.
            ("data:image/png;base64,iVBORw0KGgo=", "picture in the record"),
            ("DATA:IMAGE/PNG;base64,AA==", "picture in the record"),
        ] as [(String?, String?)])
    func aCoverIsNamedWithoutItsLink(cover: String?, expected: String?) {
        var book = Book.make()
        book.cover = cover
        #expect(book.shownCover == expected)
    }

    @Test(
        arguments: [
            ("Discworld", 8, "Discworld #8"), ("Discworld", nil, "Discworld"), (nil, 2.5, "#2.5"), (nil, nil, nil),
            ("Discworld, #8", 8, "Discworld #8"), ("Discworld (8)", nil, "Discworld (8)"),
        ] as [(String?, Double?, String?)])
    func theCardHasThePlaceInTheSeries(series: String?, position: Double?, expected: String?) {
        var book = Book.make()
        (book.series, book.seriesPosition) = (series, position)
        #expect(book.shownPlaceInSeries == expected)
    }

    // MARK: - Related books

    @Test func theSeriesIsListedByPlacesWithTheCurrentBookMarked() {
        let related = RelatedTitles(
            series: [
                .init(title: "One", place: "#1", status: .read),
                .init(title: "Two, which is longer", place: "#2", status: .reading, isCurrent: true),
                .init(title: "Ten", place: "#10"), .init(title: "Extras"),
            ], before: 1, after: 2000)
        let expected = """
            A Title
            An Author

            SERIES ───────────────
                  1 more before
             #1   ● One
            ▸#2   ◐ Two, which is
                  longer
             #10    Ten
                    Extras
                  2,000 more after
            """
        #expect(BookDetail.book(.make(), shelves: []).card(related: related).paragraphs.drawn(width: 22) == expected)
    }

    @Test func atTheRightStandsWhatTheReaderMadeOfABook() {
        let series: [RelatedTitles.Entry] = [
            .init(title: "One", place: "#1", status: .read, rating: 4, yearRead: "2024"),
            .init(title: "Two", place: "#2", status: .reading, rating: 2, isCurrent: true),
            .init(title: "Three, which has a long title", place: "#3", isNext: true),
            .init(title: "Four", place: "#4", status: .read, yearRead: "2019"),
        ]
        let card = BookDetail.book(.make(), shelves: []).card(related: RelatedTitles(series: series)).paragraphs
        #expect(
            card.drawn(width: 36).hasSuffix(
                """
                 #1  ● One            read 2024 ★★★★
                ▸#2  ◐ Two                        ★★
                 #3    Three, which has a long title
                                             up next
                 #4  ● Four                read 2019
                """))
    }

    @Test func headingsEndWithTheKeysThatListAllBooks() {
        let series: [RelatedTitles.Entry] = [.init(title: "One", isCurrent: true), .init(title: "Two")]
        let related = RelatedTitles(series: series, others: [.init(title: "Emma")], otherCount: 50)
        var bindings = KeyBindings.standard
        func headings(_ width: Int) -> [String] {
            BookDetail.book(.make(), shelves: []).card(related: related, keys: CardKeys(bindings)).paragraphs.drawn(
                width: width
            )
            .split(separator: "\n").map(String.init).filter { $0.contains("─") }
        }
        #expect(
            headings(40) == [
                "SERIES ───────────────── as: show series", "MORE BY AN AUTHOR (50) ──── aa: show all",
            ])
        // Where the heading has no room, the key is left out.
        #expect(headings(39).last == "MORE BY AN AUTHOR (50) ─── aa: show all")
        #expect(headings(36) == ["SERIES ───────────── as: show series", "MORE BY AN AUTHOR (50) ─────────────"])
        bindings.bind(KeyBindings.sequence(of: "F5"), to: .same(.author))
        bindings.unbind(KeyBindings.sequence(of: "aa"))
        bindings.unbind(KeyBindings.sequence(of: "as"))
        #expect(
            headings(40) == [
                "SERIES ─────────────────────────────────", "MORE BY AN AUTHOR (50) ──── F5: show all",
            ])
    }

    @Test func linksAreNamedAndNumbered() {
        var book = Book.make()
        book.identifiers = [.init(scheme: "url", value: "https://www.gutenberg.org/ebooks/1")]
        book.description = "See https://openlibrary.org/works/OL1W and https://example.org/a, https://example.org/b."
        book.cover = "https://covers.example.org/1/a.jpg?x=1"
        let lines = card(book, width: 60).split(separator: "\n").map(String.init)
        #expect(
            lines.suffix(2) == [
                "Links  1 gutenberg.org   2 openlibrary.org   3 example.org/a", "       4 example.org/b   5 cover",
            ])
        #expect(!lines.contains { $0.contains("covers.example.org") })
    }

    @Test func namesAndLinksOfTheCardHaveTargets() {
        var book = Book.full
        let location = BookField(
            OwnField("location", label: "Location", .text, at: FieldPath(steps: [.name("location")])))
        book.own = [.init(location, .text("Hall"))]
        let series: [RelatedTitles.Entry] = [
            .init(title: "One", isCurrent: true, id: BookID(0)), .init(title: "Two", id: BookID(1)),
        ]
        let card = BookDetail.book(book, shelves: []).card(related: RelatedTitles(series: series))
        let texts = card.paragraphs.flatMap { paragraph in
            paragraph.links.map { String(decoding: Array(paragraph.text.utf8)[$0], as: UTF8.self) }
        }
        let pairs = zip(texts, card.targets).map { "\($0): \($1.description)" }
        #expect(texts.count == card.targets.count)
        #expect(
            pairs == [
                "World Classics #2.5: series:=\"World Classics\"", "Tolstoy, Leo: author:=\"Tolstoy, Leo\"",
                "Somebody Else: author:=\"Somebody Else\"", "Two: book 1", "War: subject:=War",
                "Russia, history: subject:=\"Russia, history\"", "Rosemary Edmonds: author:=\"Rosemary Edmonds\"",
                "Another Translator: author:=\"Another Translator\"", "A. Nonymous: author:=\"A. Nonymous\"",
                "Hall: location:=Hall", "1\u{A0}cover: link",
            ])
    }

    @Test func withoutAnyStatusTheSeriesHasNoColumnForIt() {
        let series: [RelatedTitles.Entry] = [
            .init(title: "One", place: "#1", isCurrent: true), .init(title: "Two", place: "#2"),
        ]
        let lines = BookDetail.book(.make(), shelves: []).card(related: RelatedTitles(series: series))
            .paragraphs.drawn(width: 22).split(separator: "\n")
        #expect(lines.suffix(2) == ["▸#1  One", " #2  Two"])
    }

    @Test func otherBooksOfTheAuthorAreListedWithTheirNumber() {
        let others: [RelatedTitles.Entry] = [.init(title: "Emma", year: 1815), .init(title: "Sanditon")]
        let few = RelatedTitles(others: others, otherCount: 2)
        let many = RelatedTitles(
            others: [
                .init(title: "Emma", year: 1815, status: .read, rating: 5, yearRead: "2024"), .init(title: "Sanditon"),
            ], otherCount: 1200)
        let card = BookDetail.book(.make(), shelves: [])
        #expect(
            card.card(related: few).paragraphs.drawn(width: 30).hasSuffix(
                "MORE BY AN AUTHOR (2) ────────\nEmma 1815\nSanditon"))
        #expect(
            card.card(related: many).paragraphs.drawn(width: 34).hasSuffix(
                """
                MORE BY AN AUTHOR (1,200) ────────
                ● Emma 1815        read 2024 ★★★★★
                  Sanditon
                1,198 more
                """))
    }

    @Test(arguments: [
        (0, 1, 0..<1), (0, 12, 0..<12), (11, 12, 0..<12), (0, 40, 0..<12), (6, 40, 0..<12), (7, 40, 1..<13),
        (39, 40, 28..<40), (30, 40, 24..<36),
    ])
    func twelveBooksOfTheSeriesAreShown(index: Int, count: Int, expected: Range<Int>) {
        #expect(RelatedTitles.shownRange(around: index, of: count) == expected)
    }

    /// A user with a series of three books, not in its order, and two other books by the same author.
    private func readerOfSeries() -> User {
        let books = [("Mort", 4.0), ("The Colour of Magic", 1), ("Nation", nil), ("Dodger", nil), ("Equal Rites", 3)]
            .map {
                title, place in
                var book = Book.make(title: title, authors: ["Terry Pratchett"])
                (book.series, book.seriesPosition) = (place == nil ? nil : "Discworld", place)
                return book
            }
        return User(books: books)
    }

    @Test func theDetailHasTheSeriesAndOtherBooks() throws {
        let detail = try readerOfSeries().browse().detail
        let start = try #require(detail.firstIndex { $0.hasPrefix("SERIES ─") })
        #expect(detail[(start + 1)...].prefix(4) == ["#1  The Colour of Magic", "#3  Equal Rites", "▸#4  Mort", ""])
        #expect(detail[start + 5].hasPrefix("MORE BY TERRY PRATCHETT (2) ─"))
        #expect(detail[(start + 6)...].prefix(3) == ["Nation", "Dodger", ""])
    }

    @Test func scrollingTheDetailShowsTheCurrentBook() throws {
        let app = readerOfSeries().makeApp()
        let pane = app.main.detail
        _ = app.draw(size: Size(rows: 40, columns: 120))
        let first = try #require(pane.view.paragraphs.first?.text)
        // Both keys are there before the next frame.
        _ = app.perform(CommandRequest(command: .move(.down)))
        pane.scroll(by: 1)
        #expect(try #require(pane.view.paragraphs.first?.text) != first)
    }

    @Test func aBookWithoutASeriesHasAllOthersOfItsAuthor() throws {
        let detail = try readerOfSeries().browse("j j").detail
        #expect(detail.contains { $0.hasPrefix("MORE BY TERRY PRATCHETT (4) ─") })
        #expect(detail.contains("Mort") && detail.contains("The Colour of Magic"))
        #expect(!detail.contains { $0.hasPrefix("SERIES") })
    }

    @Test func theSeriesShowsTheStatusOfItsBooks() throws {
        let detail = try readerOfSeries().browse("j m d k").detail
        #expect(detail.contains("#1  ● The Colour of Magic"))
    }

    @Test func theNextUnreadBookOfABegunSeriesIsUpNext() throws {
        let detail = try readerOfSeries().browse("j m d k", columns: 130).detail
        #expect(detail.contains { $0.hasPrefix("#3    Equal Rites  ") && $0.hasSuffix("up next") })
        #expect(try readerOfSeries().browse("j", columns: 130).detail.allSatisfy { !$0.hasSuffix("up next") })
    }

    @Test func afterAnEditTheSeriesIsThatOfTheEditedBooks() throws {
        let user = readerOfSeries()
        let path = try user.writeCatalog()
        let records = user.books.map { book in
            let series = book.seriesPosition.map { #", "series": "Discworld", "seriesPosition": \#($0)"# } ?? ""
            return #"{"title": "\#(book.title)", "authors": ["Terry Pratchett"]\#(series)}"#
        }
        try "[\(records.joined(separator: ", "))]".write(toFile: path, atomically: true, encoding: .utf8)
        func detail(_ keys: String) throws -> [String] {
            // The catalog is read in the background.
            let steps: [ScriptedTerminal.Step] = [
                .wakeUps(until: { canvas in
                    (0..<canvas.size.rows).contains { canvas.text(ofRow: $0).contains("SERIES ─") }
                })
            ]
            return try user.browse(
                steps: steps + ScriptedTerminal.Step.keys(keys), source: user.edited(path), resumes: false
            ).detail
        }
        #expect(try detail("").contains("#3  Equal Rites"))
        // The third book is deleted, and restored.
        let deleted = try detail("G X g g")
        #expect(deleted.contains("▸#4  Mort") && !deleted.contains("#3  Equal Rites"))
        #expect(try detail("u g g").contains("#3  Equal Rites"))
    }

    @Test func inALargeCatalogRelatedBooksAppearOnceTheyAreFound() throws {
        let books = (0..<6000).map { Book.make(title: "Book \($0)", authors: ["Author \($0 % 3000)"]) }
        let user = User(books: books)
        let app = user.makeApp(resumes: false)
        func hasOthers() -> Bool {
            // This brings the detail up to date.
            app.main.detail.scroll(by: 0)
            return app.main.detail.view.paragraphs.contains { $0.text == "More by Author 0 (1)" }
        }
        #expect(!hasOthers())
        let session = app.session
        #expect(session.library.needsNamesOfBooks)
        session.library.collectNamesOfBooks(notifying: session.wake)
        for _ in 0..<1000 where !hasOthers() {
            usleep(10_000)
            _ = app.handle(.wakeUp)
        }
        #expect(hasOthers())
    }

    // MARK: - Matches

    /// The parts of the card that are highlighted for `query`.
    private func matches(_ query: String, in book: Book) -> [String] {
        let card = BookDetail.book(book, shelves: []).card(highlightedBy: MatchHighlighter(Query(query)))
        return card.paragraphs.flatMap { paragraph in
            paragraph.highlights.map { String(decoding: Array(paragraph.text.utf8)[$0], as: UTF8.self) }
        }
    }

    @Test(arguments: [
        ("war", ["War", "War"]), ("title:peace", ["Peace"]), ("author:somebody", ["Somebody"]),
        ("series:world", ["World"]),
        ("author:=\"Somebody Else\"", ["Somebody Else"]), ("subject:=war", ["War"]),
        ("isbn:0441478125", ["0441478125"]),
        ("publisher:russian", ["Russian"]), ("language:fr", ["French"]), ("wrapped", ["wrapped"]),
        ("title:wrapped", []),
        ("pages:>5", []),
    ])
    func matchesAreHighlightedInTheFieldsOfTheQuery(query: String, expected: [String]) {
        #expect(matches(query, in: .full) == expected)
    }

    @Test func aLanguageAmongTheFactsOfTheHeadingIsHighlighted() {
        var book = Book.make(pageCount: 285)
        book.languages = ["en"]
        #expect(matches("language:en", in: book) == ["English"])
    }

    @Test func controlSequencesAreNotShown() {
        var book = Book.make()
        book.description = "a\u{1B}[31mb"
        book.otherFields = [.init(path: "\u{1B}c", text: "\u{9B}2J")]
        book.identifiers = [.init(scheme: "\u{7}", value: "\u{202E}x")]
        let text = card(book, width: 50)
        #expect(
            text.unicodeScalars.allSatisfy { ($0.value >= 0x20 || $0 == "\n") && !(0x7F...0x9F).contains($0.value) })
        #expect(text.contains("a\u{FFFD}[31mb"))
    }

    @Test func theListHasSemicolonsBetweenAuthorsWithCommas() throws {
        let user = User(books: [.make(title: "Emma", authors: ["Austen, Jane", "Scott, W."])])
        let terminal = try user.browse(columns: 100)
        #expect(terminal.row(2).contains("Austen, Jane; Scott"))
        #expect(terminal.detail[1] == "Austen, Jane; Scott, W.")
    }

    @Test(arguments: [
        (PartialDate(year: 2004, month: 3, day: 5), "5 March 2004"), (PartialDate(year: 2004, month: 3), "March 2004"),
        (PartialDate(year: 2004), "2004"), (PartialDate(year: -750), "750 BC"), (PartialDate(year: 79), "79"),
        (PartialDate(year: -44, month: 3, day: 15), "15 March 44 BC"),
        (PartialDate(year: 2004, month: 12), "December 2004"),
        (PartialDate(year: 2004, month: 13, day: 1), "2004"), (PartialDate(year: .min), "9223372036854775808 BC"),
    ])
    func datesAreShownAsFarAsTheyAreKnown(date: PartialDate, expected: String) {
        #expect(date.shown == expected)
    }

    @Test(arguments: [
        (0, "☆☆☆☆☆ 0 of 5"), (5, "★★★★★ 5 of 5"), (4.5, "★★★★½ 4.5 of 5"), (3.14159, "★★★☆☆ 3.14 of 5"),
        (2.05, "★★☆☆☆ 2.05 of 5"), (-1, "☆☆☆☆☆ -1 of 5"), (1e300, "★★★★★ 1e+300 of 5"), (.nan, "☆☆☆☆☆ nan of 5"),
        (.infinity, "☆☆☆☆☆ inf of 5"), (-0.001, "☆☆☆☆☆ 0 of 5"),
    ])
    func ratingsAreStarsAndANumber(rating: Double, expected: String) {
        var book = Book.make()
        book.rating = rating
        #expect(book.shownRating == expected)
    }

    @Test(
        arguments: [
            ("Discworld", 8, "Discworld, 8"), ("Discworld", nil, "Discworld"), (nil, 2.5, "2.5"), (nil, nil, nil),
            ("Discworld", 0, "Discworld, 0"),
        ] as [(String?, Double?, String?)])
    func seriesHaveTheirPosition(series: String?, position: Double?, expected: String?) {
        var book = Book.make()
        (book.series, book.seriesPosition) = (series, position)
        #expect(book.shownSeries == expected)
    }

    @Test(
        arguments: [
            ("translator", "Translator"), ("trl", "Translator"), ("ILL", "Illustrator"),
            ("author of preface", "Author of preface"),
            ("", "Contributor"), (nil, "Contributor"), ("übersetzer", "Übersetzer"),
        ] as [(String?, String)])
    func rolesAreLabels(role: String?, expected: String) {
        #expect(Book.Contributor(name: "A", role: role).shownRole == expected)
    }

    @Test(
        arguments: [
            ([], ""), (["A"], "A"), (["A", "B"], "A, B"), (["A, B"], "A, B"), (["A, B", "C"], "A, B; C"),
            (["A,B", "C"], "A,B, C"),
        ] as [([String], String)])
    func namesWithACommaAreSeparatedBySemicolons(names: [String], expected: String) {
        #expect(names.listed == expected)
    }
}

extension CardTarget {
    /// The target in words, for comparisons.
    fileprivate var description: String {
        switch self {
        case .results(let query): query
        case .book(let id): "book \(id.number)"
        case .link: "link"
        }
    }
}
