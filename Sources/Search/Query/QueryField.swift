internal import Books

/// A field name that may precede a colon in a query.
enum QueryField: Hashable {
    case text(Query.TextField)
    case number(Query.NumberField)
    case fiction, status
    /// "read:", "started:" or "readings:", a value of the reading log. Progress has the name of the status.
    case log(Query.LogField)
    /// "is:", a property of the book.
    case property
    /// "has:", a field with a value.
    case known
    /// "on:", a shelf.
    case shelf
    /// The reader's note.
    case note
    /// A field that only the catalog has.
    case own(BookField)

    /// The fields of every catalog.
    static let all: [QueryField] =
        Query.TextField.allCases.map(text) + Query.NumberField.allCases.map(number)
        + [.fiction, .status, .log(.read), .log(.started), .log(.readings), .property, .known, .shelf, .note]

    /// Returns all fields of a catalog.
    static func all(of schema: Schema) -> [QueryField] { schema.own.isEmpty ? all : all + schema.own.map(own) }

    /// Creates the field of every catalog with this name, ignoring case.
    init?(named name: String) {
        guard let field = Self.fieldsByName[name.lowercased()] else { return nil }
        self = field
    }

    /// Returns the field names that differ from `name` in one letter or one transposition, except short ones, which
    /// resemble too many words.
    static func nearest(to name: String, of schema: Schema) -> [String] {
        let name = name.lowercased()
        return all(of: schema).map(\.name).filter { $0.utf8.count >= 4 && $0.isOneMistake(from: name) }
    }

    /// The canonical name.
    var name: String { names[0] }

    /// The accepted names, canonical one first.
    var names: [String] {
        switch self {
        case .text(let field): field.namesOfField
        case .number(let field): field.namesOfField
        case .fiction: BookField.fiction.info.queryNames
        case .status: BookField.status.info.queryNames
        case .log(let field): [field.rawValue]
        case .property: ["is"]
        case .known: ["has"]
        case .shelf: ["on", "shelf"]
        case .note: Self.namesOfNote
        case .own(let field): field.info.queryNames
        }
    }

    /// Returns the possible values of an enumerated field.
    func values(in schema: Schema) -> [QueryValue]? {
        switch self {
        case .own(let field):
            field.info.kind == .boolean
                ? QueryValue.yesAndNo(yes: .own(field, .number(1...1)), no: .own(field, .number(0...0))) : nil
        case .known where !schema.own.isEmpty:
            // The catalog's own fields come first, since one may be called "note".
            schema.own.map { QueryValue(.own($0, .known), $0.info.queryNames) } + QueryValue.ofKnown
        case .text, .number, .log, .shelf, .note: nil
        case .fiction: QueryValue.ofFiction
        case .status: QueryValue.ofStatus
        case .property: QueryValue.ofProperty
        case .known: QueryValue.ofKnown
        }
    }

    /// The names of the reader's note; the first is that of a field in some catalogs.
    fileprivate static let namesOfNote = ["note", "mynote"]

    private static let fieldsByName: [String: QueryField] = {
        var fields: [String: QueryField] = [:]
        for field in all {
            for name in field.names { fields[name] = field }
        }
        return fields
    }()
}

/// A value of an enumerated field.
struct QueryValue {
    /// The accepted names, canonical one first.
    let names: [String]
    /// The condition that the value stands for.
    let condition: Query.Condition

    fileprivate init(_ condition: Query.Condition, _ names: [String]) {
        self.condition = condition
        self.names = names
    }

    /// Whether the value has this name, ignoring case, spaces, hyphens and underscores.
    func isNamed(_ name: String) -> Bool {
        let key = Self.key(of: name)
        return names.contains { Self.key(of: $0) == key }
    }

    /// Returns the key by which names are compared.
    static func key(of name: String) -> String { Query.shelfKey(of: name).filter { $0 != " " } }

    /// Returns the values of a field that is true or false.
    fileprivate static func yesAndNo(yes: Query.Condition, no: Query.Condition) -> [QueryValue] {
        [Self(yes, ["yes", "true", "y", "1"]), Self(no, ["no", "false", "n", "0"])]
    }

    fileprivate static let ofFiction = [
        Self(.fiction(true), ["yes", "true", "y", "1", "fiction"]),
        Self(.fiction(false), ["no", "false", "n", "0", "non-fiction"]),
        Self(.fiction(nil), ["unknown", "none", "null", "?"]),
    ]

    fileprivate static let ofStatus =
        readingStatuses + [Self(.status(nil), ["none", "unknown", "null"])]

    fileprivate static let ofProperty =
        [Self(.favourite, ["favourite", "favorite", "favourites", "favorites", "fav", "starred"])]
        + readingStatuses + [
            Self(.fiction(true), ["fiction"]), Self(.fiction(false), ["non-fiction"]),
            Self(.invalidISBN, ["invalid-isbn"]), Self(.seriesGap, ["series-gap"]),
        ]

    private static let readingStatuses = Book.ReadingStatus.allCases.map { status in
        let others =
            switch status {
            case .toRead: ["want-to-read", "wanted", "tbr"]
            case .reading: ["currently-reading", "current"]
            case .read: ["finished", "done"]
            case .abandoned: ["did-not-finish", "dnf", "dropped"]
            }
        return Self(.status(status), [status.rawValue] + others)
    }

    fileprivate static let ofKnown = Query.KnownField.allCases.map { field in
        Self(.known(field), field == .note ? QueryField.namesOfNote : field.namesOfField)
    }
}

extension RawRepresentable<String> {
    /// The names of the field of a book that has this one as its canonical name.
    fileprivate var namesOfField: [String] { BookField(queryName: rawValue)?.info.queryNames ?? [rawValue] }
}

extension String {
    /// Whether the strings differ by one inserted, deleted or replaced letter, or by one transposition of adjacent
    /// letters.
    fileprivate func isOneMistake(from other: String) -> Bool {
        let (left, right) = (Array(utf8), Array(other.utf8))
        guard abs(left.count - right.count) <= 1, left != right else { return false }
        let prefix = zip(left, right).prefix { $0 == $1 }.count
        let suffix = zip(left.dropFirst(prefix).reversed(), right.dropFirst(prefix).reversed()).prefix { $0 == $1 }
            .count
        let (changed, written) = (left.dropFirst(prefix).dropLast(suffix), right.dropFirst(prefix).dropLast(suffix))
        return max(changed.count, written.count) <= 1
            || changed.count == 2 && written.count == 2 && changed.elementsEqual(written.reversed())
    }
}
