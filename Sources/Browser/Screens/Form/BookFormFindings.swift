internal import Books
internal import Library

/// What other catalogs and library servers know of the book in a form, as they answer.
struct BookFormFindings {
    /// What is looked up; nil if nothing is.
    let query: LookupQuery?
    /// The books that were found, of which one is used: the only one, or the one that was chosen.
    private(set) var books: [LookedUpBook] = []
    private var answer = LookupSession.Answer()
    private var chosen: BookIdentity.Key?
    private let session: LookupSession?
    private let number: Int

    /// Creates findings of nothing.
    init() { (query, session, number) = (nil, nil, 0) }

    /// Starts to look a book up.
    init(_ query: LookupQuery, in session: LookupSession) {
        (self.query, self.session) = (query, session)
        number = session.add(query)
        receive()
    }

    /// Creates the findings of an answer.
    init(_ query: LookupQuery, _ answer: LookupSession.Answer) {
        (self.query, session, number) = (query, nil, 0)
        take(answer)
    }

    /// Takes over what the sources have answered so far.
    mutating func receive() {
        if let session, !answer.isComplete { take(session.answerSoFar(to: number)) }
    }

    private mutating func take(_ answer: LookupSession.Answer) {
        self.answer = answer
        if let query { books = LookedUpBook.books(of: answer, to: query) }
    }

    /// Takes the query back.
    func stop() { session?.remove(number) }

    /// The book whose values are offered; nil if there is none, or none of several was chosen.
    var current: LookedUpBook? { books.count == 1 ? books[0] : books.first { $0.key == chosen } }

    /// Whether one of several books is to be chosen.
    var areSeveral: Bool { books.count > 1 }

    /// Makes one of several books the current one.
    mutating func choose(_ book: LookedUpBook) { chosen = book.key }

    /// Whether sources are still being asked.
    var isLooking: Bool { query != nil && !answer.isComplete }

    /// How far the lookup is, and what went wrong.
    var sentences: [String] {
        guard let query else { return [] }
        var sentences: [String] = []
        if areSeveral, current == nil {
            sentences.append(Message.severalFound.text(books.count.of("book")))
        } else if let current {
            let title = current.book.shownTitle
            sentences.append(Message.foundElsewhere.text(current.sources.listed, title))
        }
        if isLooking {
            sentences.append(Message.lookingUp.text(query.name))
        } else if books.isEmpty {
            sentences.append(
                (answer.failures.isEmpty ? Message.notFoundElsewhere : .notFoundInOthers).text(query.name))
        }
        if let first = answer.failures.first {
            let others = answer.failures.dropFirst().map(\.source)
            sentences.append(first.failure.sentence(of: first.source))
            if !others.isEmpty { sentences.append(Message.othersFailed.text(others.listed)) }
        }
        return sentences
    }
}

extension LookupSource.Failure {
    /// The error message, which names the source.
    func sentence(of source: String) -> String {
        sentence.contains(source) ? sentence.prefix(1).uppercased() + sentence.dropFirst() : source + ": " + sentence
    }
}

extension LookedUpBook {
    /// What tells the book apart from the others that were found.
    fileprivate var key: BookIdentity.Key? { found.first.map { BookIdentity.Key(of: $0.book) } }

    /// The names of the sources that have it.
    var sources: [String] {
        var names: [String] = []
        for found in found where !names.contains(found.source) { names.append(found.source) }
        return names
    }
}

extension LookedUpBook.Offer {
    /// The value and its sources: "694 · loc, k10plus".
    func text(for field: BookField) -> String {
        BookFormField.shown(FieldInput.text(of: value, for: field)) + " · " + sources.joined(separator: ", ")
    }
}
