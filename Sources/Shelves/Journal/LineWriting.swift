internal import Books
internal import JSON

extension JournalEntry {
    /// The line as stored in the journal: JSON with sorted keys, without a newline.
    var bytes: [UInt8] {
        var writer = ObjectWriter()
        writer.add("at", .string(date))
        writer.add("authors", (book?.authors).map { JSONValue($0) })
        writer.add("book", JSONValue(subject.identity?.description))
        writer.add("books", bookCount.map { JSONValue($0) })
        writer.add("catalog", JSONValue(subject.catalog ?? book?.catalog))
        writer.add("change", .string(subject.change))
        writer.add("half", value.hasHalfStar ? .boolean(true) : nil)
        writer.add("halves", ratingStep.map { JSONValue($0) })
        writer.add("hash", JSONValue(book?.keys.hash.description))
        writer.add("id", JSONValue(subject.entryID))
        writer.add("import", JSONValue(importedFile))
        writer.add("isbn", JSONValue(book?.keys.isbn?.description))
        writer.add("name", JSONValue(name))
        writer.add("old", old.json)
        writer.add("oldHalf", old.hasHalfStar ? .boolean(true) : nil)
        writer.add("seq", JSONValue(sequence))
        writer.add("shelf", JSONValue(subject.shelfID))
        writer.add("source", JSONValue(book?.sourceID))
        if step != sequence { writer.add("step", JSONValue(step)) }
        writer.add("title", JSONValue(book?.title))
        writer.add("value", value.json)
        writer.add("year", subject.goalYear.map { JSONValue($0) })
        return writer.ended()
    }
}

extension LineSubject {
    /// The identity of the user data, if the line changes some.
    var identity: BookIdentity? {
        if case .book(let identity, _) = self { identity } else { nil }
    }

    /// The id of the shelf that a book is added to or removed from.
    var shelfID: Shelf.ID? {
        if case .book(_, .shelf(let id)) = self { id } else { nil }
    }

    /// The id of the shelf or saved search, or of a group of books that are not the same.
    var entryID: String? {
        switch self {
        case .entry(_, let id, _), .book(_, .distinction(let id)): id
        default: nil
        }
    }

    /// The year of a goal.
    var goalYear: Int? { if case .goal(let year) = self { year } else { nil } }

    /// The path of the catalog that was edited.
    var catalog: String? {
        if case .edit(_, let catalog) = self { catalog } else { nil }
    }

    /// The name of the change in the journal.
    var change: String {
        switch self {
        case .book(_, .favourite): "favourite"
        case .book(_, .shelf): "shelf"
        case .book(_, .status): "status"
        case .book(_, .rating): "rating"
        case .book(_, .note): "note"
        case .book(_, .distinction): "distinct"
        case .entry(.shelves, _, .existence): "shelves"
        case .entry(.shelves, _, .name): "shelfName"
        case .entry(.shelves, _, .index): "shelfIndex"
        case .entry(.shelves, _, .query): "shelfQuery"
        case .entry(.queries, _, .existence): "queries"
        case .entry(.queries, _, .name): "queryName"
        case .entry(.queries, _, .index): "queryIndex"
        case .entry(.queries, _, .query): "queryText"
        case .goal: "goal"
        case .steps(let reversal): reversal.rawValue
        case .edit(let kind, _): kind.rawValue
        }
    }
}

extension LineValue {
    /// The value as stored in the journal.
    var json: JSONValue {
        switch self {
        case .nothing: .null
        case .flag(let flag): .boolean(flag)
        case .number(let number): JSONValue(number)
        case .rating(let rating): JSONValue(rating.whole)
        case .text(let text): .string(text)
        case .status(let status, let log):
            .object(
                [
                    member("dates", log.statusDates.json), log.json(with: status).map { member("readings", $0) },
                    status.map { member("status", .string($0.rawValue)) },
                ].compactMap(\.self))
        case .entry(let entry):
            .object(
                [member("index", JSONValue(entry.index)), member("name", .string(entry.name))]
                    + members(text: entry.text, sort: entry.sort))
        case .query(let text, let sort): .object(members(text: text, sort: sort))
        case .steps(let steps): .array(steps.map { JSONValue($0) })
        }
    }

    private func members(text: String?, sort: String?) -> [JSONValue.Member] {
        [sort.map { member("sort", .string($0)) }, text.map { member("text", .string($0)) }].compactMap(\.self)
    }

    private func member(_ key: String, _ value: JSONValue) -> JSONValue.Member {
        JSONValue.Member(key: key, value: value)
    }
}

extension LineValue {
    /// Creates the value of the status with its log; nothing if both are empty.
    init(_ status: Book.ReadingStatus?, _ log: ReadingLog) {
        self = status == nil && log.isEmpty ? .nothing : .status(status, log)
    }

    /// Whether the value is a rating with half a star, which `json` leaves out: earlier versions read whole stars only.
    var hasHalfStar: Bool { if case .rating(let rating) = self { rating.hasHalf } else { false } }

    /// Whether the value needs the current version of the format: earlier versions would lose its readings.
    var hasReadings: Bool {
        if case .status(let status, let log) = self { !log.followsFromStatusDates(of: status) } else { false }
    }
}
