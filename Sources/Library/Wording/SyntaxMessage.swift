internal import JSON
internal import Text

/// The reason why a JSON text is invalid, as part of a message.
enum SyntaxMessage: String, MessageTable {
    case unexpectedEnd = "unexpected end of file"
    case unexpectedCharacter = "unexpected character"
    case malformedNumber = "malformed number"
    case controlCharacterInString = "control character in a string"
    case malformedEscape = "invalid escape sequence"
    case tooDeep = "nested deeper than 512 levels"
    case trailingContent = "text after the end of the JSON"

    /// The message for an error.
    init(_ reason: JSONSyntaxError.Reason) {
        self =
            switch reason {
            case .unexpectedEnd: .unexpectedEnd
            case .unexpectedCharacter: .unexpectedCharacter
            case .malformedNumber: .malformedNumber
            case .controlCharacterInString: .controlCharacterInString
            case .malformedEscape: .malformedEscape
            case .tooDeep: .tooDeep
            case .trailingContent: .trailingContent
            }
    }
}
