internal import Text

/// Splits normalized texts into the words that are searched for by their beginning.
///
/// Words are separated by blanks, punctuation and symbols. In a script without blanks between words (Han, kana, Thai and
/// others), each character begins a word, of which a few characters are kept.
enum SearchWords {
    /// The maximum number of characters of a word in a script without blanks.
    private static let runLength = 4
    /// The maximum length of a word in bytes; the rest is compared in the text itself.
    private static let maximumLength = 64

    /// Returns the words in their order, with repetitions.
    static func words(in folded: some Sequence<UInt8>) -> [[UInt8]] {
        let text = Array(folded)
        var words: [[UInt8]] = []
        var word: [UInt8] = []
        var run: [[UInt8]] = []
        func endWord() {
            if word.isEmpty { return }
            words.append(Array(word.prefix(maximumLength)))
            word = []
        }
        func endRun() {
            for start in run.indices { words.append(Array(run[start...].prefix(runLength).joined())) }
            run = []
        }
        var index = 0
        while index < text.count {
            let start = index
            index += 1
            let byte = text[start]
            if byte < 0x80 {
                if !run.isEmpty { endRun() }
                if byte.isASCIILetter || byte.isASCIIDigit { word.append(byte) } else { endWord() }
                continue
            }
            while index < text.count, text[index] & 0xC0 == 0x80 { index += 1 }
            let character = text[start..<index]
            guard let scalar = String(decoding: character, as: UTF8.self).unicodeScalars.first else { continue }
            if isRun(scalar) {
                endWord()
                run.append(Array(character))
            } else if isPartOfWord(scalar) {
                endRun()
                word += character
            } else {
                endWord()
                endRun()
            }
        }
        endWord()
        endRun()
        return words
    }

    private static func isPartOfWord(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .nonspacingMark,
            .spacingMark, .enclosingMark, .decimalNumber, .letterNumber, .otherNumber:
            return true
        default: return false
        }
    }

    /// Whether a character belongs to a script without blanks between words.
    private static func isRun(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case ..<0x0E00: false
        // Thai, Lao, Tibetan, Myanmar, Khmer.
        case 0x0E01...0x0EFF, 0x0F40...0x0FBC, 0x1000...0x109F, 0x1780...0x17DD: isPartOfWord(scalar)
        // Kana, Bopomofo, Han.
        case 0x3005...0x3007, 0x3041...0x30FF, 0x3100...0x312F, 0x31A0...0x31FF, 0x3400...0x4DBF, 0x4E00...0x9FFF,
            0xF900...0xFAFF, 0x2_0000...0x3_FFFF:
            isPartOfWord(scalar)
        default: false
        }
    }
}
