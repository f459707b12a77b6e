/// The fields that the scanner looks at: those of the native record, by the keys that a catalog has for them.
enum ScannedField: UInt8, CaseIterable {
    case title, authors, isbn, pageCount, fiction

    /// The key of this field.
    var name: String {
        switch self {
        case .title: "title"
        case .authors: "authors"
        case .isbn: "isbn"
        case .pageCount: "pageCount"
        case .fiction: "fiction"
        }
    }

    /// The field of this key, or nil.
    init?(name: String) {
        guard let field = Self.allCases.first(where: { $0.name == name }) else { return nil }
        self = field
    }

    /// Whether it is in the index, and not only looked at to tell whether a record is a book.
    var isIndexed: Bool { self == .title || self == .authors || self == .isbn }

    /// What stands for this field in a set of fields.
    @inline(__always)
    var bit: UInt8 { 1 << rawValue }

    /// Whether a value of the kind that begins with `byte` can be read as this field; null can always.
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
        }
    }
}
