internal import CText

/// The order of folded texts that readers know from libraries: word by word, numbers by their value and before letters,
/// punctuation passed over, Latin before Greek, Cyrillic and the other scripts, each in its own alphabet.
///
/// It is made once for each text, as a key: keys are in the order of their bytes, as memcmp() compares them, and a key
/// before all that begin with it. In a key,
/// - a blank is before every digit and letter: "New York" is before "Newark";
/// - hyphens, dashes, slashes, full stops and all other punctuation and symbols count as a blank, and several blanks as
///   one: "J.R.R." is "J. R. R."; those at the beginning and at the end are nothing;
/// - apostrophes, and the dot of "col·lecció", are nothing;
/// - "#" and "+" right behind a letter or digit are kept, for the sake of C, C# and C++;
/// - digits are read as one number, whatever their script, with the commas that set thousands apart;
/// - letters are in the order of the Default Unicode Collation Element Table (UTS #10), Han by code point;
/// - katakana are hiragana, and a mark that prolongs or repeats the character before is what it stands for;
/// - a text of symbols alone is behind the numbers and before the letters, by its code points.
package enum Collation {
    /// Appends the key of a text that was folded; nothing for a text without characters. Linear.
    package static func append(_ folded: UnsafeBufferPointer<UInt8>, to key: inout ByteBuffer) {
        var collator = Collator()
        collator.add(folded, to: &key)
        if collator.isEmpty { appendSymbols(folded, to: &key) }
    }

    /// Appends the key of a text in which there is no letter and no digit.
    static func appendSymbols(_ folded: UnsafeBufferPointer<UInt8>, to key: inout ByteBuffer) {
        if folded.isEmpty { return }
        key.reserve(1 + folded.count)
        key.appendWithinCapacity(UInt8(COLLATION_SYMBOLS))
        for byte in folded { key.appendWithinCapacity(byte) }
    }
}

/// The makings of one key, of one text or several.
struct Collator {
    /// Whether nothing was added that has a place in the order.
    private(set) var isEmpty = true
    /// Whether blanks and punctuation are nothing, as between the parts of a Chinese name.
    var ignoresBlanks = false
    /// What stands before the next letter or digit; 0 where nothing does.
    private var pending: UInt8 = 0
    /// The letter before, for the marks that stand for it.
    private var previous: UInt32 = 0

    /// Has what is added next be a part of its own, before which a shorter one ends.
    mutating func separate() {
        pending = UInt8(COLLATION_SEPARATOR)
    }

    /// Adds a text, as the next word.
    @inline(__always)
    mutating func add(_ folded: UnsafeBufferPointer<UInt8>, to key: inout ByteBuffer) {
        // Letters and blanks in ASCII need no more room than this.
        key.reserve(folded.count + 1)
        if pending == 0 && !ignoresBlanks { pending = UInt8(COLLATION_BLANK) }
        var index = 0
        while index < folded.count {
            if folded[index] &- 0x61 < 26 && !ignoresBlanks {
                index += addRun(UnsafeBufferPointer(rebasing: folded[index...]), to: &key)
            } else {
                index += addOther(at: index, of: folded, to: &key)
                key.reserve(folded.count - index + 1)
            }
        }
    }

    /// Adds the letters and blanks in ASCII that `text` begins with; the first is a letter.
    ///
    /// - Returns: How many bytes that were.
    @inline(__always)
    private mutating func addRun(_ text: UnsafeBufferPointer<UInt8>, to key: inout ByteBuffer) -> Int {
        guard let start = text.baseAddress else { return text.count }
        addPending(to: &key)
        let length = collate_plain_ascii(start, text.count, key.end)
        key.count += length
        // A blank at the end stands only where something follows it.
        if start[length - 1] == 0x20 {
            key.count -= 1
            pending = UInt8(COLLATION_BLANK)
        }
        previous = 0
        return length
    }

    /// Adds the character at `index`, or the number that begins there.
    ///
    /// - Returns: How many bytes that was.
    private mutating func addOther(
        at index: Int, of text: UnsafeBufferPointer<UInt8>, to key: inout ByteBuffer
    ) -> Int {
        let (scalar, length) = Self.character(at: index, of: text)
        var count = 0
        guard let element = collation_table_lookup(scalar, &count) else {
            addRareLetter(scalar, to: &key)
            return length
        }
        if count == 0 { return length }
        switch element[0] {
        case UInt8(COLLATION_BLANK): addBlank()
        case UInt8(COLLATION_NUMBER_SIGN), UInt8(COLLATION_PLUS):
            // Within a word, as otherwise they are signs of what follows.
            if pending == 0 && !isEmpty { key.append(element[0]) } else { addBlank() }
        case UInt8(COLLATION_DIGIT)..<UInt8(COLLATION_PROLONGED): return addNumber(at: index, of: text, to: &key)
        case UInt8(COLLATION_PROLONGED):
            if let vowel = Self.vowel(ofKana: previous) { addKana(vowel, to: &key) }
        case UInt8(COLLATION_REPEATED):
            if previous >= 0x3400 { addRareLetter(previous, to: &key) } else { addKana(previous, to: &key) }
        default:
            if let next = Self.consonant(behind: scalar, at: index + length, of: text) {
                addLetter(next.scalar, to: &key)
                addLetter(scalar, to: &key)
                return length + next.length
            }
            addPending(to: &key)
            key.reserve(count)
            for index in 0..<count { key.appendWithinCapacity(element[index]) }
            previous = scalar
        }
        return length
    }

    private mutating func addBlank() {
        if pending == 0 && !ignoresBlanks { pending = UInt8(COLLATION_BLANK) }
    }

    @inline(__always)
    private mutating func addPending(to key: inout ByteBuffer) {
        if !isEmpty && pending != 0 { key.append(pending) }
        (isEmpty, pending) = (false, 0)
    }

    /// Adds a letter that is in the table.
    private mutating func addLetter(_ scalar: UInt32, to key: inout ByteBuffer) {
        var count = 0
        guard let element = collation_table_lookup(scalar, &count) else { return }
        addPending(to: &key)
        key.reserve(count)
        for index in 0..<count { key.appendWithinCapacity(element[index]) }
        previous = scalar
    }

    /// Adds a letter that is not in the table: by its code point, Han before the others.
    private mutating func addRareLetter(_ scalar: UInt32, to key: inout ByteBuffer) {
        addPending(to: &key)
        key.reserve(4)
        let isHan = scalar == 0x3007 || (0x3400...0x9FFF).contains(scalar) || (0x2_0000...0x3_FFFF).contains(scalar)
        if isHan && scalar < 0x1_0000 {
            key.appendWithinCapacity(UInt8(COLLATION_HAN))
        } else {
            key.appendWithinCapacity(UInt8(isHan ? COLLATION_RARE_HAN : COLLATION_RARE))
            key.appendWithinCapacity(UInt8(truncatingIfNeeded: scalar >> 16))
        }
        key.appendWithinCapacity(UInt8(truncatingIfNeeded: scalar >> 8))
        key.appendWithinCapacity(UInt8(truncatingIfNeeded: scalar))
        previous = scalar
    }

    /// The character at `index`, and how many bytes it has; text that is not UTF-8 is passed over byte by byte.
    private static func character(at index: Int, of text: UnsafeBufferPointer<UInt8>) -> (scalar: UInt32, length: Int) {
        let byte = text[index]
        if byte < 0x80 { return (UInt32(byte), 1) }
        return ByteBuffer.scalar(at: index, of: text) ?? (0, 1)
    }
}

// Numbers.
extension Collator {
    /// Adds the number that begins at `index` with a digit.
    ///
    /// - Returns: How many bytes it has.
    private mutating func addNumber(
        at index: Int, of text: UnsafeBufferPointer<UInt8>, to key: inout ByteBuffer
    ) -> Int {
        addPending(to: &key)
        previous = 0
        var digitCount = 0
        let end = Self.forEachDigit(from: index, of: text) { digit in
            // Zeros before others are none.
            if digitCount > 0 || digit > 0 { digitCount += 1 }
        }
        key.reserve(5 + digitCount)
        if digitCount < Int(COLLATION_LONG_NUMBER) - Int(COLLATION_NUMBER) {
            key.appendWithinCapacity(UInt8(Int(COLLATION_NUMBER) + digitCount))
        } else {
            key.appendWithinCapacity(UInt8(COLLATION_LONG_NUMBER))
            for shift in [24, 16, 8, 0] { key.appendWithinCapacity(UInt8(truncatingIfNeeded: digitCount >> shift)) }
        }
        var isLeading = true
        _ = Self.forEachDigit(from: index, of: text) { digit in
            if isLeading && digit == 0 { return }
            isLeading = false
            key.appendWithinCapacity(digit)
        }
        return end - index
    }

    /// Calls `body` with the value of each digit of the number at `index`.
    ///
    /// - Returns: Where it ends.
    @inline(__always)
    private static func forEachDigit(
        from start: Int, of text: UnsafeBufferPointer<UInt8>, _ body: (UInt8) -> Void
    ) -> Int {
        var index = start
        // How many digits there are since the beginning or the last comma.
        var groupCount = 0
        var hasCommas = false
        while index < text.count {
            if let (digit, length) = digit(at: index, of: text) {
                body(digit)
                groupCount += 1
                index += length
                continue
            }
            let isGroup = hasCommas ? groupCount == 3 : groupCount <= 3
            guard text[index] == UInt8(ascii: ","), isGroup, hasThreeDigits(at: index + 1, of: text) else { break }
            (groupCount, hasCommas) = (0, true)
            index += 1
        }
        return index
    }

    /// Whether there are three digits in ASCII at `index`, and no fourth.
    private static func hasThreeDigits(at index: Int, of text: UnsafeBufferPointer<UInt8>) -> Bool {
        func isDigit(_ index: Int) -> Bool { index < text.count && text[index].isASCIIDigit }
        return isDigit(index) && isDigit(index + 1) && isDigit(index + 2) && !isDigit(index + 3)
    }

    @inline(__always)
    private static func digit(at index: Int, of text: UnsafeBufferPointer<UInt8>) -> (value: UInt8, length: Int)? {
        let byte = text[index]
        if byte < 0x80 { return byte.isASCIIDigit ? (byte & 0x0F, 1) : nil }
        let (scalar, length) = character(at: index, of: text)
        var count = 0
        guard let element = collation_table_lookup(scalar, &count), count == 1,
            (UInt8(COLLATION_DIGIT)..<UInt8(COLLATION_PROLONGED)).contains(element[0])
        else { return nil }
        return (element[0] - UInt8(COLLATION_DIGIT), length)
    }
}

// What single scripts ask for.
extension Collator {
    /// The vowels of the kana from ぁ to ゖ.
    private static let vowels: StaticString =
        "aaiiuueeooaaiiuueeooaaiiuueeooaaiiuuueeooaiueoaaaiiiuuueeeoooaiueoaauuooaiueoaaieo-uae"

    /// The kana that a mark prolongs `scalar` by: "ー" of "ラーメン" is "あ" (JIS X 4061). Nil where it is no kana with a vowel.
    private static func vowel(ofKana scalar: UInt32) -> UInt32? {
        let hiragana = (0x30A1...0x30F6).contains(scalar) ? scalar - 0x60 : scalar
        guard (0x3041...0x3096).contains(hiragana) else { return nil }
        return switch vowels.utf8Start[Int(hiragana - 0x3041)] {
        case UInt8(ascii: "a"): 0x3042
        case UInt8(ascii: "i"): 0x3044
        case UInt8(ascii: "u"): 0x3046
        case UInt8(ascii: "e"): 0x3048
        case UInt8(ascii: "o"): 0x304A
        default: nil
        }
    }

    /// Adds a kana; nothing where there was none to repeat.
    private mutating func addKana(_ scalar: UInt32, to key: inout ByteBuffer) {
        if (0x3041...0x30FA).contains(scalar) { addLetter(scalar, to: &key) }
    }

    /// The consonant behind a Thai or Lao vowel that is written before it but comes after it in the order (UTS #10, 3.1.3);
    /// nil where `scalar` is no such vowel.
    @inline(__always)
    private static func consonant(
        behind scalar: UInt32, at index: Int, of text: UnsafeBufferPointer<UInt8>
    ) -> (scalar: UInt32, length: Int)? {
        let consonants: ClosedRange<UInt32>
        switch scalar {
        case 0x0E40...0x0E44: consonants = 0x0E01...0x0E2E
        case 0x0EC0...0x0EC4: consonants = 0x0E81...0x0EAE
        default: return nil
        }
        guard index < text.count else { return nil }
        let next = character(at: index, of: text)
        return consonants.contains(next.scalar) ? next : nil
    }
}
