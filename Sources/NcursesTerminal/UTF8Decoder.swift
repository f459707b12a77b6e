/// Decodes UTF-8 (RFC 3629, section 3) that comes byte by byte.
struct UTF8Decoder {
    /// The bits of the character that has begun, and how many bytes it has and lacks.
    private var value: UInt32 = 0
    private var length = 0
    private var missing = 0

    /// Takes the next byte.
    ///
    /// - Returns: The character that it completes; nil where it completes none. What is not UTF-8 becomes nothing, and
    ///   never takes a character with it that follows.
    mutating func decode(_ byte: UInt8) -> Unicode.Scalar? {
        switch byte {
        case 0x00..<0x80:
            reset()
            return Unicode.Scalar(byte)
        case 0xC0..<0xF8:
            length = (~byte).leadingZeroBitCount
            missing = length - 1
            value = UInt32(byte & (0x7F >> length))
            return nil
        case 0x80..<0xC0 where missing > 0:
            value = value << 6 | UInt32(byte & 0x3F)
            missing -= 1
            // A character in more bytes than it needs is none.
            guard missing == 0, let scalar = Unicode.Scalar(value), UTF8.width(scalar) == length else { return nil }
            return scalar
        default:
            reset()
            return nil
        }
    }

    /// Forgets a character that has begun.
    mutating func reset() {
        missing = 0
    }
}
