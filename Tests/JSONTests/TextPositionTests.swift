import Testing

@testable import JSON

@Suite("JSON: lines and columns") struct TextPositionTests {
    @Test(arguments: [
        // In "ab\ncd\n\ne": offset, line, column.
        (0, 1, 1), (1, 1, 2), (2, 1, 3), (3, 2, 1), (4, 2, 2), (6, 3, 1), (7, 4, 1), (8, 4, 2),
    ])
    func linesAndColumnsAreCountedFromOne(offset: Int, line: Int, column: Int) {
        let position = TextPosition(of: offset, in: Array("ab\ncd\n\ne".utf8))
        #expect(position == TextPosition(line: line, column: column, byteOffset: offset))
    }

    @Test func aColumnIsACharacterWhateverItsBytes() {
        // Characters of 2, 3 and 4 bytes, then the wanted one.
        let position = TextPosition(of: 9, in: Array("é羅👩x".utf8))
        #expect(position == TextPosition(line: 1, column: 4, byteOffset: 9))
    }

    @Test func aCarriageReturnBeforeANewlineDoesNotMakeALine() {
        #expect(TextPosition(of: 3, in: Array("a\r\nb".utf8)) == TextPosition(line: 2, column: 1, byteOffset: 3))
    }

    @Test func aByteOrderMarkDoesNotCountAsACharacter() {
        let bytes = Array("\u{FEFF}[x\ny".utf8)
        #expect(TextPosition(of: 4, in: bytes) == TextPosition(line: 1, column: 2, byteOffset: 4))
        #expect(TextPosition(of: 6, in: bytes) == TextPosition(line: 2, column: 1, byteOffset: 6))
    }

    @Test func anOffsetPastTheEndIsTheEnd() {
        #expect(TextPosition(of: 99, in: Array("ab\nc".utf8)) == TextPosition(line: 2, column: 2, byteOffset: 4))
        #expect(TextPosition(of: 5, in: []) == TextPosition(line: 1, column: 1, byteOffset: 0))
    }
}
