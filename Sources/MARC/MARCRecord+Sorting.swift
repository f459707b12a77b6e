internal import JSON

/// Removes the marks around the non-sorting part of a title, such as an article.
///
/// The marks are the control characters of ISO 6630 (U+0088 and U+0089), which UNIMARC uses, or those of MARC-8 in
/// Unicode (U+0098 and U+009C).
extension MARCRecord {
    private static let pairs: [(start: Unicode.Scalar, end: Unicode.Scalar)] = [
        ("\u{88}", "\u{89}"), ("\u{98}", "\u{9C}"),
    ]

    /// Returns a text without the marks.
    static func withoutMarks(_ text: String) -> String {
        // Each mark has two bytes, the first of which is rare.
        guard text.utf8.contains(0xC2) else { return text }
        let marks = pairs.flatMap { [$0.start, $0.end] }
        guard text.unicodeScalars.contains(where: marks.contains) else { return text }
        return String(String.UnicodeScalarView(text.unicodeScalars.filter { !marks.contains($0) }))
    }

    /// Decodes the bytes of a text in a single-byte encoding as Windows-1252, without pairs of marks.
    static func windows1252(_ bytes: ArraySlice<UInt8>) -> String {
        var bytes = bytes
        for pair in pairs {
            // A single mark may be a letter: 0x9C is "œ".
            let (start, end) = (UInt8(pair.start.value), UInt8(pair.end.value))
            while let first = bytes.firstIndex(of: start), let last = bytes[first...].firstIndex(of: end) {
                bytes.remove(at: last)
                bytes.remove(at: first)
            }
        }
        return bytes.map { String(windows1252: $0) }.joined()
    }

    /// Returns the sort title from the first subfield of a title, without its marked parts; nil if there are none.
    func sortTitle(_ title: Field?) -> String? {
        guard let title, let subfield = subfields[title.subfields].first(where: { $0.code == UInt8(ascii: "a") }) else {
            return nil
        }
        let text = bytes[subfield.text]
        guard text.contains(where: { $0 == 0x88 || $0 == 0x98 }) else { return nil }
        var scalars: [Unicode.Scalar]
        if let valid = String(validating: text, as: UTF8.self) {
            scalars = Array(valid.unicodeScalars)
        } else {
            // Marks are distinguished from letters by their pairs.
            scalars = text.map { byte in
                [0x88, 0x89, 0x98, 0x9C].contains(byte)
                    ? Unicode.Scalar(byte) : String(windows1252: byte).unicodeScalars.first ?? " "
            }
        }
        let count = scalars.count
        for pair in Self.pairs {
            while let first = scalars.firstIndex(of: pair.start),
                let last = scalars[first...].firstIndex(of: pair.end)
            {
                scalars.removeSubrange(first...last)
            }
        }
        if scalars.count == count { return nil }
        return String(String.UnicodeScalarView(scalars)).withoutPunctuation
    }
}
