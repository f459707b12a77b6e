internal import Text

/// The messages about mistakes in a profile. Names are in straight quotation marks, as in JSON.
enum ProfileMessage: String, MessageTable {
    case mistake = "{path}, line {number}, column {number}: {reason}"
    case unreadable = "profile {path}: {reason}"
    case unknownKey = "unknown key “{name}”; expected {names}"
    case unknownField = "unknown field “{name}”; expected {names}"
    case nameOfEveryBook = "\"{name}\" has another meaning in queries; choose another name"
    case wrongType = "expected {kind}"
    case missing = "expected \"{name}\""
    case malformedPath = "\"{text}\" is not a path; expected {kind} at character {number}"
    case differentRecords = "expected \"{text}\" to continue after its last [*] as \"{text}\" does"
    case unexpectedEnd = "unexpected end of file"
    case unexpectedCharacter = "expected a value, a key, a comma or a closing bracket"
    case malformedNumber = "expected a JSON number"
    case controlCharacter = "expected an escape sequence for a control character"
    case malformedEscape = "expected a JSON escape sequence"
    case tooDeep = "nested too deeply"
    case trailingContent = "expected the end of the file"
}
