/// The goal of a year: a number of books to read in it.
public struct ReadingGoal: Hashable, Sendable {
    /// The year.
    public let year: Int
    /// The number of books to read, at least 1.
    public let target: Int
    /// The number of readings that were finished in the year so far.
    public let read: Int
    /// The number of days of the year that have begun.
    public let dayOfYear: Int
    /// The number of days of the year, 365 or 366.
    public let dayCount: Int

    /// The greatest goal: nobody reads as many books in a year.
    public static let maximumTarget = 100_000

    /// The first day of the year on which there is a forecast: a book read on 2 January says nothing about the year.
    public static let firstForecastDay = 15

    /// Creates the goal of the year of `today`.
    public init(target: Int, read: Int, today: CalendarDay) {
        year = today.year
        self.target = max(1, target)
        self.read = read
        let start = CalendarMonth(year: year, month: 1).firstDay
        dayOfYear = today.number - start.number + 1
        dayCount = CalendarMonth(year: year + 1, month: 1).firstDay.number - start.number
    }

    /// The number of books that would be read by the end of today if the goal were read evenly.
    public var expected: Double { Double(target) * Double(dayOfYear) / Double(dayCount) }

    /// The number of whole books by which the reader is ahead of an even pace; negative if behind.
    public var ahead: Int { Int(Double(read) - expected) }

    /// The number of books by the end of the year at the pace so far, rounded; nil in the first two weeks.
    public var forecast: Int? {
        dayOfYear < Self.firstForecastDay
            ? nil : Int((Double(read) * Double(dayCount) / Double(dayOfYear)).rounded())
    }

    /// Whether the goal is reached.
    public var isReached: Bool { read >= target }

    /// The part of the goal that is reached, from 0 to 1.
    public var fraction: Double { min(1, Double(read) / Double(target)) }
}

extension ReadingStatistics {
    /// Returns the goal of this year with what was read of it.
    public func goal(of target: Int) -> ReadingGoal {
        ReadingGoal(target: target, read: books(inYear: today.year), today: today)
    }
}
