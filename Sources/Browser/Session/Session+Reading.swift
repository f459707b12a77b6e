internal import Library

extension Session {
    /// The reader's statistics as charts; nil while they are counted in the background, which wakes the event loop, and if
    /// there are neither readings nor a goal.
    var readingCharts: ReadingCharts? {
        readingStatistics.flatMap { ReadingCharts($0, target: settings.readingGoal) }
    }

    /// The line about the books of this year; nil while they are counted in the background, which wakes the event loop, and
    /// if there are neither readings nor a goal.
    var readingYearLine: ReadingYearLine? {
        readingStatistics.flatMap { ReadingYearLine($0, target: settings.readingGoal) }
    }

    private var readingStatistics: ReadingStatistics? {
        library.readingStatistics(today: settings.today ?? library.today, notifying: wake)
    }
}
