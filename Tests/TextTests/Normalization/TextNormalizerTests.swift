import TestSupport
import Testing

@testable import CatalogTesting
@testable import Text

@Suite("Text: normalizing") struct FoldingTests {
    private func folded(_ text: String) -> String {
        ByteBuffer.folded(text)
    }

    @Test(arguments: [
        // Case.
        ("Jane EYRE", "jane eyre"), ("ΌΔΥΣΣΕΎΣ", "οδυσσευσ"), ("Война", "воина"),
        // Combining marks, composed and decomposed.
        ("Brontë", "bronte"), ("Bronte\u{308}", "bronte"), ("Čapek", "capek"), ("Tiếng Việt", "tieng viet"),
        // Letters that are not decomposed.
        ("Straße", "strasse"), ("STRASSE", "strasse"), ("ẞ", "ss"), ("Łódź", "lodz"), ("Øre", "ore"), ("Æsop", "aesop"),
        ("Œuvre", "oeuvre"), ("ığdır", "igdir"), ("İstanbul", "istanbul"),
        // Width and compatibility.
        ("Ｅｍｍａ", "emma"), ("ｶﾀｶﾅ", "カタカナ"), ("ﬁn", "fin"), ("№", "no"),
        // Invisible characters.
        ("so\u{AD}ft", "soft"), ("a\u{200D}b", "ab"), ("\u{FEFF}Emma", "emma"), ("\u{202E}Emma\u{202C}", "emma"),
        // Unchanged characters.
        ("羅生門", "羅生門"), ("한글", "\u{1112}\u{1161}\u{11AB}\u{1100}\u{1173}\u{11AF}"), ("¿Qué?", "¿que?"), ("👩", "👩"),
    ])
    func textsAreFolded(text: String, expected: String) {
        #expect(Array(folded(text).unicodeScalars) == Array(expected.unicodeScalars))
    }

    @Test(arguments: [
        ("a b", "a b"), ("  a   b  ", "a b"), ("a\t\r\nb", "a b"), ("a\u{A0}b", "a b"), ("a\u{3000}b", "a b"),
        ("a\u{2028}b", "a b"), (" \n ", ""), ("", ""),
    ])
    func blanksBetweenWordsBecomeOne(text: String, expected: String) {
        #expect(folded(text) == expected)
    }

    @Test(arguments: [
        ("Brontë", "Bronte\u{308}"), ("が", "か\u{3099}"), ("ｶﾞ", "ガ"), ("Å", "\u{212B}"),
        ("한글", "\u{1112}\u{1161}\u{11AB}\u{1100}\u{1173}\u{11AF}"), ("가", "\u{1100}\u{1161}"),
        ("葛", "葛\u{E0100}"), ("你", "\u{2F804}"),
    ])
    func textsThatUnicodeHoldsForTheSameAreFoldedToTheSame(one: String, other: String) {
        #expect(Array(folded(one).unicodeScalars) == Array(folded(other).unicodeScalars))
    }

    @Test func differentLettersStayDifferent() {
        #expect(folded("Emma") != folded("Emmy"))
        #expect(folded("가") != folded("각"))
    }

    /// Returns the normalized form of ASCII text by the simple rule: lower case, and single blanks between words.
    private func plainlyFolded(_ bytes: [UInt8]) -> [UInt8] {
        let words = bytes.split { $0 <= 0x20 }
        return Array(words.joined(separator: [0x20])).map { (0x41...0x5A).contains($0) ? $0 + 0x20 : $0 }
    }

    /// Returns the normalized form of `bytes`, or nil if they are not UTF-8.
    private func folded(_ bytes: [UInt8]) -> [UInt8]? {
        var buffer = ByteBuffer(capacity: 1)
        let isValid = bytes.withUnsafeBufferPointer { buffer.append(folding: $0) }
        if !isValid { #expect(buffer.count == 0) }
        return isValid ? Array(buffer.bytes) : nil
    }

    @Test func everyPairOfASCIIIsFoldedByThePlainRule() {
        for first in 0..<UInt8(0x80) {
            for second in 0..<UInt8(0x80) {
                let pair = [first, second]
                if folded(pair) != plainlyFolded(pair) { Issue.record("\(pair)") }
            }
        }
    }

    /// Sixteen bytes are processed at a time; the boundaries must not matter.
    @Test func anyCombinationOfLettersAndBlanksIsFoldedByThePlainRuleAtAnyPlace() {
        let kinds: [UInt8] = [0x61, 0x5A, 0x20, 0x09, 0x00, 0x7F]
        for prefix in [0, 1, 12, 13, 14, 15, 16, 29] {
            for code in 0..<kinds.count * kinds.count * kinds.count * kinds.count {
                var rest = code
                var bytes = [UInt8](repeating: 0x42, count: prefix)
                for _ in 0..<4 {
                    bytes.append(kinds[rest % kinds.count])
                    rest /= kinds.count
                }
                for text in [bytes, bytes + [0x43]] where folded(text) != plainlyFolded(text) {
                    Issue.record("\(text)")
                }
            }
        }
    }

    /// A text must be normalized like its characters, for any mixture of ASCII and other characters.
    @Test func aTextIsFoldedToWhatItsCharactersAreFoldedTo() {
        var random = SplitMix(seed: 0xF01D)
        let ranges: [ClosedRange<UInt32>] = [
            0x00...0x7F, 0x41...0x5A, 0x20...0x20, 0x80...0x24F, 0x300...0x36F, 0x370...0x52F, 0x1E00...0x1FFF,
            0x2000...0x206F, 0x2100...0x218F, 0x3000...0x30FF, 0x4E00...0x4EFF, 0xAC00...0xD7A3, 0xF900...0xFFFF,
            0x1_0000...0x2_FFFF, 0xE_0000...0xE_01FF, 0x10_FF00...0x10_FFFF,
        ]
        for _ in 0..<2000 {
            var text = String.UnicodeScalarView()
            var words: [[UInt8]] = [[]]
            for _ in 0..<Int.random(in: 0...40, using: &random) {
                let range = ranges[Int.random(in: ranges.indices, using: &random)]
                guard let scalar = Unicode.Scalar(UInt32.random(in: range, using: &random)) else { continue }
                text.append(scalar)
                // Control characters are not text.
                if scalar.properties.isWhitespace || scalar.value < 0x20 {
                    words.append([])
                    continue
                }
                // Between letters, because some characters are normalized to text with blanks.
                let alone = folded(Array("x\(scalar)x".utf8)) ?? []
                let parts = alone.dropFirst().dropLast().split(separator: 0x20, omittingEmptySubsequences: false)
                words[words.count - 1] += parts.first ?? []
                words += parts.dropFirst().map(Array.init)
            }
            let expected = Array(words.filter { !$0.isEmpty }.joined(separator: [0x20]))
            #expect(folded(Array(String(text).utf8)) == expected, "\(String(text).debugDescription)")
        }
    }

    @Test func normalizationIsIdempotent() {
        for value in UInt32(0)...0x2_FFFF where !(0xE000...0xF8FF).contains(value) {
            guard let scalar = Unicode.Scalar(value), let once = folded(Array(String(scalar).utf8)) else { continue }
            if folded(once) != once { Issue.record("U+\(String(value, radix: 16))") }
        }
    }

    @Test func bytesThatAreNotUTF8AreNotFolded() {
        func check(_ bytes: [UInt8]) {
            let isValid = String(validating: bytes, as: UTF8.self) != nil
            if (folded(bytes) != nil) != isValid { Issue.record("\(bytes)") }
        }
        let edges: [UInt8] = [0x00, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xFF]
        for first in UInt8(0x80)...0xFF {
            check([first])
            check([0x41, first, 0x41])
            for second in edges {
                check([first, second])
                for third in edges {
                    check([first, second, third])
                    for fourth in [0x41, 0x80, 0xBF, 0xC2] as [UInt8] { check([first, second, third, fourth]) }
                }
            }
        }
        var random = SplitMix(seed: 8)
        for _ in 0..<2000 {
            var bytes = Array("Ünïcödé 羅生門 👩 text".utf8)
            let place = Int.random(in: bytes.indices, using: &random)
            bytes[place] = UInt8.random(in: 0...255, using: &random)
            check(bytes)
        }
    }
}
