internal import Testing

@testable import Books
@testable import Library

@Suite("Reading charts: wording") struct ReadingChartsTests {
    /// Fourteen books of 100 pages each in the first days of this year, one without a page count in May, and one of
    /// which nothing is known.
    private func charts(read count: Int = 14, target: Int? = 30, today: CalendarDay) throws -> ReadingCharts? {
        var statistics = ReadingStatistics(today: today)
        for number in 0..<count {
            let day = "2026-01-\(number < 9 ? "0" : "")\(number + 1)"
            statistics.add(
                ReadingLog(readings: [Reading(start: day, end: day, outcome: .finished)]), pageCount: 100,
                status: .read)
        }
        if count > 0 {
            let log = ReadingLog(readings: [Reading(outcome: .finished), Reading()])
            statistics.add(log, pageCount: nil, status: .reading)
        }
        statistics.finish()
        return ReadingCharts(statistics, target: target)
    }

    private func day(_ month: Int, _ day: Int) throws -> CalendarDay {
        try #require(CalendarDay(year: 2026, month: month, day: day))
    }

    @Test("the goal is said with pace and forecast")
    func goal() throws {
        // 31 July is day 212 of 365: 17.4 of 30 books, 13.0 of 22 and 8.1 of 14.
        let behind = try #require(try charts(today: day(7, 31)))
        #expect(behind.goalText == "14 of 30 books in 2026")
        #expect(behind.paceText == "3 books behind; 24 by the end of the year at this pace")
        #expect(
            try charts(target: 24, today: day(7, 31))?.paceText
                == "On schedule; 24 by the end of the year at this pace")
        #expect(
            try charts(target: 20, today: day(7, 31))?.paceText
                == "2 books ahead; 24 by the end of the year at this pace")
        #expect(
            try charts(target: 14, today: day(7, 31))?.paceText
                == "Goal reached, 5 books ahead; 24 by the end of the year at this pace")
        #expect(try charts(read: 1, target: 1, today: day(1, 2))?.paceText == "Goal reached")
        #expect(try charts(read: 0, target: 1, today: day(1, 2))?.goalText == "0 of 1 book in 2026")
    }

    @Test("this year and all years are summed up")
    func summary() throws {
        #expect(
            try charts(today: day(7, 31))?.summary == [
                "This year: 14 books, 1,400 pages, 14 days",
                "All years: 15 books, 1,400 pages (1 page count unknown), 1 being read, 1 without a date",
            ])
    }

    /// Ten books of 12 on 25 November are 0.8 behind an even pace, and 11 by the end of the year.
    @Test("a forecast below the goal is not on schedule")
    func lessThanABookBehind() throws {
        let charts = try #require(try charts(read: 10, target: 12, today: day(11, 25)))
        #expect(charts.paceText == "Less than a book behind; 11 by the end of the year at this pace")
    }

    @Test("unknown page counts are no pages", arguments: [[nil, nil], [nil], [nil, 300]])
    func unknownPages(pageCounts: [Int?]) throws {
        var statistics = ReadingStatistics(today: try day(11, 25))
        for pageCount in pageCounts {
            let log = ReadingLog(readings: [Reading(end: "2026-11-0\(pageCount == nil ? 2 : 3)", outcome: .finished)])
            statistics.add(log, pageCount: pageCount, status: .read)
        }
        statistics.finish()
        let charts = try #require(ReadingCharts(statistics, target: nil))
        let texts =
            switch pageCounts {
            case [nil]: ("1 book (page count unknown), 1 day", "–", "1 book, unknown number of pages")
            case [nil, nil]: ("2 books (page counts unknown), 1 day", "–", "2 books, unknown number of pages")
            default: ("2 books, 300 pages (1 page count unknown), 2 days", "300", "2 books, 300 pages")
            }
        #expect(charts.summary[0] == "This year: " + texts.0)
        #expect(charts.months.last?.shownPages == texts.1)
        #expect(charts.spoken.last?.hasPrefix("November 2026: " + texts.2) == true)
    }

    @Test("the last twelve months end with this one")
    func months() throws {
        let charts = try #require(try charts(today: day(7, 31)))
        #expect(charts.months.map(\.label).first == "Aug 2025" && charts.months.map(\.label).last == "Jul 2026")
        #expect(charts.months[5] == .init(month: .init(year: 2026, month: 1), books: 14, pages: 1400, days: 14))
        #expect(charts.hasCharts)
        #expect(
            charts.spoken.prefix(3) == [
                "Your reading, in all lists", "Goal: 14 of 30 books in 2026, 47 %",
                "3 books behind; 24 by the end of the year at this pace",
            ])
        #expect(charts.spoken.contains("January 2026: 14 books, 1,400 pages, 14 days"))
        #expect(charts.spoken.last == "July 2026: 0 books, 0 pages, 0 days")
    }

    @Test("without readings there is only the goal, and without a goal nothing")
    func nothing() throws {
        let goal = try #require(try charts(read: 0, today: day(7, 31)))
        #expect(!goal.hasCharts && goal.goalText == "0 of 30 books in 2026")
        #expect(goal.paceText == "17 books behind; 0 by the end of the year at this pace")
        #expect(try charts(read: 0, target: nil, today: day(7, 31)) == nil)
        let without = try #require(try charts(target: nil, today: day(7, 31)))
        #expect(without.goalText == nil && without.paceText == nil && without.summary.count == 2)
    }
}
