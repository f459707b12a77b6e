extension UInt8 {
    /// Whether this is a letter in ASCII.
    @inlinable @inline(__always)
    package var isASCIILetter: Bool { self | 0x20 >= UInt8(ascii: "a") && self | 0x20 <= UInt8(ascii: "z") }

    /// Whether this is a digit in ASCII.
    @inlinable @inline(__always)
    package var isASCIIDigit: Bool { self &- UInt8(ascii: "0") < 10 }
}
