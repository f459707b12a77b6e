public import JSON
internal import Text

/// Lenient parsing of dates in the forms that catalogs use.
extension JSONValue {
    /// A date, as far as it is known: a number (the year), text in any common form, CSL date parts, or a MongoDB
    /// "$date"; nil without a year.
    public var partialDate: PartialDate? {
        switch self {
        case .string(let string): return PartialDate(reading: string.onOneLine)
        case .number: return wholeNumber.flatMap { PartialDate(number: $0, digitCount: 4) }
        case .array(let elements):
            let parts = elements.prefix(3).map(\.wholeNumber)
            if let year = parts.first.flatMap(\.self) {
                let month = parts.count > 1 ? parts[1] : nil
                return PartialDate(checking: year, month, parts.count > 2 ? parts[2] : nil)
            }
            return elements.firstMade(\.partialDate)
        case .object:
            if let instant = self["$date"] { return instant.instant }
            if let year = self["year"]?.wholeNumber {
                return PartialDate(checking: year, self["month"]?.wholeNumber, self["day"]?.wholeNumber)
            }
            return ["date-parts", "raw", "literal", "value", "@value", "date"].firstMade { self[$0]?.partialDate }
        case .null, .boolean: return nil
        }
    }

    /// The date of a MongoDB instant: a text, or milliseconds as a number or under "$numberLong".
    private var instant: PartialDate? {
        let milliseconds: String
        switch self {
        case .number(let number): milliseconds = number
        case .object:
            guard let long = self["$numberLong"]?.text else { return nil }
            milliseconds = long
        case .string, .array, .null, .boolean: return partialDate
        }
        guard milliseconds.utf8.count <= 64 else { return nil }
        return Double(milliseconds).flatMap(PartialDate.init(milliseconds:))
    }

    /// The integer value of a number or a string of digits.
    private var wholeNumber: Int? {
        switch self {
        case .number(let number):
            guard number.utf8.count <= 64 else { return nil }
            return Int(number) ?? Double(number).flatMap(Int.init(exactly:))
        case .string(let string): return Int(string.onOneLine)
        case .null, .boolean, .array, .object: return nil
        }
    }
}

extension PartialDate {
    /// Creates a date from a year, or from eight digits: 20040305.
    ///
    /// - Parameter digitCount: The minimum number of digits in the original spelling.
    fileprivate init?(number: Int, digitCount: Int) {
        if number >= 10_000_101, number <= 99_991_231 {
            guard let date = Self(checking: number / 10_000, number / 100 % 100, number % 100), date.day != nil else {
                return nil
            }
            self = date
        } else {
            // One or two digits in a string may be the end of any year.
            guard digitCount >= 3 else { return nil }
            self.init(checking: number)
        }
    }

    /// Reads a year that is written as a number: "-17", "8", and "8.0" as spreadsheets write it. Two digits may be the end of
    /// any year.
    private static func year(_ text: String) -> Int? {
        let isDecimal = text.hasSuffix(".0")
        let digits = isDecimal ? text.dropLast(2) : text[...]
        guard digits.utf8.count <= 5, let year = Int(digits), digits.first != "+" else { return nil }
        return isDecimal || year < 0 || digits.utf8.count == 1 ? year : nil
    }

    /// Parses a date in one line of text, looking only at its beginning. Linear.
    fileprivate init?(reading text: String) {
        if let year = Self.year(text) {
            self.init(checking: year)
            return
        }
        let reader = DateReader(text)
        guard let date = reader.date else { return nil }
        self = date
    }
}

/// Finds a date in text.
private struct DateReader {
    /// A lexical unit of the text.
    private enum Token: Equatable {
        case number(Int, digitCount: Int)
        /// A word in lower case.
        case word(String)
        case mark(Unicode.Scalar)
        case blank
    }

    private let tokens: [Token]

    init(_ text: String) {
        var tokens: [Token] = []
        var digits = ""
        var letters = ""
        func finish(_ tokens: inout [Token], _ digits: inout String, _ letters: inout String) {
            // A number that overflows is longer than any date and does not matter.
            if !digits.isEmpty { tokens.append(.number(Int(digits) ?? .max, digitCount: digits.utf8.count)) }
            if !letters.isEmpty { tokens.append(.word(letters.lowercased())) }
            (digits, letters) = ("", "")
        }
        for scalar in text.unicodeScalars.prefix(200) {
            if ("0"..."9").contains(scalar) {
                if !letters.isEmpty { finish(&tokens, &digits, &letters) }
                digits.unicodeScalars.append(scalar)
            } else if scalar.properties.isAlphabetic {
                if !digits.isEmpty { finish(&tokens, &digits, &letters) }
                letters.unicodeScalars.append(scalar)
            } else {
                finish(&tokens, &digits, &letters)
                tokens.append(scalar == " " || scalar == "\u{A0}" ? .blank : .mark(scalar))
            }
        }
        finish(&tokens, &digits, &letters)
        self.tokens = tokens
    }

    /// The date; the first form that the text matches decides, even if it yields no date.
    var date: PartialDate? { wholeNumber ?? iso ?? named ?? numbered ?? yearAlone }

    private subscript(index: Int) -> Token? { tokens.indices.contains(index) ? tokens[index] : nil }

    private func number(_ index: Int) -> (value: Int, digitCount: Int)? {
        if case .number(let value, let count)? = self[index] { (value, count) } else { nil }
    }

    private func isMark(_ index: Int, _ marks: String) -> Bool {
        if case .mark(let mark)? = self[index] { marks.unicodeScalars.contains(mark) } else { false }
    }

    /// The sign at the beginning, as a factor and a number of tokens.
    private var sign: (factor: Int, count: Int) {
        if isMark(0, "-\u{2212}") { return (-1, 1) }
        return (1, isMark(0, "+") ? 1 : 0)
    }

    /// Digits with an optional sign: -750, 2004, 20040305.
    private var wholeNumber: PartialDate?? {
        guard tokens.count == sign.count + 1, let (value, count) = number(sign.count), count <= 8 else { return nil }
        return .some(PartialDate(number: sign.factor * value, digitCount: sign.count > 0 ? 4 : count))
    }

    /// "2004-03-05", also with other separators and trailing text: "2004/03/05 10:00".
    private var iso: PartialDate?? {
        let start = isMark(0, "[(") ? 1 : sign.count
        guard let year = number(start), year.digitCount == 4 || sign.count > 0 && (4...6).contains(year.digitCount),
            isMark(start + 1, "-/.\u{2010}\u{2011}"), let month = number(start + 2), month.digitCount <= 2
        else { return nil }
        var day: Int?
        if self[start + 3] == self[start + 1], let (value, count) = number(start + 4), count <= 2 { day = value }
        // "1997-98" means two years; 98 is dropped, because the month does not exist.
        return .some(PartialDate(checking: sign.factor * year.value, month.value, day))
    }

    /// "March 2004", "5 March 2004", "Mar 5, 2004", "2004 March".
    private var named: PartialDate?? {
        guard let position = tokens.firstIndex(where: { Self.month(of: $0) != nil }), let year = year(from: position),
            let month = Self.month(of: tokens[position])
        else { return nil }
        func isDay(_ index: Int) -> Bool {
            guard let (value, count) = number(index) else { return false }
            return count <= 2 && (1...31).contains(value)
        }
        func isPassedOver(_ index: Int) -> Bool {
            switch self[index] {
            case .blank, .mark("."), .mark(","), .mark("-"), .mark("/"): true
            case .word(let word): ["st", "nd", "rd", "th", "of", "de"].contains(word)
            default: false
            }
        }
        var before = position - 1
        while isPassedOver(before) { before -= 1 }
        if isDay(before) { return .some(PartialDate(checking: year, month, number(before)?.value)) }
        var after = position + 1
        while isPassedOver(after) { after += 1 }
        return .some(PartialDate(checking: year, month, isDay(after) ? number(after)?.value : nil))
    }

    /// "03/05/2004", "5.3.2004", "03/2004": with points, the day comes first; otherwise the order is unknown unless one
    /// number exceeds twelve or both are equal.
    private var numbered: PartialDate?? {
        for index in tokens.indices {
            guard let first = number(index), first.digitCount <= 2, isMark(index + 1, "/.-"),
                let second = number(index + 2)
            else { continue }
            if second.digitCount == 4 { return .some(PartialDate(checking: second.value, first.value)) }
            guard second.digitCount <= 2, tokens[index + 1] == self[index + 3], let year = number(index + 4),
                year.digitCount == 4
            else { continue }
            if tokens[index + 1] == .mark(".") || first.value > 12 || first.value == second.value {
                return .some(PartialDate(checking: year.value, second.value, first.value))
            }
            if second.value > 12 { return .some(PartialDate(checking: year.value, first.value, second.value)) }
            return .some(PartialDate(checking: year.value))
        }
        return nil
    }

    private var yearAlone: PartialDate? {
        year(from: nil).flatMap { PartialDate(checking: $0) }
    }

    /// Returns the first number after `place` that is a year, else the last one before it.
    ///
    /// A year has four digits, three unless they start a longer one ("199-?"), or any number of digits next to an era.
    private func year(from position: Int?) -> Int? {
        if let position {
            return tokens.indices.dropFirst(position).firstMade(year(at:))
                ?? tokens.indices.prefix(position).reversed().firstMade(year(at:))
        }
        return tokens.indices.firstMade(year(at:))
    }

    private func year(at index: Int) -> Int? {
        guard let (value, count) = number(index), count <= 4, value > 0 else { return nil }
        switch era(after: index) {
        case .before: return -value
        case .after: return value
        case nil: break
        }
        if case .word("ad")? = self[self[index - 1] == .blank ? index - 2 : index - 1] { return value }
        if count == 4 { return value }
        guard count == 3 else { return nil }
        switch self[index + 1] {
        case .word, .mark("?"), .mark("_"), .mark("*"): return nil
        case .mark("-"): return number(index + 2) == nil ? nil : value
        default: return value
        }
    }

    private enum Era { case before, after }

    /// Returns the era after a year: "BC", "B.C.", "BCE", "AD", "CE".
    private func era(after index: Int) -> Era? {
        var letters = ""
        for token in tokens[(index + 1)...].prefix(8) {
            switch token {
            case .word(let word): letters += word
            case .blank where letters.isEmpty, .mark("."): continue
            case .blank, .mark, .number:
                return Self.era(of: letters)
            }
        }
        return Self.era(of: letters)
    }

    private static func era(of letters: String) -> Era? {
        switch letters {
        case "bc", "bce": .before
        case "ad", "ce": .after
        default: nil
        }
    }

    private static func month(of token: Token) -> Int? {
        guard case .word(let word) = token, word.utf8.count >= 3 else { return nil }
        if word == "sept" { return 9 }
        let names = [
            "january", "february", "march", "april", "may", "june", "july", "august", "september", "october",
            "november",
            "december",
        ]
        return names.firstIndex { $0 == word || word.utf8.count == 3 && $0.hasPrefix(word) }.map { $0 + 1 }
    }
}
