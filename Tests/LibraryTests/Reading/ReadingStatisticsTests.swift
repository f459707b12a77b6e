internal import Testing

@testable import Books
@testable import Library

/// Books, pages and days, against figures worked out by hand.
@Suite("Reading statistics") struct ReadingStatisticsTests {
    private func day(_ text: String) throws -> CalendarDay {
        guard case .day(let day) = ReadingDate(text) else { throw UnknownDay() }
        return day
    }
    private struct UnknownDay: Error {}

    private func statistics(
        _ readings: [(Reading, pages: Int?)], today: String = "2026-11-25"
    ) throws -> ReadingStatistics {
        var statistics = ReadingStatistics(today: try day(today))
        for (reading, pages) in readings {
            let log = ReadingLog(readings: [reading])
            statistics.add(log, pageCount: pages, status: reading.isOpen ? .reading : .read)
        }
        statistics.finish()
        return statistics
    }

    private func finished(_ start: String?, _ end: String?) -> Reading {
        Reading(start: start, end: end, outcome: .finished)
    }

    private func month(_ year: Int, _ month: Int) -> CalendarMonth { CalendarMonth(year: year, month: month) }

    @Test("the pages of a book are spread over two months")
    func twoMonths() throws {
        // 50 pages in five days: 29, 30, 31 January, 1, 2 February.
        let found = try statistics([(finished("2026-01-29", "2026-02-02"), 50)])
        #expect(found.pages(on: try day("2026-01-28")) == 0)
        #expect(found.pages(on: try day("2026-01-29")) == 10)
        #expect(found.pages(on: try day("2026-02-02")) == 10)
        #expect(found.pages(on: try day("2026-02-03")) == 0)
        #expect(found.pages(in: month(2026, 1)) == 30)
        #expect(found.pages(in: month(2026, 2)) == 20)
        #expect(found.books(in: month(2026, 1)) == 0)
        #expect(found.books(in: month(2026, 2)) == 1)
        #expect(found.readingDays(in: month(2026, 1)) == 3)
        #expect(found.readingDays(inYear: 2026) == 5)
        #expect(found.months == [month(2026, 1), month(2026, 2)])
        #expect(found.years == [2026])
    }

    @Test("two books that are read at once share days")
    func overlap() throws {
        // 10 a day from 1 to 10 March, 7 a day from 8 to 14 March: 100 + 49 pages in 14 days.
        let found = try statistics([
            (finished("2026-03-01", "2026-03-10"), 100), (finished("2026-03-08", "2026-03-14"), 49),
        ])
        #expect(found.pages(on: try day("2026-03-07")) == 10)
        #expect(found.pages(on: try day("2026-03-08")) == 17)
        #expect(found.pages(on: try day("2026-03-11")) == 7)
        #expect(found.pages(in: month(2026, 3)) == 149)
        #expect(found.readingDays(in: month(2026, 3)) == 14)
        #expect(found.books(in: month(2026, 3)) == 2)
    }

    @Test("a book that was read again counts again")
    func again() throws {
        var found = ReadingStatistics(today: try day("2026-11-25"))
        found.add(
            ReadingLog(readings: [
                finished("2024-05-01", "2024-05-31"), finished("2026-05-01", "2026-05-31"),
                Reading(start: "2026-11-01"),
            ]), pageCount: 310, status: .reading)
        // A book that was put back among those to read.
        found.add(ReadingLog(readings: [Reading(start: "2026-10-01")]), pageCount: 200, status: .toRead)
        found.finish()
        #expect(found.finishedCount == 2 && found.openCount == 1)
        #expect(found.books(inYear: 2024) == 1 && found.books(inYear: 2026) == 1)
        #expect(found.pages(on: try day("2024-05-15")) == 10)
        #expect(found.pageCount == 620)
    }

    @Test("a partial day counts for the month or the year, and on no day")
    func partialDays() throws {
        let found = try statistics([
            (finished("2026-03", "2026-03-20"), 300), (finished(nil, "2026-03"), 100), (finished(nil, "2026"), 200),
            (finished("2026-03-30", "2026-03-31"), 40), (finished(nil, nil), 150),
        ])
        #expect(found.books(in: month(2026, 3)) == 3)
        #expect(found.books(inYear: 2026) == 4)
        #expect(found.finishedCount == 5 && found.undatedCount == 1)
        // 300 + 100 of the month alone, 40 of its days.
        #expect(found.pages(in: month(2026, 3)) == 440)
        #expect(found.pages(inYear: 2026) == 640)
        #expect(found.pageCount == 790)
        #expect(found.pages(on: try day("2026-03-20")) == 0)
        // The end on 20 March is known, and 30 and 31 March.
        #expect(found.isReadingDay(try day("2026-03-20")))
        #expect(found.readingDays(in: month(2026, 3)) == 3)
        #expect(found.years == [2026])
    }

    @Test("a book with an unknown page count gives a day of reading, but no pages")
    func unknownPages() throws {
        let found = try statistics([(finished("2026-06-01", "2026-06-09"), nil)])
        #expect(found.pageCount == 0 && found.pagelessCount == 1)
        #expect(found.books(in: month(2026, 6)) == 1)
        #expect(found.readingDays(in: month(2026, 6)) == 1)
        #expect(found.isReadingDay(try day("2026-06-09")))
        #expect(!found.isReadingDay(try day("2026-06-05")))
    }

    @Test("days of no reader's life are ignored, and nothing is lost in the total")
    func impossibleDays() throws {
        let found = try statistics([
            (finished("0001-01-01", "0001-01-02"), 10), (finished("9999-01-01", "9999-01-02"), 20),
            (finished("1899-12-31", "1900-01-01"), 30),
        ])
        #expect(found.pageCount == 60)
        #expect(found.pages(on: try day("1900-01-01")) == 15)
        #expect(found.books(inYear: 9999) == 1)
        #expect(found.years == [1, 1900, 9999])
    }

    @Test("nothing is nothing")
    func nothing() throws {
        let found = try statistics([])
        #expect(found.isEmpty && found.months == [] && found.years == [])
        #expect(found.pages(in: month(2026, 3)) == 0 && found.pages(on: found.today) == 0)
        #expect(try !statistics([(Reading(start: "2026-11-01"), 100)]).isEmpty)
    }

    // MARK: - Goal

    @Test("the goal says how far ahead or behind the reader is, and the forecast")
    func goal() throws {
        // 31 July is day 212 of 365: 30 books would be 17.42, so that 14 are 3 whole books behind and, at that pace,
        // 14 * 365 / 212 = 24.1 in the year.
        let july = ReadingGoal(target: 30, read: 14, today: try day("2026-07-31"))
        #expect(july.dayOfYear == 212 && july.dayCount == 365)
        #expect(july.ahead == -3 && july.forecast == 24 && !july.isReached)
        // 30 June is day 181: 14.88 books are expected.
        #expect(ReadingGoal(target: 30, read: 14, today: try day("2026-06-30")).ahead == 0)
        #expect(ReadingGoal(target: 30, read: 17, today: try day("2026-06-30")).ahead == 2)
        // 2024 has 366 days, and 1 March is day 61: 10 of 60 books are as expected.
        let march = ReadingGoal(target: 60, read: 10, today: try day("2024-03-01"))
        #expect(march.dayOfYear == 61 && march.dayCount == 366 && march.expected == 10)
        #expect(march.ahead == 0 && march.forecast == 60)
    }

    @Test("there is no forecast in the first two weeks")
    func noForecast() throws {
        #expect(ReadingGoal(target: 30, read: 1, today: try day("2026-01-14")).forecast == nil)
        #expect(ReadingGoal(target: 30, read: 1, today: try day("2026-01-15")).forecast == 24)
    }

    @Test("the books of a year of which only the year is known count for the goal")
    func goalOfPartialDays() throws {
        let found = try statistics([(finished(nil, "2026"), nil), (finished(nil, "2026-02"), nil)])
        let goal = found.goal(of: 2)
        #expect(goal.read == 2 && goal.isReached && goal.fraction == 1)
        #expect(found.goal(of: 8).fraction == 0.25)
    }

    // MARK: - Calendar

    @Test("the calendar has 53 weeks from Monday to today")
    func calendarWeeks() throws {
        let calendar = ReadingCalendar(try statistics([]))
        #expect(calendar.first.text == "2025-11-24" && calendar.last.text == "2026-11-25")
        #expect(calendar.day(week: 0, weekday: 0) == calendar.first)
        #expect(calendar.day(week: 52, weekday: 2) == calendar.last)
        #expect(calendar.day(week: 52, weekday: 3) == nil)
        // The first weeks belong to November and December 2025; 1 December is a Monday.
        #expect(calendar.monthStarts.prefix(2).map(\.week) == [0, 1])
        // 1 January 2026 is a Thursday of the sixth week.
        #expect(calendar.monthStarts[2].week == 5)
        #expect(calendar.monthStarts.count == 13)
    }

    @Test("the levels are quarters of the days with pages")
    func levels() throws {
        let found = try statistics([
            (finished("2026-11-02", "2026-11-02"), 10), (finished("2026-11-03", "2026-11-03"), 20),
            (finished("2026-11-04", "2026-11-04"), 30), (finished("2026-11-05", "2026-11-05"), 40),
            (finished("2026-11-06", "2026-11-06"), nil),
        ])
        let calendar = ReadingCalendar(found)
        #expect(calendar.bounds == [20, 30, 40])
        let levels = try (1...7).map { calendar.level(of: try day("2026-11-0\($0)")) }
        #expect(levels == [0, 1, 2, 3, 4, 1, 0])
        #expect(calendar.legend.map(\.level) == [0, 1, 2, 3, 4])
        #expect(calendar.legend.map(\.pages) == ["none", "1–19", "20–29", "30–39", "40 or more pages"])
        #expect(calendar.readingDayCount == 5)
        #expect(calendar.pages(on: try day("2026-11-05")) == 40)
    }

    @Test("equal days have one level")
    func equalDays() throws {
        let calendar = ReadingCalendar(try statistics([(finished("2026-11-01", "2026-11-10"), 100)]))
        #expect(calendar.level(of: try day("2026-11-05")) == 4)
        #expect(calendar.legend.map(\.pages) == ["none", "1–9", "10 or more pages"])
        let few = ReadingCalendar(try statistics([(finished("2026-11-01", "2026-11-10"), 2)]))
        #expect(few.legend.map(\.pages) == ["none", "1 or more pages"])
        #expect(few.legend.map(\.level) == [0, 4])
    }
}
