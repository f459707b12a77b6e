import Testing

@testable import Text

@Suite("Text: regular expressions on normalized text") struct NormalizedRegexTests {
    @Test(arguments: [
        ("", ""), ("The Stand", "the stand"), ("Brontë", "bronte"), ("e\u{301}+", "e+"), ("ß+", "(?:ss)+"),
        ("Æ", "(?:ae)"),
        ("（", #"\("#), ("…", #"(?:\.\.\.)"#), ("a\u{A0}b", #"a\ b"#), ("A.B*C?", "a.b*c?"), ("A{2,3}|B", "a{2,3}|b"),
        // Parts whose case has a meaning.
        (#"\W\D\S\B\A\Z\R\N"#, #"\W\D\S\B\A\Z\R\N"#), (#"\p{Lu}\PL\p{Greek}A"#, #"\p{Lu}\PL\p{Greek}a"#),
        (#"\x{4A}\x4AX\o{101}\N{U+41}"#, #"\x{4A}\x4ax\o{101}\N{U+41}"#), (#"\cAB"#, #"\cAb"#),
        (#"\k<Na>\k{Na}\k'Na'\g{Na}\g<Na>\g1A"#, #"\k<Na>\k{Na}\k'Na'\g{Na}\g<Na>\g1a"#), (#"\É\."#, #"e\."#),
        (#"\QA.B\EC"#, #"a\.bc"#), (#"\QÉß("#, #"e(?:ss)\("#),
        ("(?<Na>A)", "(?<Na>a)"), ("(?P<Na>A)(?P=Na)(?P>Na)", "(?P<Na>a)(?P=Na)(?P>Na)"), ("(?'Na'A)", "(?'Na'a)"),
        ("(?i:A)(?J)(?U-i)B", "(?i:a)(?J)(?U-i)b"),
        ("(?=A)(?!A)(?<=A)(?<!A)(?>A)(?|A)(?:A)", "(?=a)(?!a)(?<=a)(?<!a)(?>a)(?|a)(?:a)"),
        ("(?R)(?&Na)(?1)", "(?R)(?&Na)(?1)"), ("(?(R)A|B)(?(<Na>)A)(?(?=A)B)", "(?(R)a|b)(?(<Na>)a)(?(?=a)b)"),
        ("(*ACCEPT)(*COMMIT)A", "(*ACCEPT)(*COMMIT)a"), ("(?#A(b)C", "(?#A(b)c"), ("(*atomic:A)", "(*atomic:a)"),
        // Classes.
        ("[AÉ]", "[ae]"), ("[ß]", "[ss]"), ("[^A]", "[^a]"), ("[]A]B", "[]a]b"), ("[^]A]B", "[^]a]b"),
        ("[A-Z]", "[a-zA-Z]"),
        ("[a-z0-9]", "[a-z0-9]"), ("[a-ÿ]", "[a-ya-ÿ]"), ("[A-_]", "[A-_]"), ("[À-Ž]", "[a-zÀ-Ž]"),
        ("[[:alpha:]A]", "[[:alpha:]a]"),
        ("[[:^Alpha:]A]", "[[:^Alpha:]a]"), ("[[A]", "[[a]"), (#"[\W\p{Lu}A\]B]C"#, #"[\W\p{Lu}a\]b]c"#),
        ("[（-]", #"[\(-]"#),
        (#"[\QA-Z]\E]B"#, #"[a\-z\]]b"#), ("[\u{301}]", "[\u{301}]"), ("[A", "[a"), ("[", "["), ("\\", "\\"),
        ("(?", "(?"),
        ("(?<Na", "(?<Na"), (#"\p{Lu"#, #"\p{Lu"#),
    ])
    func literalCharactersAloneAreFolded(pattern: String, expected: String) {
        let folded = NormalizedRegex(pattern)
        #expect(String(decoding: folded.bytes, as: UTF8.self) == expected)
        #expect(folded.origin(of: folded.bytes.count) == pattern.utf8.count)
    }

    @Test func eachByteKnowsWhereItComesFrom() {
        let folded = NormalizedRegex("éßa")
        #expect(String(decoding: folded.bytes, as: UTF8.self) == "e(?:ss)a")
        #expect((0...8).map(folded.origin(of:)) == [0, 2, 2, 2, 2, 2, 2, 4, 5])
    }
}
