internal import Glibc

/// A point in time in the formats of the journal and of user data.
struct Timestamp: Hashable, Sendable {
    /// The time in UTC (RFC 3339), such as "2026-11-21T09:30:00Z".
    var date: String
    /// The local date, such as "2026-11-21".
    var day: String

    /// The current time.
    static var now: Timestamp {
        var now = time(nil)
        var universal = tm()
        var local = tm()
        gmtime_r(&now, &universal)
        localtime_r(&now, &local)
        return Timestamp(date: text(of: universal, "%Y-%m-%dT%H:%M:%SZ"), day: text(of: local, "%Y-%m-%d"))
    }

    private static func text(of time: tm, _ format: String) -> String {
        var time = time
        var buffer = [CChar](repeating: 0, count: 32)
        let count = strftime(&buffer, buffer.count, format, &time)
        return String(decoding: buffer[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
