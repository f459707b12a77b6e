extension UInt64 {
    /// The number as 16 lower-case hexadecimal digits.
    public var hexadecimal: String {
        let digits = String(self, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
