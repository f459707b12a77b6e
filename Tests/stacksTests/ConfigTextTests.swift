import Testing

@testable import stacks

struct ConfigTextTests {
    @Test func allKindsOfValuesAreRead() {
        let text = ConfigText("a = \"é\"\nb = 1\nc = true\nd = [1, [\"x\"]]\ne.f = 1.5\ng = 2024-01-01\nh = []\n[i]")
        #expect(
            text.values == [
                "a": .text("é"), "b": .integer(1), "c": .flag(true), "d": .list([.integer(1), .list([.text("x")])]),
                "e": .table(["f": .fraction]), "g": .date, "h": .list([]), "i": .table([:]),
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
        #expect(text.warnings.first?.column == 5)
        #expect(text.warnings.first?.sentence.hasSuffix("; this line is left out") == true)
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

    @Test func anyTextComesToAnEnd() {
        let pieces = ["[", "]", "\"", "'", "\"\"\"", "'''", "\\", "a", "=", ".", ",", "\n", "#", "{", "}", "1", " ", "é", "\r"]
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
