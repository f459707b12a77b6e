internal import Books

/// What books are ordered by as a number, the smaller first.
enum SortableInteger {
    /// Stands for none.
    static let unknown = UInt32.max

    /// The number of a count or a year; those beyond 32 bits are the same as the last within.
    static func of(_ number: Int) -> UInt32 {
        // The largest of all stands for none.
        UInt32(bitPattern: Int32(clamping: min(number, Int(Int32.max) - 1))) ^ 1 << 31
    }

    /// The number of a date; of those in the same year or month the ones come first whose month or day is not known.
    static func of(_ date: PartialDate) -> UInt32 {
        of(date.year << 9 | (date.month ?? 0) << 5 | (date.day ?? 0))
    }
}
