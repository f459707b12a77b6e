/// The Prefix Query Format, in which libyaz takes queries of Z39.50.
enum PQFText {
    /// The operators.
    static let syntax = RecordSet.Syntax(
        and: { joined("@and", $0) }, or: { joined("@or", $0) }, without: { "@not \($0) \($1)" },
        // An extension of Zebra; other servers refuse it.
        everything: "@attr 1=_ALLRECORDS @attr 2=103 \"\"")

    private static func joined(_ sign: String, _ operands: [String]) -> String {
        String(repeating: sign + " ", count: operands.count - 1) + operands.joined(separator: " ")
    }

    /// Returns `text` as a term in quotation marks, in which no character has a meaning. Control characters become
    /// blanks.
    static func quoted(_ text: String) -> String {
        var term = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\":
                term.unicodeScalars.append("\\")
                term.unicodeScalars.append(scalar)
            case _ where scalar.properties.generalCategory == .control: term.unicodeScalars.append(" ")
            default: term.unicodeScalars.append(scalar)
            }
        }
        return term + "\""
    }
}
