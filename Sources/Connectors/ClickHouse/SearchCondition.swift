internal import Indexing
internal import Search

/// A condition that selects books.
struct BookCondition: Hashable {
    /// The condition over the columns of the books.
    let sql: String
    /// The condition over the columns of the tokens, if a book matches because of a word: the numbers in these rows are
    /// those of the books. It is faster.
    var tokens: String?
    /// Whether `sql` compares only the numbers of books, which all tables have.
    var usesOnlyNumbers = false

    /// The books that match both or all conditions.
    static func all(_ conditions: [BookCondition]) -> BookCondition {
        let usesOnlyNumbers = conditions.allSatisfy(\.usesOnlyNumbers)
        var tokens: String?
        if usesOnlyNumbers, let first = conditions.firstIndex(where: { $0.tokens != nil }) {
            // Each row of the word whose book has the others.
            let others = conditions.indices.filter { $0 != first }.map { " AND (\(conditions[$0].sql))" }
            tokens = (conditions[first].tokens ?? "") + others.joined()
        }
        return joined(conditions, " AND ", tokens: tokens, usesOnlyNumbers)
    }

    /// The books that match one of the conditions.
    static func any(_ conditions: [BookCondition]) -> BookCondition {
        let alternatives = conditions.compactMap(\.tokens).map { "(\($0))" }
        let tokens = alternatives.count == conditions.count ? "(\(alternatives.joined(separator: " OR ")))" : nil
        return joined(conditions, " OR ", tokens: tokens, conditions.allSatisfy(\.usesOnlyNumbers))
    }

    /// The books that do not match.
    var negation: BookCondition { BookCondition(sql: "NOT (\(sql))", usesOnlyNumbers: usesOnlyNumbers) }

    private static func joined(
        _ conditions: [BookCondition], _ sign: String, tokens: String?, _ usesOnlyNumbers: Bool
    ) -> BookCondition {
        if conditions.count == 1 { return conditions[0] }
        let sql = conditions.map { "(\($0.sql))" }.joined(separator: sign)
        return BookCondition(sql: sql, tokens: tokens, usesOnlyNumbers: usesOnlyNumbers)
    }
}

/// The translation of queries into conditions over the columns of the books.
struct SearchCondition {
    private let tables: CatalogTables

    /// The normalized words, from this length in characters on, are searched for by their beginning; shorter ones are
    /// searched for as whole words.
    private static let prefixLength = 2

    /// Creates the translation for the tables of a catalog.
    init(in tables: CatalogTables) { self.tables = tables }

    /// Returns the translation of a query.
    func translation(of query: Query) -> QueryTranslation<BookCondition> {
        QueryTranslation(
            of: query,
            into: .init(
                condition: { condition(for: $0) }, not: { $0.negation }, all: BookCondition.all, any: BookCondition.any)
        )
    }

    /// Returns a condition in SQL; nil for user data and regular expressions, which the server does not have.
    private func condition(for condition: Query.Condition) -> BookCondition? {
        switch condition {
        case .text(let pattern):
            pattern.field == .language ? BookCondition(sql: language(pattern)) : text(pattern)
        case .number(let field, let range): number(field, range).map { BookCondition(sql: $0) }
        case .impossible: BookCondition(sql: "0")
        case .known(let field): known(field).map { BookCondition(sql: $0) }
        case .fiction(let isFiction): BookCondition(sql: "fiction = \(isFiction.map { $0 ? 1 : 2 } ?? 0)")
        case .status, .log, .favourite, .shelf, .note, .invalidISBN, .seriesGap, .regex, .own: nil
        }
    }

    // MARK: - Texts

    /// A text begins at the beginning of a word.
    private func text(_ pattern: Query.TextPattern) -> BookCondition? {
        guard var fields = SearchField(pattern.field) else { return nil }
        var alternatives: [BookCondition] = []
        if let digits = pattern.digits, digits != pattern.folded || pattern.field == .isbn {
            if fields.contains(.isbn), !pattern.isWhole || digits.count == IndexSegment.digitCount {
                alternatives.append(words(beginning: digits, in: .isbn))
            }
            fields.remove(.isbn)
        }
        if !fields.isEmpty, let condition = text(pattern.folded, in: fields, isWhole: pattern.isWhole) {
            alternatives.append(condition)
        }
        return alternatives.isEmpty ? BookCondition(sql: "0") : BookCondition.any(alternatives)
    }

    private func text(_ folded: [UInt8], in fields: SearchField, isWhole: Bool) -> BookCondition? {
        let words = SearchWords.words(in: folded)
        let isOneWord = words.count == 1 && words[0] == folded
        if isOneWord && !isWhole { return self.words(beginning: folded, in: fields) }
        // The words only find the candidates, in which the text is compared.
        var conditions: [BookCondition] = []
        if let longest = words.indices.max(by: { words[$0].count < words[$1].count }) {
            // The last word may go on in the book; one that was cut, or of a script without blanks, does in any case.
            conditions.append(self.words(beginning: words[longest], in: fields))
        }
        let comparisons = fields.columns.map { column in
            isWhole ? whole(folded, in: column) : contains(folded, in: column)
        }
        if comparisons.isEmpty { return conditions.first ?? BookCondition(sql: "0") }
        conditions.append(BookCondition(sql: comparisons.joined(separator: " OR ")))
        return BookCondition.all(conditions)
    }

    /// A text is a part of a column. In text indexes, a pattern finds the books with all its groups of characters.
    private func contains(_ folded: [UInt8], in column: String) -> String {
        let length = String(decoding: folded, as: UTF8.self).unicodeScalars.count
        if tables.layout == .projections, length >= CatalogLayout.gramLength {
            return "\(column) LIKE \(SQLText.literal(SQLText.pattern(containing: folded)))"
        }
        return "position(\(column), \(SQLText.literal(folded))) > 0"
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
    private func words(beginning word: [UInt8], in fields: SearchField) -> BookCondition {
        let isShort = String(decoding: word, as: UTF8.self).unicodeScalars.count < Self.prefixLength && word[0] < 0x80
        var condition = "token = \(SQLText.literal(word))"
        if !isShort {
            condition = "token >= \(SQLText.literal(word))"
            if let end = Self.successor(of: word) { condition += " AND token < \(SQLText.literal(end))" }
        }
        if fields != .all { condition += " AND bitAnd(fields, \(fields.rawValue)) != 0" }
        return BookCondition(
            sql: "n IN (SELECT n FROM \(tables.local(CatalogTables.tokens)) WHERE \(condition))", tokens: condition,
            usesOnlyNumbers: true)
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

    private func number(_ field: Query.NumberField, _ range: ClosedRange<Double>) -> String? {
        guard let values = field.storedValues(in: range) else { return "0" }
        switch field {
        case .pages:
            // Larger numbers are stored as the largest one.
            let most = Int(UInt16.max)
            let high = values.upperBound > most ? most : values.upperBound
            let low = min(values.lowerBound, values.upperBound > most ? most : values.lowerBound)
            return "pages != 0 AND pages >= \(low) AND pages <= \(high)"
        // These are user data.
        case .mine: return nil
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
        case .language: "languages != ''"
        case .pages: "pages != 0"
        case .year: "year != \(NumericFields.unknownYear)"
        case .rating: "rating != 0"
        case .added: "added != 0"
        case .description: "bitAnd(traits, \(PublishedRow.Trait.described.rawValue)) != 0"
        case .cover: "bitAnd(traits, \(PublishedRow.Trait.covered.rawValue)) != 0"
        case .fiction: "fiction != 0"
        // These are user data.
        case .status, .mine, .read, .note: nil
        case .isbn: "isbn != ''"
        default:
            Query.TextField(rawValue: field.rawValue).flatMap { SearchField($0)?.columns.first }.map { "\($0) != ''" }
        }
    }
}
