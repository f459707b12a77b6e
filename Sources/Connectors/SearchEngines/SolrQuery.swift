internal import Books
internal import Search
internal import Text

/// A query in the language of Solr.
struct SolrQuery {
    /// The query; nil for all books.
    let part: String?
    /// The terms, as typed, that cannot be searched for.
    let ignoredTerms: [String]

    /// Translates a query for the fields of a core.
    init(_ text: String, fields: @escaping (BookField) -> [SolrSchema.Field]) {
        let query = Query(text)
        let texts = TypedTexts(of: query)
        let translation = QueryTranslation<String>(
            of: query,
            into: .init(
                condition: { Self.condition($0, texts, fields) },
                // An expression of exclusions alone finds nothing in Solr.
                not: { "(*:* -\($0))" }, all: { "(" + $0.map { "+" + $0 }.joined(separator: " ") + ")" },
                any: { "(" + $0.joined(separator: " ") + ")" }))
        part = translation.part
        ignoredTerms = translation.ignoredTerms
    }

    private static func any(_ parts: [String]) -> String? {
        parts.count > 1 ? "(" + parts.joined(separator: " ") + ")" : parts.first
    }

    private static func condition(
        _ condition: Query.Condition, _ texts: TypedTexts, _ fields: (BookField) -> [SolrSchema.Field]
    ) -> String? {
        switch condition {
        case .text(let pattern): return text(pattern, texts[pattern], fields)
        case .number(let field, let range):
            switch field {
            case .year: return any(fields(.published).compactMap { years(range, in: $0) })
            case .added: return any(fields(.dateAdded).compactMap { years(range, in: $0) })
            case .pages: return any(fields(.pageCount).filter(\.isNumber).map { "\($0.name):\(bounds(range))" })
            case .rating, .mine: return nil
            }
        case .impossible: return "(-*:*)"
        case .known(let field):
            guard let field = field.ofCatalog else { return nil }
            return any(fields(field).map { "\($0.name):*" })
        case .fiction(let isFiction):
            guard let field = fields(.fiction).first, field.isBoolean else { return nil }
            return isFiction.map { "\(field.name):\($0)" } ?? "(*:* -\(field.name):*)"
        case .status, .log, .favourite, .shelf, .note, .invalidISBN, .seriesGap, .regex, .own: return nil
        }
    }

    private static func text(
        _ pattern: Query.TextPattern, _ typed: String, _ fields: (BookField) -> [SolrSchema.Field]
    ) -> String? {
        let digits = pattern.digits.map { String(decoding: $0, as: UTF8.self).uppercased() }
        switch pattern.field {
        case nil:
            let searched = BookField.searchedByEngines.flatMap(fields)
            let numbers = digits.map { digits in fields(.isbn).map { word(digits, in: $0) } } ?? []
            return any(searched.map { word(typed, in: $0) } + numbers)
        case .isbn?: return any(fields(.isbn).map { word(digits ?? typed, in: $0) })
        case .language?:
            let tag = String(decoding: pattern.folded, as: UTF8.self)
            let values = [tag, MARCLanguage.code(of: tag)].compactMap(\.self)
            return any(
                fields(.languages).flatMap { field in
                    values.map { "\(field.name):\(SolrText.quoted($0))" } + [
                        "\(field.name):\(SolrText.word(tag + "-"))*"
                    ]
                })
        case let field?: return any(values(pattern, typed, fields(field.bookField)))
        }
    }

    private static func values(
        _ pattern: Query.TextPattern, _ typed: String, _ fields: [SolrSchema.Field]
    ) -> [String] {
        if pattern.isWhole {
            return fields.filter { !$0.isTokenized }.map { "\($0.name):\(SolrText.quoted(typed))" }
        }
        return fields.map { word(typed, in: $0) }
    }

    /// Returns the query for a word, which may be the beginning of one, or a phrase, in a field.
    private static func word(_ text: String, in field: SolrSchema.Field) -> String {
        guard field.isTokenized else { return "\(field.name):*\(SolrText.word(text))*" }
        let exact = "\(field.name):\(SolrText.quoted(text))"
        // Words are indexed by their stem; the beginning of a word may be shorter or longer than that.
        return text.contains(where: \.isWhitespace) ? exact : "(\(exact) \(field.name):\(SolrText.word(text))*)"
    }

    private static func bounds(_ range: ClosedRange<Double>) -> String {
        func bound(_ value: Double) -> String { abs(value) < 1e15 ? String(Int(value)) : "*" }
        return "[\(bound(range.lowerBound)) TO \(bound(range.upperBound))]"
    }

    /// Returns the query for years, in numbers, dates, or texts that begin with the year.
    private static func years(_ range: ClosedRange<Double>, in field: SolrSchema.Field) -> String? {
        if field.isNumber { return "\(field.name):\(bounds(range))" }
        func year(_ bound: Double, plus more: Int = 0) -> String? {
            guard (0...9998).contains(bound) else { return nil }
            let digits = String(Int(bound) + more)
            return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
        }
        let (first, last) = (year(range.lowerBound), year(range.upperBound, plus: 1))
        guard first != nil || last != nil, !field.isTokenized else { return nil }
        // "}" excludes the end.
        let ending = field.isDate ? "-01-01T00:00:00Z" : ""
        return "\(field.name):[\(first.map { $0 + ending } ?? "*") TO \(last.map { $0 + ending } ?? "*")}"
    }
}
