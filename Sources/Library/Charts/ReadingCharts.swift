internal import Books

/// The reader's statistics as charts, with their order and wording.
public struct ReadingCharts: Hashable, Sendable {
    /// A month with what was read in it.
    public struct Month: Hashable, Sendable {
        /// The month.
        public var month: CalendarMonth
        /// The number of finished readings.
        public var books: Int
        /// The number of pages, rounded.
        public var pages: Int
        /// Whether books were finished, but not a single page count is known.
        public var hasUnknownPages = false
        /// The number of days on which something was read.
        public var days: Int

        /// The label: "Nov 2026".
        public var label: String { "\(month.shortName) \(month.year)" }

        /// The number of pages as it is shown: "1,204", or "–" if it is unknown.
        public var shownPages: String { hasUnknownPages ? "–" : pages.grouped }

        /// The number of pages in words: "1,204 pages", "unknown number of pages".
        public var pagesInWords: String { hasUnknownPages ? "unknown number of pages" : pages.of("page") }
    }

    /// The title of all charts.
    public static let title = "Your reading"
    /// What the charts count, to be appended to the title.
    public static let extent = "in all lists"
    /// The title of the chart of months.
    public static let monthsTitle = "Months"
    /// The title of the calendar.
    public static let calendarTitle = "Days"

    /// The goal of the year, if the reader has set one.
    public let goal: ReadingGoal?
    /// The days of the last twelve months.
    public let calendar: ReadingCalendar
    /// The last twelve months, earliest first.
    public let months: [Month]
    /// The sentences about this year and all years, without a full stop.
    public let summary: [String]

    /// Creates the charts of `statistics`; fails if there is neither a reading nor a goal.
    ///
    /// - Parameter target: The number of books to read in a year, if the reader has set one.
    public init?(_ statistics: ReadingStatistics, target: Int?) {
        if statistics.isEmpty && target == nil { return nil }
        goal = target.map(statistics.goal)
        calendar = ReadingCalendar(statistics)
        let last = statistics.today.month
        months = (0..<12).map { index in
            Month(last - 11 + index, of: statistics)
        }
        summary = Self.summary(of: statistics)
    }

    /// Whether something was read in the last twelve months, so that there are charts.
    public var hasCharts: Bool { calendar.readingDayCount > 0 || months.contains { $0.books > 0 || $0.pages > 0 } }

    // MARK: - Wording

    /// The books of the goal: "14 of 30 books in 2026".
    public var goalText: String? {
        goal.map { "\($0.read.grouped) of \($0.target.of("book")) in \($0.year)" }
    }

    /// The pace, and the forecast if there is one: "3 books behind; 24 by the end of the year at this pace".
    public var paceText: String? {
        guard let goal else { return nil }
        let pace =
            switch goal.ahead {
            case 0 where goal.isReached: ""
            case 0 where goal.forecast.map({ $0 < goal.target }) == true: "Less than a book behind"
            case 0: "On schedule"
            case ..<0: "\((-goal.ahead).of("book")) behind"
            default: "\(goal.ahead.of("book")) ahead"
            }
        let parts = [goal.isReached ? "Goal reached" : "", pace].filter { !$0.isEmpty }
        let forecast = goal.forecast.map { "; \($0.grouped) by the end of the year at this pace" } ?? ""
        return parts.joined(separator: ", ") + forecast
    }

    private static func summary(of statistics: ReadingStatistics) -> [String] {
        let year = statistics.today.year
        let thisYear = [
            booksAndPages(
                statistics.books(inYear: year), statistics.pages(inYear: year),
                pageless: statistics.pagelessBooks(inYear: year)),
            statistics.readingDays(inYear: year).of("day"),
        ]
        var whole = [
            booksAndPages(statistics.finishedCount, statistics.pageCount, pageless: statistics.pagelessCount)
        ]
        if statistics.openCount > 0 { whole.append("\(statistics.openCount.grouped) being read") }
        if statistics.undatedCount > 0 { whole.append("\(statistics.undatedCount.grouped) without a date") }
        return ["This year: " + thisYear.joined(separator: ", "), "All years: " + whole.joined(separator: ", ")]
    }

    /// Returns a number of books and of their pages, as far as they are known: "2 books (page counts unknown)",
    /// "12 books, 3,100 pages (2 page counts unknown)".
    ///
    /// - Parameter pageless: The number of the books whose page count is unknown.
    static func booksAndPages(_ books: Int, _ pages: Double, pageless: Int) -> String {
        let pages = Int(pages.rounded())
        let known = pages == 0 && pageless > 0 && pageless == books ? "" : ", " + pages.of("page")
        let isWhole = pageless == books
        let unknown = isWhole ? (books == 1 ? "page count" : "page counts") : pageless.of("page count")
        return books.of("book") + known + (pageless == 0 ? "" : " (\(unknown) unknown)")
    }

    /// The charts in words, with a line for each month.
    public var spoken: [String] {
        var lines = ["\(Self.title), \(Self.extent)"]
        if let goalText, let goal { lines.append("Goal: \(goalText), \(goal.read.percentage(of: goal.target))") }
        if let paceText { lines.append(paceText) }
        lines += summary
        if !hasCharts { return lines }
        lines.append(Self.monthsTitle)
        lines += months.map { month in
            "\(month.month.shown): \(month.books.of("book")), \(month.pagesInWords), \(month.days.of("day"))"
        }
        return lines
    }
}

extension ReadingCharts.Month {
    /// Creates a month with what was read in it.
    init(_ month: CalendarMonth, of statistics: ReadingStatistics) {
        let books = statistics.books(in: month)
        let pages = Int(statistics.pages(in: month).rounded())
        self.init(
            month: month, books: books, pages: pages,
            hasUnknownPages: pages == 0 && books > 0 && statistics.pagelessBooks(in: month) == books,
            days: statistics.readingDays(in: month))
    }
}
