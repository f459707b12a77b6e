internal import Books

/// A day of the Gregorian calendar, with the arithmetic that dates of readings need.
public struct CalendarDay: Hashable, Comparable, Sendable {
    /// The number of days since 1 January 1970.
    public let number: Int

    /// Creates the day that is `number` days after 1 January 1970.
    public init(number: Int) { self.number = number }

    /// Creates a day; fails if there is none with this date.
    public init?(year: Int, month: Int, day: Int) {
        guard 1...12 ~= month, 1...Self.dayCount(of: month, in: year) ~= day else { return nil }
        // Counts days since 1 March of the year 0, in eras of 400 years (Hinnant, chrono-compatible date algorithms).
        let shifted = month <= 2 ? year - 1 : year
        let era = (shifted >= 0 ? shifted : shifted - 399) / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        number = era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    /// Creates the day of a text such as "2026-11-21"; fails for a text that names only a year or a month.
    public init?(_ text: String) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
        guard parts.count == 3, let year = parts[0], let month = parts[1], let day = parts[2] else { return nil }
        self.init(year: year, month: month, day: day)
    }

    /// The year, the month from 1 to 12 and the day of the month from 1.
    public var parts: (year: Int, month: Int, day: Int) {
        let days = number + 719_468
        let era = (days >= 0 ? days : days - 146_096) / 146_097
        let dayOfEra = days - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        return (
            yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        )
    }

    /// The day of the week, from 0 for Monday to 6 for Sunday.
    public var weekday: Int { ((number + 3) % 7 + 7) % 7 }

    /// The day as user data store it: "2026-11-21".
    public var text: String {
        let (year, month, day) = parts
        return PartialDate(year: year, month: month, day: day).description
    }

    /// Returns the number of days of a month, from 1 to 12.
    public static func dayCount(of month: Int, in year: Int) -> Int {
        switch month {
        case 4, 6, 9, 11: 30
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        default: 31
        }
    }

    /// Orders by time.
    public static func < (left: CalendarDay, right: CalendarDay) -> Bool { left.number < right.number }

    /// Returns the day `count` days later.
    public static func + (day: CalendarDay, count: Int) -> CalendarDay { CalendarDay(number: day.number + count) }

    /// Returns the day `count` days earlier.
    public static func - (day: CalendarDay, count: Int) -> CalendarDay { CalendarDay(number: day.number - count) }
}
