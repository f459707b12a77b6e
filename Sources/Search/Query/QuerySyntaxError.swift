internal import Text

/// Where and why a query cannot be read.
public struct QuerySyntaxError: Hashable, Sendable {
    /// Why.
    public enum Reason: Hashable, Sendable {
        /// No field has this name, but these have one that is nearly the same.
        case unknownField(String, nearest: [String])
        /// A value that the field does not have, and those that it has.
        case unknownValue(String, of: String, allowed: [String])
        /// The field has numbers, and this is none.
        case numberExpected(String, of: Query.NumberField)
        /// A parenthesis that closes nothing.
        case unexpectedParenthesis
        /// What PCRE2 says of a regular expression, and up to where in the query it read it, in bytes of UTF-8.
        case malformedPattern(String, offset: Int)
        /// More parentheses are open than a query can have.
        case tooDeep
    }

    /// Where the mistake stands in the query's text, in bytes of UTF-8.
    public var place: Range<Int>
    /// Why.
    public var reason: Reason

    /// The fault at `place`.
    public init(_ reason: Reason, at place: Range<Int>) {
        self.place = place
        self.reason = reason
    }

    /// What is wrong and what can be done, without a full stop.
    public var sentence: String {
        switch reason {
        case .unknownField(let name, let nearest):
            "there is no field \"\(name.shortened)\", but \(nearest.asChoice); in quotes it is text"
        case .unknownValue(let value, let field, let allowed):
            "\(field): is \(allowed.asPlainChoice), not \"\(value.shortened)\""
        case .numberExpected(let value, let field):
            "\(field.rawValue): is a number, \(field.examples.asPlainChoice), not \"\(value.shortened)\""
        case .unexpectedParenthesis: "this \")\" closes nothing; \"\\)\" is text"
        case .malformedPattern(let message, _): "the regular expression cannot be read: \(message)"
        case .tooDeep: "no more than \(QueryParser.maximumDepth) parentheses can be open at once"
        }
    }
}

extension Query.NumberField {
    fileprivate var examples: [String] {
        switch self {
        case .pages: ["500", ">500", "300..500"]
        case .year, .added: ["1990", ">=1990", "1990..2000"]
        case .rating: ["4", ">=4", "3.5..5"]
        }
    }
}

extension [String] {
    /// These as the choice that there is, without quotes: a, b or c.
    fileprivate var asPlainChoice: String {
        guard let last, count > 1 else { return first ?? "nothing" }
        return dropLast().joined(separator: ", ") + " or " + last
    }
}

extension String {
    /// As much of this as a sentence has room for.
    fileprivate var shortened: String { count > 40 ? prefix(39) + "…" : self }
}
