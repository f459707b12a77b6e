internal import Books
internal import JSON

extension JournalEntry {
    /// Parses a line of the journal; fails if the line is invalid, such as a torn one.
    init?(line: ArraySlice<UInt8>) {
        guard let fields = LineFields(line) else { return nil }
        self.init(fields: fields)
    }

    /// Creates the change that the members of a line describe; fails if they do not describe any.
    init?(fields: LineFields) {
        guard let sequence = fields.sequence, let subject = fields.subject else { return nil }
        guard let value = LineValue(fields.value, of: subject) else { return nil }
        self.subject = subject
        self.value = value.withHalfStar(fields.hasHalfStar)
        if case .flag(let flag) = value, fields.old == nil {
            // Earlier versions did not write the old value, and their key always toggled the flag.
            old = .flag(!flag)
        } else {
            old = (LineValue(fields.old ?? .null, of: subject) ?? .nothing).withHalfStar(fields.oldHasHalfStar)
        }
        self.sequence = sequence
        step = fields.step ?? sequence
        date = fields.date
        bookCount = fields.bookCount
        importedFile = fields.importedFile
        ratingStep = fields.ratingStep
        name = fields.name
        if let identity = subject.identity { book = fields.book(identity) }
    }
}

/// The members of a line read so far.
struct LineFields {
    var sequence: Int?
    var step: Int?
    var date = ""
    var change: String?
    var value: JSONValue = .null
    var old: JSONValue?
    /// Whether the new and the old rating have half a star more than their numbers, which earlier versions read, say.
    var (hasHalfStar, oldHasHalfStar) = (false, false)
    var identity: BookIdentity?
    var isbn: BookIdentity.Key?
    var hash: BookIdentity.Key?
    var title = ""
    var authors: [String] = []
    var catalog: String?
    var sourceID: String?
    var shelf: String?
    var id: String?
    var name: String?
    var bookCount: Int?
    /// The name of an imported file.
    var importedFile: String?
    /// The number of half stars by which the ratings of several books were changed.
    var ratingStep: Int?
    /// The number of books of a line of several.
    var count: Int?
    /// The year of a goal.
    var year: Int?

    /// Parses the members of a line; fails if it is not an object.
    init?(_ line: ArraySlice<UInt8>) {
        let fields = line.withUnsafeBufferPointer { bytes in
            ObjectScanner.reading(bytes, into: LineFields()) { $0.take($1, $2) }
        }
        guard let fields else { return nil }
        self = fields
    }

    private init() {}

    /// Takes a member; one that this version does not know is skipped.
    mutating func take(_ key: ScannedKey, _ value: ScannedValue) {
        switch key {
        case "at": date = value.string ?? ""
        case "authors": authors = value.texts ?? value.json.names
        case "book": identity = value.identity
        case "books": bookCount = value.integer
        case "catalog": catalog = value.string
        case "change": change = value.string
        case "count": count = value.integer
        case "half": hasHalfStar = value.boolean ?? false
        case "halves": ratingStep = value.integer
        case "hash": hash = value.identity?.key
        case "id": id = value.string
        case "import": importedFile = value.string
        case "isbn": isbn = value.identity?.key
        case "name": name = value.string
        case "old": old = value.json
        case "oldHalf": oldHasHalfStar = value.boolean ?? false
        case "seq": sequence = value.integer
        case "shelf": shelf = value.string
        case "source": sourceID = value.string
        case "step": step = value.integer
        case "title": title = value.string ?? ""
        case "value": self.value = value.json
        case "year": year = value.integer
        default: break
        }
    }

    /// The subject that the line changes, if it is known.
    var subject: LineSubject? {
        func book(_ field: UserDataField) -> LineSubject? {
            identity.map { .book($0, field) }
        }
        func entry(_ kind: ListKind, _ field: EntryField) -> LineSubject? { id.map { .entry(kind, $0, field) } }
        switch change {
        case "favourite": return book(.favourite)
        case "shelf": return shelf.flatMap { book(.shelf($0)) }
        case "status": return book(.status)
        case "rating": return book(.rating)
        case "note": return book(.note)
        case "distinct": return id.flatMap { book(.distinction($0)) }
        case "shelves": return entry(.shelves, .existence)
        case "shelfName": return entry(.shelves, .name)
        case "shelfIndex": return entry(.shelves, .index)
        case "queries": return entry(.queries, .existence)
        case "queryName": return entry(.queries, .name)
        case "queryIndex": return entry(.queries, .index)
        case "queryText": return entry(.queries, .query)
        case "goal": return year.map(LineSubject.goal)
        case let change?:
            if let kind = CatalogEditStep.Kind(rawValue: change) { return catalog.map { .edit(kind, catalog: $0) } }
            return Reversal(rawValue: change).map(LineSubject.steps)
        case nil: return nil
        }
    }

    /// The description of the book with this identity.
    func book(_ identity: BookIdentity) -> StoredBook {
        StoredBook(
            title: title, authors: authors, keys: MatchKeys(isbn: isbn, hash: hash, of: identity), catalog: catalog,
            sourceID: sourceID)
    }
}

extension MatchKeys {
    /// Creates the keys stored with user data; a missing or damaged one is replaced by the key of the identity if
    /// possible.
    init(isbn: BookIdentity.Key?, hash: BookIdentity.Key?, of identity: BookIdentity) {
        self.init(
            isbn: isbn.flatMap { $0.isISBN ? $0 : nil } ?? (identity.key.isISBN ? identity.key : nil),
            hash: hash ?? identity.key)
    }
}

extension LineValue {
    /// Parses the value of a line about `subject`; fails if it is invalid for this subject.
    init?(_ value: JSONValue, of subject: LineSubject) {
        switch subject {
        case .book(_, let field): self.init(value, of: field)
        case .entry(let kind, _, let field): self.init(value, of: field, in: kind)
        case .goal:
            if value == .null {
                self = .nothing
                return
            }
            guard let number = value.integer, number >= 0 else { return nil }
            self = .number(number)
        case .edit:
            guard let number = value.integer, number > 0 else { return nil }
            self = .number(number)
        case .steps:
            if value == .null { return nil }
            guard let steps = value.integers else { return nil }
            self = .steps(steps)
        }
    }

    /// The value with half a star more if it is a rating and `hasHalf`.
    fileprivate func withHalfStar(_ hasHalf: Bool) -> LineValue {
        if case .rating(let rating) = self { .rating(StarRating(whole: rating.whole, hasHalf: hasHalf)) } else { self }
    }

    private init?(_ value: JSONValue, of field: UserDataField) {
        switch (field, value) {
        case (.favourite, .boolean(let flag)), (.shelf, .boolean(let flag)), (.distinction, .boolean(let flag)):
            self = .flag(flag)
        case (.status, .null), (.rating, .null), (.note, .null): self = .nothing
        case (.rating, .number):
            guard let number = value.integer, 0...5 ~= number else { return nil }
            self = .rating(StarRating(whole: number))
        case (.note, .string(let text)): self = .text(text)
        case (.status, .object):
            var status: Book.ReadingStatus?
            if let name = value["status"]?.string {
                guard let known = Book.ReadingStatus(rawValue: name) else { return nil }
                status = known
            }
            let log = ReadingLog(dates: value["dates"], readings: value["readings"], status: status)
            if status == nil && log.isEmpty { return nil }
            self = .status(status, log)
        default: return nil
        }
    }

    private init?(_ value: JSONValue, of field: EntryField, in kind: ListKind) {
        switch (field, value) {
        case (.existence, .null): self = .nothing
        case (.existence, .object):
            guard let name = value["name"]?.string else { return nil }
            let text = value["text"]?.string
            if kind == .queries && text == nil { return nil }
            self = .entry(
                ListEntry(index: value["index"]?.integer ?? .max, name: name, text: text, sort: value["sort"]?.string))
        case (.name, .string(let name)): self = .text(name)
        case (.index, .number):
            guard let number = value.integer, number >= 0 else { return nil }
            self = .number(number)
        case (.query, .object):
            guard let text = value["text"]?.string else { return nil }
            self = .query(text, sort: value["sort"]?.string)
        default: return nil
        }
    }
}
