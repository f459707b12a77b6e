internal import Indexing
internal import Search

/// The translation of queries into conditions over the columns of the books.
struct SearchCondition {
    private let tables: CatalogTables

    /// The normalized words, from this length in characters on, are searched for by their beginning; shorter ones are
    /// searched for as whole words.
    private static let prefixLength = 2

    /// Creates the translation for the tables of a catalog.
    init(in tables: CatalogTables) { self.tables = tables }

    /// Returns the translation of a query.
    func translation(of query: Query) -> QueryTranslation<String> {
        QueryTranslation(
            of: query,
            into: .init(
                condition: { condition(for: $0) }, not: { "NOT (\($0))" },
                all: { $0.map { "(\($0))" }.joined(separator: " AND ") },
                any: { $0.map { "(\($0))" }.joined(separator: " OR ") }))
    }

    /// Returns a condition in SQL; nil for user data and regular expressions, which the server does not have.
    private func condition(for condition: Query.Condition) -> String? {
        switch condition {
        case .text(let pattern): pattern.field == .language ? language(pattern) : text(pattern)
        case .number(let field, let range): number(field, range)
        case .impossible: "0"
        case .known(let field): known(field)
        case .fiction(let isFiction): "fiction = \(isFiction.map { $0 ? 1 : 2 } ?? 0)"
        case .status, .favourite, .shelf, .regex: nil
        }
    }

    // MARK: - Texts

    /// A text begins at the beginning of a word.
    private func text(_ pattern: Query.TextPattern) -> String? {
        guard var fields = SearchField(pattern.field) else { return nil }
        var alternatives: [String] = []
        if let digits = pattern.digits, digits != pattern.folded || pattern.field == .isbn {
            if fields.contains(.isbn), !pattern.isWhole || digits.count == IndexSegment.digitCount {
                alternatives.append(words(beginning: digits, in: .isbn))
            }
            fields.remove(.isbn)
        }
        if !fields.isEmpty, let condition = text(pattern.folded, in: fields, isWhole: pattern.isWhole) {
            alternatives.append(condition)
        }
        if alternatives.isEmpty { return "0" }
        return alternatives.map { "(\($0))" }.joined(separator: " OR ")
    }

    private func text(_ folded: [UInt8], in fields: SearchField, isWhole: Bool) -> String? {
        let words = SearchWords.words(in: folded)
        let isOneWord = words.count == 1 && words[0] == folded
        if isOneWord && !isWhole { return self.words(beginning: folded, in: fields) }
        // The words only find the candidates, in which the text is compared.
        var conditions: [String] = []
        if let longest = words.indices.max(by: { words[$0].count < words[$1].count }) {
            // The last word may go on in the book; one that was cut, or of a script without blanks, does in any case.
            conditions.append(self.words(beginning: words[longest], in: fields))
        }
        let comparisons = fields.columns.map { column in
            isWhole ? whole(folded, in: column) : "position(\(column), \(SQLText.literal(folded))) > 0"
        }
        if comparisons.isEmpty { return conditions.first ?? "0" }
        conditions.append("(" + comparisons.joined(separator: " OR ") + ")")
        return conditions.joined(separator: " AND ")
    }

    /// A text is a whole line of a column. A catalog may append the position to the name of a series.
    private func whole(_ folded: [UInt8], in column: String) -> String {
        let endings = column == "series" ? ["\n", " #", ", ", " ("] : ["\n"]
        let lines = "concat(\(SQLText.literal("\n")), \(column), \(SQLText.literal("\n")))"
        return endings.map { ending in
            "position(\(lines), \(SQLText.literal([0x0A] + folded + Array(ending.utf8)))) > 0"
        }.joined(separator: " OR ")
    }

    /// A book has a word that begins so, in one of these fields.
    private func words(beginning word: [UInt8], in fields: SearchField) -> String {
        let isShort = String(decoding: word, as: UTF8.self).unicodeScalars.count < Self.prefixLength && word[0] < 0x80
        var condition = "token = \(SQLText.literal(word))"
        if !isShort {
            condition = "token >= \(SQLText.literal(word))"
            if let end = Self.successor(of: word) { condition += " AND token < \(SQLText.literal(end))" }
        }
        if fields != .all { condition += " AND bitAnd(fields, \(fields.rawValue)) != 0" }
        return "n IN (SELECT n FROM \(tables.local(CatalogTables.tokens)) WHERE \(condition))"
    }

    /// Returns the first bytes after all that begin with `bytes`; nil if there are none.
    private static func successor(of bytes: [UInt8]) -> [UInt8]? {
        var bytes = bytes
        while let last = bytes.popLast() {
            if last < 0xFF { return bytes + [last + 1] }
        }
        return nil
    }

    /// A language tag is this one, or begins with it and a hyphen.
    private func language(_ pattern: Query.TextPattern) -> String {
        let lines = "concat(\(SQLText.literal("\n")), languages, \(SQLText.literal("\n")))"
        return ["\n", "-"].map { ending in
            "position(\(lines), \(SQLText.literal([0x0A] + pattern.folded + Array(ending.utf8)))) > 0"
        }.joined(separator: " OR ")
    }

    // MARK: - Numbers

    private func number(_ field: Query.NumberField, _ range: ClosedRange<Double>) -> String {
        guard let values = field.storedValues(in: range) else { return "0" }
        switch field {
        case .pages:
            // Larger numbers are stored as the largest one.
            let most = Int(UInt16.max)
            let high = values.upperBound > most ? most : values.upperBound
            let low = min(values.lowerBound, values.upperBound > most ? most : values.lowerBound)
            return "pages != 0 AND pages >= \(low) AND pages <= \(high)"
        case .year: return bounds(of: "year", values, unknown: Int(NumericFields.unknownYear))
        case .rating: return bounds(of: "rating", values, unknown: 0)
        case .added:
            return "added != 0 AND intDiv(added, 512) >= \(values.lowerBound + 10_000) "
                + "AND intDiv(added, 512) <= \(values.upperBound + 10_000)"
        }
    }

    private func bounds(of column: String, _ values: ClosedRange<Int>, unknown: Int) -> String {
        "\(column) != \(unknown) AND \(column) >= \(values.lowerBound) AND \(column) <= \(values.upperBound)"
    }

    // MARK: - Known values

    private func known(_ field: Query.KnownField) -> String? {
        switch field {
        case .title: "title != ''"
        case .author: "authors != ''"
        case .subject: "subjects != ''"
        case .series: "series != ''"
        case .publisher: "publisher != ''"
        case .isbn: "isbn != ''"
        case .language: "languages != ''"
        case .pages: "pages != 0"
        case .year: "year != \(NumericFields.unknownYear)"
        case .rating: "rating != 0"
        case .added: "added != 0"
        case .description: "bitAnd(traits, \(PublishedRow.Trait.described.rawValue)) != 0"
        case .cover: "bitAnd(traits, \(PublishedRow.Trait.covered.rawValue)) != 0"
        case .fiction: "fiction != 0"
        // The status is user data.
        case .status: nil
        }
    }
}
