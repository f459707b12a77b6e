internal import Books
internal import Library

/// What other catalogs know of the book that is added.
struct BookFormFindings {
    /// The number of the ISBN that is looked up, if any.
    let number: Int?
    private let isbn: String
    private var books: [(source: String, book: Book)] = []
    private var index = 0
    private var isLooking = false
    /// The catalogs that could not be opened.
    private var skipped: [String] = []
    /// Whether something was taken, or nothing was looked for.
    private var isDone = false

    /// No findings.
    init() { (number, isbn, isDone) = (nil, "", true) }

    /// The findings of a lookup that begins.
    init(lookingUp isbn: ISBN) { (number, self.isbn, isLooking) = (isbn.number, isbn.formatted, true) }

    /// What was found, with the name of the catalog in which it was.
    init(_ books: [(source: String, book: Book)]) {
        (number, isbn) = (nil, "")
        self.books = books
    }

    /// Takes over what a lookup found so far, unless it is about another ISBN.
    mutating func receive(_ results: ISBNLookup.Results) {
        guard results.isbn.number == number, !isDone else { return }
        books = results.books.map { (source: $0.catalog, book: $0.book) }
        skipped = results.problems.map(\.catalog)
        isLooking = !results.isComplete
    }

    /// Offers nothing more.
    mutating func finish() { (books, index, isLooking, skipped, isDone) = ([], 0, false, [], true) }

    /// The book that is offered, if any.
    var current: Book? { books.isEmpty ? nil : books[index].book }

    /// Whether there are several.
    var areSeveral: Bool { books.count > 1 }

    /// Offers the next book, and the first after the last.
    mutating func advance() { index = books.isEmpty ? 0 : (index + 1) % books.count }

    /// What is offered and where it was found, whether it is still looked for, and which catalogs could not be opened.
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
