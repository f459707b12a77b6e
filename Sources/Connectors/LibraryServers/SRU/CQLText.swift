/// The Contextual Query Language of SRU (CQL 1.2).
enum CQLText {
    /// The operators.
    static let syntax = RecordSet.Syntax(
        and: { "(" + $0.joined(separator: " and ") + ")" }, or: { "(" + $0.joined(separator: " or ") + ")" },
        without: { "(\($0) not \($1))" }, everything: "cql.allRecords=1")

    /// Returns `text` as a term in quotation marks, in which no character has a meaning. Control characters become
    /// blanks.
    static func quoted(_ text: String) -> String {
        var term = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            // Masking characters, the anchor, and those of the quotation itself.
            case "\"", "\\", "*", "?", "^":
                term.unicodeScalars.append("\\")
                term.unicodeScalars.append(scalar)
            case _ where scalar.properties.generalCategory == .control: term.unicodeScalars.append(" ")
            default: term.unicodeScalars.append(scalar)
            }
        }
        return term + "\""
    }
}
