/// Where and why a text is not JSON (RFC 8259).
public struct JSONSyntaxError: Error, Hashable, Sendable {
    /// Why.
    public enum Reason: Hashable, Sendable {
        /// The text ends where more is needed.
        case unexpectedEnd
        /// A character that cannot stand here.
        case unexpectedCharacter
        /// A number that breaks the grammar: a leading zero or plus, a missing digit.
        case malformedNumber
        /// A control character inside a string that is not escaped.
        case controlCharacterInString
        /// A backslash that begins no escape.
        case malformedEscape
        /// Arrays and objects nested more than `JSONReader.maximumDepth` deep.
        case tooDeep
        /// Something follows the value that is the text.
        case trailingContent
    }

    /// Why.
    public var reason: Reason
    /// The offset of the first byte that is wrong, from the beginning of the text.
    public var offset: Int

    /// The fault at `offset`.
    public init(_ reason: Reason, at offset: Int) {
        self.reason = reason
        self.offset = offset
    }
}
