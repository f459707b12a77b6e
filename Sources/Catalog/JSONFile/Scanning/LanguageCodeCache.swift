internal import Books
internal import Glibc
internal import JSON
internal import Text

/// A cache of language codes, because a catalog repeats the same few languages.
struct LanguageCodeCache {
    /// A direct-mapped table of texts of at most eight bytes, with their codes.
    private var texts: [UInt64] = []
    private var codes: [LanguageCode] = []
    private static let size = 64

    /// Returns the code of the unescaped string in `range`, including its quotes, or nil if a code does not represent
    /// it fully.
    @inline(__always)
    mutating func code(of range: Range<Int>, in reader: JSONReader) -> LanguageCode? {
        let count = range.count - 2
        guard count >= 2, count <= 8 else { return nil }
        var text: UInt64 = 0
        memcpy(&text, reader.pointer(to: range.lowerBound + 1), count)
        let slot = Int(truncatingIfNeeded: (text &* 0x9E37_79B9_7F4A_7C15) >> 58)
        if !texts.isEmpty, texts[slot] == text { return codes[slot] }
        return learn(text, at: slot, reader.string(of: range))
    }

    @inline(never)
    private mutating func learn(_ text: UInt64, at slot: Int, _ string: String) -> LanguageCode? {
        guard case .list(let items)? = BookField.languages.value(of: .string(string)), items.count == 1 else {
            return nil
        }
        let code = LanguageCode(of: items[0].text)
        guard code.text == items[0].text else { return nil }
        if texts.isEmpty {
            texts = Array(repeating: 0, count: Self.size)
            codes = Array(repeating: .unknown, count: Self.size)
        }
        (texts[slot], codes[slot]) = (text, code)
        return code
    }
}
