extension Query {
    /// Whether all results of this query are certainly results of `earlier`, so that only those need to be searched;
    /// false if this cannot be decided quickly.
    public func refines(_ earlier: Query) -> Bool {
        if expression == earlier.expression { return true }
        // Long queries are pasted rather than typed letter by letter.
        guard text.utf8.count <= 1000, earlier.text.utf8.count <= 1000 else { return false }
        var comparison = Comparison()
        return comparison.implies(expression, earlier.expression)
    }

    private struct Comparison {
        /// The remaining number of comparisons, because nested expressions have many pairs of parts.
        private var rest = 10_000

        /// Whether every book that matches `later` matches `earlier`.
        mutating func implies(_ later: Expression, _ earlier: Expression) -> Bool {
            guard rest > 0 else { return false }
            rest -= 1
            switch (later, earlier) {
            case (_, .everything): return true
            case (_, .all(let parts)): return parts.allSatisfy { implies(later, $0) }
            case (.any(let parts), _): return parts.allSatisfy { implies($0, earlier) }
            case (.term(let later), .term(let earlier)): return later.condition.implies(earlier.condition)
            case (.not(let later), .not(let earlier)): return implies(earlier, later)
            default: break
            }
            if case .all(let parts) = later, parts.contains(where: { implies($0, earlier) }) { return true }
            if case .any(let parts) = earlier { return parts.contains { implies(later, $0) } }
            return false
        }
    }
}

extension Query.Condition {
    /// Whether every book that meets this condition meets `earlier`.
    fileprivate func implies(_ earlier: Self) -> Bool {
        switch (self, earlier) {
        case (.text(let later), .text(let earlier)): later.implies(earlier)
        case (.number(let field, let range), .number(let earlierField, let earlierRange)):
            field == earlierField && earlierRange.lowerBound <= range.lowerBound
                && range.upperBound <= earlierRange.upperBound
        case (.log(let field, let range), .log(let earlierField, let earlierRange)):
            field == earlierField && earlierRange.lowerBound <= range.lowerBound
                && range.upperBound <= earlierRange.upperBound
        case (.note(let later), .note(let earlier)): later.has(earlier)
        case (.own(let field, let later), .own(let earlierField, let earlier)):
            field == earlierField && later.implies(earlier)
        default: self == earlier
        }
    }
}

extension Query.TextPattern {
    /// Whether every value that matches this pattern matches `earlier`.
    fileprivate func implies(_ earlier: Self) -> Bool {
        if self == earlier { return true }
        // A text that starts with a language tag may be another language.
        guard field == earlier.field, field != .language, !earlier.isWhole else { return false }
        // The text may match in a title and the digits in an ISBN.
        return folded.has(earlier.folded) && (digits ?? folded).has(earlier.digits ?? earlier.folded)
    }
}

extension [UInt8] {
    /// Whether this array contains `part` as a subsequence of adjacent bytes.
    func has(_ part: [UInt8]) -> Bool {
        part.count <= count && (0...count - part.count).contains { self[$0...].starts(with: part) }
    }
}
