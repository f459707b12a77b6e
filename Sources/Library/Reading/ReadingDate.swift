/// A day of the reading log as far as it is known.
public enum ReadingDate: Hashable, Sendable {
    case day(CalendarDay)
    case month(CalendarMonth)
    case year(Int)

    /// Parses "2026-11-21", "2026-11" or "2026"; a day or month that does not exist is dropped. Fails for other texts.
    public init?(_ text: String) {
        var numbers = (0, 0, 0)
        var count = 1
        var digitCount = 0
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"):
                digitCount += 1
                // More digits are a mistake, and would overflow.
                guard digitCount <= 4 else { return nil }
                let digit = Int(byte - UInt8(ascii: "0"))
                switch count {
                case 1: numbers.0 = numbers.0 * 10 + digit
                case 2: numbers.1 = numbers.1 * 10 + digit
                default: numbers.2 = numbers.2 * 10 + digit
                }
            case UInt8(ascii: "-") where digitCount > 0 && count < 3:
                count += 1
                digitCount = 0
            default: return nil
            }
        }
        guard digitCount > 0 else { return nil }
        let (year, month, day) = numbers
        if count == 1 || !(1...12).contains(month) {
            self = .year(year)
        } else if count == 3, let day = CalendarDay(year: year, month: month, day: day) {
            self = .day(day)
        } else {
            self = .month(CalendarMonth(year: year, month: month))
        }
    }

    /// The month, if it is known.
    public var month: CalendarMonth? {
        switch self {
        case .day(let day): day.month
        case .month(let month): month
        case .year: nil
        }
    }

    /// The year.
    public var year: Int {
        switch self {
        case .day(let day): day.year
        case .month(let month): month.year
        case .year(let year): year
        }
    }
}
