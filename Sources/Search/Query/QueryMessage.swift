internal import Text

/// The messages about mistakes in a query.
enum QueryMessage: String, MessageTable {
    case unknownField = "unknown field {name}:. Did you mean {names}? Quote it to search for the text"
    case unknownValue = "{name}: needs {names}, not “{text}”"
    case numberExpected = "{name}: needs a number or range: {examples}"
    case dayExpected = "{name}: needs a year, month, day or range: {examples}"
    case unmatched = "unmatched {text}. Type \\{text} to search for one"
    case malformedPattern = "invalid regular expression: {reason}"
    case tooDeep = "parentheses nested deeper than {count}"
    case tooLong = "longer than {number} bytes. The rest is not searched for"
    case reversedRange = "{query} is an empty range. Did you mean {words}?"
    case outOfRange = "{query} matches nothing. {values} go from {number} to {number}"
}
