public import Books
internal import Text

/// The reason and the position of a syntax error in a query.
public struct QuerySyntaxError: Hashable, Sendable {
    /// The reason of an error.
    public enum Reason: Hashable, Sendable {
        /// The field name is unknown but similar to existing ones.
        case unknownField(String, nearest: [String])
        /// The enumerated field does not have this value but the allowed ones.
        case unknownValue(String, of: String, allowed: [String])
        /// The numeric field requires a number or range.
        case numberExpected(String, of: Query.NumberField)
        /// The field of the reading log requires a day, a number or a range.
        case logValueExpected(String, of: Query.LogField)
        /// The catalog's own field requires a number, a day or a range.
        case ownValueExpected(String, of: BookField)
        /// A closing parenthesis without an opening one, or an opening one or a quotation mark without a closing one.
        case unmatched(String)
        /// The error message of PCRE2 for a regular expression, and its offset in the query in UTF-8 bytes.
        case malformedPattern(String, offset: Int)
        /// The parentheses are nested too deeply.
        case tooDeep
        /// The query is too long; the text after the limit is not parsed.
        case tooLong
    }

    /// The UTF-8 byte range of the error in the query's text.
    public var range: Range<Int>
    /// The reason of the error.
    public var reason: Reason

    /// Creates an error at `range`.
    public init(_ reason: Reason, at range: Range<Int>) {
        self.range = range
        self.reason = reason
    }

    /// The error message with advice, without a full stop.
    public var sentence: String {
        switch reason {
        case .unknownField(let name, let nearest):
            QueryMessage.unknownField.text(name.shortened, nearest.map { $0 + ":" }.asPlainChoice)
        case .unknownValue(let value, let field, let allowed):
            QueryMessage.unknownValue.text(field, allowed.asPlainChoice, value.shortened)
        case .numberExpected(_, let field):
            QueryMessage.numberExpected.text(field.rawValue, field.examples.joined(separator: ", "))
        case .logValueExpected(_, let field):
            (field.isDay ? QueryMessage.dayExpected : .numberExpected)
                .text(field.rawValue, field.examples.joined(separator: ", "))
        case .ownValueExpected(_, let field):
            (field.info.kind == .date ? QueryMessage.dayExpected : .numberExpected)
                .text(field.id, (field.info.own?.kind.examples ?? []).joined(separator: ", "))
        case .unmatched(let mark): QueryMessage.unmatched.text(mark, mark)
        case .malformedPattern(let message, _): QueryMessage.malformedPattern.text(message)
        case .tooDeep: QueryMessage.tooDeep.text(String(QueryParser.maximumDepth))
        case .tooLong: QueryMessage.tooLong.text(String(QueryParser.maximumLength))
        }
    }
}

extension Query.NumberField {
    fileprivate var examples: [String] {
        switch self {
        case .pages: ["500", ">500", "300..500"]
        case .year, .added: ["1990", ">=1990", "1990..2000"]
        case .rating: ["4", ">=4", "3.5..5"]
        case .mine: ["4", ">=4", "3..5"]
        }
    }
}

extension [String] {
    /// The elements as an enumeration without quotes: a, b or c.
    fileprivate var asPlainChoice: String {
        guard let last, count > 1 else { return first ?? "nothing" }
        return dropLast().joined(separator: ", ") + " or " + last
    }
}

extension String {
    /// The string, truncated to fit into an error message.
    fileprivate var shortened: String { count > 40 ? prefix(39) + "…" : self }
}
