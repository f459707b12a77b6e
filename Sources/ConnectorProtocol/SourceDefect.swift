internal import JSON

/// A defect of rows, which were copied nevertheless or skipped.
public struct SourceDefect: Hashable, Sendable {
    /// The kinds of defects.
    public enum Kind: String, CaseIterable, Sendable {
        /// The source ends within a record, which was skipped, or earlier than announced.
        case cut
        /// A quotation mark is not closed; the line was skipped.
        case quote
        /// Text follows a closing quotation mark; the row was kept.
        case strayQuote
        /// The row has more or fewer cells than the header; it was kept.
        case columns
        /// A spreadsheet has rounded the ISBN, and the row has no other; it was kept.
        case rounded
        /// Bytes do not belong to the encoding; the row was kept, with the bytes read as Windows-1252 or replaced.
        case encoding
        /// The record or one of its fields is too large; the record was skipped.
        case tooLarge
        /// A field is too large; the record was kept without it.
        case fieldTooLarge
        /// The record is not well-formed and was skipped.
        case malformed
        /// An entity was rejected.
        case entity
        /// Elements are nested too deeply; the record was skipped.
        case tooDeep
        /// A brace or quotation mark in the entry is not closed, so that a field may contain the following ones; it was
        /// kept.
        case unclosed
        /// Content that does not belong to a record was skipped.
        case foreign
        /// A record is not one of a book and was skipped.
        case notABook
    }

    /// The kind of the defect.
    public var kind: Kind
    /// The number of affected rows.
    public var count: Int
    /// The position of the first one.
    public var first: SourcePlace?
    /// A library's message about the first one. It is data, not text of stacks.
    public var detail: String?

    /// Whether rows with this defect are missing from the copy.
    public var isSkipped: Bool {
        switch kind {
        case .cut, .quote, .tooLarge, .malformed, .tooDeep, .notABook: true
        case .strayQuote, .columns, .rounded, .encoding, .fieldTooLarge, .entity, .unclosed, .foreign: false
        }
    }

    /// Creates a defect.
    public init(_ kind: Kind, count: Int = 1, first: SourcePlace? = nil, detail: String? = nil) {
        self.kind = kind
        self.count = count
        self.first = first
        self.detail = detail
    }
}

extension SourceDefect {
    /// Parses a defect from an object; nil if its kind is unknown or it has no count.
    init?(in object: JSONValue) {
        guard let kind = object["kind"]?.string.flatMap(Kind.init(rawValue:)), let count = object["count"]?.asCount
        else {
            return nil
        }
        self.init(kind, count: count, first: SourcePlace(in: object), detail: object["detail"]?.string)
    }

    /// This defect as an object.
    var json: JSONValue {
        var members: [JSONValue.Member] = [
            .init(key: "kind", value: .string(kind.rawValue)), .init(key: "count", value: JSONValue(count)),
        ]
        if let first { members.append(first.member) }
        if let detail { members.append(.init(key: "detail", value: .string(detail))) }
        return .object(members)
    }
}
