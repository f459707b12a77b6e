public import Books
internal import JSON

/// JSON output with one object per line, in an array or as JSON Lines.
public struct JSONFormatter: BookFormatter {
    /// The fields of each object.
    public enum Content {
        /// The native fields of this program, followed by what they do not have of the records.
        case native
        /// The native fields of this program only.
        case fields
        /// The records of the catalog as they are, or the native fields of a book without one.
        case records
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

    /// True for records that keep everything.
    public var needsRecords: Bool { content == .native || content == .records }

    /// The losses of CSL-JSON.
    public func expect(_ schema: Schema) -> [FieldLoss] { content == .csl ? Book.cslLosses(in: schema) : [] }

    /// Appends the opening bracket of the array.
    public func begin(_ text: inout [UInt8]) {
        if isArray { text.append(UInt8(ascii: "[")) }
    }

    /// Appends the object of a book.
    public mutating func append(_ printed: PrintedBook, to text: inout [UInt8]) {
        if isArray { text += (isFirst ? "\n" : ",\n").utf8 }
        isFirst = false
        switch content {
        case .records: printed.write(printed.record ?? printed.nativeRecord, asRecord: true, to: &text)
        case .native, .fields: printed.write(printed.nativeRecord, asRecord: false, to: &text)
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
    /// The native fields, `inCatalog` if the book is missing from the catalog, `userData` if there is any, and what no
    /// field reads.
    var nativeRecord: JSONValue {
        let record = book.nativeRecord(identity: knownIdentity)
        guard !isInCatalog || userData != nil || !unread.isEmpty, case .object(var members) = record else {
            return record
        }
        if !isInCatalog { members.append(.init(key: Self.inCatalogName, value: .boolean(false))) }
        if let userData { members.append(.init(key: PrintedUserData.memberName, value: userData.json)) }
        // Null says nothing, and neither does an `id` that is the identity.
        let identity = JSONValue.string(knownIdentity.description)
        let others = unread.filter { $0.value != .null && ($0.key != Self.idName || $0.value != identity) }
        return .object(members + others.placed(besides: Self.documentedNames))
    }

    private static let (idName, inCatalogName) = ("id", "inCatalog")
    /// The names that mean something in the JSON of stacks.
    public static let documentedNames = Set(
        BookField.builtIn.map(\.info.nativeKey) + [idName, inCatalogName, PrintedUserData.memberName])

    /// Appends an object with members spelled as in the record.
    ///
    /// - Parameter isRecord: Whether this holds for all members, and not only for those that no field reads.
    fileprivate func write(_ object: JSONValue, asRecord isRecord: Bool, to text: inout [UInt8]) {
        guard !spellings.isEmpty, case .object(let members) = object, !members.isEmpty else {
            return object.writeHarmlessly(to: &text)
        }
        for (index, member) in members.enumerated() {
            text += (index == 0 ? "{" : ",").utf8
            JSONValue.string(member.key).writeHarmlessly(to: &text)
            text.append(UInt8(ascii: ":"))
            // A member of which a part is read has only the rest.
            let isWhole = record?[member.key] == member.value
            let isSpelled = isRecord || unread.contains { $0.key == member.key }
            if isWhole, isSpelled, let spelling = spellings[member.key] {
                text += spelling.utf8
            } else {
                member.value.writeHarmlessly(to: &text)
            }
        }
        text.append(UInt8(ascii: "}"))
    }
}
