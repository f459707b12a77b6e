import Testing

@testable import NcursesTerminal

struct SequenceTrimmerTests {
    /// What is left of `frames`, sent one after another.
    private func trimmed(_ frames: String...) -> String {
        var trimmer = SequenceTrimmer()
        return frames.map { frame in
            var bytes = Array(frame.utf8)
            let count = trimmer.trim(&bytes, count: bytes.count)
            return String(decoding: bytes[..<count], as: UTF8.self)
        }.joined(separator: "|")
    }

    @Test func theChoiceOfTheUsualCharacterSetIsTakenOut() {
        #expect(trimmed("a\u{1B}(B\u{1B}[mb\u{0F}c\u{1B}[m\u{0F}") == "a\u{1B}[mbc\u{1B}[m")
    }

    @Test func anotherCharacterSetIsNot() {
        #expect(trimmed("\u{1B}(0q\u{1B})B") == "\u{1B}(0q\u{1B})B")
    }

    @Test func emphasisThatIsOffIsNotTurnedOff() {
        #expect(trimmed("\u{1B}[m\u{1B}[0;7ma") == "\u{1B}[m\u{1B}[7ma")
        #expect(trimmed("\u{1B}[0m\u{1B}[0;1;38;5;4ma") == "\u{1B}[0m\u{1B}[1;38;5;4ma")
        // It stays off from one frame to the next, and through what is not about looks.
        #expect(
            trimmed("\u{1B}[ma", "\u{1B}[2;75Hb\u{1B}[K\u{1B}[0;1mc") == "\u{1B}[ma|\u{1B}[2;75Hb\u{1B}[K\u{1B}[1mc")
    }

    @Test func emphasisThatMayBeOnIsTurnedOff() {
        #expect(trimmed("\u{1B}[0;7ma\u{1B}[0;1mb") == "\u{1B}[0;7ma\u{1B}[0;1mb")
        #expect(trimmed("\u{1B}[m\u{1B}[7ma\u{1B}[0;1mb") == "\u{1B}[m\u{1B}[7ma\u{1B}[0;1mb")
        #expect(trimmed("\u{1B}[m\u{1B}[39;49m\u{1B}[0;1mb") == "\u{1B}[m\u{1B}[39;49m\u{1B}[0;1mb")
    }

    @Test func textAndWhatIsCutOffStayAsTheyAre() {
        for text in [
            "", "é漢\u{1F600}", "\u{1B}", "\u{1B}[", "\u{1B}(", "\u{1B}[3", "a\u{1B}[0;", "\u{1B}]52;c;YQ==\u{7}",
        ] {
            #expect(trimmed(text) == text)
        }
    }
}
