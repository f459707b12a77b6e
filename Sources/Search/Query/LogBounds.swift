internal import Text

extension Query {
    /// A field of the reading log. Days are numbers such as 20240312; an unknown month or day is 00.
    public enum LogField: String, CaseIterable, Sendable {
        /// The days on which the book was finished.
        case read
        /// The days on which a reading of it began.
        case started
        /// How far the reader has come in the current reading, in per cent.
        case progress
        /// The number of readings.
        case readings

        /// Whether the values are days.
        public var isDay: Bool { self == .read || self == .started }
    }

    /// Returns the number of a day as user data store it: 20240312 for "2024-03-12", 20240300 for "2024-03"; nil if it
    /// is none.
    public static func number(ofDay day: String) -> Double? { LogBounds.days(day[...])?.lowerBound }

    /// The condition that a value such as "2024", ">=2024-03" or "2019..2021" of a field of the reading log denotes.
    struct LogBounds {
        /// The condition; nil if the input is unfinished.
        let condition: Condition?

        /// Parses a day, a number or a range; if `isUnfinished`, what cannot be read at the end is ignored, because more
        /// may follow.
        init?(_ text: String, of field: LogField, isUnfinished: Bool) {
            guard text.utf8.count <= 64 else { return nil }
            let range = Self.range(text[...], isWhole: true) { Self.value($0, of: field) }
            if let range {
                condition = .log(field, range)
            } else if isUnfinished, text.utf8.allSatisfy({ $0.isASCIIDigit || "<>=.-%".utf8.contains($0) }),
                Self.canBecomeValue(text, of: field)
            {
                condition = nil
            } else {
                return nil
            }
        }

        /// Returns whether more characters may make a value of the end of `text`: there is no month 13.
        private static func canBecomeValue(_ text: String, of field: LogField) -> Bool {
            field.isDay ? canBecomeDay(text) : true
        }

        /// Returns whether more characters may make a day of the end of `text`.
        static func canBecomeDay(_ text: String) -> Bool {
            guard text.utf8.allSatisfy({ $0.isASCIIDigit || "<>=≥≤.-".utf8.contains($0) }) else { return false }
            let parts = text.split { "<>=.".contains($0) }.last?.split(separator: "-") ?? []
            return zip(parts.dropFirst(), [1...12, 1...31]).allSatisfy { part, range in
                part.utf8.count < 2 || Int(part).map(range.contains) == true
            }
        }

        /// Returns the bounds of a value, a comparison or a range.
        ///
        /// - Parameters:
        ///   - isWhole: Whether values are whole numbers, so that the next one follows one later.
        ///   - value: Returns the bounds of a single value.
        static func range(
            _ text: Substring, isWhole: Bool, _ value: (Substring) -> ClosedRange<Double>?
        ) -> ClosedRange<Double>? {
            for sign in [">=", "<=", "≥", "≤", ">", "<", "="] where text.hasPrefix(sign) {
                guard let value = value(text.dropFirst(sign.count)) else { return nil }
                return switch sign {
                case ">=", "≥": value.lowerBound ... .infinity
                case "<=", "≤": -.infinity...value.upperBound
                case ">": (isWhole ? value.upperBound + 1 : value.upperBound.nextUp) ... .infinity
                case "<": -.infinity...(isWhole ? value.lowerBound - 1 : value.lowerBound.nextDown)
                default: value
                }
            }
            guard let dots = text.firstRange(of: "..") else { return value(text) }
            let (first, last) = (text[..<dots.lowerBound], text[dots.upperBound...].drop { $0 == "." })
            let open = -Double.infinity ... .infinity
            guard !first.isEmpty || !last.isEmpty, let low = first.isEmpty ? open : value(first),
                let high = last.isEmpty ? open : value(last)
            else { return nil }
            // Backwards, the bounds mean the same: no reader asks for nothing.
            if low.lowerBound > high.upperBound { return high.lowerBound...low.upperBound }
            return low.lowerBound...high.upperBound
        }

        private static func value(_ text: Substring, of field: LogField) -> ClosedRange<Double>? {
            if field.isDay { return days(text) }
            let digits = field == .progress && text.hasSuffix("%") ? text.dropLast() : text
            guard !digits.isEmpty, digits.utf8.allSatisfy(\.isASCIIDigit), let number = Double(digits) else {
                return nil
            }
            return number...number
        }

        /// Returns the numbers of the days of a year, a month or a day.
        static func days(_ text: Substring) -> ClosedRange<Double>? {
            let parts = text.split(separator: "-", omittingEmptySubsequences: false)
            guard 1...3 ~= parts.count, parts[0].utf8.count == 4,
                parts.dropFirst().allSatisfy({ 1...2 ~= $0.utf8.count }),
                parts.allSatisfy({ $0.utf8.allSatisfy(\.isASCIIDigit) })
            else { return nil }
            let numbers = parts.compactMap { Double($0) }
            guard numbers.count == parts.count, numbers.count < 2 || 1...12 ~= numbers[1],
                numbers.count < 3 || 1...31 ~= numbers[2]
            else { return nil }
            let year = numbers[0] * 10_000
            switch numbers.count {
            case 1: return year...(year + 9999)
            case 2: return (year + numbers[1] * 100)...(year + numbers[1] * 100 + 99)
            default: return (year + numbers[1] * 100 + numbers[2])...(year + numbers[1] * 100 + numbers[2])
            }
        }
    }
}

extension Query.LogField {
    /// Examples of values.
    var examples: [String] {
        switch self {
        case .read, .started: ["2024", "2024-03", ">=2020", "2019..2021"]
        case .progress: ["50", ">50"]
        case .readings: ["2", ">1"]
        }
    }
}
