extension UInt8 {
    /// Whether this is a letter in ASCII.
    package var isASCIILetter: Bool { self | 0x20 >= UInt8(ascii: "a") && self | 0x20 <= UInt8(ascii: "z") }

    /// Whether this is a digit in ASCII.
    package var isASCIIDigit: Bool { self &- UInt8(ascii: "0") < 10 }
}
