extension Query {
    /// Whether each book that this query finds is surely one that `earlier` finds, so that it need only be looked for among
    /// those. False where that cannot be told quickly.
    public func refines(_ earlier: Query) -> Bool {
        if expression == earlier.expression { return true }
        // Long queries are pasted, not typed letter by letter.
        guard text.utf8.count <= 1000, earlier.text.utf8.count <= 1000 else { return false }
        var comparison = Comparison()
        return comparison.implies(expression, earlier.expression)
    }

    private struct Comparison {
        /// How many pairs may still be compared: parts of parts within another are many.
        private var rest = 10_000

        /// Whether a book that has `later` surely has `earlier`.
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
    /// Whether a book that has this surely has `earlier`.
    fileprivate func implies(_ earlier: Self) -> Bool {
        switch (self, earlier) {
        case (.text(let later), .text(let earlier)): later.implies(earlier)
        case (.number(let field, let range), .number(let earlierField, let earlierRange)):
            field == earlierField && earlierRange.lowerBound <= range.lowerBound
                && range.upperBound <= earlierRange.upperBound
        default: self == earlier
        }
    }
}

extension Query.TextPattern {
    /// Whether a value that has this surely has `earlier`.
    fileprivate func implies(_ earlier: Self) -> Bool {
        if self == earlier { return true }
        // What begins with a language's tag need not be that language.
        guard field == earlier.field, field != .language, !earlier.isWhole else { return false }
        // The text may be in a title and the digits in a number.
        return folded.has(earlier.folded) && (digits ?? folded).has(earlier.digits ?? earlier.folded)
    }
}

extension [UInt8] {
    /// Whether these bytes are a part of it.
    fileprivate func has(_ part: [UInt8]) -> Bool {
        part.count <= count && (0...count - part.count).contains { self[$0...].starts(with: part) }
    }
}
