import Testing

@testable import Books
@testable import Browser
@testable import Graphemes
@testable import Library
@testable import TerminalUI

@Suite("All details with their labels")
struct LabelledBookTests {
    init() { useUTF8Locale() }

    /// The labelled details of `book` at this width.
    private func text(_ book: Book, width: Int, shelves: [String] = []) -> String {
        LabelledBook(book: book, shelves: shelves).paragraphs
            .map { TextView.Paragraph($0.text, label: $0.label) }.drawn(width: width)
    }

    @Test func eachValueHasALabel() {
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
            Shelves      Winter, Reading
            Date added   5 March 2004
            Cover        https://example.org/cover
                         .jpg
            Sort title   war and peace
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
        #expect(text(.full, width: 38, shelves: ["Winter", "Reading"]) == expected)
    }

    @Test func inTheNarrowestWindowLongLabelsAreAboveTheirText() {
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
            Date added
              5 March 2004
            Cover     https://ex
                      ample.org/
                      cover.jpg
            Sort title
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
        #expect(text(.full, width: 20) == expected)
    }

    @Test func fiveFieldsAlwaysHaveALine() {
        #expect(
            text(Book(title: ""), width: 38) == """
                Untitled
                Unknown author

                ISBN   –
                Pages  –
                Kind   –
                """)
    }

    @Test func anInvalidISBNIsLabelled() {
        #expect(
            text(.make(isbn: "0441478124", pageCount: 7, fiction: false), width: 50) == """
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
        #expect(text(book, width: 38).split(separator: "\n").count == 5)
    }
}
