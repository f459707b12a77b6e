internal import Books
internal import Text

extension Query.TextPattern {
    /// Creates the pattern of a word or phrase; fails if nothing remains after normalization.
    init?(_ text: String, in field: Query.TextField? = nil, isWhole: Bool = false) {
        let tag = field == .language ? LanguageTag(naming: text)?.text : nil
        let folded = [UInt8](folding: tag ?? text)
        guard !folded.isEmpty else { return nil }
        self.init(folded: folded, field: field, isWhole: isWhole, digits: Self.digits(of: folded, in: field))
    }

    /// The minimum number of digits of a word to search for in ISBNs.
    private static let minimumDigitCount = 4

    /// Returns the digits of a text that may be part of an ISBN, or nil if it is not a number or another field is
    /// searched.
    private static func digits(of folded: [UInt8], in field: Query.TextField?) -> [UInt8]? {
        guard field == nil || field == .isbn else { return nil }
        var digits: [UInt8] = []
        for scalar in String(decoding: folded, as: UTF8.self).unicodeScalars {
            switch scalar {
            // An x is the last character of an ISBN-10.
            case _ where digits.last == UInt8(ascii: "x"): return nil
            case "0"..."9", "x": digits.append(UInt8(scalar.value))
            case "-", "\u{2010}"..."\u{2015}": continue
            case " " where field == .isbn: continue
            default: return nil
            }
        }
        let digitCount = digits.last == UInt8(ascii: "x") ? digits.count - 1 : digits.count
        guard digitCount >= (field == .isbn ? 1 : minimumDigitCount) else { return nil }
        if digits.count == 10, let number = ISBN(String(decoding: digits, as: UTF8.self)).number {
            return Array(String(number).utf8)
        }
        return digits
    }
}

extension Query {
    /// The condition that a value such as "500", ">=500" or "300..500" denotes.
    struct NumberBounds {
        /// The condition; nil if the input is unfinished.
        let condition: Condition?

        /// Parses a number or range for `field`; if `isUnfinished`, trailing operators are ignored, because more may
        /// follow.
        init?(_ text: String, of field: NumberField, isUnfinished: Bool) {
            // Longer texts are not numbers, and every prefix may be tried.
            guard text.utf8.count <= 64 else { return nil }
            var text = Substring(text)
            while true {
                if let condition = Self.condition(text, of: field, isUnfinished: isUnfinished) {
                    self.condition = condition
                    return
                }
                guard isUnfinished, let last = text.popLast(), ".-<>=".contains(last) else { return nil }
                if text.isEmpty {
                    condition = nil
                    return
                }
            }
        }

        private static func condition(_ text: Substring, of field: NumberField, isUnfinished: Bool) -> Condition? {
            for (sign, comparison) in comparisons where text.hasPrefix(sign) {
                return number(text.dropFirst(sign.count), of: field).map { condition(comparison($0, field), of: field) }
            }
            guard let dots = text.firstRange(of: "..") else {
                return number(text, of: field).map { condition($0...$0, of: field) }
            }
            // Three dots are accepted, too.
            let (first, last) = (text[..<dots.lowerBound], text[dots.upperBound...].drop { $0 == "." })
            guard !first.isEmpty || !last.isEmpty, let low = first.isEmpty ? -.infinity : number(first, of: field),
                let high = last.isEmpty ? .infinity : number(last, of: field)
            else { return nil }
            if low <= high { return condition(low...high, of: field) }
            // "1990..2" may become "1990..2000".
            if isUnfinished, last.count < first.count { return condition(low ... .infinity, of: field) }
            return .impossible(.reversedRange(field, low: String(last), high: String(first)))
        }

        private static func condition(_ range: ClosedRange<Double>, of field: NumberField) -> Condition {
            range.overlaps(field.possible) ? .number(field, range) : .impossible(.outOfRange(field))
        }

        /// The comparison operators, longer ones first.
        private static let comparisons: [(String, @Sendable (Double, NumberField) -> ClosedRange<Double>)] = [
            (">=", { number, _ in number ... .infinity }), ("≥", { number, _ in number ... .infinity }),
            ("<=", { number, _ in -.infinity...number }), ("≤", { number, _ in -.infinity...number }),
            (">", { number, field in (field.isWhole ? number + 1 : number.nextUp) ... .infinity }),
            ("<", { number, field in -.infinity...(field.isWhole ? number - 1 : number.nextDown) }),
            ("=", { number, _ in number...number }),
        ]

        /// Parses a number without an exponent: an integer except for stars, negative only for years.
        private static func number(_ text: Substring, of field: NumberField) -> Double? {
            let isNegative = field.isSigned && text.hasPrefix("-")
            let digits = isNegative ? text.dropFirst() : text
            let parts = digits.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 1 || !field.isWhole,
                parts.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy(\.isASCIIDigit) })
            else { return nil }
            return Double(text)
        }
    }
}

extension Query.NumberField {
    /// Whether negative numbers are allowed, for years before Christ.
    var isSigned: Bool { self == .year || self == .added }

    /// Whether the field has only integers.
    fileprivate var isWhole: Bool { self != .rating && self != .mine }
}
