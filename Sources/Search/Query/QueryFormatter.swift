internal import Text

extension Query {
    /// The query for the books whose `field` has exactly `value`: `author:="Stephen King"`.
    public static func text(of field: TextField, whole value: String) -> String {
        "\(field.rawValue):=\(quoted(value))"
    }

    /// The query for the books whose `field` is exactly `number`: `year:1990`.
    public static func text(of field: NumberField, _ number: Int) -> String { "\(field.rawValue):\(number)" }

    /// The query for a word or a phrase anywhere.
    public static func text(quoting phrase: String) -> String { "\"\(escaped(phrase))\"" }

    /// The query for all other books than those that `text`, a query for one value, finds: `-author:="Stephen King"`.
    public static func text(excluding text: String) -> String { "-" + text }

    /// `value` as it is read as one, in quotes where it needs them.
    private static func quoted(_ value: String) -> String {
        let isPlain = !value.isEmpty && value.utf8.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || $0 >= 0x80 }
        // Blanks outside ASCII end a word too.
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
