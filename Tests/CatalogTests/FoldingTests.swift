import Testing

@testable import Catalog

struct FoldingTests {
    private func folded(_ text: String) -> String {
        ByteBuffer.folded(text)
    }

    @Test(arguments: [
        // Case.
        ("Jane EYRE", "jane eyre"), ("ΌΔΥΣΣΕΎΣ", "οδυσσευσ"), ("Война", "воина"),
        // Marks, composed and decomposed.
        ("Brontë", "bronte"), ("Bronte\u{308}", "bronte"), ("Čapek", "capek"), ("Tiếng Việt", "tieng viet"),
        // Letters that are not decomposed.
        ("Straße", "strasse"), ("STRASSE", "strasse"), ("ẞ", "ss"), ("Łódź", "lodz"), ("Øre", "ore"), ("Æsop", "aesop"),
        ("Œuvre", "oeuvre"), ("ığdır", "igdir"), ("İstanbul", "istanbul"),
        // Width and compatibility.
        ("Ｅｍｍａ", "emma"), ("ｶﾀｶﾅ", "カタカナ"), ("ﬁn", "fin"), ("№", "no"),
        // What is not seen.
        ("so\u{AD}ft", "soft"), ("a\u{200D}b", "ab"), ("\u{FEFF}Emma", "emma"), ("\u{202E}Emma\u{202C}", "emma"),
        // What stays.
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

    @Test func whatDiffersInLettersStaysDifferent() {
        #expect(folded("Emma") != folded("Emmy"))
        #expect(folded("가") != folded("각"))
    }
}
