import Testing

@testable import CatalogTesting
@testable import JSON

@Suite("JSON: the reader") struct JSONReaderTests {
    @Test(arguments: [
        "null", "true", "false", "0", "-0", "1", "-12", "1.5", "0.0", "1e5", "1E+5", "-1.25e-7", "0e0", "1e400",
        "123456789012345678901234567890", "\"\"", "\"a\"", #""\"\\\/\b\f\n\r\t""#, #""\u00e9\uD83D\ude00""#,
        #""\ud800""#, "\"\u{7F}\u{80}\u{2028}👩\"", "[]", "{}", "[ ]", "{ }", "[1]", "[1,2]", "[[],{}]",
        #"{"a":1}"#, #"{"a":1,"a":2}"#, #"{"":[{"b":null}]}"#, " \t\r\n[ 1 ,\n2 ] \r\n", #"{ "a" : 1 , "b" : 2 }"#,
    ])
    func validJSONIsAccepted(text: String) {
        #expect(JSONReader.syntaxError(in: text.utf8) == nil)
    }

    @Test(
        arguments: [
            ("", .unexpectedEnd, 0), ("  ", .unexpectedEnd, 2),
            // Literals.
            ("nul", .unexpectedEnd, 3), ("nulL", .unexpectedCharacter, 3), ("True", .unexpectedCharacter, 0),
            ("[truex]", .unexpectedCharacter, 5), ("NaN", .unexpectedCharacter, 0),
            ("Infinity", .unexpectedCharacter, 0),
            // Numbers.
            ("-", .unexpectedEnd, 1), ("-x", .malformedNumber, 1), ("01", .malformedNumber, 1),
            ("-01", .malformedNumber, 2), ("+1", .malformedNumber, 0), (".5", .unexpectedCharacter, 0),
            ("1.", .unexpectedEnd, 2), ("[1.]", .malformedNumber, 3), ("1e", .unexpectedEnd, 2),
            ("[1e]", .malformedNumber, 3), ("1e+", .unexpectedEnd, 3), ("[1e+]", .malformedNumber, 4),
            ("[1.e5]", .malformedNumber, 3), ("-Infinity", .malformedNumber, 1), ("[0x1]", .unexpectedCharacter, 2),
            // Strings.
            (#"""#, .unexpectedEnd, 1), (#""abc"#, .unexpectedEnd, 4), ("\"a\nb\"", .controlCharacterInString, 2),
            ("\"\u{0}\"", .controlCharacterInString, 1), ("\"ab\t\"", .controlCharacterInString, 3),
            (#""\x""#, .malformedEscape, 1), (#""a\u12G4""#, .malformedEscape, 2), (#""\u12""#, .malformedEscape, 1),
            (#""\"#, .unexpectedEnd, 2), (#""\u12"#, .unexpectedEnd, 5), (#""\U0041""#, .malformedEscape, 1),
            ("'a'", .unexpectedCharacter, 0),
            // Arrays.
            ("[", .unexpectedEnd, 1), ("[1", .unexpectedEnd, 2), ("[1,", .unexpectedEnd, 3),
            ("[1,]", .unexpectedCharacter, 3), ("[,1]", .unexpectedCharacter, 1), ("[1 2]", .unexpectedCharacter, 3),
            ("[1}", .unexpectedCharacter, 2), ("]", .unexpectedCharacter, 0), ("[1,,2]", .unexpectedCharacter, 3),
            // Objects.
            ("{", .unexpectedEnd, 1), ("{1:2}", .unexpectedCharacter, 1), ("{a:2}", .unexpectedCharacter, 1),
            (#"{"a""#, .unexpectedEnd, 4), (#"{"a" 1}"#, .unexpectedCharacter, 5), (#"{"a":"#, .unexpectedEnd, 5),
            (#"{"a":}"#, .unexpectedCharacter, 5), (#"{"a":1"#, .unexpectedEnd, 6),
            (#"{"a":1,}"#, .unexpectedCharacter, 7), (#"{"a":1 "b":2}"#, .unexpectedCharacter, 7),
            (#"{"a":1]"#, .unexpectedCharacter, 6), (#"{"a":1,"#, .unexpectedEnd, 7),
            // Text around the value.
            ("1 2", .trailingContent, 2), ("[] []", .trailingContent, 3), ("{}x", .trailingContent, 2),
            ("// books\n[]", .unexpectedCharacter, 0), ("[]/**/", .trailingContent, 2),
            ("\u{FEFF}[]", .unexpectedCharacter, 0), ("\u{A0}[]", .unexpectedCharacter, 0),
            ("\u{0C}[]", .unexpectedCharacter, 0),
        ] as [(String, JSONSyntaxError.Reason, Int)])
    func aFaultIsFoundWithItsReasonAndOffset(text: String, reason: JSONSyntaxError.Reason, offset: Int) {
        #expect(JSONReader.syntaxError(in: text.utf8) == JSONSyntaxError(reason, at: offset))
    }

    /// Strings are read many bytes at a time: a special byte must be found at every position.
    @Test func specialBytesInAStringAreFoundAtAnyPosition() {
        for length in 0..<70 {
            let text = [0x22] + [UInt8](repeating: 0x61, count: length)
            #expect(JSONReader.syntaxError(in: text + [0x22]) == nil)
            #expect(JSONReader.syntaxError(in: text) == JSONSyntaxError(.unexpectedEnd, at: length + 1))
            #expect(
                JSONReader.syntaxError(in: text + [0x1F, 0x22])
                    == JSONSyntaxError(.controlCharacterInString, at: length + 1))
            #expect(
                JSONReader.syntaxError(in: text + [0x5C, 0x78, 0x22])
                    == JSONSyntaxError(.malformedEscape, at: length + 1))
            #expect(JSONReader.syntaxError(in: text + [0x5C, 0x6E, 0x20, 0x7F, 0x80, 0xFF, 0x22]) == nil)
        }
    }

    @Test func fiveHundredAndTwelveLevelsAreReadAndOneMoreIsAFault() {
        func nested(_ depth: Int) -> String {
            String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        }
        #expect(JSONReader.syntaxError(in: nested(512).utf8) == nil)
        #expect(JSONReader.syntaxError(in: nested(513).utf8) == JSONSyntaxError(.tooDeep, at: 512))
        #expect(JSONReader.syntaxError(in: nested(100_000).utf8) == JSONSyntaxError(.tooDeep, at: 512))
    }

    @Test func objectsCountAsLevelsToo() {
        func nested(_ depth: Int) -> String {
            String(repeating: #"{"a":"#, count: depth) + "1" + String(repeating: "}", count: depth)
        }
        #expect(JSONReader.syntaxError(in: nested(512).utf8) == nil)
        #expect(JSONReader.syntaxError(in: nested(513).utf8) == JSONSyntaxError(.tooDeep, at: 512 * 5))
    }

    @Test(arguments: [
        (#""plain""#, "plain"), (#""""#, ""), ("\"é羅👩\"", "é羅👩"), (#""\"\\\/""#, "\"\\/"),
        (#""\b\f\n\r\t""#, "\u{08}\u{0C}\n\r\t"), (#""\u0041\u00e9\u7F85""#, "Aé羅"), (#""\u0000""#, "\u{0}"),
        (#""a\u0022b""#, "a\"b"), (#""\\u0041""#, #"\u0041"#),
        // Surrogate pairs.
        (#""\uD83D\uDE00!""#, "😀!"), (#""\ud800\udc00""#, "\u{10000}"), (#""\udbff\udfff""#, "\u{10FFFF}"),
        // Lone surrogates.
        (#""a\ud800b""#, "a\u{FFFD}b"), (#""\udc00""#, "\u{FFFD}"), (#""\ud800""#, "\u{FFFD}"),
        (#""\ud800\ud83d\ude00""#, "\u{FFFD}😀"), (#""\ud800\u0041""#, "\u{FFFD}A"), (#""\ud800\n""#, "\u{FFFD}\n"),
        (#""\udc00\ud800""#, "\u{FFFD}\u{FFFD}"),
    ])
    func stringsAreDecoded(text: String, expected: String) throws {
        let string = try JSONReader.reading(text.utf8) { try $0.readString() }
        #expect(Array(string.unicodeScalars) == Array(expected.unicodeScalars))
    }

    @Test(
        arguments: [
            ([0xE9], "\u{FFFD}"), ([0xFF, 0x41], "\u{FFFD}A"), ([0x41, 0x80], "A\u{FFFD}"),
            // A truncated character followed by an escape.
            ([0x41, 0xC3, 0x5C, 0x6E], "A\u{FFFD}\n"),
        ] as [([UInt8], String)])
    func bytesThatAreNotUTF8AreReadAsReplacements(bytes: [UInt8], expected: String) throws {
        let text = [0x22] + bytes + [0x22]
        #expect(JSONReader.syntaxError(in: text) == nil)
        #expect(try JSONReader.reading(text) { try $0.readString() } == expected)
    }

    @Test func aReaderMayBeginInTheMiddle() throws {
        let string = try JSONReader.reading(#"[1, "two"]"#.utf8) { reader in
            reader.move(to: 4)
            return try reader.readString()
        }
        #expect(string == "two")
    }

    @Test(arguments: [
        (#""title""#, true), (#""\u0074itle""#, true), (#""titl""#, false), (#""titles""#, false),
        (#""Title""#, false), (#""\u0054itle""#, false), (#""""#, false),
    ])
    func aKeyIsReadWithItsEscapesDecoded(text: String, isTitle: Bool) throws {
        let (key, name, isEscaped) = try JSONReader.reading((text + " : 1").utf8) { reader in
            let key = try reader.readKey()
            return (key, reader.string(of: key), reader.isKeyEscaped)
        }
        #expect(key == 0..<text.utf8.count)
        #expect((name == "title") == isTitle)
        #expect(isEscaped == text.contains("\\"))
    }
}
