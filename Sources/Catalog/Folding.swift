private import CSystem

/// The scalars of a text, folded for comparison: without case, marks, width and compatibility forms, and with single
/// blanks between words. "Straße" is folded to "strasse", "Brontë" to "bronte".
struct FoldedScalars: Sequence, IteratorProtocol {
    private var scalars: String.UnicodeScalarView.Iterator
    private var rest = UnsafeBufferPointer<UInt32>(start: nil, count: 0)[...]
    /// The letters of a Hangul syllable that are still to come, the last one first.
    private var letters: [UInt32] = []
    private var pendingBlank = false
    private var held: Unicode.Scalar?
    private var isFirst = true

    /// The folded scalars of `text`, lazily.
    init(_ text: String) {
        scalars = text.unicodeScalars.makeIterator()
    }

    /// The next scalar, or nil at the end.
    mutating func next() -> Unicode.Scalar? {
        if let scalar = held {
            held = nil
            return scalar
        }
        while let scalar = nextFolded() {
            if scalar == " " || (!(0x21...0x7E).contains(scalar.value) && scalar.properties.isWhitespace) {
                pendingBlank = !isFirst
                continue
            }
            isFirst = false
            guard pendingBlank else { return scalar }
            pendingBlank = false
            held = scalar
            return " "
        }
        return nil
    }

    private mutating func nextFolded() -> Unicode.Scalar? {
        if let value = rest.popFirst() { return Unicode.Scalar(value) }
        if let value = letters.popLast() { return Unicode.Scalar(value) }
        while let scalar = scalars.next() {
            if (0xAC00...0xD7A3).contains(scalar.value) {
                // A syllable is its initial, its vowel and its final, if any (The Unicode Standard, 3.12).
                let syllable = scalar.value - 0xAC00
                if !syllable.isMultiple(of: 28) { letters.append(0x11A7 + syllable % 28) }
                letters.append(0x1161 + syllable % 588 / 28)
                return Unicode.Scalar(0x1100 + syllable / 588)
            }
            // Variation selectors and tags.
            if scalar.value >> 12 == 0xE0 { continue }
            var count: UInt32 = 0
            guard let folded = fold_table_lookup(scalar.value, &count) else { return scalar }
            rest = UnsafeBufferPointer(start: folded, count: Int(count))[...]
            if let value = rest.popFirst() { return Unicode.Scalar(value) }
        }
        return nil
    }
}
