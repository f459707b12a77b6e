/// A language by the first part of its tag, as a number that is compared in no time: "en" of "en-GB".
struct LanguageCode: Hashable, Sendable {
    /// The two or three letters of the code in lower case, the last in the lowest byte.
    let packed: UInt32

    /// The language of a tag of BCP 47, in UTF-8 and in any case; nil where it has no code of two or three letters.
    init?(_ tag: some Sequence<UInt8>) {
        var packed: UInt32 = 0
        for byte in tag {
            if byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_") { break }
            guard byte.isASCIILetter, packed < 1 << 16 else { return nil }
            packed = packed << 8 | UInt32(byte | 0x20)
        }
        guard packed >= 1 << 8 else { return nil }
        self.packed = packed
    }

    /// The language of a tag.
    init?(_ tag: LanguageTag) {
        self.init(tag.text.utf8)
    }
}
