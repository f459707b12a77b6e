internal import Books

/// A month of a year.
public struct CalendarMonth: Hashable, Comparable, Sendable {
    /// The number of months since January of the year 0.
    public var number: Int

    /// Creates the month with this number of months since January of the year 0.
    public init(number: Int) { self.number = number }

    /// Creates a month, from 1 to 12.
    public init(year: Int, month: Int) { number = year * 12 + month - 1 }

    /// The year.
    public var year: Int { number >= 0 ? number / 12 : (number - 11) / 12 }

    /// The month, from 1 to 12.
    public var month: Int { number - year * 12 + 1 }

    /// The first day of the month.
    public var firstDay: CalendarDay {
        CalendarDay(year: year, month: month, day: 1) ?? CalendarDay(number: 0)
    }

    /// The month in ISO 8601 format: "2026-11".
    public var text: String { PartialDate(year: year, month: month).description }

    /// Orders by time.
    public static func < (left: Self, right: Self) -> Bool { left.number < right.number }

    /// Returns the month `count` months later.
    public static func + (month: Self, count: Int) -> Self { Self(number: month.number + count) }

    /// Returns the month `count` months earlier.
    public static func - (month: Self, count: Int) -> Self { Self(number: month.number - count) }
}

extension CalendarDay {
    /// The year.
    public var year: Int { parts.year }

    /// The month.
    public var month: CalendarMonth {
        let parts = parts
        return CalendarMonth(year: parts.year, month: parts.month)
    }
}
