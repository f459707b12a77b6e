/// A date of which the day, or the month too, may be unknown, in the proleptic Gregorian calendar.
public struct PartialDate: Hashable, Sendable {
    /// The year as ISO 8601 counts: 0 is 1 BC, negative ones are before it.
    public var year: Int
    /// The month, from 1 to 12.
    public var month: Int?
    /// The day of the month, from 1; nil where the month is.
    public var day: Int?

    /// A date of this year, and of the month and the day where they are known.
    public init(year: Int, month: Int? = nil, day: Int? = nil) {
        self.year = year
        self.month = month
        self.day = day
    }
}
