import Testing

@testable import NcursesTerminal

@Suite("Terminal: decoding UTF-8") struct UTF8DecoderTests {
    private func text(of bytes: [UInt8]) -> String {
        var decoder = UTF8Decoder()
        return String(String.UnicodeScalarView(bytes.compactMap { decoder.decode($0) }))
    }

    @Test(arguments: ["j\0\u{7F}", "é\u{80}\u{7FF}", "日\u{800}\u{D7FF}\u{E000}\u{FFFF}", "😀\u{10000}\u{10FFFF}"])
    func textOfAllLengthsIsDecoded(text: String) {
        #expect(self.text(of: Array(text.utf8)) == text)
    }

    @Test(
        arguments: [
            [0xFF], [0xF8, 0x88, 0x80, 0x80, 0x80], [0x80], [0xC3], [0xE6, 0x97], [0xF0, 0x9F, 0x98],
            // Overlong forms, a surrogate, and values beyond the last character.
            [0xC0, 0xAF], [0xC1, 0xBF], [0xE0, 0x80, 0xAF], [0xF0, 0x80, 0x80, 0xAF], [0xED, 0xA0, 0x80],
            [0xF4, 0x90, 0x80, 0x80], [0xF7, 0xBF, 0xBF, 0xBF],
        ] as [[UInt8]])
    func invalidBytesAreSkippedAndFollowingTextIsKept(bytes: [UInt8]) {
        #expect(text(of: bytes) == "")
        #expect(text(of: bytes + [0x6A]) == "j")
        #expect(text(of: bytes + Array("日".utf8)) == "日")
    }

    @Test func aForgottenCharacterIsNotCompleted() {
        var decoder = UTF8Decoder()
        #expect(decoder.decode(0xC3) == nil)
        decoder.reset()
        #expect(decoder.decode(0xA9) == nil)
    }
}
