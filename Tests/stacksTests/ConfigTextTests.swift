import Testing

@testable import stacks

struct ConfigTextTests {
    @Test func allKindsOfValuesAreRead() {
        let text = ConfigText("a = \"é\"\nb = 1\nc = true\nd = [1, [\"x\"]]\ne.f = -1.5\nh = []\n[i]")
        #expect(
            text.values == [
                "a": .text("é"), "b": .integer(1), "c": .flag(true), "d": .list([.integer(1), .list([.text("x")])]),
                "e": .table(["f": .fraction]), "h": .list([]), "i": .table([:]),
            ])
        #expect(text.warnings.isEmpty)
    }

    @Test func anEmptyTextHasNothing() {
        #expect(ConfigText("").values.isEmpty)
        #expect(ConfigText("").warnings.isEmpty)
    }

    @Test func aLineThatIsNoTOMLIsLeftOutAndTheRestIsRead() throws {
        let text = ConfigText("a = 1\nb = dark\nc = 3")
        #expect(text.values == ["a": .integer(1), "c": .integer(3)])
        #expect(text.warnings.count == 1)
        #expect(text.warnings.first?.line == 2)
        #expect(
            text.warnings.first?.sentence == "this is no TOML, as a text stands in quotes; this line is left out")
        #expect(text.outline.line(of: ["c"]) == 3)
    }

    @Test func aListThatIsNotClosedIsToldWhereItBegins() {
        let text = ConfigText("a = [\"x\"\nb = 2\n\nc = 3")
        #expect(text.values == ["b": .integer(2), "c": .integer(3)])
        #expect(
            text.warnings == [
                ConfigWarning(line: 1, sentence: "a bracket or a quote is not closed; this line is left out")
            ])
    }

    @Test func allLinesOfAListWithAFaultAreLeftOut() {
        let text = ConfigText("a = [\n\"x\",\n*,\n]\nb = 2")
        #expect(text.values == ["b": .integer(2)])
        #expect(text.warnings.map(\.line) == [3])
        #expect(text.warnings.first?.sentence.hasSuffix("; the lines from 1 to 4 are left out") == true)
    }

    @Test func aTableWhoseHeaderIsWrongIsLeftOut() {
        let text = ConfigText("a = 1\n[b\nc = 1\n[d]\ne = 1")
        #expect(text.values == ["a": .integer(1), "d": .table(["e": .integer(1)])])
        #expect(text.warnings.map(\.line) == [2])
    }

    @Test func ofTwoKeysOfOneNameTheFirstIsRead() {
        let text = ConfigText("a = 1\na = 2\nb = 3")
        #expect(text.values == ["a": .integer(1), "b": .integer(3)])
        #expect(text.warnings.map(\.line) == [2])
    }

    @Test func aTextThatIsNotClosedAtTheEndCostsItself() {
        for end in ["\"x", "[\"x\"", "\"\"\"x\ny", "{", ""] {
            let text = ConfigText("a = 1\nb = \(end)")
            #expect(text.values == ["a": .integer(1)], "\(end)")
            #expect(text.warnings.map(\.line) == [2], "\(end)")
        }
    }

    @Test func ofAnotherKindOfFileNothingIsRead() {
        let text = ConfigText("a = 1\n" + String(repeating: "set nocompatible\n", count: 30))
        #expect(text.values.isEmpty)
        #expect(text.warnings.count == 22)
        #expect(text.warnings.last == ConfigWarning(sentence: "too much of it is no TOML: nothing of it is used"))
    }

    @Test func whatWouldEndTheParserIsLeftOut() {
        for header in ["[", "[.", "[[", "[=]", "[é]", "[ #", "[[\t", "[ \r"] {
            let text = ConfigText("a = 1\n\(header)\nb = 2\n[c]\nd = 1")
            #expect(text.values == ["a": .integer(1), "c": .table(["d": .integer(1)])], "\(header)")
            #expect(
                text.warnings == [
                    ConfigWarning(
                        line: 2, sentence: "the name of a table is missing behind [; this table is left out")
                ])
        }
        for (value, cause) in [
            ("[}]", "a bracket is closed that is not open"),
            ("[\u{85}]", "this is no TOML, as a text stands in quotes"),
            ("[1\u{2028}]", "this is no TOML, as a text stands in quotes"),
            ("{b=[}", "a bracket is closed that is not open"),
        ] {
            let text = ConfigText("a = 1\nb = \(value)")
            #expect(text.values == ["a": .integer(1)])
            #expect(text.warnings.map(\.sentence) == ["\(cause); this line is left out"])
        }
        for word in ["true", "false"] {
            #expect(ConfigText("a = 1\nb = [\n[\(word)],\n[\(word)]\n}").values == ["a": .integer(1)])
            #expect(ConfigText("b = [\n[\(word)]\n]\nc = 1").outline.line(of: ["c"]) == 4)
        }
        let deep = Array(repeating: "a", count: 200_000).joined(separator: ".")
        for line in ["\(deep) = 1", "[\(deep)]", "b = {\(deep) = 1}", "b = [{ \(deep) = 1 }]"] {
            let text = ConfigText("a = 1\n" + line)
            #expect(text.values == ["a": .integer(1)])
            #expect(text.warnings.first?.sentence.hasPrefix("there are more than 64 points; ") == true)
        }
        for nested in [String(repeating: "[", count: 100_000), String(repeating: "{a=", count: 100_000)] {
            #expect(ConfigText("a = 1\nb = \(nested)").values == ["a": .integer(1)])
        }
    }

    @Test func aConfigWithAnyChangesComesToAnEnd() {
        let config = Array(ConfigTemplate.text.replacing("# ", with: "").utf8)
        let signs = Array("[]{}\"'=.,#\n\r\\ a1-\u{85}\u{1}".utf8)
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<500 {
            var bytes = config
            for _ in 0..<Int.random(in: 1...6, using: &generator) {
                let place = Int.random(in: 0..<bytes.count, using: &generator)
                switch Int.random(in: 0...2, using: &generator) {
                case 0: bytes.remove(at: place)
                case 1: bytes.insert(signs.randomElement(using: &generator) ?? 0, at: place)
                default: bytes.removeSubrange(place..<min(bytes.count, place + 20))
                }
            }
            guard let text = String(validating: bytes, as: UTF8.self) else { continue }
            _ = Config(ConfigText(text), path: "/c")
        }
    }

    @Test func anyTextComesToAnEnd() {
        let pieces = [
            "[", "]", "\"", "'", "\"\"\"", "'''", "\\", "a", "=", ".", ",", "\n", "#", "{", "}", "1", " ", "é", "\r",
            "\t", "\u{B}", "\u{C}", "\u{85}", "\u{2028}", "\u{A0}", "0x", "-", "+", "_", ":", "T", "true", "inf", "e",
            "1979-05-27", "false", "nan", "[true]", "a=[\n", "07:32:00", "Z", "\u{FEFF}", "\u{1}", "u", "U", "00",
        ]
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<3000 {
            let count = Int.random(in: 0...24, using: &generator)
            let text = (0..<count).map { _ in pieces.randomElement(using: &generator) ?? "" }.joined()
            let lines = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).count
            for warning in ConfigText(text).warnings {
                #expect(warning.line.map { (1...lines).contains($0) } ?? true, "\(text.debugDescription)")
            }
        }
    }
}
