internal import Search

/// The translation of a query into the language of a server, as far as the server can search.
struct QueryTranslation<Part> {
    /// The translation; nil if it selects all books.
    private(set) var part: Part?
    /// The terms, as typed, that were ignored because the server cannot search for them, in the order typed.
    private(set) var ignoredTerms: [String] = []

    /// The expressions of the server's language.
    struct Language {
        /// Returns the translation of a condition; nil if the server cannot search for it.
        var condition: (Query.Condition) -> Part?
        /// Returns the negation of an expression; nil if the server cannot search for it.
        var not: (Part) -> Part?
        /// Returns the conjunction of at least two expressions.
        var all: ([Part]) -> Part
        /// Returns the disjunction of at least two expressions.
        var any: ([Part]) -> Part
    }

    /// Translates `query` into `language`.
    ///
    /// A term that is ignored never hides a book: alternatives are ignored together, because the others alone would
    /// select fewer books.
    init(of query: Query, into language: Language) {
        let text = Array(query.text.utf8)
        var ignored: [Range<Int>] = []
        part = Self.translate(query.expression, language, &ignored)
        ignoredTerms = ignored.map { String(decoding: text[$0.clamped(to: 0..<text.count)], as: UTF8.self) }
    }

    private static func translate(
        _ expression: Query.Expression, _ language: Language, _ ignored: inout [Range<Int>]
    ) -> Part? {
        switch expression {
        case .everything: return nil
        case .term(let term):
            if let part = language.condition(term.condition) { return part }
            ignored.append(term.range)
            return nil
        case .not(let operand):
            var inner: [Range<Int>] = []
            let part = translate(operand, language, &inner)
            if inner.isEmpty, let part, let negation = language.not(part) { return negation }
            // The negation of a wider selection would hide books.
            ignored += ranges(of: operand)
            return nil
        case .all(let operands):
            let parts = operands.compactMap { translate($0, language, &ignored) }
            return parts.count > 1 ? language.all(parts) : parts.first
        case .any(let operands):
            var inner: [Range<Int>] = []
            let parts = operands.compactMap { translate($0, language, &inner) }
            if parts.count == operands.count {
                ignored += inner
                return language.any(parts)
            }
            ignored += ranges(of: expression)
            return nil
        }
    }

    /// The ranges of all terms of an expression.
    private static func ranges(of expression: Query.Expression) -> [Range<Int>] {
        switch expression {
        case .everything: []
        case .term(let term): [term.range]
        case .not(let operand): ranges(of: operand)
        case .all(let operands), .any(let operands): operands.flatMap { ranges(of: $0) }
        }
    }
}
