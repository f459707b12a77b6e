internal import JSON

/// Something wrong with rows of a source that could be copied nevertheless.
public struct SourceDefect: Hashable, Sendable {
    /// What is wrong.
    public enum Kind: String, CaseIterable, Sendable {
        /// The source ends within a record, which was skipped, or earlier than it says.
        case cut
        /// A quotation mark is not closed; the line was skipped.
        case quote
        /// Text follows a closing quotation mark; the row was kept.
        case strayQuote
        /// The row has more or fewer cells than the header; it was kept.
        case columns
        /// Bytes do not belong to the encoding; the row was kept, with the bytes read as Windows-1252 or replaced.
        case encoding
        /// The record or a field of it is larger than is accepted; the record was skipped.
        case tooLarge
        /// The record is not well-formed and was skipped.
        case malformed
        /// An entity was refused.
        case entity
        /// Elements are nested too deeply; the record was skipped.
        case tooDeep
        /// A brace or quotation mark in the entry is not closed, so that a field may have taken in those after it; it was
        /// kept.
        case unclosed
        /// Something that is not part of any record was passed over.
        case foreign
    }

    /// What is wrong.
    public var kind: Kind
    /// The number of rows that it is wrong with.
    public var count: Int
    /// The place of the first one.
    public var first: SourcePlace?
    /// What a library said of the first one; not a sentence of ours.
    public var detail: String?

    /// Whether rows with this defect are missing from the copy.
    public var isSkipped: Bool {
        switch kind {
        case .cut, .quote, .tooLarge, .malformed, .tooDeep: true
        case .strayQuote, .columns, .encoding, .entity, .unclosed, .foreign: false
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
    /// Reads a defect from an object; nil if its kind is not known.
    init?(in object: JSONValue) {
        guard let kind = object["kind"]?.string.flatMap(Kind.init(rawValue:)), let count = object["count"]?.integer
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
