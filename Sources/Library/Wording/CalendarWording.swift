internal import Books

extension CalendarMonth {
    /// The name of the month without its year: "November".
    public var name: String { DayInput.months[month - 1] }

    /// The first three letters of the name: "Nov".
    public var shortName: String { String(name.prefix(3)) }

    /// The month with its year: "November 2026".
    public var shown: String { "\(name) \(PartialDate.name(ofYear: year))" }
}

extension CalendarDay {
    /// The names of the days of the week from Monday, in three letters.
    public static let weekdayNames = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]

    /// The day in words: "21 November 2026".
    public var shown: String {
        let parts = parts
        return PartialDate(year: parts.year, month: parts.month, day: parts.day).shown
    }
}
