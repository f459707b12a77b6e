internal import Text

extension Query {
    /// Returns the query for the books whose `field` equals `value`: `author:="Stephen King"`.
    public static func text(of field: TextField, whole value: String) -> String {
        "\(field.rawValue):=\(quoted(value))"
    }

    /// Returns the query for the books whose `field` equals `number`: `year:1990`.
    public static func text(of field: NumberField, _ number: Int) -> String { "\(field.rawValue):\(number)" }

    /// Returns the query for a word or phrase in any field.
    public static func text(quoting phrase: String) -> String { "\"\(escaped(phrase))\"" }

    /// Returns the query for all books that do not match `text`, a query for one value: `-author:="Stephen King"`.
    public static func text(excluding text: String) -> String { "-" + text }

    /// Returns `value` so that it parses as a single value, in quotes if necessary.
    private static func quoted(_ value: String) -> String {
        let isPlain = !value.isEmpty && value.utf8.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || $0 >= 0x80 }
        // Spaces outside ASCII also end a word.
        return isPlain && !value.unicodeScalars.contains(where: \.properties.isWhitespace)
            ? value : text(quoting: value)
    }

    private static func escaped(_ value: String) -> String {
        var escaped = ""
        for scalar in value.unicodeScalars {
            if scalar == "\"" || scalar == "\\" { escaped += "\\" }
            escaped.unicodeScalars.append(scalar)
        }
        return escaped
    }
}
