public import Books

extension Query {
    /// Returns the completions of the word at `offset`, in UTF-8 bytes: field names with a colon, or the values of an
    /// enumerated field.
    ///
    /// - Returns: The range to replace, which ends at `offset`, and the candidates; empty in quotes, in regular
    ///   expressions and after an error.
    public static func completions(
        of text: String, at offset: Int, in schema: Schema = .ofEveryBook
    ) -> (range: Range<Int>, candidates: [String]) {
        let beginning = Array(text.utf8.prefix(max(0, offset)))
        var parser = QueryParser(beginning, schema)
        _ = parser.readAll()
        guard let word = parser.unfinished, parser.syntaxError.map({ $0.range.upperBound == beginning.count }) ?? true
        else {
            return (beginning.count..<beginning.count, [])
        }
        let typed = String(decoding: beginning[word.start...], as: UTF8.self)
        let names =
            if let field = word.field { field.values(in: schema).map { $0.map(\.names) } ?? [] } else {
                QueryField.all(of: schema).map { field in field.names.map { $0 + ":" } }
            }
        return (word.start..<beginning.count, candidates(for: typed, among: names))
    }

    /// The unfinished value of a field at a position in a query.
    public struct UnfinishedValue: Hashable, Sendable {
        /// The kinds of values.
        public enum Kind: Hashable, Sendable {
            /// The texts of a field in the catalog.
            case text(TextField)
            /// The names of shelves.
            case shelf
            /// The texts of a field that only the catalog has.
            case own(BookField)
        }

        /// The kind of the value.
        public let kind: Kind
        /// The UTF-8 byte range to replace, with the opening quotation mark if there is one.
        public let range: Range<Int>
        /// The value so far, without the quotation mark.
        public let typed: String
    }

    /// Returns the unfinished value that ends at `offset`, in UTF-8 bytes, if the catalog or the shelves can complete
    /// it.
    public static func unfinishedValue(
        of text: String, at offset: Int, in schema: Schema = .ofEveryBook
    ) -> UnfinishedValue? {
        let beginning = Array(text.utf8.prefix(max(0, offset)))
        var parser = QueryParser(beginning, schema)
        _ = parser.readAll()
        guard parser.syntaxError == nil, let word = parser.unfinished ?? parser.unfinishedPhrase, let field = word.field
        else {
            return nil
        }
        var typed = beginning[word.start...]
        if typed.first == UInt8(ascii: "\"") { typed = typed.dropFirst() }
        let range = word.start..<beginning.count
        let value = String(decoding: typed, as: UTF8.self)
        return switch field {
        case .text(.title), .text(.isbn), .number, .fiction, .status, .log, .property, .known, .note: nil
        case .text(let field): UnfinishedValue(kind: .text(field), range: range, typed: value)
        case .own(let field):
            field.info.own?.kind.isNumeric == true
                ? nil : UnfinishedValue(kind: .own(field), range: range, typed: value)
        case .shelf: UnfinishedValue(kind: .shelf, range: range, typed: value)
        }
    }

    /// Returns the first name of each entry that starts with `typed`, or else of each entry with an alias that does.
    private static func candidates(for typed: String, among names: [[String]]) -> [String] {
        func isBeginning(of name: String) -> Bool { name.hasPrefix(typed.lowercased()) }
        let first = names.compactMap(\.first)
        let found = first.filter(isBeginning)
        return found.isEmpty ? zip(first, names).filter { $0.1.contains(where: isBeginning) }.map(\.0) : found
    }
}
