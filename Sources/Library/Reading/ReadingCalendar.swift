/// The days of the last twelve months in whole weeks, each with a level of how much was read.
public struct ReadingCalendar: Hashable, Sendable {
    /// The number of weeks, the current one included.
    public static let weekCount = 53
    /// The greatest level.
    public static let maximumLevel = 4

    /// The Monday of the first week.
    public let first: CalendarDay
    /// The last day.
    public let last: CalendarDay
    /// The least number of pages of the levels 2, 3 and 4, ascending: the quartiles of the days with pages, so that the
    /// calendar of a slow reader has all levels, too. Empty if no day has pages.
    public let bounds: [Int]
    /// The pages and the levels of all days, from `first` to `last`.
    private let days: [Day]

    private struct Day: Hashable, Sendable {
        var pages: Double
        var level: Int
    }

    /// Creates the calendar up to `statistics.today`.
    public init(_ statistics: ReadingStatistics) {
        last = statistics.today
        first = last - last.weekday - (Self.weekCount - 1) * 7
        let numbers = first.number...last.number
        let pages = numbers.map { statistics.pages(on: CalendarDay(number: $0)) }
        let sorted = pages.filter { $0 > 0 }.map(Self.whole).sorted()
        let bounds = sorted.isEmpty ? [] : (1...3).map { sorted[sorted.count * $0 / 4] }
        self.bounds = bounds
        days = zip(numbers, pages).map { number, pages in
            let isRead = pages > 0 || statistics.isReadingDay(CalendarDay(number: number))
            return Day(pages: pages, level: isRead ? 1 + bounds.count { pages > 0 && Self.whole(pages) >= $0 } : 0)
        }
    }

    /// Returns the pages of a day as shown: less than a page is one.
    public static func whole(_ pages: Double) -> Int { pages > 0 ? max(1, Int(pages.rounded())) : 0 }

    /// Returns the day of a week, counted from 0, and a weekday, from 0 for Monday; nil after `last`.
    public func day(week: Int, weekday: Int) -> CalendarDay? {
        let day = first + (week * 7 + weekday)
        return day <= last ? day : nil
    }

    /// Returns how much was read on a day between `first` and `last`: 0 for nothing, 1 for some or an unknown number of
    /// pages, up to 4.
    public func level(of day: CalendarDay) -> Int {
        let index = day.number - first.number
        return days.indices.contains(index) ? days[index].level : 0
    }

    /// Returns the pages of a day between `first` and `last`.
    public func pages(on day: CalendarDay) -> Double {
        let index = day.number - first.number
        return days.indices.contains(index) ? days[index].pages : 0
    }

    /// The number of days on which something was read.
    public var readingDayCount: Int { days.count { $0.level > 0 } }

    /// The days on which something was read, ascending.
    public var readingDays: [CalendarDay] { days.indices.filter { days[$0].level > 0 }.map { first + $0 } }

    /// The weeks in which a month begins, with the month; the week of `first` has its own month.
    public var monthStarts: [(week: Int, month: CalendarMonth)] {
        var starts: [(week: Int, month: CalendarMonth)] = []
        for week in 0..<Self.weekCount {
            let sunday = min(first + (week * 7 + 6), last)
            if sunday.month != starts.last?.month { starts.append((week, sunday.month)) }
        }
        return starts
    }

    /// The levels that occur, with the pages of each: "1–9", "10 or more".
    public var legend: [(level: Int, pages: String)] {
        var entries: [(level: Int, pages: String)] = [(0, "none")]
        var lower = 1
        for (index, bound) in bounds.enumerated() where bound > lower {
            entries.append((index + 1, lower == bound - 1 ? lower.grouped : "\(lower.grouped)–\((bound - 1).grouped)"))
            lower = bound
        }
        entries.append(
            (bounds.isEmpty ? 1 : Self.maximumLevel, bounds.isEmpty ? "read" : "\(lower.grouped) or more pages"))
        return entries
    }
}
