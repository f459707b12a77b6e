import Testing

@testable import Books
@testable import TerminalUI

extension Book {
    /// A book with all fields.
    static var full: Book {
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
}

extension [TextView.Paragraph] {
    /// The paragraphs as a text view of this width draws them.
    func drawn(width: Int, hasScrollMark: Bool = false) -> String {
        let view = TextView()
        view.hasScrollMark = hasScrollMark
        view.frame = Rect(row: 0, column: 0, height: 1, width: width)
        view.paragraphs = self
        view.frame.height = view.lineCount
        var canvas = Canvas(size: Size(rows: view.lineCount, columns: width))
        view.draw(on: &canvas)
        return (0..<canvas.size.rows).map(canvas.text(ofRow:)).joined(separator: "\n")
    }
}
