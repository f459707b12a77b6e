internal import Books
internal import JSON

extension UserBookData {
    /// Returns the user data as stored in the snapshot: a JSON object with sorted keys on one line.
    func line(_ identity: BookIdentity) -> [UInt8] {
        var members: [(String, JSONValue?)] = [
            ("authors", JSONValue(authors)),
            ("book", .string(identity.description)),
            ("catalog", JSONValue(catalog)),
            ("distinct", distinctions.isEmpty ? nil : JSONValue(distinctions.sorted())),
            ("favourite", isFavourite ? .boolean(true) : nil),
            ("half", rating?.hasHalf == true ? .boolean(true) : nil),
            ("hash", .string(keys.hash.description)),
            ("isbn", JSONValue(keys.isbn?.description)),
            ("note", JSONValue(note)),
            ("rating", (rating?.whole).map { JSONValue($0) }),
            ("readings", readingLog.json(with: status)),
            ("shelves", shelves.isEmpty ? nil : JSONValue(shelves.sorted())),
            ("source", JSONValue(sourceID)),
            ("status", JSONValue(status?.rawValue)),
            ("statusDates", statusDates.isEmpty ? nil : statusDates.json),
            ("title", .string(title)),
        ]
        members.add(unknownMembers)
        var writer = ObjectWriter()
        for (key, value) in members { writer.add(key, value) }
        return writer.ended()
    }
}

extension [(String, JSONValue?)] {
    /// Adds members that this version does not know and sorts all by key; known members take precedence.
    mutating func add(_ unknownMembers: [JSONValue.Member]) {
        if unknownMembers.isEmpty { return }
        removeAll { $0.1 == nil }
        let known = Set(map(\.0))
        self += unknownMembers.filter { !known.contains($0.key) }.map { ($0.key, $0.value) }
        sort { $0.0 < $1.0 }
    }
}

/// The members of a snapshot line read so far.
struct UserDataFields {
    private var identity: BookIdentity?
    private var isbn: BookIdentity.Key?
    private var hash: BookIdentity.Key?
    private var title = ""
    private var authors: [String] = []
    private var catalog: String?
    private var sourceID: String?
    private var statusDates: [Book.ReadingStatus: String] = [:]
    private var readings: [Reading]?
    private var wholeStars: Int?
    private var hasHalfStar = false
    private var bookData = UserBookData(on: UserDataFields.noBook)

    /// A placeholder, replaced at the end of the line.
    private static let noBook = StoredBook(title: "", authors: [], keys: MatchKeys(of: Book(title: "")))

    /// Creates an empty set of members.
    init() {}

    /// Parses a member; one with an unknown key or value is kept unchanged.
    mutating func take(_ key: ScannedKey, _ value: ScannedValue) {
        if !takeKnown(key, value) { bookData.unknownMembers.append(JSONValue.Member(key: key.text, value: value.json)) }
    }

    /// Returns the user data with its identity, or nil if the line has no identity.
    ///
    /// - Parameter last: The catalog of the previous line. Most records come from one catalog and share one copy of its
    ///   path.
    consuming func ended(sharing last: inout String?) -> (BookIdentity, UserBookData)? {
        guard let identity else { return nil }
        if catalog == last { catalog = last } else { last = catalog }
        if bookData.status != nil || !statusDates.isEmpty || readings != nil {
            bookData.readingLog =
                readings.map { ReadingLog(toRead: statusDates[.toRead], readings: $0) }
                ?? ReadingLog(statusDates: statusDates, status: bookData.status)
        }
        bookData.rating = wholeStars.map { StarRating(whole: $0, hasHalf: hasHalfStar) }
        bookData.book = StoredBook(
            title: title, authors: authors, keys: MatchKeys(isbn: isbn, hash: hash, of: identity), catalog: catalog,
            sourceID: sourceID)
        return (identity, bookData)
    }

    /// - Returns: Whether the member is known and valid.
    @inline(__always)
    private mutating func takeKnown(_ key: ScannedKey, _ value: ScannedValue) -> Bool {
        switch key {
        case "authors": set(&authors, to: value.texts)
        case "book": set(&identity, to: value.identity)
        case "catalog": set(&catalog, to: value.string)
        case "distinct": set(&bookData.distinctions, to: value.texts.map { Set($0) })
        case "favourite": set(&bookData.isFavourite, to: value.boolean)
        case "half": set(&hasHalfStar, to: value.boolean)
        case "hash": set(&hash, to: value.identity?.key)
        case "isbn": set(&isbn, to: value.identity?.key)
        case "note": set(&bookData.note, to: value.string)
        case "rating": set(&wholeStars, to: value.integer.flatMap { 0...5 ~= $0 ? $0 : nil })
        case "readings": set(&readings, to: [Reading](json: value.json))
        case "shelves": set(&bookData.shelves, to: value.texts.map { Set($0) })
        case "source": set(&sourceID, to: value.string)
        case "status": set(&bookData.status, to: value.string.flatMap(Book.ReadingStatus.init(rawValue:)))
        case "statusDates": set(&statusDates, to: [Book.ReadingStatus: String](json: value.json))
        case "title": set(&title, to: value.string)
        default: false
        }
    }

}

@inline(__always)
private func set<Value>(_ field: inout Value, to value: Value?) -> Bool {
    guard let value else { return false }
    field = value
    return true
}

@inline(__always)
private func set<Value>(_ field: inout Value?, to value: Value?) -> Bool {
    guard let value else { return false }
    field = value
    return true
}
