/// Where and why a text is no `FieldPath`.
public struct FieldPathSyntaxError: Error, Hashable, Sendable {
    /// What should stand there.
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
        case pointerEscape = "\"0\" or \"1\" behind \"~\""
    }

    /// The character (Unicode scalar) that cannot be read, counted from 0; their count where the text ends too early.
    public var offset: Int
    /// What should stand there.
    public var expected: Expectation

    /// The fault at `offset`.
    public init(at offset: Int, expected: Expectation) {
        self.offset = offset
        self.expected = expected
    }
}
