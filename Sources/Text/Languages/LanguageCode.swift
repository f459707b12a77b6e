/// A language by the first part of its tag, as a number that is compared in no time: "en" of "en-GB".
package struct LanguageCode: Hashable, Sendable {
    /// The two or three letters of the code, five bits each, the last in the lowest; 0 where nobody knows.
    package let bits: UInt16

    /// Nobody knows.
    package static let unknown = LanguageCode(bits: 0)

    /// The language of these bits.
    package init(bits: UInt16) { self.bits = bits }

    /// The language of a tag of BCP 47, in UTF-8 and in any case; nil where it has no code of two or three letters.
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

    /// The language of a tag.
    init?(_ tag: LanguageTag) {
        self.init(tag.text.utf8)
    }

    /// The language of a tag; unknown where it has no code.
    package init(of tag: String) {
        self = LanguageCode(tag.utf8) ?? .unknown
    }

    /// The code in lower case, "en"; "" where nobody knows.
    package var text: String {
        var text = ""
        for shift in [10, 5, 0] where bits >> shift & 0x1F != 0 {
            text.unicodeScalars.append(Unicode.Scalar(UInt8(0x60 + bits >> shift & 0x1F)))
        }
        return text
    }
}
