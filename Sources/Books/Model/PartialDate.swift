/// A date in the proleptic Gregorian calendar whose day, or month and day, may be unknown.
public struct PartialDate: Hashable, Sendable {
    /// The year, negative before Christ as catalogs count: -750 is 750 BC, and there is no year 0.
    public var year: Int
    /// The month, from 1 to 12.
    public var month: Int?
    /// The day of the month, from 1; nil if the month is nil.
    public var day: Int?

    /// Creates a date from the parts that are known.
    public init(year: Int, month: Int? = nil, day: Int? = nil) {
        self.year = year
        self.month = month
        self.day = day
    }
}

extension PartialDate: Comparable {
    /// Orders by year, month and day, unknown parts first.
    public static func < (left: Self, right: Self) -> Bool {
        (left.year, left.month ?? 0, left.day ?? 0) < (right.year, right.month ?? 0, right.day ?? 0)
    }
}

extension PartialDate: CustomStringConvertible {
    /// The known parts in ISO 8601 format: "2004", "2004-03", "2004-03-05", "-0750".
    public var description: String {
        func padded(_ number: UInt, to count: Int) -> String {
            let digits = String(number)
            return String(repeating: "0", count: max(0, count - digits.count)) + digits
        }
        var text = (year < 0 ? "-" : "") + padded(year.magnitude, to: 4)
        if let month {
            text += "-" + padded(month.magnitude, to: 2)
            if let day { text += "-" + padded(day.magnitude, to: 2) }
        }
        return text
    }
}

extension PartialDate {
    /// Creates a date, dropping a month or day that does not exist.
    ///
    /// Fails for the year 0, for years of more than four digits, which are mistakes, and for 1 January of the years 1
    /// and 101, which programs write instead of an unknown date.
    init?(checking year: Int, _ month: Int? = nil, _ day: Int? = nil) {
        guard (-9999...9999).contains(year), year != 0 else { return nil }
        self.init(year: year)
        guard let month, (1...12).contains(month) else { return }
        self.month = month
        if let day, day >= 1, day <= Self.dayCount(of: month, in: year) { self.day = day }
        if (year == 1 || year == 101) && month == 1 && self.day == 1 { return nil }
    }

    /// Creates the date in UTC at a number of milliseconds since the beginning of 1970.
    init?(milliseconds: Double) {
        // This range contains all years of four digits.
        guard abs(milliseconds) < 4e14 else { return nil }
        var days = Int((milliseconds / 86_400_000).rounded(.down)) + 719_468
        // Counts days since 1 March of the year 0, in eras of 400 years (Hinnant, chrono-compatible date algorithms).
        let era = (days >= 0 ? days : days - 146_096) / 146_097
        days -= era * 146_097
        let yearOfEra = (days - days / 1460 + days / 36_524 - days / 146_096) / 365
        let dayOfYear = days - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        // The algorithm has a year 0.
        self.init(checking: year > 0 ? year : year - 1, month, day)
    }

    private static func dayCount(of month: Int, in year: Int) -> Int {
        switch month {
        case 4, 6, 9, 11: return 30
        case 2:
            let counted = year < 0 ? year + 1 : year
            return counted % 4 == 0 && (counted % 100 != 0 || counted % 400 == 0) ? 29 : 28
        default: return 31
        }
    }
}

extension PartialDate {
    /// Returns the display name of a year: "1815", "350 BC".
    public static func name(ofYear year: Int) -> String { year < 0 ? "\(year.magnitude) BC" : "\(year)" }
}
