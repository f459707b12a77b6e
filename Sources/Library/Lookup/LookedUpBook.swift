public import Books
internal import Graphemes
internal import Text

/// What is known of a book that was looked up.
public struct LookedUpBook: Sendable {
    /// The records of the book, with their sources.
    public let found: [LookupSession.Found]
    /// The values of the records, of which the best is chosen.
    public let proposal: MergeProposal

    /// Joins records of one book.
    ///
    /// - Parameter isbn: The ISBN that was looked up, which all of them have.
    private init(_ found: [LookupSession.Found], isbn: ISBN?) {
        self.found = found
        proposal = MergeProposal(
            found.map { found in
                var book = found.book
                if let isbn { book.isbn = isbn }
                return book
            }, in: .ofEveryBook)
    }

    /// Returns the books of an answer: one for an ISBN, and for a title one for each ISBN, or title and authors.
    public static func books(of answer: LookupSession.Answer, to query: LookupQuery) -> [LookedUpBook] {
        if answer.found.isEmpty { return [] }
        if case .isbn(let isbn) = query { return [LookedUpBook(answer.found, isbn: isbn)] }
        var places: [BookIdentity.Key: Int] = [:]
        var groups: [[LookupSession.Found]] = []
        for found in answer.found {
            let key = BookIdentity.Key(of: found.book)
            if let place = places[key] {
                groups[place].append(found)
            } else {
                places[key] = groups.count
                groups.append([found])
            }
        }
        return groups.map { LookedUpBook($0, isbn: nil) }
    }

    /// The book with the best values; its ISBN stands for a title that no source has.
    public var book: Book {
        var book = Book(title: "")
        for choice in proposal.choices { choice.field.set(choice.value, in: &book) }
        // A number in another series is none in this one.
        let series = book.series?.folded
        book.seriesPosition =
            found.lazy.filter { $0.book.series?.folded == series }.compactMap(\.book.seriesPosition).first
        if book.title.isEmpty { book.title = book.isbn?.formatted ?? "" }
        return book
    }

    /// The values of a field, the chosen one first, each with the names of its sources.
    public func values(of choice: MergeProposal.Choice) -> [(value: FieldValue, sources: [String])] {
        let chosen = choice.values[choice.chosen]
        let others = choice.isJoined ? [] : choice.values.filter { $0 != chosen && !$0.books.isEmpty }
        return ([chosen] + others).map { value in
            let numbers = value.books.isEmpty ? choice.values.flatMap(\.books) : value.books
            var names: [String] = []
            for number in numbers.sorted() where !names.contains(found[number].source) {
                names.append(found[number].source)
            }
            return (value.value, names)
        }
    }

    // MARK: - Filling a book

    /// A value for a book, with the sources that have it.
    public struct Offer: Hashable, Sendable {
        /// The value.
        public let value: FieldValue
        /// The names of the sources.
        public let sources: [String]
    }

    /// The fields that hold in one catalog only.
    private static let excluded: Set<BookField> = [.sourceID, .status, .dateAdded, .rating]

    /// Returns the values of a field, the best one first; those that differ in their spelling only are one.
    ///
    /// - Parameter series: The series of the book that is to have the value, if it has one: a number in another series is none
    ///   in this one.
    public func offers(for field: BookField, inSeries series: String? = nil) -> [Offer] {
        guard !Self.excluded.contains(field), let choice = proposal.choices.first(where: { $0.field == field }) else {
            return []
        }
        var offers: [Offer] = []
        for (value, sources) in field == .seriesPosition ? numbers(inSeries: series) : values(of: choice) {
            if let place = offers.firstIndex(where: { value.isSpelling(of: $0.value, in: field) }) {
                let more = sources.filter { !offers[place].sources.contains($0) }
                offers[place] = Offer(value: offers[place].value, sources: offers[place].sources + more)
            } else {
                offers.append(Offer(value: value, sources: sources))
            }
        }
        return offers
    }

    /// Returns the numbers that sources have for a series; none as long as it is not known which one it is.
    private func numbers(inSeries series: String?) -> [(value: FieldValue, sources: [String])] {
        guard let series = (series ?? agreed(for: .series)?.value.text)?.folded else { return [] }
        return found.filter { $0.book.series?.folded == series }.compactMap { found in
            BookField.seriesPosition.value(in: found.book).map { ($0, [found.source]) }
        }
    }

    /// Returns the value for a field that a book lacks, if all sources that have one agree.
    ///
    /// - Parameter series: The series of the book, if it has one.
    public func agreed(for field: BookField, inSeries series: String? = nil) -> Offer? {
        let offers = offers(for: field, inSeries: series)
        return offers.count == 1 ? offers[0] : nil
    }

    /// Whether a book has no value of a field. A book that no source knew when it was scanned has its ISBN for a title.
    public static func lacks(_ field: BookField, _ book: Book) -> Bool {
        if field == .title { return book.title.isEmpty || book.title == book.isbn?.formatted }
        return field.value(in: book) == nil
    }
}

extension FieldValue {
    /// Whether both are one value in two spellings: with other punctuation or upper case, a name with its parts in another
    /// order, a year and a day in it.
    public func isSpelling(of other: FieldValue, in field: BookField) -> Bool {
        switch (self, other) {
        case (.text(let mine), .text(let theirs)): NameParts(mine.folded).parts == NameParts(theirs.folded).parts
        case (.list(let mine), .list(let theirs)) where field == .authors:
            mine.count == theirs.count
                && zip(mine, theirs).allSatisfy {
                    PersonName(folded: $0.text.folded).mayBe(PersonName(folded: $1.text.folded))
                }
        case (.date(let mine), .date(let theirs)):
            mine.description.hasPrefix(theirs.description) || theirs.description.hasPrefix(mine.description)
        case (.isbn(let mine), .isbn(let theirs)) where mine.isValid: mine.number == theirs.number
        default: self == other
        }
    }
}
