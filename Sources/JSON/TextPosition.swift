/// A place in a text file, as an editor shows it.
public struct TextPosition: Hashable, Sendable {
    /// The line, counted from 1.
    public var line: Int
    /// The character (Unicode scalar) within the line, counted from 1.
    public var column: Int
    /// The byte within the file, counted from 0.
    public var byteOffset: Int

    /// The place with these coordinates.
    public init(line: Int, column: Int, byteOffset: Int) {
        self.line = line
        self.column = column
        self.byteOffset = byteOffset
    }

    /// The place of the byte at `offset`, or of the end where the text is shorter. Linear in the offset.
    package init(of offset: Int, in bytes: some Collection<UInt8>) {
        self.init(line: 1, column: 1, byteOffset: 0)
        // A byte-order mark is no character of the text.
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { column = 0 }
        for byte in bytes.prefix(offset) { advance(over: byte) }
        column = max(1, column)
    }

    /// Goes on over a byte of the text.
    package mutating func advance(over byte: UInt8) {
        byteOffset += 1
        if byte == UInt8(ascii: "\n") {
            line += 1
            column = 1
        } else if byte & 0xC0 != 0x80 {
            // Bytes that continue a character do not count.
            column += 1
        }
    }
}
