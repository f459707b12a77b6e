internal import Catalog

extension Mark {
    /// The mark of this name as the snapshot holds it: a JSON object with sorted keys, on one line.
    func line(_ identity: BookIdentity) -> [UInt8] {
        var members: [(String, JSONValue?)] = [
            ("authors", JSONValue(authors)),
            ("book", .string(identity.description)),
            ("catalog", JSONValue(catalog)),
            ("favourite", isFavourite ? .boolean(true) : nil),
            ("hash", .string(keys.hash.description)),
            ("isbn", JSONValue(keys.isbn?.description)),
            ("note", JSONValue(note)),
            ("rating", rating.map { JSONValue($0) }),
            ("shelves", shelves.isEmpty ? nil : JSONValue(shelves.sorted())),
            ("source", JSONValue(sourceID)),
            ("status", JSONValue(status?.rawValue)),
            ("statusDates", statusDates.isEmpty ? nil : statusDates.json),
            ("title", .string(title)),
        ]
        members.add(others)
        var writer = ObjectWriter()
        for (key, value) in members { writer.add(key, value) }
        return writer.ended()
    }
}

extension [(String, JSONValue?)] {
    /// Adds what is unknown here, and sorts all by the keys. What is known here comes first.
    mutating func add(_ others: [JSONValue.Member]) {
        if others.isEmpty { return }
        removeAll { $0.1 == nil }
        let known = Set(map(\.0))
        self += others.filter { !known.contains($0.key) }.map { ($0.key, $0.value) }
        sort { $0.0 < $1.0 }
    }
}

/// The members of a mark's line, as they are read.
struct MarkFields {
    private var identity: String?
    private var isbn: String?
    private var hash: String?
    private var mark = Mark(title: "", keys: MarkFields.noKeys)

    /// Keys to be replaced.
    private static let noKeys = BookKeys(of: Book(title: ""))

    /// Takes in one of them. One that is unknown, or has a value that is, is kept as it is.
    mutating func take(_ key: String, _ value: JSONValue) {
        if !takeKnown(key, value) { mark.others.append(JSONValue.Member(key: key, value: value)) }
    }

    /// The mark and its name; nil where they have none.
    consuming func ended() -> (BookIdentity, Mark)? {
        guard let identity = identity.flatMap(BookIdentity.init) else { return nil }
        mark.keys = BookKeys(isbn: isbn, hash: hash, of: identity)
        return (identity, mark)
    }

    private mutating func takeKnown(_ key: String, _ value: JSONValue) -> Bool {
        switch (key, value) {
        case ("authors", _):
            guard let authors = value.texts else { return false }
            mark.authors = authors
        case ("book", .string(let text)): identity = text
        case ("catalog", .string(let text)): mark.catalog = text
        case ("favourite", .boolean(let flag)): mark.isFavourite = flag
        case ("hash", .string(let text)): hash = text
        case ("isbn", .string(let text)): isbn = text
        case ("note", .string(let text)): mark.note = text
        case ("rating", .number):
            guard let rating = value.integer, 0...5 ~= rating else { return false }
            mark.rating = rating
        case ("shelves", _):
            guard let ids = value.texts else { return false }
            mark.shelves = Set(ids)
        case ("source", .string(let text)): mark.sourceID = text
        case ("status", .string(let text)):
            guard let status = Book.ReadingStatus(rawValue: text) else { return false }
            mark.status = status
        case ("statusDates", _):
            guard let dates = [Book.ReadingStatus: String](json: value) else { return false }
            mark.statusDates = dates
        case ("title", .string(let text)): mark.title = text
        default: return false
        }
        return true
    }
}
