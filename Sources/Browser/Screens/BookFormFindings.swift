internal import Books
internal import Library

/// What other catalogs know of the book that is added.
struct BookFormFindings {
    private var books: [(source: String, book: Book)] = []
    private var index = 0

    /// No findings.
    init() {}

    /// What was found, with the name of the catalog in which it was.
    init(_ books: [(source: String, book: Book)]) { self.books = books }

    /// The book that is offered, if any.
    var current: Book? { books.isEmpty ? nil : books[index].book }

    /// Whether there are several.
    var areSeveral: Bool { books.count > 1 }

    /// Offers the next book, and the first after the last.
    mutating func advance() { index = books.isEmpty ? 0 : (index + 1) % books.count }

    /// What is offered, and where it was found; nil if nothing is.
    var sentence: String? {
        guard let current else { return nil }
        let title = current.shownTitle + (current.authors.isEmpty ? "" : ", " + current.authors.listed)
        let place = areSeveral ? " (\(index + 1) of \(books.count))" : ""
        return Message.foundElsewhere.text(books[index].source, title) + place
    }
}
