/// The query language of LIBRIS: `TIT:"röda rummet" AND FÖRF:(august strindberg)`. Its search codes are those of
/// libris.kb.se/help/search_codes_swe.jsp.
enum XSearchText {
    /// The operators.
    static let syntax = RecordSet.Syntax(
        and: { "(" + $0.joined(separator: " AND ") + ")" }, or: { "(" + $0.joined(separator: " OR ") + ")" },
        // No term contains this sign, which is not sent: there is no selection of all records.
        without: { "(\($0) NOT \($1))" }, everything: "\u{0}")

    /// Returns the search code of a field with its colon; nil if there is none.
    static func code(of field: LibraryField) -> String? {
        switch field {
        case .anywhere: ""
        case .title: "tit:"
        case .author: "forf:"
        case .subject: "amne:"
        case .publisher: "förl:"
        case .isbn: "isbn:"
        case .language: "språk:"
        case .id: "onr:"
        case .series, .year: nil
        }
    }

    /// Returns a term for words in this order; nil if no word is left without the signs that have a meaning, among them
    /// those for any characters.
    static func quoted(_ text: String) -> String? {
        let signs: Set<Character> = ["\"", "\\", "*", "?"]
        let plain = text.map { signs.contains($0) || $0.isControl ? " " : $0 }
        let words = String(plain).split(separator: " ")
        guard words.contains(where: { $0.contains { $0.isLetter || $0.isNumber } }) else { return nil }
        return "\"" + words.joined(separator: " ") + "\""
    }

    /// Returns a term for words near each other in any order, as in “Strindberg, August” for a name; nil if there are
    /// none.
    static func near(_ text: String) -> String? {
        let words = text.lowercased().split { !($0.isLetter || $0.isNumber || $0 == "'" || $0 == "’") }
        let operators: Set<Substring> = ["and", "or", "not"]
        let rest = words.filter { !operators.contains($0) }
        return rest.isEmpty ? nil : "(" + rest.joined(separator: " ") + ")"
    }

    /// Returns a term for a number or code; nil if the text is none.
    static func plain(_ text: String) -> String? {
        text.isEmpty || !text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) } ? nil : text
    }
}

extension Character {
    fileprivate var isControl: Bool { unicodeScalars.contains { $0.properties.generalCategory == .control } }
}
