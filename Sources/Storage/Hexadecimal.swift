extension UInt64 {
    /// Sixteen hexadecimal digits, in lower case.
    package var hexadecimal: String {
        // By hand, as the first screen waits for it: the generic way of the standard library has to be put together first.
        String(unsafeUninitializedCapacity: 16) { digits in
            for place in 0..<16 {
                let digit = UInt8(truncatingIfNeeded: self >> UInt64(60 - 4 * place) & 0xF)
                digits[place] = digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") - 10 + digit
            }
            return 16
        }
    }
}
