internal import Books
internal import Search
internal import Text

/// A query in the language of a library server.
struct RecordServerQuery {
    /// The expression; nil for all records.
    private(set) var expression: String?
    /// The indexes that it uses.
    private(set) var indexes: Set<LibraryIndex>
    /// The terms, as typed, that the server cannot search for.
    let ignoredTerms: [String]

    /// Translates a query; the server is known not to have the indexes `missing`.
    init(_ text: String, for server: any RecordServer, without missing: Set<LibraryIndex>) {
        let query = Query(text)
        let texts = TypedTexts(of: query)
        let syntax = server.syntax
        var indexes: Set<LibraryIndex> = []
        let translation = QueryTranslation<RecordSet>(
            of: query,
            into: .init(
                condition: { condition in
                    guard let (field, value) = Self.search(for: condition, texts),
                        case let index = LibraryIndex(field: field, form: value.form),
                        !missing.contains(index), let expression = server.expression(for: value, in: field)
                    else { return nil }
                    indexes.insert(index)
                    let set = RecordSet(text: expression)
                    // Older records have ten digits only, and not every server knows that both are one number.
                    guard field == .isbn, case .word(let digits) = value, let short = ISBN(digits).digits(length: 10),
                        let other = server.expression(for: .word(short), in: field)
                    else { return set }
                    return RecordSet.any([set, RecordSet(text: other)], in: syntax)
                },
                not: { $0.complement }, all: { RecordSet.all($0, in: syntax) },
                any: { RecordSet.any($0, in: syntax) }))
        expression = translation.part?.expression(in: syntax)
        ignoredTerms = translation.ignoredTerms
        self.indexes = indexes
    }

    /// Returns the field and value that a condition searches for; nil if library servers cannot.
    private static func search(
        for condition: Query.Condition, _ texts: TypedTexts
    ) -> (LibraryField, LibraryValue)? {
        switch condition {
        case .text(let pattern):
            guard let field = LibraryField(pattern.field) else { return nil }
            if field == .language {
                let tag = String(decoding: pattern.folded, as: UTF8.self)
                return (field, .word(MARCLanguage.code(of: tag) ?? tag))
            }
            if field == .isbn, let digits = pattern.digits {
                return (field, .word(String(decoding: digits, as: UTF8.self).uppercased()))
            }
            let text = texts[pattern]
            if pattern.isWhole { return (field, .whole(text)) }
            return (field, text.contains(where: \.isWhitespace) ? .phrase(text) : .word(text))
        case .number(.year, let range):
            // Servers have years of four digits.
            func year(_ bound: Double) -> Int? { (0...9999).contains(bound) ? Int(bound) : nil }
            let (first, last) = (year(range.lowerBound), year(range.upperBound))
            guard first != nil || range.lowerBound == -.infinity, last != nil || range.upperBound == .infinity,
                first != nil || last != nil
            else { return nil }
            return (.year, .years(from: first, to: last))
        case .number, .impossible, .known, .fiction, .status, .log, .favourite, .shelf, .note, .invalidISBN, .seriesGap,
            .regex, .own:
            return nil
        }
    }

    /// Returns the indexes that the server does not have according to a diagnostic; none if it does not tell which.
    func missingIndexes(in diagnostic: ServerDiagnostic) -> Set<LibraryIndex> {
        guard diagnostic.meaning == .index else { return [] }
        if indexes.count == 1 { return indexes }
        let details = diagnostic.details.lowercased()
        let named = indexes.filter { index in
            details == "\(index.field.useAttribute)" || index.field.cqlNames.contains { details.contains($0) }
        }
        if !named.isEmpty { return named }
        // Of several indexes, the unusual form is the likely cause: a range, then a whole value.
        for form in [LibraryIndex.Form.range, .whole] {
            let unusual = indexes.filter { $0.form == form }
            if !unusual.isEmpty { return unusual }
        }
        return []
    }
}
