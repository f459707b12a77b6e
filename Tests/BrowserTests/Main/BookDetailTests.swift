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

    /// The detail pane of `book` at this width.
    private func pane(_ book: Book, width: Int, shelves: [String] = []) -> String {
        let view = TextView()
        view.frame = Rect(row: 0, column: 0, height: 1, width: width)
        view.paragraphs = BookDetail.book(book, shelves: shelves).paragraphs
        view.frame.height = view.lineCount
        var canvas = Canvas(size: Size(rows: view.lineCount, columns: width))
        view.draw(on: &canvas)
        return (0..<canvas.size.rows).map(canvas.text(ofRow:)).joined(separator: "\n")
    }

    /// A book with all fields.
    private var full: Book {
        var book = Book.make(
            title: "War and Peace", authors: ["Tolstoy, Leo", "Somebody Else"], isbn: "0-441-47812-3", pageCount: 1392,
            fiction: true)
        book.subtitle = "In four volumes"
        book.sortTitle = "war and peace"
        book.publisher = "The Russian Messenger"
        book.published = PartialDate(year: 1869, month: 3)
        book.languages = ["ru", "fr", "Old Church Something"]
        book.subjects = ["War", "Russia, history"]
        book.series = "World Classics"
        book.seriesPosition = 2.5
        book.description = "A first paragraph, long enough to be wrapped.\nThe parts:\n• One\n• Two\nThe end."
        book.cover = "https://example.org/cover.jpg"
        book.identifiers = [.init(scheme: "goodreads", value: "656"), .init(scheme: "lccn", value: "n 12")]
        book.contributors = [
            .init(name: "Rosemary Edmonds", role: "translator"), .init(name: "A. Nonymous"),
            .init(name: "Another Translator", role: "trl"),
        ]
        book.rating = 4.17
        book.status = .toRead
        book.dateAdded = PartialDate(year: 2004, month: 3, day: 5)
        book.sourceID = "OL267171W"
        book.otherFields = [
            .init(path: "_rev", text: "3-a1b2"), .init(path: "metadata.modified", text: "2020-01-01T00:00:00Z"),
        ]
        return book
    }

    @Test func theDetailReadsWellAsWideAsItUsuallyIs() {
        let expected = """
            War and Peace
            In four volumes
            Tolstoy, Leo; Somebody Else

            ISBN         978-0441478125
            Pages        1,392
            Kind         Fiction
            Series       World Classics, 2.5
            Publisher    The Russian Messenger
            Published    March 1869
            Languages    Russian, French, Old
                         Church Something
            Subjects     War; Russia, history
            Rating       ★★★★☆ 4.17 of 5
            Translator   Rosemary Edmonds, Another
                         Translator
            Contributor  A. Nonymous
            Identifiers  goodreads: 656
                         lccn: n 12
            Status       To read
            Shelves      Favourites, Reading
            Added        5 March 2004
            Cover        https://example.org/cover
                         .jpg
            Sorted as    war and peace
            ID           OL267171W

            A first paragraph, long enough to be
            wrapped.

            The parts:
            • One
            • Two

            The end.

            More fields
            _rev               3-a1b2
            metadata.modified  2020-01-01T00:00:00
                               Z
            """
        #expect(pane(full, width: 38, shelves: ["Favourites", "Reading"]) == expected)
    }

    @Test func theDetailReadsWellInTheNarrowestWindow() {
        let expected = """
            War and Peace
            In four volumes
            Tolstoy, Leo;
            Somebody Else

            ISBN      978-044147
                      8125
            Pages     1,392
            Kind      Fiction
            Series    World
                      Classics,
                      2.5
            Publisher
              The Russian
              Messenger
            Published
              March 1869
            Languages
              Russian, French,
              Old Church
              Something
            Subjects  War;
                      Russia,
                      history
            Rating    ★★★★☆ 4.17
                      of 5
            Translator
              Rosemary Edmonds,
              Another Translator
            Contributor
              A. Nonymous
            Identifiers
              goodreads: 656
              lccn: n 12
            Status    To read
            Added     5 March
                      2004
            Cover     https://ex
                      ample.org/
                      cover.jpg
            Sorted as
              war and peace
            ID        OL267171W

            A first paragraph,
            long enough to be
            wrapped.

            The parts:
            • One
            • Two

            The end.

            More fields
            _rev  3-a1b2
            metadata.modified
              2020-01-01T00:00:0
              0Z
            """
        #expect(pane(full, width: 20) == expected)
    }

    @Test func fiveFieldsAlwaysHaveALine() {
        #expect(
            pane(Book(title: ""), width: 38) == """
                Untitled
                Unknown author

                ISBN   –
                Pages  –
                Kind   –
                """)
    }

    @Test func anInvalidISBNIsLabelled() {
        #expect(
            pane(.make(isbn: "0441478124", pageCount: 7, fiction: false), width: 50) == """
                A Title
                An Author

                ISBN   0441478124 (not a valid ISBN)
                Pages  7
                Kind   Non-fiction
                """)
    }

    @Test func emptyFieldsHaveNoLine() {
        var book = Book.make(authors: [])
        book.publisher = ""
        book.description = ""
        book.sortTitle = book.title
        #expect(pane(book, width: 38).split(separator: "\n").count == 5)
    }

    @Test func controlSequencesAreNotShown() {
        var book = Book.make()
        book.description = "a\u{1B}[31mb"
        book.otherFields = [.init(path: "\u{1B}c", text: "\u{9B}2J")]
        book.identifiers = [.init(scheme: "\u{7}", value: "\u{202E}x")]
        let text = pane(book, width: 50)
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
