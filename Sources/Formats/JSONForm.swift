internal import Books
internal import JSON

/// Books as JSON objects, one a line: in an array, or without one (JSON Lines).
public struct JSONForm: BookFormatter {
    /// What is made of a book.
    public enum Content {
        /// The native fields.
        case native
        /// The fields of citeproc, CSL-JSON.
        case csl
    }

    private let content: Content
    /// Whether they stand in an array.
    private let isArray: Bool
    private var isFirst = true

    /// The form of books with this content.
    public init(_ content: Content = .native, isArray: Bool) {
        self.content = content
        self.isArray = isArray
    }

    /// Appends what comes before the first book.
    public func begin(_ text: inout [UInt8]) {
        if isArray { text.append(UInt8(ascii: "[")) }
    }

    /// Appends a book, or keeps it until others have come.
    public mutating func append(_ printed: PrintedBook, to text: inout [UInt8]) {
        if isArray { text += (isFirst ? "\n" : ",\n").utf8 }
        isFirst = false
        switch content {
        case .native: printed.nativeRecord.writeHarmlessly(to: &text)
        case .csl: printed.book.cslItem(identity: printed.knownIdentity).writeHarmlessly(to: &text)
        }
        if !isArray { text.append(UInt8(ascii: "\n")) }
    }

    /// Appends what comes behind the last book, and those that were kept.
    public func end(_ text: inout [UInt8]) {
        if isArray { text += (isFirst ? "]\n" : "\n]\n").utf8 }
    }
}

extension PrintedBook {
    /// The native fields, and that it is not in the catalog where it is not.
    var nativeRecord: JSONValue {
        let record = book.nativeRecord(identity: knownIdentity)
        guard !isInCatalog, case .object(let members) = record else { return record }
        return .object(members + [.init(key: "inCatalog", value: .boolean(false))])
    }
}
