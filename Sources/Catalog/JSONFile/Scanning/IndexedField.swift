internal import Books
internal import JSON

/// The fields that are extracted for the index: first those that identify a record as a book, then further ones for
/// searching, counting and sorting.
enum IndexedField: UInt8, CaseIterable {
    case title, authors, isbn, pageCount, fiction
    case series, seriesPosition, subjects, publisher, otherTitle, sortTitle, published, languages, description, cover,
        rating,
        status
    case dateAdded

    /// The corresponding field of a book.
    var bookField: BookField { Self.bookFields[Int(rawValue)] }

    /// The fields of a book in the order of the cases.
    private static let bookFields: [BookField] = [
        .title, .authors, .isbn, .pageCount, .fiction, .series, .seriesPosition, .subjects, .publisher, .otherTitle,
        .sortTitle,
        .published, .languages, .description, .cover, .rating, .status, .dateAdded,
    ]

    /// Whether the keys of a book are computed from the field.
    var isKey: Bool { self == .title || self == .authors || self == .isbn }

    /// Whether a record with this field is a book.
    @inline(__always)
    var identifiesBooks: Bool { rawValue <= Self.fiction.rawValue }

    /// The bit of the field in a set of those that identify books; 0 for others.
    @inline(__always)
    var bit: UInt8 { identifiesBooks ? 1 << rawValue : 0 }

    /// The bit of the field in a set of all fields.
    @inline(__always)
    var mask: UInt32 { 1 << UInt32(rawValue) }

    /// Whether a value that starts with `byte` has a type that this field can read; null is always accepted.
    @inline(__always)
    func accepts(valueBeginningWith byte: UInt8) -> Bool {
        let isString = byte == UInt8(ascii: "\"")
        let isNumber = byte == UInt8(ascii: "-") || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
        let isArray = byte == UInt8(ascii: "[")
        let isObject = byte == UInt8(ascii: "{")
        let isBoolean = byte == UInt8(ascii: "t") || byte == UInt8(ascii: "f")
        return switch self {
        case .title: isString || isNumber || isArray || isObject
        case .authors: isString || isArray || isObject
        case .isbn: isString || isNumber || isArray
        case .pageCount: isString || isNumber
        case .fiction: isBoolean || isString || isNumber
        default: true
        }
    }

    /// Whether `value` has a type that this field can read.
    func accepts(_ value: JSONValue) -> Bool {
        switch value {
        case .null: true
        case .boolean: accepts(valueBeginningWith: UInt8(ascii: "t"))
        case .number: accepts(valueBeginningWith: UInt8(ascii: "0"))
        case .string: accepts(valueBeginningWith: UInt8(ascii: "\""))
        case .array: accepts(valueBeginningWith: UInt8(ascii: "["))
        case .object: accepts(valueBeginningWith: UInt8(ascii: "{"))
        }
    }
}
