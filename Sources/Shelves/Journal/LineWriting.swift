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
        writer.add("hash", JSONValue(book?.keys.hash.description))
        writer.add("id", JSONValue(subject.entryID))
        writer.add("isbn", JSONValue(book?.keys.isbn?.description))
        writer.add("name", JSONValue(name))
        writer.add("old", old.json)
        writer.add("seq", JSONValue(sequence))
        writer.add("shelf", JSONValue(subject.shelfID))
        writer.add("source", JSONValue(book?.sourceID))
        if step != sequence { writer.add("step", JSONValue(step)) }
        writer.add("title", JSONValue(book?.title))
        writer.add("value", value.json)
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

    /// The id of the shelf or saved search.
    var entryID: String? {
        if case .entry(_, let id, _) = self { id } else { nil }
    }

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
        case .entry(.shelves, _, .existence): "shelves"
        case .entry(.shelves, _, .name): "shelfName"
        case .entry(.shelves, _, .index): "shelfIndex"
        case .entry(.shelves, _, .query): "shelfQuery"
        case .entry(.queries, _, .existence): "queries"
        case .entry(.queries, _, .name): "queryName"
        case .entry(.queries, _, .index): "queryIndex"
        case .entry(.queries, _, .query): "queryText"
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
        case .text(let text): .string(text)
        case .status(let status, let dates):
            .object([member("dates", dates.json), member("status", .string(status.rawValue))])
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

extension [Book.ReadingStatus: String] {
    /// The dates as an object, sorted by the names of the statuses.
    var json: JSONValue {
        .object(
            sorted { $0.key.rawValue < $1.key.rawValue }
                .map { JSONValue.Member(key: $0.key.rawValue, value: .string($0.value)) })
    }

    /// Parses the dates; fails if `value` is not an object of dates by status.
    init?(json value: JSONValue) {
        guard let members = value.members else { return nil }
        self.init()
        for member in members {
            guard let status = Book.ReadingStatus(rawValue: member.key), let day = member.value.string else {
                return nil
            }
            self[status] = day
        }
    }
}
