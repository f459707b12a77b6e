extension UInt8 {
    /// Whether the byte is an ASCII letter.
    @inlinable @inline(__always)
    public var isASCIILetter: Bool { self | 0x20 >= UInt8(ascii: "a") && self | 0x20 <= UInt8(ascii: "z") }

    /// Whether the byte is an ASCII digit.
    @inlinable @inline(__always)
    public var isASCIIDigit: Bool { self &- UInt8(ascii: "0") < 10 }
}
