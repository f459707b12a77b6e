public import JSON

/// Limits for the numbers that servers, files and the connector program send. They are far above the numbers of any
/// catalog, and low enough that sums and products of a few of them do not overflow.
extension Int {
    /// This count or position, from 0 to 2^40.
    public var clampedCount: Int { clamped(to: 1 << 40) }

    /// This number of bytes, from 0 to 2^50.
    public var clampedByteCount: Int { clamped(to: 1 << 50) }

    /// This delay in seconds, from 0 to a day.
    public var clampedDelay: Int { clamped(to: 24 * 3600) }

    /// This time in seconds since 1970, from 0 to the end of the year 9999.
    public var clampedTime: Int { clamped(to: 253_402_300_799) }

    private func clamped(to limit: Int) -> Int { Swift.min(Swift.max(0, self), limit) }
}

extension JSONValue {
    /// This number as a count or position, clamped; nil if it is negative or not a whole number.
    public var asCount: Int? { asNatural?.clampedCount }

    /// This number as a number of bytes, clamped; nil if it is negative or not a whole number.
    var asByteCount: Int? { asNatural?.clampedByteCount }

    private var asNatural: Int? { integer.flatMap { $0 >= 0 ? $0 : nil } }
}
