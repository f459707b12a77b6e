internal import Text

/// A title with a series after it, as Goodreads writes it: "Mort (Discworld, #4)".
public struct SeriesInTitle: Hashable, Sendable {
    /// The title without the series.
    public var title: String
    /// The name of the first series.
    public var name: String
    /// The number within this series, as it is written: "4", or "1-3" for a volume with several books.
    public var number: String
    /// What follows the number: other series with a semicolon before each, or "".
    private var rest = ""

    /// The place of the first book in the series.
    public var position: Double? { Double(number.prefix { $0.isNumber || $0 == "." }) }

    /// The title as it is written.
    public var text: String { "\(title) (\(name)\(separator)#\(number)\(rest))" }

    /// The text between the name and the number.
    private var separator = ", "

    /// Reads a title; fails if the brackets at its end have no series, such as "(A Novel)" and "(The #1 Bestseller)".
    public init?(_ text: String) {
        guard text.utf8.last == UInt8(ascii: ")"), text.utf8.contains(UInt8(ascii: "#")),
            let bracket = text.openingBracket
        else { return nil }
        title = String(text[..<bracket]).onOneLine
        let content = text[bracket...].dropFirst().dropLast()
        let first = content.prefix { $0 != ";" }
        rest = String(content[first.endIndex...])
        guard let sign = first.lastIndex(of: "#"), !title.isEmpty else { return nil }
        number = String(first[sign...].dropFirst()).onOneLine
        let end = first[..<sign].lastIndex { $0 != "," && $0 != " " }.map(first.index(after:)) ?? first.startIndex
        separator = String(first[end..<sign])
        name = String(first[..<end]).onOneLine
        let isNumber = number.first?.isNumber == true && number.allSatisfy { $0.isNumber || ".-–".contains($0) }
        guard isNumber, position != nil, !name.isEmpty else { return nil }
    }
}

extension String {
    /// The place of the bracket that the last character closes.
    fileprivate var openingBracket: String.Index? {
        var depth = 0
        for index in indices.reversed() {
            if self[index] == ")" { depth += 1 }
            if self[index] == "(" { depth -= 1 }
            if depth == 0 { return index }
        }
        return nil
    }
}
