extension Query {
    /// Returns the completions of the word at `offset`, in UTF-8 bytes: field names with a colon, or the values of an
    /// enumerated field.
    ///
    /// - Returns: The range to replace, which ends at `offset`, and the candidates; none in quotes, in regular
    ///   expressions and after an error.
    public static func completions(of text: String, at offset: Int) -> (range: Range<Int>, candidates: [String]) {
        let beginning = Array(text.utf8.prefix(max(0, offset)))
        var parser = QueryParser(beginning)
        _ = parser.readAll()
        guard let word = parser.unfinished, parser.fault.map({ $0.place.upperBound == beginning.count }) ?? true else {
            return (beginning.count..<beginning.count, [])
        }
        let typed = String(decoding: beginning[word.start...], as: UTF8.self)
        let names =
            if let field = word.field { field.values.map { $0.map(\.names) } ?? [] } else {
                QueryField.all.map { field in field.names.map { $0 + ":" } }
            }
        return (word.start..<beginning.count, candidates(for: typed, among: names))
    }

    /// Returns the first name of each entry that starts with `typed`, or else of each entry with an alias that does.
    private static func candidates(for typed: String, among names: [[String]]) -> [String] {
        func isBeginning(of name: String) -> Bool { name.hasPrefix(typed.lowercased()) }
        let first = names.compactMap(\.first)
        let found = first.filter(isBeginning)
        return found.isEmpty ? zip(first, names).filter { $0.1.contains(where: isBeginning) }.map(\.0) : found
    }
}
