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
        var text = text
        return text.withUTF8(plainNumber(in:)) ?? number(inScalarsOf: text)
    }

    /// The number that digits, hyphens and blanks alone give, as nearly every catalog writes it: nil inside where it is
    /// not valid, nil where there is anything else. A tenth of the time that the general way takes.
    static func plainNumber(in bytes: UnsafeBufferPointer<UInt8>) -> Int?? {
        var digits = Digits()
        for byte in bytes {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): digits.append(Int(byte &- UInt8(ascii: "0")))
            case UInt8(ascii: "X"), UInt8(ascii: "x"): digits.append(10)
            case UInt8(ascii: "-"), UInt8(ascii: " "): continue
            default: return nil
            }
        }
        return .some(digits.number)
    }

    private static func number(inScalarsOf text: String) -> Int? {
        var rest = Substring(text)
        if let bracket = rest.firstIndex(of: "(") { rest = rest[..<bracket] }
        var digits = Digits()
        var letters = ""
        for scalar in rest.unicodeScalars {
            switch scalar {
            case "0"..."9": digits.append(Int(scalar.value) - 0x30)
            // Full-width digits, as Japanese catalogs have them.
            case "\u{FF10}"..."\u{FF19}": digits.append(Int(scalar.value) - 0xFF10)
            case "X", "x": digits.append(10)
            case "-", " ", "\u{2010}"..."\u{2015}", "=", "\"", "[", "]", "\u{A0}": continue
            case "a"..."z", "A"..."Z", ":":
                // Only before the digits, and only what names the scheme.
                guard digits.count == 0 else { return nil }
                letters.unicodeScalars.append(scalar)
            default: return nil
            }
        }
        return ["", "isbn", "isbn:", "urn:isbn:"].contains(letters.lowercased()) ? digits.number : nil
    }
}

/// The digits of a number that may be an ISBN, and their weighted sums so far.
private struct Digits {
    private(set) var count = 0
    private var value = 0
    /// Weights 1 and 3, for ISBN-13.
    private var sum13 = 0
    /// Weights that end in 1 and grow by 1 to the left, for ISBN-10: the sum of the sums of all beginnings.
    private var sum10 = 0
    private var sum = 0
    /// Whether there is an X that is not the last digit.
    private var isBroken = false
    private var endsInX = false

    /// Appends a digit; 10 stands for X.
    mutating func append(_ digit: Int) {
        count += 1
        if count > 13 { return }
        isBroken = isBroken || endsInX
        endsInX = digit == 10
        sum += digit
        sum10 += sum
        sum13 += digit * (count.isMultiple(of: 2) ? 3 : 1)
        value = value * 10 + digit
    }

    /// The ISBN-13 that they are, or that the ISBN-10 that they are gives; nil where they are neither.
    var number: Int? {
        if isBroken { return nil }
        switch count {
        case 13:
            // Check digit: the sum is a multiple of ten.
            return !endsInX && (9_780_000_000_000...9_799_999_999_999).contains(value) && sum13.isMultiple(of: 10)
                ? value : nil
        case 7...10:
            // Check digit: the sum is a multiple of eleven, X is ten. Nothing but zeros has a right sum, and is what
            // catalogs write for want of a number.
            guard sum10 > 0, sum10.isMultiple(of: 11) else { return nil }
            var converted = Digits()
            var divisor = 1_000_000_000_000
            let prefixed = 978_000_000_000_0 + (endsInX ? (value - 10) / 10 : value / 10) * 10
            while divisor > 1 {
                converted.append(prefixed / divisor % 10)
                divisor /= 10
            }
            return prefixed + (10 - converted.sum13 % 10) % 10
        default: return nil
        }
    }
}
