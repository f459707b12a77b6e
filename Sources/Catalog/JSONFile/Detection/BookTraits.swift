internal import Books
internal import JSON
internal import Text

/// The evidence in the keys of an object that the object is a book.
struct BookTraits: OptionSet, Hashable {
    /// The bits of the traits.
    let rawValue: UInt32

    /// Creates a set from its bits.
    init(rawValue: UInt32) { self.rawValue = rawValue }

    static let title = BookTraits(rawValue: 1 << 0)
    /// A name, which people, shelves and file formats have too.
    static let name = BookTraits(rawValue: 1 << 1)
    /// The target of a link.
    static let link = BookTraits(rawValue: 1 << 2)
    /// A type, a role or the time of an event.
    static let event = BookTraits(rawValue: 1 << 3)

    static let authors = BookTraits(.authors)
    private static let isbn = BookTraits(.isbn)
    private static let pageCount = BookTraits(.pageCount)
    private static let languages = BookTraits(.languages)

    /// The fields other than the title that are evidence, as other things seldom have them.
    private static let evidence: [BookField] = [
        .authors, .isbn, .identifiers, .pageCount, .fiction, .series, .publisher, .languages, .subtitle, .published,
        .subjects, .description, .cover,
    ]
    /// The fields that distinguish a book from a list of books or a part of a book.
    private static let distinctive = BookTraits([.authors, .isbn, .identifiers, .pageCount, .fiction])
    /// The fields that only books have, which make a name a title.
    private static let exclusive = BookTraits([.authors, .isbn, .pageCount, .series, .publisher, .languages])
    /// The fields that a list of books does not have itself, whereas it may have a language, a date or a description.
    private static let ofSingleBook = BookTraits([
        .authors, .isbn, .identifiers, .pageCount, .fiction, .series, .publisher,
    ])
    /// All fields but the title.
    private static let fields = BookTraits(evidence)

    /// The trait of a field; empty for one that is no evidence.
    private init(_ field: BookField) {
        self = Self.evidence.firstIndex(of: field).map { Self(rawValue: 16 << $0) } ?? []
    }

    private init(_ fields: [BookField]) { self = fields.reduce(into: []) { $0.formUnion(BookTraits($1)) } }

    /// The traits by key, in lower case and without separators.
    private static let table: [String: BookTraits] = {
        var table: [String: BookTraits] = ["identifier": BookTraits(.identifiers), "href": .link, "rel": .link]
        for field in evidence { for name in field.namesOfBooks { table[name] = BookTraits(field) } }
        for name in [
            "type", "role", "time", "timestamp", "datetime", "created", "createdat", "createdon", "updated",
            "updatedat",
            "updatedon", "starttime", "endtime",
        ] { table[name] = .event }
        return table
    }()

    /// Returns the trait that a member with this key may have, or an empty set.
    private static func trait(ofKey key: String) -> BookTraits {
        switch key {
        case "title": .title
        case "name": .name
        default: table[key] ?? table[spelledPlainly(key)] ?? []
        }
    }

    /// Returns `key` in lower case and without separators.
    private static func spelledPlainly(_ key: String) -> String {
        let separators = [UInt8(ascii: "_"), UInt8(ascii: "-")]
        return String(decoding: key.lowercased().utf8.filter { !separators.contains($0) }, as: UTF8.self)
    }

    /// Whether a member with this key may be a trait.
    static func has(key: String) -> Bool { !trait(ofKey: key).isEmpty }

    /// Creates the trait of the member with this key whose value `reader` is at; empty if it has none.
    init(key: String, valueAt reader: JSONReader) {
        self.init(key: key, valueBeginningWith: reader.byte, isLanguage: reader.isAtLanguage)
    }

    /// Creates the trait of `member`; empty if it has none.
    fileprivate init(_ member: JSONValue.Member) {
        self.init(key: member.key, valueBeginningWith: member.value.firstByte, isLanguage: member.value.isLanguage)
    }

    private init(key: String, valueBeginningWith byte: UInt8, isLanguage: @autoclosure () -> Bool) {
        let trait = Self.trait(ofKey: key)
        let isText = byte == UInt8(ascii: "\"")
        let isNumber = (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
        let isList = byte == UInt8(ascii: "[")
        let isPresent =
            switch trait {
            case []: false
            case .title, .name: isText
            // The pages of a website or of a list of results are objects.
            case .pageCount: isText || isNumber
            case .isbn: isText || isNumber || isList
            case .authors: isText || isList || byte == UInt8(ascii: "{")
            case .languages: isList || isText && isLanguage()
            default: byte != UInt8(ascii: "n")
            }
        self = isPresent ? trait : []
    }

    /// Whether the object has a title: a title key, or a name together with a field that only books have.
    var isTitled: Bool {
        if contains(.link), isDisjoint(with: Self.distinctive) { return false }
        return contains(.title) || contains(.name) && !isDisjoint(with: Self.exclusive)
    }

    /// Whether the object has a title and a field that distinguishes books from lists and parts.
    var isBook: Bool { isTitled && !isDisjoint(with: Self.distinctive) }

    /// Whether the object has a title and another field of a book.
    var isDescribed: Bool { isTitled && !isDisjoint(with: Self.fields) }

    /// Whether the object has a name or title and no field that contradicts it. Used for arrays without further
    /// evidence.
    var mayBeTitled: Bool {
        isTitled || contains(.name) && (isDisjoint(with: [.event, .link]) || !isDisjoint(with: Self.fields))
    }

    /// Whether the object is a book although it contains objects with titles, which are books themselves if
    /// `isAroundBooks`.
    func isBook(isAroundBooks: Bool) -> Bool {
        guard isTitled else { return false }
        let count = intersection(Self.fields).rawValue.nonzeroBitCount
        return isAroundBooks
            ? count >= 2 && !isDisjoint(with: Self.ofSingleBook)
            : count >= 2 || !isDisjoint(with: Self.ofSingleBook.subtracting(.pageCount))
    }
}

extension JSONReader {
    /// Whether the next value is a string that names languages.
    fileprivate var isAtLanguage: Bool {
        var reader = self
        return (try? reader.readValue())?.isLanguage ?? false
    }
}

extension JSONValue {
    /// The evidence that this value is a book; empty unless it is an object.
    var bookTraits: BookTraits {
        (members ?? []).reduce(into: []) { $0.formUnion(BookTraits($1)) }
    }

    /// Whether the value names languages; "Swift" does not.
    fileprivate var isLanguage: Bool {
        let languages = languages
        return !languages.isEmpty && languages.allSatisfy { LanguageTag($0) != nil }
    }

    /// The first byte of the value in JSON; "0" for every number.
    fileprivate var firstByte: UInt8 {
        switch self {
        case .null: UInt8(ascii: "n")
        case .boolean(let value): value ? UInt8(ascii: "t") : UInt8(ascii: "f")
        case .number: UInt8(ascii: "0")
        case .string: UInt8(ascii: "\"")
        case .array: UInt8(ascii: "[")
        case .object: UInt8(ascii: "{")
        }
    }
}
