/// The primary language of a tag, such as "en" of "en-GB", packed into an integer for fast comparison.
public struct LanguageCode: Hashable, Sendable {
    /// The two or three letters of the code, five bits each with the last in the lowest bits; 0 for unknown.
    public let bits: UInt16

    /// The unknown language.
    @inlinable @inline(__always)
    public static var unknown: LanguageCode { LanguageCode(bits: 0) }

    /// Creates a language from its bits.
    @inlinable @inline(__always)
    public init(bits: UInt16) { self.bits = bits }

    /// Creates the language of a BCP 47 tag in UTF-8, in any case; fails without a code of two or three letters.
    init?(_ tag: some Sequence<UInt8>) {
        var bits: UInt16 = 0
        for byte in tag {
            if byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_") { break }
            guard byte.isASCIILetter, bits < 1 << 10 else { return nil }
            bits = bits << 5 | UInt16(byte & 0x1F)
        }
        guard bits >= 1 << 5 else { return nil }
        self.bits = bits
    }

    /// Creates the language of a tag.
    init?(_ tag: LanguageTag) {
        self.init(tag.text.utf8)
    }

    /// Creates the language of a tag; `unknown` without a code.
    public init(of tag: String) {
        self = LanguageCode(tag.utf8) ?? .unknown
    }

    /// The code in lower case, such as "en"; "" for the unknown language.
    public var text: String {
        var text = ""
        for shift in [10, 5, 0] where bits >> shift & 0x1F != 0 {
            text.unicodeScalars.append(Unicode.Scalar(UInt8(0x60 + bits >> shift & 0x1F)))
        }
        return text
    }
}
