import Testing

@testable import stacks

@Suite("Config file: parsing") struct ConfigTextTests {
    /// Returns the entries as "line:column name", those of tables in braces.
    private func places(_ entries: [ConfigEntry]) -> String {
        entries.map { entry in
            var place = "\(entry.line):\(entry.column) \(entry.name)"
            if case .table(let inner) = entry.value { place += " {\(places(inner))}" }
            return place
        }.joined(separator: ", ")
    }

    /// Returns the keys and integers of a text without tables.
    private func numbers(_ text: ConfigText) -> [String: Int] {
        Dictionary(
            text.entries.map { entry in
                if case .integer(let number) = entry.value { (entry.name, number) } else { (entry.name, -1) }
            }, uniquingKeysWith: { first, _ in first })
    }

    @Test func allKindsOfValuesAreRead() {
        let text = ConfigText(
            "a = \"é\"\nb = 1\nc = true\nd = [1, [\"x\"]]\ne.f = -1.5\ng = 1979-05-27\nh = []\n[i]")
        #expect(
            text.entries == [
                ConfigEntry(name: "a", line: 1, column: 1, value: .text("é")),
                ConfigEntry(name: "b", line: 2, column: 1, value: .integer(1)),
                ConfigEntry(name: "c", line: 3, column: 1, value: .flag(true)),
                ConfigEntry(name: "d", line: 4, column: 1, value: .list([.integer(1), .list([.text("x")])])),
                ConfigEntry(
                    name: "e", line: 5, column: 1,
                    value: .table([ConfigEntry(name: "f", line: 5, column: 3, value: .fraction)])),
                ConfigEntry(name: "g", line: 6, column: 1, value: .date),
                ConfigEntry(name: "h", line: 7, column: 1, value: .list([])),
                ConfigEntry(name: "i", line: 8, column: 2, value: .table([])),
            ])
        #expect(text.warnings.isEmpty)
    }

    @Test func anEmptyTextHasNothing() {
        #expect(ConfigText("").entries.isEmpty)
        #expect(ConfigText("").warnings.isEmpty)
    }

    @Test func keysAreOnTheirLines() {
        let text = ConfigText(
            """
            # a comment = 1
            theme = "dark"

            [keys]
            quit = ["q", # the first
                    "]", '['
            ]
              up = "k"
            [panes]
            lists = 140
            """)
        #expect(
            places(text.entries) == "2:1 theme, 4:2 keys {5:1 quit, 8:3 up}, 9:2 panes {10:1 lists}")
    }

    @Test func keysWithPointsLeadIntoTables() {
        let text = ConfigText("a.b . \"c d\" = 1\n['x.y'.z]\nw = 1")
        #expect(places(text.entries) == "1:1 a {1:3 b {1:7 c d}}, 2:2 x.y {2:8 z {3:1 w}}")
    }

    @Test func keysInATableOnOneLineHaveColumns() {
        let text = ConfigText("\nkeys = { up = \"q\", down = \"k\" }")
        #expect(places(text.entries) == "2:1 keys {2:10 up, 2:20 down}")
    }

    @Test func keysBehindTextsOfSeveralLinesAreOnTheirs() {
        let text = ConfigText(
            "a = \"\"\"\nb = 1\n\\\"\"\" \"\"\"\nc = '''\n\"\"\"\n'''\nd = \"\"\n\"a\\\"b\\u00e9\" = 1")
        #expect(places(text.entries) == "1:1 a, 4:1 c, 7:1 d, 8:1 a\"bé")
    }

    @Test func byteOrderMarkAndCarriageReturnsAreNotPartOfNames() {
        let text = ConfigText("\u{FEFF}a = 1\r\n[t]\r\nb = 2\r\n")
        #expect(places(text.entries) == "1:1 a, 2:2 t {3:1 b}")
    }

    @Test func anInvalidLineIsSkippedAndTheRestIsRead() {
        for word in ["dark", "terminal", "fast", "no", "infinite", "~/books.json", "é"] {
            let text = ConfigText("a = 1\nb = \(word)\nc = 3")
            #expect(numbers(text) == ["a": 1, "c": 3])
            #expect(text.warnings.map(\.line) == [2])
            #expect(
                text.warnings.first?.sentence == "put text in quotation marks; this line is ignored")
            #expect(places(text.entries) == "1:1 a, 3:1 c")
        }
        #expect(ConfigText("b = \"x\" y").warnings.first?.column == 9)
    }

    @Test func anUnclosedListIsReportedAtItsStart() {
        for next in ["b = 2", "\"b\" = 2", " b = 2 # [", "b = dark\nb = 2"] {
            let text = ConfigText("a = [\"x\"\n\(next)\n\nc = 3")
            #expect(numbers(text) == ["b": 2, "c": 3])
            #expect(
                text.warnings.first
                    == ConfigWarning(line: 1, sentence: "unclosed bracket or quotation mark; this line is ignored"))
        }
        let text = ConfigText("a = [\"x\"\n[c]\nd = 1")
        #expect(places(text.entries) == "2:2 c {3:1 d}")
        #expect(text.warnings.map(\.line) == [1])
    }

    @Test func invalidTOMLWithinAMultilineStringIsText() {
        let text = ConfigText("a = \"\"\"\nb = 1\n\"\"\" x\nc = 3")
        #expect(numbers(text) == ["c": 3])
        #expect(text.warnings.map(\.line) == [3])
        #expect(text.warnings.first?.sentence.hasSuffix("; lines 1 to 3 are ignored") == true)
    }

    @Test func anInvalidListIsSkippedAsAWhole() {
        let text = ConfigText("a = [\n\"x\",\n*,\n]\nb = 2")
        #expect(numbers(text) == ["b": 2])
        #expect(text.warnings.map(\.line) == [3])
        #expect(text.warnings.first?.sentence.hasSuffix("; lines 1 to 4 are ignored") == true)
    }

    @Test func aTableWithAnInvalidHeaderIsSkipped() {
        let text = ConfigText("a = 1\n[b\nc = 1\n[d]\ne = 1")
        #expect(places(text.entries) == "1:1 a, 4:2 d {5:1 e}")
        #expect(text.warnings.map(\.line) == [2])
    }

    @Test func ofTwoKeysOfOneNameTheFirstIsRead() {
        let text = ConfigText("a = 1\na = 2\nb = 3")
        #expect(numbers(text) == ["a": 1, "b": 3])
        #expect(text.warnings.map(\.line) == [2])
    }

    @Test func anUnclosedStringAtTheEndIsSkipped() {
        for end in ["\"x", "[\"x\"", "\"\"\"x\ny", "{", ""] {
            let text = ConfigText("a = 1\nb = \(end)")
            #expect(numbers(text) == ["a": 1], "\(end)")
            #expect(text.warnings.map(\.line) == [2], "\(end)")
        }
    }

    @Test func otherFormatsAreNotParsed() {
        let text = ConfigText("a = 1\n" + String(repeating: "set nocompatible\n", count: 30))
        #expect(text.entries.isEmpty)
        #expect(text.warnings.count == 22)
        #expect(text.warnings.last == ConfigWarning(sentence: "not a TOML file; no setting in it is used"))
    }

    /// toml++ has an assertion against each of these.
    @Test func inputThatTriggersParserAssertionsIsSkipped() {
        for header in ["[", "[.", "[[", "[=]", "[é]", "[ #", "[[\t", "[ \r"] {
            let text = ConfigText("a = 1\n\(header)\nb = 2\n[c]\nd = 1")
            #expect(places(text.entries) == "1:1 a, 4:2 c {5:1 d}", "\(header)")
            #expect(text.warnings.map(\.line) == [2])
            #expect(text.warnings.first?.sentence.hasSuffix("; this table is ignored") == true)
        }
        for (value, cause) in [
            ("[}]", "invalid value (could not determine value type)"),
            ("[\u{85}]", "put text in quotation marks"),
            ("[1\u{2028}]", "invalid array (expected comma or closing ']', saw '\u{2028}')"),
            ("{b=[}", "invalid value (could not determine value type)"),
        ] {
            let text = ConfigText("a = 1\nb = \(value)")
            #expect(numbers(text) == ["a": 1])
            #expect(text.warnings.map(\.sentence) == ["\(cause); this line is ignored"])
        }
    }

    /// toml++ checks whether these characters are blanks, which is undefined behaviour for many of them.
    @Test func nonASCIICharactersAreNotBlanks() {
        for scalar in ["à", "Ã", "ſ", "א", "ẞ", "\u{205E}", "\u{2FFF}", "\u{FEFE}", "\u{FFFD}", "😀"] {
            for line in ["\(scalar) = 1", "b\(scalar) = 1", "b = \(scalar)", "b = 1\(scalar)", "b = \"\" \(scalar)"] {
                let text = ConfigText("a = 1\n\(line)")
                #expect(numbers(text) == ["a": 1], "\(line)")
                #expect(text.warnings.map(\.line) == [2], "\(line)")
            }
        }
    }

    @Test func listsInListsMayBeginLinesAsTablesDo() {
        for word in ["true", "false"] {
            #expect(numbers(ConfigText("a = 1\nb = [\n[\(word)],\n[\(word)]\n}")) == ["a": 1])
            #expect(places(ConfigText("b = [\n[\(word)]\n]\nc = 1").entries) == "1:1 b, 4:1 c")
        }
    }

    @Test func deeplyNestedInputIsSkipped() {
        let deep = Array(repeating: "a", count: 200_000).joined(separator: ".")
        for line in ["\(deep) = 1", "[\(deep)]", "b = {\(deep) = 1}", "b = [{ \(deep) = 1 }]"] {
            let text = ConfigText("a = 1\n" + line)
            #expect(numbers(text) == ["a": 1])
            #expect(text.warnings.map(\.line) == [2])
            #expect(text.warnings.first?.sentence.contains("(there are more than 64 points); ") == true)
        }
        for nested in [String(repeating: "[", count: 100_000), String(repeating: "{a=", count: 100_000)] {
            #expect(numbers(ConfigText("a = 1\nb = \(nested)")) == ["a": 1])
        }
        // The maximum depth, and dots between empty names.
        let most = Array(repeating: "a", count: 65).joined(separator: ".")
        let nested = (0..<16).reduce("1") { value, _ in "{\(most) =\(value)}" }.replacing("=", with: "=[\n")
        #expect(!ConfigText("[\(most)]\n\(most) = \(nested)").warnings.isEmpty)
        let lines = (0..<7).reduce("[]") { value, _ in "[\n{\(most) = \(value)}]" }
        #expect(ConfigText("[\(most)]\n\(most) = \(lines)").warnings.isEmpty)
        let points = String(repeating: ".", count: 100)
        #expect(ConfigText("a = \"\(points)\" # \(points) . . . \(points)").warnings.isEmpty)
    }

    @Test func aRandomlyDamagedConfigIsParsed() {
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

    @Test func randomTextIsParsed() {
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
