internal import Search

/// The query language of Solr's standard query parser.
enum SolrText {
    /// Returns `text` as a phrase in quotation marks, in which no character has a meaning. Control characters become
    /// blanks.
    static func quoted(_ text: String) -> String { "\"" + escaped(text, "\"\\") + "\"" }

    /// Returns a word in which no character has a meaning, so that a wildcard can follow it.
    static func word(_ text: String) -> String { escaped(text, "+-&|!(){}[]^\"~*?:\\/ ") }

    private static func escaped(_ text: String, _ special: String) -> String {
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            if scalar.properties.generalCategory == .control {
                result.append(contentsOf: special.unicodeScalars.contains(" ") ? ["\\", " "] : [" "])
                continue
            }
            if special.unicodeScalars.contains(scalar) { result.append("\\") }
            result.append(scalar)
        }
        return String(result)
    }
}
