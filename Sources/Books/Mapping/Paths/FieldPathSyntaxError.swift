/// The reason and the position of a syntax error in a `FieldPath`.
public struct FieldPathSyntaxError: Error, Hashable, Sendable {
    /// The expected token.
    public enum Expectation: String, Hashable, Sendable {
        case name = "a name"
        case nextStep = "\".\", \"[\" or the end"
        case selector = "a quoted name, an index, \"*\" or \"?\""
        case index = "an index without leading zeros"
        case closingBracket = "\"]\""
        case closingParenthesis = "\")\""
        case closingQuote = "a closing quote"
        case escape = "an escape of JSON"
        case current = "\"@\""
        case member = "\".\" or \"[\" and a name"
        case equals = "\"==\""
        case literal = "a quoted text, a number, true, false or null"
        case end = "the end, as no value is nested deeper"
        case pointerEscape = "\"0\" or \"1\" after \"~\""
    }

    /// The offset of the invalid character in Unicode scalars, from 0; the length of the text if it ends too early.
    public var offset: Int
    /// The token expected at `offset`.
    public var expected: Expectation

    /// Creates an error at `offset`.
    public init(at offset: Int, expected: Expectation) {
        self.offset = offset
        self.expected = expected
    }
}
