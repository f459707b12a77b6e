internal import CText

/// The collation order of libraries for normalized texts: word by word, numbers by value and before letters,
/// punctuation ignored, Latin before Greek, Cyrillic and the other scripts, each in its own alphabetical order.
///
/// Each text gets a sort key. Keys are compared by bytes as with memcmp(), and a key comes before all keys that it is a
/// prefix of. In a key,
/// - a blank comes before every digit and letter: "New York" before "Newark";
/// - hyphens, dashes, slashes, full stops and all other punctuation and symbols count as a blank, and several blanks as
///   one: "J.R.R." equals "J. R. R."; at the beginning and the end they are ignored;
/// - apostrophes and the dot of "col·lecció" are ignored;
/// - "#" and "+" right after a letter or digit are kept, for C, C# and C++;
/// - digits of any script form one number, including thousands separators;
/// - letters are in the order of the Default Unicode Collation Element Table (UTS #10), Han by code point;
/// - katakana equal hiragana, and prolonged sound marks and iteration marks equal the character that they stand for;
/// - texts of symbols only come after numbers and before letters, by code point.
public enum Collation {
    /// Appends the sort key of a normalized text; appends nothing for an empty text. Linear.
    public static func append(_ folded: UnsafeBufferPointer<UInt8>, to key: inout ByteBuffer) {
        var collator = Collator()
        collator.add(folded, to: &key)
        if collator.isEmpty { appendSymbols(folded, to: &key) }
    }

    /// Appends the sort key of a text without letters and digits.
    static func appendSymbols(_ folded: UnsafeBufferPointer<UInt8>, to key: inout ByteBuffer) {
        if folded.isEmpty { return }
        key.reserve(1 + folded.count)
        key.appendWithinCapacity(UInt8(COLLATION_SYMBOLS))
        for byte in folded { key.appendWithinCapacity(byte) }
    }
}

/// The state of building one key from one or several texts.
struct Collator {
    /// Whether nothing that counts in the order has been added.
    private(set) var isEmpty = true
    /// Whether blanks and punctuation are ignored, as between the parts of a Chinese name.
    var ignoresBlanks = false
    /// The separator before the next letter or digit; 0 for none.
    private var pending: UInt8 = 0
    /// The previous letter, which prolonged sound marks and iteration marks refer to.
    private var previous: UInt32 = 0

    /// Starts a new part of the key; a key that ends before it comes first.
    mutating func separate() {
        pending = UInt8(COLLATION_SEPARATOR)
    }

    /// Adds a text as the next word.
    @inline(__always)
    mutating func add(_ folded: UnsafeBufferPointer<UInt8>, to key: inout ByteBuffer) {
        // ASCII letters and blanks need no more capacity.
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

    /// Adds the longest prefix of `text` that consists of ASCII letters and blanks; its first byte must be a letter.
    ///
    /// - Returns: The length of the prefix in bytes.
    @inline(__always)
    private mutating func addRun(_ text: UnsafeBufferPointer<UInt8>, to key: inout ByteBuffer) -> Int {
        guard let start = text.baseAddress else { return text.count }
        addPending(to: &key)
        let length = collate_plain_ascii(start, text.count, key.end)
        key.count += length
        // A blank at the end is kept only if text follows.
        if start[length - 1] == 0x20 {
            key.count -= 1
            pending = UInt8(COLLATION_BLANK)
        }
        previous = 0
        return length
    }

    /// Adds the character at `index`, or the number that begins there.
    ///
    /// - Returns: Its length in bytes.
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
            // Keep the sign only after a letter or digit; elsewhere it belongs to the text after it.
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

    /// Adds a letter of the collation table.
    private mutating func addLetter(_ scalar: UInt32, to key: inout ByteBuffer) {
        var count = 0
        guard let element = collation_table_lookup(scalar, &count) else { return }
        addPending(to: &key)
        key.reserve(count)
        for index in 0..<count { key.appendWithinCapacity(element[index]) }
        previous = scalar
    }

    /// Adds a letter that is missing from the collation table, by code point and Han first.
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

    /// Returns the character at `index` and its length in bytes; invalid UTF-8 is skipped byte by byte.
    private static func character(at index: Int, of text: UnsafeBufferPointer<UInt8>) -> (scalar: UInt32, length: Int) {
        let byte = text[index]
        if byte < 0x80 { return (UInt32(byte), 1) }
        return ByteBuffer.scalar(at: index, of: text) ?? (0, 1)
    }
}

// Numbers.
extension Collator {
    /// Adds the number whose first digit is at `index`.
    ///
    /// - Returns: Its length in bytes.
    private mutating func addNumber(
        at index: Int, of text: UnsafeBufferPointer<UInt8>, to key: inout ByteBuffer
    ) -> Int {
        addPending(to: &key)
        previous = 0
        var digitCount = 0
        let end = Self.forEachDigit(from: index, of: text) { digit in
            // Leading zeros are ignored.
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

    /// Calls `body` with the value of each digit of the number at `start`.
    ///
    /// - Returns: The index after the number.
    @inline(__always)
    private static func forEachDigit(
        from start: Int, of text: UnsafeBufferPointer<UInt8>, _ body: (UInt8) -> Void
    ) -> Int {
        var index = start
        // The number of digits since the beginning or the last comma.
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

    /// Returns whether exactly three ASCII digits begin at `index`.
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

// Rules of single scripts.
extension Collator {
    /// The vowels of the kana from ぁ to ゖ.
    private static let vowels: StaticString =
        "aaiiuueeooaaiiuueeooaaiiuueeooaaiiuuueeooaiueoaaaiiiuuueeeoooaiueoaauuooaiueoaaieo-uae"

    /// Returns the kana that a prolonged sound mark after `scalar` stands for: "ー" in "ラーメン" is "あ" (JIS X 4061); nil
    /// if `scalar` is not a kana with a vowel.
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

    /// Adds a kana; does nothing if `scalar` is not one, such as 0 for an iteration mark at the beginning.
    private mutating func addKana(_ scalar: UInt32, to key: inout ByteBuffer) {
        if (0x3041...0x30FA).contains(scalar) { addLetter(scalar, to: &key) }
    }

    /// Returns the consonant after a Thai or Lao vowel that is written before it but sorted after it (UTS #10, 3.1.3);
    /// nil if `scalar` is a different character.
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
