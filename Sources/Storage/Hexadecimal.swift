extension UInt64 {
    /// Sixteen hexadecimal digits, in lower case.
    package var hexadecimal: String {
        // By hand, as the first screen waits for it: the generic way of the standard library has to be put together first.
        var digits: [UInt8] = []
        digits.reserveCapacity(16)
        for place in stride(from: UInt64(60), through: 0, by: -4) {
            let digit = UInt8(truncatingIfNeeded: self >> place & 0xF)
            digits.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") - 10 + digit)
        }
        return String(decoding: digits, as: UTF8.self)
    }
}
