internal import Text

extension String {
    /// The number of letters of a word that may be misspelt: in a shorter one, another letter makes another word, and
    /// longer ones are no words.
    private static let misspellable = 4...32

    /// Whether the word is long enough for a misspelling to be told from another word, is no number, and is spelt with
    /// letters: one ideograph or syllable makes another word.
    var isMisspellable: Bool {
        utf8.count <= 4 * Self.misspellable.upperBound && Self.misspellable.contains(count) && !isNumber
            && !unicodeScalars.contains { !$0.isASCII && ($0.properties.isIdeographic || $0.isHangul) }
    }

    /// Whether the word has digits, or only those of Roman numerals.
    var isNumber: Bool {
        utf8.allSatisfy("ivxlcdm".utf8.contains)
            || unicodeScalars.contains { scalar in
                scalar.isASCII ? UInt8(scalar.value).isASCIIDigit : scalar.properties.numericType != nil
            }
    }

    /// The word, and the word without each of its letters.
    var shortened: Set<String> {
        var forms: Set<String> = [self]
        for place in indices {
            var form = self
            form.remove(at: place)
            forms.insert(form)
        }
        return forms
    }

    /// Whether the word becomes `other` if one letter is left out, added, replaced or swapped with the next one.
    func isOneLetterFrom(_ other: String) -> Bool {
        let (mine, theirs) = (Array(self), Array(other))
        if abs(mine.count - theirs.count) > 1 { return false }
        let start = zip(mine, theirs).prefix { $0 == $1 }.count
        let (left, right) = (mine.dropFirst(start), theirs.dropFirst(start))
        if left.dropFirst().elementsEqual(right) || right.dropFirst().elementsEqual(left) { return true }
        if left.dropFirst().elementsEqual(right.dropFirst()) { return true }
        return left.count == right.count && left.count > 1 && left.prefix(2).elementsEqual(right.prefix(2).reversed())
            && left.dropFirst(2).elementsEqual(right.dropFirst(2))
    }
}

extension Unicode.Scalar {
    /// Whether the scalar is a Hangul syllable, or a letter of one.
    fileprivate var isHangul: Bool {
        (0x1100...0x11FF).contains(value) || (0xAC00...0xD7A3).contains(value) || (0x3130...0x318F).contains(value)
    }
}
