internal import Library

extension Session {
    /// The reader's statistics as charts; nil while they are counted in the background, which wakes the event loop, and if
    /// there are neither readings nor a goal.
    var readingCharts: ReadingCharts? {
        readingStatistics.flatMap { ReadingCharts($0, target: readingGoal) }
    }

    /// The line about the books of this year; nil while they are counted in the background, which wakes the event loop, and
    /// if there are neither readings nor a goal.
    var readingYearLine: ReadingYearLine? {
        readingStatistics.flatMap { ReadingYearLine($0, target: readingGoal) }
    }

    /// The number of books to read this year; nil if there is no goal.
    var readingGoal: Int? { library.readingGoal(of: today.year, else: settings.readingGoal) }

    /// Today, or the day that counts as today.
    var today: CalendarDay { settings.today ?? library.today }

    private var readingStatistics: ReadingStatistics? {
        library.readingStatistics(today: today, notifying: wake)
    }
}
