/// A position in a text file, as an editor shows it.
public struct TextPosition: Hashable, Sendable {
    /// The line, counted from 1.
    public var line: Int
    /// The Unicode scalar within the line, counted from 1.
    public var column: Int
    /// The byte offset in the file, counted from 0.
    public var byteOffset: Int

    /// Creates a position.
    public init(line: Int, column: Int, byteOffset: Int) {
        self.line = line
        self.column = column
        self.byteOffset = byteOffset
    }

    /// Creates the position of the byte at `offset`, clamped to the end of the text. Linear in the offset.
    public init(of offset: Int, in bytes: some Collection<UInt8>) {
        self.init(line: 1, column: 1, byteOffset: 0)
        // A byte-order mark is not part of the text.
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { column = 0 }
        for byte in bytes.prefix(offset) { advance(over: byte) }
        column = max(1, column)
    }

    /// Advances over a byte of the text.
    public mutating func advance(over byte: UInt8) {
        byteOffset += 1
        if byte == UInt8(ascii: "\n") {
            line += 1
            column = 1
        } else if byte & 0xC0 != 0x80 {
            // Continuation bytes of a scalar do not count.
            column += 1
        }
    }
}
