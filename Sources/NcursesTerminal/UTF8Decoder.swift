/// An incremental decoder of UTF-8 (RFC 3629, section 3), byte by byte.
struct UTF8Decoder {
    /// The bits of the incomplete scalar, the length of its sequence and the number of missing bytes.
    private var value: UInt32 = 0
    private var length = 0
    private var missing = 0

    /// Decodes the next byte.
    ///
    /// - Returns: The scalar that the byte completes, if any. Invalid bytes are dropped, never with the valid scalar
    ///   after them.
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
            // An overlong encoding is invalid.
            guard missing == 0, let scalar = Unicode.Scalar(value), UTF8.width(scalar) == length else { return nil }
            return scalar
        default:
            reset()
            return nil
        }
    }

    /// Discards an incomplete scalar.
    mutating func reset() {
        missing = 0
    }
}
