internal import Books
internal import Library

/// The results of looking up a new book in other catalogs.
struct BookFormFindings {
    /// The number of the ISBN that is looked up, if any.
    let number: Int?
    private let isbn: String
    private var books: [(source: String, book: Book)] = []
    private var index = 0
    private var isLooking = false
    /// The catalogs that could not be opened.
    private var skipped: [String] = []
    /// Whether a result was used, or no lookup was started.
    private var isDone = false

    /// Creates no results.
    init() { (number, isbn, isDone) = (nil, "", true) }

    /// Creates the results of a lookup that starts now.
    init(lookingUp isbn: ISBN) { (number, self.isbn, isLooking) = (isbn.number, isbn.formatted, true) }

    /// Creates the results `books`, each with the name of its catalog.
    init(_ books: [(source: String, book: Book)]) {
        (number, isbn) = (nil, "")
        self.books = books
    }

    /// Updates the results of a lookup, unless they are for another ISBN.
    mutating func receive(_ results: ISBNLookup.Results) {
        guard results.isbn.number == number, !isDone else { return }
        books = results.books.map { (source: $0.catalog, book: $0.book) }
        skipped = results.problems.map(\.catalog)
        isLooking = !results.isComplete
    }

    /// Removes all results.
    mutating func finish() { (books, index, isLooking, skipped, isDone) = ([], 0, false, [], true) }

    /// The current result, if any.
    var current: Book? { books.isEmpty ? nil : books[index].book }

    /// Whether there are several results.
    var areSeveral: Bool { books.count > 1 }

    /// Makes the next result current, or the first after the last.
    mutating func advance() { index = books.isEmpty ? 0 : (index + 1) % books.count }

    /// The current result with its catalog, the progress of the lookup, and the catalogs that could not be opened.
    var sentences: [String] {
        if isDone { return [] }
        var sentences: [String] = []
        if let current {
            let title = current.shownTitle + (current.authors.isEmpty ? "" : ", " + current.authors.listed)
            let place = areSeveral ? " (\(index + 1) of \(books.count))" : ""
            sentences.append(Message.foundElsewhere.text(books[index].source, title) + place)
        }
        if isLooking {
            sentences.append(Message.lookingUp.text(isbn))
        } else if current == nil {
            sentences.append(Message.notFoundElsewhere.text(isbn))
        }
        if !skipped.isEmpty { sentences.append(Message.lookupSkipped.text(skipped.listed)) }
        return sentences
    }
}
