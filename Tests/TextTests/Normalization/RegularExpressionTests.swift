import TestSupport
import Testing

@testable import Text

@Suite("Text: regular expressions") struct RegularExpressionTests {
    private static let text = "the strasse\nemily bronte\ncafe noir\n9780441478125"

    @Test(arguments: [
        ("strasse", true), ("Straße", true), ("STRASSE", true), ("^emily", true), ("^bronte", false),
        ("strasse$", true),
        ("bronte$", true), ("emily$", false), ("^Émily Brontë$", true), ("strasse.emily", false),
        ("strasse\\nemily", true),
        ("\\d{13}", true), ("\\A9", false), ("5\\z", true), ("[É]mily", true), ("[^E]mily", false), ("caf[éè]", true),
        ("xyz", false),
        ("", true), ("(?<Name>a)f\\k<Name>?e", true), ("(?<Name>e) noir", true), ("\\p{Ll}", true), ("\\p{Lu}", false),
        ("\\W", true), ("\\x{65}mily", true), ("(?=Emily)E", true), ("[[:alpha:]]{7}", true), ("[A-C]afe", true),
        ("stra(ß|x)e", true),
    ])
    func foldedTextIsMatched(pattern: String, isMatched: Bool) throws {
        #expect(try Self.outcome(pattern, Self.text) == (isMatched ? .match : .noMatch))
        let interpreted = try RegularExpression(pattern, isCompiled: false)
        #expect(Self.outcome(interpreted, Self.text) == (isMatched ? .match : .noMatch))
    }

    @Test(arguments: [
        (#"(a+)+$"#, "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab"), (#"(a|a)*$"#, "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab"),
        (#"^(([a-z])+.)+[0-9]([a-z])+$"#, "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"),
    ])
    func excessiveBacktrackingIsAborted(pattern: String, text: String) throws {
        for isCompiled in [true, false] {
            let expression = try RegularExpression(pattern, isCompiled: isCompiled)
            let time = processorTime { #expect(Self.outcome(expression, text) == .gaveUp) }
            // It takes a thousandth of that time.
            #expect(time < .seconds(1))
        }
    }

    @Test func excessiveNestingIsRejected() throws {
        let deep = String(repeating: "(", count: 100_000)
        for isCompiled in [true, false] {
            let expression = try RegularExpression(#"(\((?1)*x?)+y"#, isCompiled: isCompiled)
            #expect(Self.outcome(expression, deep) != .match)
        }
    }

    @Test(arguments: [
        ("a(b", "missing closing parenthesis", 3), ("ab)", "unmatched closing parenthesis", 2),
        ("É[", "missing terminating ] for character class", 3),
        ("*a", "quantifier does not follow a repeatable item", 0),
        ("ßß(?<", "subpattern name expected", 7), ("\\C", "using \\C is disabled by the application", 2),
        ("(?<n>a)(?<n>b)", "two named subpatterns have the same name (PCRE2_DUPNAMES not set)", 12),
    ])
    func aMalformedPatternIsRefusedAtItsPlace(pattern: String, message: String, offset: Int) {
        #expect(throws: RegularExpression.SyntaxError(message, at: offset)) { try RegularExpression(pattern) }
    }

    @Test func aPatternMayNotBeTooLong() throws {
        _ = try RegularExpression(String(repeating: "a", count: 4096))
        #expect(throws: RegularExpression.SyntaxError.self) {
            try RegularExpression(String(repeating: "a", count: 4097))
        }
    }

    @Test func matchesAreFoundOneAfterAnother() throws {
        var matcher = RegularExpression.Matcher(try RegularExpression("É."))
        let text = Array("été en mer".utf8)
        let folded = [UInt8](folding: String(decoding: text, as: UTF8.self))
        folded.withUnsafeBufferPointer { folded in
            #expect(matcher.firstMatch(in: folded) == 0..<2)
            #expect(matcher.firstMatch(in: folded, from: 2) == 2..<4)
            #expect(matcher.firstMatch(in: folded, from: 4) == 4..<6)
            #expect(matcher.firstMatch(in: folded, from: 6) == 8..<10)
            #expect(matcher.firstMatch(in: folded, from: 10) == nil)
            #expect(matcher.firstMatch(in: folded, from: 11) == nil)
        }
    }

    @Test func anEmptyTextIsMatched() throws {
        #expect(try Self.outcome("^$", "") == .match)
        #expect(try Self.outcome("a", "") == .noMatch)
        var matcher = RegularExpression.Matcher(try RegularExpression("a*"))
        #expect(matcher.matches(UnsafeBufferPointer(start: nil, count: 0)) == .match)
    }

    /// A damaged cache file may contain any bytes.
    @Test func invalidUTF8IsNotMatchedAndNotReadBeyondItsEnd() throws {
        for isCompiled in [true, false] {
            let expression = try RegularExpression("a.c|(?<=é)x|^.$", isCompiled: isCompiled)
            var matcher = RegularExpression.Matcher(expression)
            for bytes: [UInt8] in [[0x61, 0xFF, 0x63], [0xF0], [0x80, 0x78], [0x61, 0xE2, 0x82], [0xC3]] {
                bytes.withUnsafeBufferPointer { #expect(matcher.matches($0) == .noMatch) }
            }
        }
    }

    @Test func oneExpressionServesManyThreads() async throws {
        let expression = try RegularExpression("b(r|x)onte$")
        let counts = await withTaskGroup(of: Int.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    var matcher = RegularExpression.Matcher(expression)
                    var text = Self.text
                    return text.withUTF8 { text in
                        (0..<1000).filter { _ in matcher.matches(text) == .match }.count
                    }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(counts == Array(repeating: 1000, count: 8))
    }

    private static func outcome(_ pattern: String, _ text: String) throws -> RegularExpression.Outcome {
        outcome(try RegularExpression(pattern), text)
    }

    private static func outcome(_ expression: RegularExpression, _ text: String) -> RegularExpression.Outcome {
        var matcher = RegularExpression.Matcher(expression)
        var text = text
        return text.withUTF8 { matcher.matches($0) }
    }
}
