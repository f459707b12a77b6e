public import Books
internal import Text

extension Query {
    /// Returns the query for the books whose `field` equals `value`: `author:="Stephen King"`.
    public static func text(of field: TextField, whole value: String) -> String {
        "\(field.rawValue):=\(quoted(value))"
    }

    /// Returns the query for the books whose value of a catalog's own field is `value`: `location:="Hall, shelf 3"`. A
    /// number needs no sign before it.
    public static func text(ofOwn field: BookField, whole value: String) -> String {
        let isNumeric = field.info.own?.kind.isNumeric ?? false
        return "\(field.id):\(isNumeric ? value : "=" + quoted(value))"
    }

    /// Returns the query for the books whose `field` equals `number`: `year:1990`.
    public static func text(of field: NumberField, _ number: Int) -> String { "\(field.rawValue):\(number)" }

    /// Returns the query for the books on the shelf of this name.
    public static func text(ofShelfNamed name: String) -> String { text(ofShelf: shelfKey(of: name)) }

    /// Returns the query for the books on the shelf whose name has this key: `on:"beach reads"`.
    static func text(ofShelf key: String) -> String { "on:\(quoted(key))" }

    /// Returns the query for the books whose rating rounds to a number of stars: `(rating:>=4.25 rating:<4.75)`.
    static func text(of stars: StarRating) -> String {
        // The bounds are a quarter of a star below and above.
        func bound(_ quarters: Int) -> String { "\(quarters / 4).\(["00", "25", "50", "75"][quarters % 4])" }
        return switch stars.halves {
        case 0: "rating:<0.25"
        case 10: "rating:>=4.75"
        default: "(rating:>=\(bound(stars.halves * 2 - 1)) rating:<\(bound(stars.halves * 2 + 1)))"
        }
    }

    /// Returns the text of the query for the books that match any of `parts`, each a query for one value.
    static func text(ofAny parts: [String]) -> String {
        parts.count == 1 ? parts[0] : "(" + parts.joined(separator: " | ") + ")"
    }

    /// Returns the text of the query for the books that match both this query and `part`, a query for one value.
    ///
    /// Only the text before a syntax error counts, and unclosed groups, phrases and patterns are closed.
    public func text(narrowedBy part: String) -> String {
        if expression == .everything { return part }
        var valid = text[...]
        if let syntaxError {
            valid = Substring(text.utf8.prefix(syntaxError.range.lowerBound))
            // Remove the name of the field whose value is wrong.
            while let last = valid.last, !last.isWhitespace, last != "(" { valid.removeLast() }
        }
        while valid.last?.isWhitespace == true { valid.removeLast() }
        var parser = QueryParser(valid.utf8, schema)
        guard let expression = parser.readAll() else { return part }
        valid += parser.missingEnd
        if case .any = expression { return "(\(valid)) \(part)" }
        return "\(valid) \(part)"
    }

    /// Returns the query for a word or phrase in any field.
    public static func text(quoting phrase: String) -> String { "\"\(escaped(phrase))\"" }

    /// Returns the query for all books that do not match `text`, a query for one value: `-author:="Stephen King"`.
    public static func text(excluding text: String) -> String { "-" + text }

    /// Returns `value` so that it parses as a single value, in quotes if necessary.
    public static func quoted(_ value: String) -> String {
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
