public import JSON
internal import Text

/// Lenient parsing of numbers, in digits or within text.
extension JSONValue {
    /// A page count: an integer, digits in a string, or the number before a word for pages; nil for zero, negative
    /// numbers and overflow.
    public var pages: Int? {
        let digits: String
        switch self {
        case .number(let number): digits = number
        case .string(let string): digits = string.onOneLine
        default: return nil
        }
        // Double would accept hexadecimal digits, which no catalog uses, and take long on a long text.
        if digits.utf8.count <= 64, !digits.contains(where: { $0 == "x" || $0 == "X" }),
            let count = Int(digits) ?? Double(digits).flatMap(Int.init(exactly:))
        {
            return count > 0 ? count : nil
        }
        guard case .string = self else { return nil }
        return digits.pagesInWords
    }

    /// A finite number: the value itself, or the first number in a string ("4.5/5", "#3", "Book 3", "3 of 7").
    public var double: Double? {
        switch self {
        case .number(let number):
            guard number.utf8.count <= 64, let value = Double(number), value.isFinite else { return nil }
            return value
        case .string(let string): return string.firstNumber
        case .array(let elements): return elements.firstMade(\.double)
        case .object:
            return ["value", "ratingValue", "average", "position", "@value"].firstMade { self[$0]?.double }
        case .null, .boolean: return nil
        }
    }
}

extension String {
    /// The number that is the whole text, as in "1,200", or that precedes a word for pages, as in "xii, 304 p. ; 24
    /// cm".
    ///
    /// Of several numbers the largest counts: in "12, 304, 8 p." preliminary pages precede, and an index follows. In
    /// "304, [8] p." the bracketed number is ignored, because it counts unnumbered pages.
    fileprivate var pagesInWords: Int? {
        var run = PageRun()
        var isBracketOpen = false
        var rest = Substring(self).unicodeScalars
        let (whole, length) = rest.groupedNumber
        if length == rest.count { return whole.flatMap { $0 > 0 ? $0 : nil } }
        while let scalar = rest.first {
            if scalar.digitValue != nil {
                let (value, length) = rest.groupedNumber
                run.add(value, isBracketed: isBracketOpen)
                rest = rest.dropFirst(length)
                continue
            }
            if scalar.properties.isAlphabetic {
                let word = rest.prefix { $0.properties.isAlphabetic || $0 == "ー" }
                if Self.isWordForPages(String(Substring(word))), let count = run.count { return count }
                // Roman numerals count the preliminary pages, which are ignored, in French with a hyphen: "XII-304 p."
                run = PageRun()
                rest = rest.dropFirst(word.count)
                if rest.first?.isHyphen == true, word.allSatisfy(\.isRomanDigit) { rest = rest.dropFirst() }
                continue
            }
            switch scalar {
            case "[": isBracketOpen = true
            case "]": isBracketOpen = false
            case ",", " ", "\u{A0}", ")", "+", "~": break
            case "-", "\u{2013}", ".", "/":
                let next = rest.dropFirst()
                rest = next
                if scalar.isHyphen {
                    // "304-XVI p.", "304-[8] p."
                    let word = next.prefix(while: \.properties.isAlphabetic)
                    if next.first == "[" || !word.isEmpty && word.allSatisfy(\.isRomanDigit) {
                        rest = next.dropFirst(word.count)
                        continue
                    }
                }
                // The number is part of another one: a range, a negative number, or one with a fraction.
                if next.first?.digitValue != nil { rest = rest.dropFirst(rest.groupedNumber.length) }
                run = PageRun()
                continue
            default: run = PageRun()
            }
            rest = rest.dropFirst()
        }
        return nil
    }

    private static func isWordForPages(_ word: String) -> Bool {
        switch word.lowercased() {
        case "p", "pp", "pg", "pgs", "page", "pages", "s", "seite", "seiten", "sider", "sidor", "sivua", "págs", "pág",
            "página", "páginas", "pagina", "pagine", "pag", "blz", "strana", "strany", "stran", "strony", "stron",
            "str",
            "oldal", "lk", "lpp", "psl", "sayfa", "trang", "halaman", "hlm", "стр", "страниц", "с", "стор", "сторінок",
            "σ",
            "σελ", "עמ", "עמודים", "ص", "صفحة", "쪽", "페이지":
            true
        default: ["页", "頁", "ページ", "面"].contains { word.hasPrefix($0) }
        }
    }

    /// The first number in this text, with a point or comma before its fraction; a minus sign counts only at the
    /// beginning.
    fileprivate var firstNumber: Double? {
        let line = onOneLine
        var bytes = Array(
            line.utf8.drop { !$0.isASCIIDigit }.prefix(64).prefix { $0.isASCIIDigit || ".,".utf8.contains($0) })
        guard !bytes.isEmpty, bytes.count < 64 else { return nil }
        // A number has one separator at most, and a comma only before one or two digits.
        var mark: Int?
        for (index, byte) in bytes.enumerated() where !byte.isASCIIDigit {
            if mark == nil, index + 1 < bytes.count, bytes[index + 1].isASCIIDigit {
                mark = index
            } else {
                bytes.removeSubrange(index...)
                break
            }
        }
        if let mark, bytes[mark] == UInt8(ascii: ",") {
            if bytes.count - mark > 3 { return nil }
            bytes[mark] = UInt8(ascii: ".")
        }
        let isNegative = line.hasPrefix("-") && line.utf8.dropFirst().first?.isASCIIDigit == true
        guard let value = Double(String(decoding: bytes, as: UTF8.self)), value.isFinite else { return nil }
        return isNegative ? -value : value
    }
}

/// The numbers before a word for pages.
private struct PageRun {
    private var largest: Int?
    /// A year of publication, or an unnumbered part, which counts if there is nothing else.
    private var other: Int?

    /// Adds a number; nil if it is too large.
    mutating func add(_ number: Int?, isBracketed: Bool) {
        guard let number, number > 0 else { return }
        if isBracketed || (1400...2100).contains(number) {
            other = number
        } else {
            largest = max(largest ?? 0, number)
        }
    }

    /// The number of pages.
    var count: Int? { largest ?? other }
}

extension Unicode.Scalar {
    /// Whether Roman numerals are written with this letter.
    fileprivate var isRomanDigit: Bool {
        switch properties.lowercaseMapping {
        case "i", "v", "x", "l", "c", "d", "m": true
        default: false
        }
    }

    fileprivate var isHyphen: Bool { self == "-" || self == "\u{2013}" }

    /// The value of an ASCII or full-width digit.
    fileprivate var digitValue: Int? {
        switch value {
        case 0x30...0x39: Int(value) - 0x30
        case 0xFF10...0xFF19: Int(value) - 0xFF10
        default: nil
        }
    }
}

extension Substring.UnicodeScalarView {
    /// The number at the beginning, optionally with commas, apostrophes or narrow spaces between thousands, and its
    /// length in scalars; the value is nil if it overflows an Int.
    fileprivate var groupedNumber: (value: Int?, length: Int) {
        var value: Int? = 0
        var length = 0
        var digits = 0
        var index = startIndex
        func isGroup(after comma: Index) -> Bool {
            let behind = self[comma...].dropFirst()
            return behind.prefix(3).count { $0.digitValue != nil } == 3 && behind.dropFirst(3).first?.digitValue == nil
        }
        var isGrouped = false
        while index < endIndex {
            if let digit = self[index].digitValue {
                value = value.flatMap { value in
                    let (product, isLost) = value.multipliedReportingOverflow(by: 10)
                    let (sum, isLostToo) = product.addingReportingOverflow(digit)
                    return isLost || isLostToo ? nil : sum
                }
                digits += 1
            } else if ",'\u{2019}\u{A0}\u{202F}".unicodeScalars.contains(self[index]), isGrouped || digits <= 3,
                isGroup(after: index)
            {
                isGrouped = true
            } else {
                break
            }
            length += 1
            index = self.index(after: index)
        }
        return (value, length)
    }
}
