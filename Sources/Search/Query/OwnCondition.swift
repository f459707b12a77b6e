public import Books
internal import Text

extension Query {
    /// A condition on a field that only the catalog has.
    public enum OwnCondition: Hashable, Sendable {
        /// A value contains this normalized text, or is equal to it.
        case text([UInt8], isWhole: Bool)
        /// A value matches a well-formed regular expression.
        case regex(String)
        /// The number is within these bounds, which may be infinite; days are numbers such as 20240312, and yes is 1.
        case number(ClosedRange<Double>)
        /// There is a value.
        case known
    }

    /// The fields whose columns this query needs: those that only the catalog has, and the series for its gaps.
    public var columnFields: Set<BookField> { expression.columnFields }

    /// Returns the conditions on texts of a field that only the catalog has, without those of excluded terms.
    func conditions(on field: BookField) -> [OwnCondition] {
        expression.wanted.compactMap { if case .own(field, let condition) = $0 { condition } else { nil } }
    }

    /// The bounds that a value such as ">10", "4..12" or "2024-03" of a catalog's own field denotes.
    struct OwnBounds {
        /// The bounds; nil if the input is unfinished.
        let range: ClosedRange<Double>?

        /// Parses a number, a day or a range; if `isUnfinished`, what cannot be read at the end is ignored, because more may
        /// follow.
        init?(_ text: String, of kind: OwnField.Kind, isUnfinished: Bool) {
            guard text.utf8.count <= 64 else { return nil }
            let found =
                kind == .date
                ? LogBounds.range(text[...], isWhole: true, LogBounds.days)
                : LogBounds.range(text[...], isWhole: false) { text in
                    guard let number = Double(text), number.isFinite else { return nil }
                    return number...number
                }
            if let found {
                range = found
            } else if isUnfinished, Self.canBecomeValue(text, of: kind) {
                range = nil
            } else {
                return nil
            }
        }

        /// Whether more characters may make a value of `text`.
        private static func canBecomeValue(_ text: String, of kind: OwnField.Kind) -> Bool {
            if kind == .date { return LogBounds.canBecomeDay(text) }
            let bounds = text.drop { "<>=≥≤".contains($0) }.split(separator: "..", omittingEmptySubsequences: false)
            return bounds.count <= 2
                && bounds.allSatisfy { bound in
                    let parts = (bound.first == "-" ? bound.dropFirst() : bound).split(
                        separator: ".", omittingEmptySubsequences: false)
                    return parts.count <= 2 && parts.allSatisfy { $0.utf8.allSatisfy(\.isASCIIDigit) }
                }
        }
    }
}

extension Query.Expression {
    fileprivate var columnFields: Set<BookField> {
        switch self {
        case .everything: []
        case .term(let term):
            switch term.condition {
            case .own(let field, _): [field]
            case .seriesGap: [.series]
            default: []
            }
        case .not(let part): part.columnFields
        case .all(let parts), .any(let parts): parts.reduce(into: []) { $0.formUnion($1.columnFields) }
        }
    }
}

extension Query.OwnCondition {
    /// Whether every value that meets this condition meets `earlier`.
    func implies(_ earlier: Self) -> Bool {
        switch (self, earlier) {
        case (_, .known): true
        case (.text(let text, _), .text(let part, isWhole: false)): text.has(part)
        case (.number(let range), .number(let wider)):
            wider.lowerBound <= range.lowerBound && range.upperBound <= wider.upperBound
        default: self == earlier
        }
    }
}

extension OwnField.Kind {
    /// Examples of values in queries.
    var examples: [String] {
        switch self {
        case .number: ["10", ">10", "4..12"]
        case .date: ["2024", "2024-03", ">=2020", "2019..2021"]
        case .boolean: ["yes", "no"]
        case .text, .list, .link: []
        }
    }
}
