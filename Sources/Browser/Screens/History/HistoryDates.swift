internal import Glibc
internal import Library

/// The times of changes as the history shows them, in local time: "today 14:03", "yesterday 09:12",
/// "Tue 24 Nov 09:12", and in another year "Tue 24 Nov 2025 09:12".
struct HistoryDates {
    /// The local date.
    let today: CalendarDay

    /// Returns a UTC time (RFC 3339) as local time, to the minute; "" if it is invalid.
    func text(of date: String) -> String {
        guard let (day, time) = Self.local(date) else { return "" }
        switch today.number - day.number {
        case 0: return "today " + time
        case 1: return "yesterday " + time
        default: return "\(Self.name(of: day, inYear: day.parts.year != today.parts.year)) \(time)"
        }
    }

    private static func name(of day: CalendarDay, inYear hasYear: Bool) -> String {
        let (year, month, number) = day.parts
        let name = CalendarDay.weekdayNames[day.weekday]
        let monthName = CalendarMonth(year: year, month: month).shortName
        return "\(name) \(number) \(monthName)" + (hasYear ? " \(year)" : "")
    }

    private static func local(_ date: String) -> (day: CalendarDay, time: String)? {
        let numbers = date.split { !$0.isASCII || !$0.isNumber }.compactMap { Int32($0) }
        guard numbers.count >= 6 else { return nil }
        var universal = tm()
        (universal.tm_year, universal.tm_mon, universal.tm_mday) = (numbers[0] &- 1900, numbers[1] &- 1, numbers[2])
        (universal.tm_hour, universal.tm_min, universal.tm_sec) = (numbers[3], numbers[4], numbers[5])
        var seconds = timegm(&universal)
        var local = tm()
        localtime_r(&seconds, &local)
        let day = CalendarDay(
            year: Int(local.tm_year) + 1900, month: Int(local.tm_mon) + 1, day: Int(local.tm_mday))
        guard let day else { return nil }
        return (day, twoDigits(local.tm_hour) + ":" + twoDigits(local.tm_min))
    }

    private static func twoDigits(_ number: Int32) -> String { (number < 10 ? "0" : "") + String(number) }
}
