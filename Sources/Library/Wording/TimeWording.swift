internal import Glibc

extension Int {
    /// The local date and time of these seconds since 1970, such as "2026-11-21 09:30".
    public var asDate: String {
        var time = time_t(self)
        var parts = tm()
        localtime_r(&time, &parts)
        func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let day = "\(Int(parts.tm_year) + 1900)-\(two(parts.tm_mon + 1))-\(two(parts.tm_mday))"
        return "\(day) \(two(parts.tm_hour)):\(two(parts.tm_min))"
    }

    /// These seconds as a time to wait, such as "7 s" or "5 min".
    var asDuration: String { self < 120 ? "\(self) s" : "\((self - 1) / 60 + 1) min" }

    /// These seconds in the largest unit that fits: "3 h", "12 days".
    public var asAge: String {
        switch self {
        case ..<3600: "\(Swift.max(1, self / 60)) min"
        case ..<(48 * 3600): "\(self / 3600) h"
        default: "\(self / 86400) days"
        }
    }
}
