internal import Books

/// Maps values to unsigned integers that sort in the same order.
enum SortableInteger {
    /// The number for an unknown value.
    static let unknown = UInt32.max

    /// Maps a count or year, clamped to 32 bits.
    static func of(_ number: Int) -> UInt32 {
        // The maximum is reserved for unknown values.
        UInt32(bitPattern: Int32(clamping: min(number, Int(Int32.max) - 1))) ^ 1 << 31
    }

    /// Maps a date; unknown months and days come first.
    static func of(_ date: PartialDate) -> UInt32 {
        of(date.year << 9 | (date.month ?? 0) << 5 | (date.day ?? 0))
    }
}
