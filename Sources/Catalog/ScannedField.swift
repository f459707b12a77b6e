/// The fields that the scanner looks at: those that are searched, and those that tell a book from something else.
enum ScannedField: UInt8, CaseIterable {
    case title, authors, isbn, pageCount, fiction

    /// The field of a book that it is.
    var bookField: BookField {
        switch self {
        case .title: .title
        case .authors: .authors
        case .isbn: .isbn
        case .pageCount: .pageCount
        case .fiction: .fiction
        }
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

    /// Whether `value` is of a kind that can be read as this field.
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
