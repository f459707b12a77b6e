internal import Books
internal import Glibc
internal import JSON
internal import Text

/// The codes of texts that were languages before: a catalog has the same few again and again.
struct LanguageCodeCache {
    /// A table by a hash of the texts, each of at most eight bytes: a text that is at its place was learnt.
    private var texts: [UInt64] = []
    private var codes: [LanguageCode] = []
    private static let size = 64

    /// The code of the string without escapes in `range`, quotes included; nil where that does not say all that it does.
    @inline(__always)
    mutating func code(of range: Range<Int>, in reader: JSONReader) -> LanguageCode? {
        let count = range.count - 2
        guard count >= 2, count <= 8 else { return nil }
        var text: UInt64 = 0
        memcpy(&text, reader.pointer(to: range.lowerBound + 1), count)
        let place = Int(truncatingIfNeeded: (text &* 0x9E37_79B9_7F4A_7C15) >> 58)
        if !texts.isEmpty, texts[place] == text { return codes[place] }
        return learn(text, at: place, reader.string(of: range))
    }

    @inline(never)
    private mutating func learn(_ text: UInt64, at place: Int, _ string: String) -> LanguageCode? {
        guard case .list(let items)? = BookField.languages.value(of: .string(string)), items.count == 1 else {
            return nil
        }
        let code = LanguageCode(of: items[0].text)
        guard code.text == items[0].text else { return nil }
        if texts.isEmpty {
            texts = Array(repeating: 0, count: Self.size)
            codes = Array(repeating: .unknown, count: Self.size)
        }
        (texts[place], codes[place]) = (text, code)
        return code
    }
}
