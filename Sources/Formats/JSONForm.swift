internal import Books
internal import JSON

/// JSON output with one object per line, in an array or as JSON Lines.
public struct JSONForm: BookFormatter {
    /// The fields of each object.
    public enum Content {
        /// The native fields of this program.
        case native
        /// The fields of CSL-JSON, the input of citeproc.
        case csl
    }

    private let content: Content
    /// Whether the objects form an array.
    private let isArray: Bool
    private var isFirst = true

    /// Creates a JSON formatter.
    public init(_ content: Content = .native, isArray: Bool) {
        self.content = content
        self.isArray = isArray
    }

    /// Appends the opening bracket of the array.
    public func begin(_ text: inout [UInt8]) {
        if isArray { text.append(UInt8(ascii: "[")) }
    }

    /// Appends the object of a book.
    public mutating func append(_ printed: PrintedBook, to text: inout [UInt8]) {
        if isArray { text += (isFirst ? "\n" : ",\n").utf8 }
        isFirst = false
        switch content {
        case .native: printed.nativeRecord.writeHarmlessly(to: &text)
        case .csl:
            printed.book.cslItem(identity: printed.knownIdentity, userData: printed.userData)
                .writeHarmlessly(to: &text)
        }
        if !isArray { text.append(UInt8(ascii: "\n")) }
    }

    /// Appends the closing bracket of the array.
    public func end(_ text: inout [UInt8]) {
        if isArray { text += (isFirst ? "]\n" : "\n]\n").utf8 }
    }
}

extension PrintedBook {
    /// The native fields, `inCatalog` if the book is missing from the catalog, and `userData` if there is any.
    var nativeRecord: JSONValue {
        let record = book.nativeRecord(identity: knownIdentity)
        guard !isInCatalog || userData != nil, case .object(var members) = record else { return record }
        if !isInCatalog { members.append(.init(key: "inCatalog", value: .boolean(false))) }
        if let userData { members.append(.init(key: PrintedUserData.memberName, value: userData.json)) }
        return .object(members)
    }
}
