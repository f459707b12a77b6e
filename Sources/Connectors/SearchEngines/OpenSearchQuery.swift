internal import Books
internal import JSON
internal import Search
internal import Text

/// A query in the language of OpenSearch and Elasticsearch. Each value is a JSON string, in which no character has a
/// meaning, except in the pattern of a wildcard query.
struct OpenSearchQuery {
    /// The query; nil for all books.
    let part: JSONValue?
    /// The terms, as typed, that cannot be searched for.
    let ignoredTerms: [String]

    /// Translates a query for the fields of an index.
    init(_ text: String, fields: @escaping (BookField) -> [OpenSearchMapping.Field]) {
        let query = Query(text)
        let texts = TypedTexts(of: query)
        let translation = QueryTranslation<JSONValue>(
            of: query,
            into: .init(
                condition: { Self.condition($0, texts, fields) }, not: { Self.not($0) },
                all: { json(["bool": json(["filter": .array($0)])]) }, any: { Self.any($0) }))
        part = translation.part
        ignoredTerms = translation.ignoredTerms
    }

    private static func not(_ part: JSONValue) -> JSONValue { json(["bool": json(["must_not": .array([part])])]) }

    private static func any(_ parts: [JSONValue]) -> JSONValue {
        parts.count == 1
            ? parts[0] : json(["bool": json(["should": .array(parts), "minimum_should_match": .number("1")])])
    }

    private static func condition(
        _ condition: Query.Condition, _ texts: TypedTexts, _ fields: (BookField) -> [OpenSearchMapping.Field]
    ) -> JSONValue? {
        switch condition {
        case .text(let pattern): return text(pattern, texts[pattern], fields)
        case .number(let field, let range):
            switch field {
            case .year: return years(range, in: fields(.published))
            case .added: return years(range, in: fields(.dateAdded))
            case .pages: return numbers(range, in: fields(.pageCount))
            case .rating, .mine: return nil
            }
        case .impossible: return json(["match_none": .object([])])
        case .known(let field):
            guard let field = field.ofCatalog else { return nil }
            let parts = fields(field).map { json(["exists": json(["field": .string($0.name)])]) }
            return parts.isEmpty ? nil : any(parts)
        case .fiction(let isFiction):
            guard let field = fields(.fiction).first, field.kind == .boolean else { return nil }
            guard let isFiction else { return not(json(["exists": json(["field": .string(field.name)])])) }
            return json(["term": json([field.name: .boolean(isFiction)])])
        case .status, .log, .favourite, .shelf, .note, .invalidISBN, .seriesGap, .regex, .own: return nil
        }
    }

    // MARK: - Text

    private static func text(
        _ pattern: Query.TextPattern, _ typed: String, _ fields: (BookField) -> [OpenSearchMapping.Field]
    ) -> JSONValue? {
        switch pattern.field {
        case nil:
            let searched = BookField.searchedByEngines.flatMap(fields)
            var parts = words(typed, in: searched)
            if let digits = pattern.digits { parts += isbn(digits, typed, fields(.isbn)) }
            return parts.isEmpty ? nil : any(parts)
        case .isbn?:
            let parts = isbn(pattern.digits ?? pattern.folded, typed, fields(.isbn))
            return parts.isEmpty ? nil : any(parts)
        case .language?: return language(String(decoding: pattern.folded, as: UTF8.self), fields(.languages))
        case let field?:
            let searched = fields(field.bookField)
            let parts = pattern.isWhole ? whole(typed, in: searched) : words(typed, in: searched)
            return parts.isEmpty ? nil : any(parts)
        }
    }

    /// Returns the queries for a word, which may be the beginning of one, or a phrase.
    private static func words(_ text: String, in fields: [OpenSearchMapping.Field]) -> [JSONValue] {
        var parts: [JSONValue] = []
        let names = fields.filter { $0.kind == .text }.map(\.name)
        if !names.isEmpty {
            // The beginning of a word finds all words with it; a phrase prefix would stop at 50 of them, silently.
            let isPhrase = text.contains(where: \.isWhitespace)
            var query: [JSONValue.Member] = [
                .init(key: "query", value: .string(text)), .init(key: "fields", value: JSONValue(names)),
                .init(key: "type", value: .string(isPhrase ? "phrase" : "bool_prefix")),
            ]
            if !isPhrase { query.append(.init(key: "operator", value: .string("and"))) }
            parts.append(json(["multi_match": .object(query)]))
        }
        for field in fields where field.kind == .keyword {
            parts.append(
                json([
                    "wildcard": json([
                        field.name: json([
                            "value": .string("*\(wildcardEscaped(text))*"), "case_insensitive": .boolean(true),
                        ])
                    ])
                ]))
        }
        return parts
    }

    private static func whole(_ text: String, in fields: [OpenSearchMapping.Field]) -> [JSONValue] {
        fields.compactMap { $0.kind == .keyword ? $0.name : $0.keyword }.map { name in
            json(["term": json([name: json(["value": .string(text), "case_insensitive": .boolean(true)])])])
        }
    }

    /// Returns `text` as a part of the pattern of a wildcard query, in which no character has a meaning.
    static func wildcardEscaped(_ text: String) -> String {
        String(text.flatMap { "*?\\".contains($0) ? ["\\", $0] : [$0] })
    }

    private static func isbn(
        _ digits: [UInt8], _ typed: String, _ fields: [OpenSearchMapping.Field]
    ) -> [JSONValue] {
        let digits = String(decoding: digits, as: UTF8.self).uppercased()
        return fields.flatMap { field -> [JSONValue] in
            switch field.kind {
            case .text: words(digits, in: [field]) + (typed == digits ? [] : words(typed, in: [field]))
            case .keyword: words(digits, in: [field]) + (typed == digits ? [] : words(typed, in: [field]))
            case .number: Int(digits) == nil ? [] : [json(["term": json([field.name: .number(digits)])])]
            case .date, .boolean: []
            }
        }
    }

    /// Returns the query for a language: indexes have tags such as "en" or "en-GB", or codes such as "eng".
    private static func language(_ tag: String, _ fields: [OpenSearchMapping.Field]) -> JSONValue? {
        let values = [tag, MARCLanguage.code(of: tag)].compactMap(\.self)
        let parts = fields.flatMap { field -> [JSONValue] in
            guard let name = field.kind == .keyword ? field.name : field.keyword else {
                return field.kind == .text ? values.map { json(["match": json([field.name: .string($0)])]) } : []
            }
            func exact(_ key: String, _ value: String) -> JSONValue {
                json([key: json([name: json(["value": .string(value), "case_insensitive": .boolean(true)])])])
            }
            return values.map { exact("term", $0) } + [exact("prefix", tag + "-")]
        }
        return parts.isEmpty ? nil : any(parts)
    }

    // MARK: - Numbers

    private static func numbers(_ range: ClosedRange<Double>, in fields: [OpenSearchMapping.Field]) -> JSONValue? {
        let parts = fields.filter { $0.kind == .number }.map { field in
            self.range(field.name, number(range.lowerBound), number(range.upperBound))
        }
        return parts.isEmpty ? nil : any(parts)
    }

    private static func number(_ bound: Double) -> JSONValue? {
        abs(bound) < 1e15 ? .number(bound == bound.rounded() ? String(Int(bound)) : String(bound)) : nil
    }

    private static func range(
        _ name: String, _ low: JSONValue?, _ high: JSONValue?, below: Bool = false, format: String? = nil
    ) -> JSONValue {
        var bounds: [JSONValue.Member] = []
        if let low { bounds.append(.init(key: "gte", value: low)) }
        if let high { bounds.append(.init(key: below ? "lt" : "lte", value: high)) }
        if let format { bounds.append(.init(key: "format", value: .string(format))) }
        return json(["range": json([name: .object(bounds)])])
    }

    /// Returns the query for years, in numbers, dates, or texts that begin with the year.
    private static func years(_ range: ClosedRange<Double>, in fields: [OpenSearchMapping.Field]) -> JSONValue? {
        func year(_ bound: Double, plus more: Int = 0) -> JSONValue? {
            guard (0...9998).contains(bound) else { return nil }
            let digits = String(Int(bound) + more)
            return .string(String(repeating: "0", count: max(0, 4 - digits.count)) + digits)
        }
        let parts = fields.compactMap { field -> JSONValue? in
            switch field.kind {
            case .number: return self.range(field.name, number(range.lowerBound), number(range.upperBound))
            case .date:
                return self.range(
                    field.name, year(range.lowerBound), year(range.upperBound, plus: 1), below: true, format: "yyyy")
            case .text, .keyword:
                guard let name = field.sortable, range.lowerBound >= 0 || range.lowerBound == -.infinity else {
                    return nil
                }
                return self.range(
                    name, year(range.lowerBound), year(range.upperBound, plus: 1) ?? .string("9999~"), below: true)
            case .boolean: return nil
            }
        }
        return parts.isEmpty ? nil : any(parts)
    }
}
