internal import Text

extension Query {
    /// The reason that no book can match a condition on a number.
    public enum Impossibility: Hashable, Sendable {
        /// The range runs backwards; its bounds as they were typed, the lower one first.
        case reversedRange(NumberField, low: String, high: String)
        /// The field cannot have these numbers.
        case outOfRange(NumberField)
    }

    /// The first condition that no book can match, if it must be matched.
    public var impossibleTerm: (term: Term, reason: Impossibility)? {
        let parts = if case .all(let parts) = expression { parts } else { [expression] }
        for case .term(let term) in parts {
            if case .impossible(let reason) = term.condition { return (term, reason) }
        }
        return nil
    }

    /// The reason why no book can match the query, if that is certain without a search.
    public var impossibility: String? {
        guard let (term, reason) = impossibleTerm else { return nil }
        let written = text(of: term)
        switch reason {
        case .reversedRange:
            return QueryMessage.reversedRange.text(written, reason.correction ?? "")
        case .outOfRange(let field):
            let (low, high) = (Int(field.possible.lowerBound), Int(field.possible.upperBound))
            return QueryMessage.outOfRange.text(written, field.plural, String(low), String(high))
        }
    }

    /// The query with the bounds of its reversed range swapped, and that range; nil without such a range.
    public var corrected: (query: String, range: String)? {
        guard let (term, reason) = impossibleTerm, let correction = reason.correction else { return nil }
        let bytes = Array(text.utf8)
        let range = term.range.clamped(to: 0..<bytes.count)
        let query = bytes[..<range.lowerBound] + Array(correction.utf8) + bytes[range.upperBound...]
        return (String(decoding: query, as: UTF8.self), correction)
    }
}

extension Query.Impossibility {
    /// The range with its bounds in order.
    fileprivate var correction: String? {
        if case .reversedRange(let field, let low, let high) = self { "\(field.rawValue):\(low)..\(high)" } else { nil }
    }
}

extension Query.NumberField {
    /// The numbers that the field can have.
    var possible: ClosedRange<Double> { [.rating, .mine].contains(self) ? 0...5 : -.infinity ... .infinity }

    /// The plural noun for the field's values.
    fileprivate var plural: String {
        switch self {
        case .pages: "Page counts"
        case .year, .added: "Years"
        case .rating, .mine: "Ratings"
        }
    }
}
