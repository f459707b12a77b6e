internal import Glibc

/// Points in time as calibre's content server writes them, such as "2026-11-24T23:49:47+00:00". They are in UTC, so that
/// later ones are greater as texts.
enum CalibreTime {
    private static func padded(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }

    private static func day(_ parts: tm) -> String {
        "\(parts.tm_year + 1900)-\(padded(parts.tm_mon + 1))-\(padded(parts.tm_mday))"
    }

    /// Returns the text of a time in seconds since 1970.
    static func text(of seconds: Int) -> String {
        var (seconds, parts) = (time_t(seconds), tm())
        gmtime_r(&seconds, &parts)
        return "\(day(parts))T\(padded(parts.tm_hour)):\(padded(parts.tm_min)):\(padded(parts.tm_sec))+00:00"
    }

    /// Returns the day before that of a time or day, such as "2026-11-23"; nil if the text is not one.
    static func dayBefore(_ text: String) -> String? {
        let numbers = text.prefix(10).split(separator: "-").compactMap { Int32($0) }
        guard numbers.count == 3 else { return nil }
        var parts = tm()
        (parts.tm_year, parts.tm_mon, parts.tm_mday) = (numbers[0] - 1900, numbers[1] - 1, numbers[2] - 1)
        var seconds = timegm(&parts)
        gmtime_r(&seconds, &parts)
        return day(parts)
    }
}
