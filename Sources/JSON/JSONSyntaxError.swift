/// A syntax error in JSON text (RFC 8259).
public struct JSONSyntaxError: Error, Hashable, Sendable {
    /// The kind of error.
    public enum Reason: Hashable, Sendable {
        /// The text ends too early.
        case unexpectedEnd
        /// The character is not allowed here.
        case unexpectedCharacter
        /// The number is malformed, with a leading zero or plus or a missing digit.
        case malformedNumber
        /// A string contains an unescaped control character.
        case controlCharacterInString
        /// A backslash is not followed by a valid escape.
        case malformedEscape
        /// Arrays and objects are nested deeper than `JSONReader.maximumDepth`.
        case tooDeep
        /// More text follows the value.
        case trailingContent
    }

    /// The kind of error.
    public var reason: Reason
    /// The offset of the first invalid byte from the beginning of the text.
    public var offset: Int

    /// Creates the error at `offset`.
    public init(_ reason: Reason, at offset: Int) {
        self.reason = reason
        self.offset = offset
    }
}
