import TestSupport
import Testing

@testable import Graphemes

extension GraphemeSanitizer {
    /// Returns the text of each grapheme of `text`.
    static func texts(of text: String) -> [String] { GraphemeSanitizer(text).map(\.text) }

    /// Returns the width of each grapheme of `text`.
    static func columns(of text: String) -> [Int] { GraphemeSanitizer(text).map { Int($0.columns) } }
}

@Suite("Graphemes: harmless on any terminal") struct GraphemeSanitizerTests {
    init() { useUTF8Locale() }

    /// Returns whether a character must never reach a terminal: a control, a format character, a line separator, a
    /// surrogate, a noncharacter or an unassigned character (The Unicode Standard, chapters 4.5 and 23).
    private static func isForbidden(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .surrogate, .lineSeparator, .paragraphSeparator, .unassigned: true
        default: scalar.properties.isNoncharacterCodePoint
        }
    }

    /// Returns a description of the problem with the graphemes of `text`, if there is one.
    private static func problem(in text: String) -> String? {
        for glyph in GraphemeSanitizer(text) {
            let scalars = glyph.text.unicodeScalars
            if scalars.contains(where: isForbidden) { return "forbidden" }
            if glyph.columns != 1 && glyph.columns != 2 { return "\(glyph.columns) columns" }
            if scalars.count > 1 + Grapheme.maximumMarks { return "too many marks" }
        }
        return nil
    }

    private static func problems(in makeText: (Unicode.Scalar) -> String) -> (checked: Int, problems: [String]) {
        var checked = 0
        var problems: [String] = []
        for value in UInt32(0)...0x10FFFF {
            guard let scalar = Unicode.Scalar(value) else { continue }
            checked += 1
            if let problem = problem(in: makeText(scalar)) {
                problems.append("U+\(String(value, radix: 16)): \(problem)")
            }
        }
        return (checked, problems)
    }

    @Test func noCharacterAloneLetsAnythingHarmfulOut() {
        let (checked, problems) = Self.problems { String($0) }
        #expect(checked == 1_112_064)
        #expect(problems == [])
    }

    @Test(.thorough) func noCharacterAfterALetterLetsAnythingHarmfulOut() {
        let (checked, problems) = Self.problems { "a" + String($0) }
        #expect(checked == 1_112_064)
        #expect(problems == [])
    }

    @Test(.thorough) func noCharacterAfterAnEmojiAndAJoinerLetsAnythingHarmfulOut() {
        let (_, problems) = Self.problems { "\u{1F469}\u{200D}" + String($0) }
        #expect(problems == [])
    }

    @Test func theLetterBeforeAnyCharacterStays() {
        var lost: [UInt32] = []
        for value in UInt32(0)...0x10FFFF {
            guard let scalar = Unicode.Scalar(value) else { continue }
            var glyphs = GraphemeSanitizer("a" + String(scalar))
            if glyphs.next()?.base != "a" { lost.append(value) }
        }
        #expect(lost == [])
    }

    @Test(arguments: [0x00, 0x07, 0x09, 0x0A, 0x0D, 0x1B, 0x1F, 0x7F, 0x80, 0x9B, 0x9F] as [UInt32])
    func aControlBecomesTheReplacementCharacter(value: UInt32) throws {
        let control = String(try #require(Unicode.Scalar(value)))
        #expect(GraphemeSanitizer.texts(of: "a\(control)b") == ["a", "\u{FFFD}", "b"])
    }

    @Test func anEscapeSequenceIsShownAsText() {
        #expect(GraphemeSanitizer.texts(of: "\u{1B}[2J").joined() == "\u{FFFD}[2J")
    }

    @Test(arguments: [0x202A, 0x202B, 0x202C, 0x202D, 0x202E, 0x2066, 0x2067, 0x2068, 0x2069] as [UInt32])
    func aBidirectionalControlBecomesTheReplacementCharacter(value: UInt32) throws {
        let control = String(try #require(Unicode.Scalar(value)))
        #expect(GraphemeSanitizer.texts(of: "a\(control)b") == ["a", "\u{FFFD}", "b"])
    }

    @Test(arguments: [0x2028, 0x2029, 0x0600, 0x06DD, 0xFFFE, 0x1FFFF] as [UInt32])
    func unsupportedCharactersBecomeTheReplacementCharacter(value: UInt32) throws {
        let scalar = String(try #require(Unicode.Scalar(value)))
        #expect(GraphemeSanitizer.texts(of: "a\(scalar)b") == ["a", "\u{FFFD}", "b"])
    }

    @Test(arguments: [0xAD, 0x200B, 0x200C, 0x200D, 0x200E, 0x200F, 0x061C, 0x2060, 0xFEFF, 0xE0041] as [UInt32])
    func anInvisibleCharacterIsDropped(value: UInt32) throws {
        let scalar = String(try #require(Unicode.Scalar(value)))
        #expect(GraphemeSanitizer.texts(of: "a\(scalar)b") == ["a", "b"])
        #expect(GraphemeSanitizer.texts(of: scalar) == [])
    }

    @Test func lettersTakeOneColumn() {
        #expect(GraphemeSanitizer.columns(of: "aéЖאβ") == [1, 1, 1, 1, 1])
    }

    @Test func eastAsianCharactersTakeTwoColumns() {
        #expect(GraphemeSanitizer.columns(of: "漢字かカ한Ａ。") == [2, 2, 2, 2, 2, 2, 2])
    }

    @Test func halfWidthKatakanaTakesOneColumn() {
        #expect(GraphemeSanitizer.columns(of: "ｱｲ") == [1, 1])
    }

    @Test func aTextTakesTheColumnsOfItsGlyphs() {
        #expect("".displayColumns == 0)
        #expect("Żółw".displayColumns == 4)
        #expect("漢字 a".displayColumns == 6)
        #expect("e\u{301}\u{200B}".displayColumns == 1)
    }

    @Test func aMarkStaysWithItsBase() throws {
        #expect(GraphemeSanitizer.texts(of: "e\u{301}x") == ["e\u{301}", "x"])
        #expect(GraphemeSanitizer.columns(of: "e\u{301}x") == [1, 1])
        #expect(try #require(GraphemeSanitizer("e\u{301}").first { _ in true }).markCount == 1)
    }

    @Test func marksBeyondTheMostAreDropped() {
        let four = "a\u{301}\u{302}\u{303}\u{304}"
        #expect(Grapheme.maximumMarks == 4)
        #expect(GraphemeSanitizer.texts(of: four + String(repeating: "\u{305}", count: 1000) + "b") == [four, "b"])
    }

    @Test func aMarkWithoutABaseStandsOnADottedCircle() {
        #expect(GraphemeSanitizer.texts(of: "\u{301}a") == ["\u{25CC}\u{301}", "a"])
        #expect(GraphemeSanitizer.columns(of: "\u{301}a") == [1, 1])
    }

    @Test func aMarkAfterAControlStandsOnADottedCircle() {
        #expect(GraphemeSanitizer.texts(of: "\u{1B}\u{301}") == ["\u{FFFD}", "\u{25CC}\u{301}"])
    }

    @Test func aMarkReachesItsBaseOverAnInvisibleCharacter() {
        #expect(GraphemeSanitizer.texts(of: "e\u{200B}\u{301}") == ["e\u{301}"])
    }

    @Test func aFlagIsOneGlyphOfTwoColumns() throws {
        let glyphs = Array(GraphemeSanitizer("\u{1F1EB}\u{1F1F7}\u{1F1E9}\u{1F1EA}"))
        #expect(glyphs.map(\.text) == ["\u{1F1EB}\u{1F1F7}", "\u{1F1E9}\u{1F1EA}"])
        #expect(glyphs.map(\.columns) == [2, 2])
        #expect(glyphs.map(\.isFlag) == [true, true])
    }

    @Test func halfAFlagBecomesTheReplacementCharacter() {
        #expect(GraphemeSanitizer.texts(of: "\u{1F1EB}") == ["\u{FFFD}"])
        #expect(GraphemeSanitizer.texts(of: "\u{1F1EB}a") == ["\u{FFFD}", "a"])
        #expect(GraphemeSanitizer.texts(of: "\u{1F1EB}\u{1F1F7}\u{1F1E9}") == ["\u{1F1EB}\u{1F1F7}", "\u{FFFD}"])
    }

    @Test func anEmojiIsNotAFlag() throws {
        #expect(try #require(GraphemeSanitizer("\u{1F600}").first { _ in true }).isFlag == false)
    }

    @Test func joinedPartsOfAnEmojiAreDropped() {
        // Woman, joiner, rocket: an astronaut. Man, woman and two children: a family.
        #expect(GraphemeSanitizer.texts(of: "\u{1F469}\u{200D}\u{1F680}x") == ["\u{1F469}", "x"])
        #expect(
            GraphemeSanitizer.texts(of: "\u{1F468}\u{200D}\u{1F469}\u{200D}\u{1F467}\u{200D}\u{1F466}x") == [
                "\u{1F468}", "x",
            ])
        // Woman, heart with its variation selector, man.
        #expect(GraphemeSanitizer.texts(of: "\u{1F469}\u{200D}\u{2764}\u{FE0F}\u{200D}\u{1F468}") == ["\u{1F469}"])
    }

    /// A rainbow flag, an eye in a bubble, a woman with a ball, a detective, a burning heart and a breaking chain:
    /// their first parts are narrow.
    @Test(arguments: [
        ("\u{1F3F3}\u{FE0F}\u{200D}\u{1F308}", "\u{1F3F3}"),
        ("\u{1F441}\u{FE0F}\u{200D}\u{1F5E8}\u{FE0F}", "\u{1F441}"),
        ("\u{26F9}\u{FE0F}\u{200D}\u{2640}\u{FE0F}", "\u{26F9}"),
        ("\u{1F575}\u{1F3FD}\u{200D}\u{2642}\u{FE0F}", "\u{1F575}"),
        ("\u{2764}\u{FE0F}\u{200D}\u{1F525}", "\u{2764}"),
        ("\u{26D3}\u{FE0F}\u{200D}\u{1F4A5}", "\u{26D3}"),
    ])
    func aJoinedEmojiIsTwoColumnsWideThoughItsFirstPartIsNarrow(emoji: String, first: String) {
        #expect(GraphemeSanitizer.texts(of: emoji + "x") == [first, " ", "x"])
        #expect(GraphemeSanitizer.columns(of: emoji + "x") == [1, 1, 1])
        #expect((emoji + emoji).displayColumns == 4)
        #expect((emoji + "\u{200D}\u{1F308}").displayColumns == 2)
        // By itself it has the width that terminals give it.
        #expect(GraphemeSanitizer.texts(of: first + "\u{FE0F}x") == [first, "x"])
        #expect(Self.highlighted(emoji + "x", [0..<emoji.utf8.count]) == [first])
        #expect(Self.highlighted(emoji + "x", [emoji.utf8.count..<emoji.utf8.count + 1]) == ["x"])
    }

    @Test func aSkinToneIsDropped() {
        #expect(GraphemeSanitizer.texts(of: "\u{1F44D}\u{1F3FD}x") == ["\u{1F44D}", "x"])
        #expect(GraphemeSanitizer.columns(of: "\u{1F44D}\u{1F3FD}x") == [2, 1])
        #expect(GraphemeSanitizer.texts(of: "\u{1F469}\u{1F3FD}\u{200D}\u{1F680}") == ["\u{1F469}"])
    }

    @Test func aSkinToneAfterALetterIsAGlyphOfItsOwn() {
        #expect(GraphemeSanitizer.texts(of: "a\u{1F3FD}") == ["a", "\u{1F3FD}"])
    }

    @Test func aVariationSelectorIsDroppedAndChangesNoWidth() {
        #expect(GraphemeSanitizer.texts(of: "\u{2764}\u{FE0F}") == ["\u{2764}"])
        #expect(GraphemeSanitizer.columns(of: "\u{2764}\u{FE0F}") == [1])
        #expect(GraphemeSanitizer.texts(of: "\u{FE0F}") == [])
    }

    @Test func aKeycapKeepsItsDigitInOneColumn() {
        #expect(GraphemeSanitizer.texts(of: "1\u{FE0F}\u{20E3}") == ["1\u{20E3}"])
        #expect(GraphemeSanitizer.columns(of: "1\u{FE0F}\u{20E3}") == [1])
    }

    @Test func theTagsOfARegionsFlagAreDropped() {
        let england = "\u{1F3F4}\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}"
        #expect(GraphemeSanitizer.texts(of: england + "x") == ["\u{1F3F4}", "x"])
    }

    @Test func aJoinerInIndicTextLosesNoLetter() {
        // KA, virama, joiner, SSA: the half form of KA before SSA.
        #expect(GraphemeSanitizer.texts(of: "\u{915}\u{94D}\u{200D}\u{937}") == ["\u{915}\u{94D}", "\u{937}"])
        // Malayalam chillu: NA, virama, joiner, then another letter.
        #expect(GraphemeSanitizer.texts(of: "\u{D28}\u{D4D}\u{200D}\u{D15}") == ["\u{D28}\u{D4D}", "\u{D15}"])
    }

    @Test func aNonJoinerInPersianTextLosesNoLetter() {
        #expect(GraphemeSanitizer.texts(of: "\u{645}\u{6CC}\u{200C}\u{62E}") == ["\u{645}", "\u{6CC}", "\u{62E}"])
    }

    @Test func aJoinerBetweenAnEmojiAndALetterLosesNoLetter() {
        #expect(GraphemeSanitizer.texts(of: "\u{1F469}\u{200D}a") == ["\u{1F469}", "a"])
    }

    @Test func hangulJamoMakeOneSyllableOfTwoColumns() {
        // HIEUH, A, NIEUN: the syllable han, written as its letters.
        #expect(GraphemeSanitizer.texts(of: "\u{1112}\u{1161}\u{11AB}x") == ["\u{1112}\u{1161}\u{11AB}", "x"])
        #expect(GraphemeSanitizer.columns(of: "\u{1112}\u{1161}\u{11AB}x") == [2, 1])
    }

    /// Returns the graphemes of `text` that are highlighted.
    private static func highlighted(_ text: String, _ highlights: [Range<Int>]) -> [String] {
        GraphemeSanitizer(text, highlights: highlights).filter(\.isHighlighted).map(\.text)
    }

    @Test func withoutHighlightsNoGlyphStandsOut() {
        #expect(Self.highlighted("abc", []) == [])
        #expect(Self.highlighted("abc", [1..<1]) == [])
    }

    @Test func theGlyphsOfAHighlightStandOut() {
        #expect(Self.highlighted("abcdef", [1..<3]) == ["b", "c"])
        #expect(Self.highlighted("abcdef", [0..<1, 2..<3, 3..<4, 5..<6]) == ["a", "c", "d", "f"])
        #expect(Self.highlighted("abcdef", [1..<1, 4..<5]) == ["e"])
    }

    @Test func highlightsCountBytes() {
        // é has two bytes, 漢 three, the emoji four.
        let text = "é漢\u{1F600}x"
        #expect(Self.highlighted(text, [0..<2]) == ["é"])
        #expect(Self.highlighted(text, [2..<5]) == ["漢"])
        #expect(Self.highlighted(text, [5..<9]) == ["\u{1F600}"])
        #expect(Self.highlighted(text, [9..<10]) == ["x"])
        #expect(Self.highlighted(text, [4..<6]) == ["漢", "\u{1F600}"])
    }

    @Test func aHighlightOfOneByteCoversTheWholeGlyph() {
        let text = "ae\u{301}b"
        for highlight in [1..<2, 2..<3, 3..<4, 1..<4] { #expect(Self.highlighted(text, [highlight]) == ["e\u{301}"]) }
        #expect(Self.highlighted(text, [0..<1]) == ["a"])
        #expect(Self.highlighted(text, [4..<5]) == ["b"])
        #expect(Self.highlighted("\u{1F1EB}\u{1F1F7}x", [5..<6]) == ["\u{1F1EB}\u{1F1F7}"])
        #expect(Self.highlighted("\u{1F469}\u{200D}\u{1F680}x", [7..<11]) == ["\u{1F469}"])
        #expect(Self.highlighted("\u{301}a", [0..<1]) == ["\u{25CC}\u{301}"])
    }

    @Test func droppedCharactersAreNotHighlighted() {
        #expect(Self.highlighted("\u{FEFF}a", [0..<3]) == [])
        #expect(Self.highlighted("\u{1B}\u{200B}a", [0..<4]) == ["\u{FFFD}"])
        #expect(Self.highlighted("\u{FEFF}a", [3..<4]) == ["a"])
    }

    @Test(arguments: [[9..<12], [-5..<0], [2..<90], [4..<6, 0..<2], [0..<4, 1..<2], [0..<Int.max]])
    func highlightsThatAreNotInTheTextOrNotInOrderDoNoHarm(highlights: [Range<Int>]) {
        #expect(GraphemeSanitizer("abcdef", highlights: highlights).map(\.text) == ["a", "b", "c", "d", "e", "f"])
    }

    @Test func highlightsChangeNoGlyph() {
        for text in ["漢字 e\u{301}\u{200B}x", "\u{1F469}\u{200D}\u{1F680}\r\n\u{1F1EB}\u{1F1F7}", "a\u{AD}b\u{301}"] {
            #expect(GraphemeSanitizer(text, highlights: [0..<99]).map(\.text) == GraphemeSanitizer.texts(of: text))
            #expect(GraphemeSanitizer(text, highlights: [0..<99]).allSatisfy { $0.isHighlighted })
        }
    }

    @Test func plainTextIsHarmlessAsItIs() {
        #expect("Plain text, ~100 %".sanitized == "Plain text, ~100 %")
        #expect("".sanitized == "")
    }

    @Test func harmfulTextIsMadeHarmless() {
        #expect("a\u{1B}[31m\u{202E}b\u{200B}é\u{9B}".sanitized == "a\u{FFFD}[31m\u{FFFD}bé\u{FFFD}")
    }

    @Test func takingOneGlyphOfALongTextCostsAsMuchAsOfAShortOne() {
        let long = String(repeating: "long ", count: 2_000_000)
        let clock = ContinuousClock()
        let whole = clock.measure { _ = String(repeating: "long ", count: 20_000).displayColumns }
        let first = clock.measure {
            var glyphs = GraphemeSanitizer(long)
            #expect(glyphs.next()?.base == "l")
        }
        // A hundredth of the text takes longer than one grapheme of it.
        #expect(first < whole)
    }
}
