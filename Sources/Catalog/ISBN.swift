/// An International Standard Book Number (ISO 2108), as a catalog writes it.
public struct ISBN: Hashable, Sendable, Codable {
    /// The text that the catalog has.
    public let text: String
    /// The thirteen digits as a number, 9,780,000,000,000 to 9,799,999,999,999; nil where the text is no valid ISBN. An
    /// ISBN-10 is converted.
    public let number: Int?

    /// The ISBN that `text` gives: "urn:isbn:", "ISBN", `="..."`, brackets, hyphens, blanks and a trailing "(...)" are
    /// passed over, 7 to 9 digits are taken for an ISBN-10 that lost its leading zeros, and the check digit is verified.
    public init(_ text: String) {
        self.text = text
        number = Self.number(in: text)
    }

    /// The ISBN of a decoded text.
    public init(from decoder: any Decoder) throws {
        self.init(try decoder.singleValueContainer().decode(String.self))
    }

    /// Encodes the text that the catalog has.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }

    /// Whether the check digit is right.
    public var isValid: Bool { number != nil }

    /// For reading: the thirteen digits with the prefix set apart; the catalog's text where it is not valid.
    public var formatted: String {
        guard let number else { return text }
        let digits = String(number)
        return "\(digits.prefix(3))-\(digits.dropFirst(3))"
    }

    private static func number(in text: String) -> Int? {
        guard let digits = significantCharacters(of: text) else { return nil }
        switch digits.count {
        case 13: return isbn13(digits)
        case 7...10: return isbn10(digits)
        default: return nil
        }
    }

    /// The digits (10 stands for X), or nil where there is anything else.
    private static func significantCharacters(of text: String) -> [Int]? {
        var rest = Substring(text)
        if let bracket = rest.firstIndex(of: "(") { rest = rest[..<bracket] }
        var digits: [Int] = []
        var letters = ""
        for scalar in rest.unicodeScalars {
            switch scalar {
            case "0"..."9": digits.append(Int(scalar.value) - 0x30)
            // Full-width digits, as Japanese catalogs have them.
            case "\u{FF10}"..."\u{FF19}": digits.append(Int(scalar.value) - 0xFF10)
            case "X", "x":
                digits.append(10)
            case "-", " ", "\u{2010}"..."\u{2015}", "=", "\"", "[", "]", "\u{A0}": continue
            case "a"..."z", "A"..."Z", ":":
                // Only before the digits, and only what names the scheme.
                guard digits.isEmpty else { return nil }
                letters.unicodeScalars.append(scalar)
            default: return nil
            }
            if digits.count > 13 { return nil }
        }
        guard ["", "isbn", "isbn:", "urn:isbn:"].contains(letters.lowercased()) else { return nil }
        return digits
    }

    /// Check digit of ISBN-13: weights 1 and 3, the sum a multiple of ten.
    private static func isbn13(_ digits: [Int]) -> Int? {
        guard !digits.contains(10), digits[0] == 9, digits[1] == 7, digits[2] >= 8 else { return nil }
        let sum = digits.enumerated().reduce(0) { $0 + $1.element * ($1.offset.isMultiple(of: 2) ? 1 : 3) }
        guard sum.isMultiple(of: 10) else { return nil }
        return digits.reduce(0) { $0 * 10 + $1 }
    }

    /// Check digit of ISBN-10: weights 10 to 1, the sum a multiple of eleven, X for ten in the last place only.
    private static func isbn10(_ short: [Int]) -> Int? {
        let digits = Array(repeating: 0, count: 10 - short.count) + short
        guard !digits.dropLast().contains(10) else { return nil }
        let sum = digits.enumerated().reduce(0) { $0 + $1.element * (10 - $1.offset) }
        // Nothing but zeros has a right sum, and is what catalogs write for want of a number.
        guard sum > 0, sum.isMultiple(of: 11) else { return nil }
        let prefixed = [9, 7, 8] + digits.dropLast()
        let weighted = prefixed.enumerated().reduce(0) { $0 + $1.element * ($1.offset.isMultiple(of: 2) ? 1 : 3) }
        return prefixed.reduce(0) { $0 * 10 + $1 } * 10 + (10 - weighted % 10) % 10
    }
}
