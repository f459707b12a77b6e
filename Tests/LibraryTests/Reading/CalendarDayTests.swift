internal import Testing

@testable import Books
@testable import Library

@Suite("Calendar days") struct CalendarDayTests {
    @Test(
        "days are counted from 1970",
        arguments: [
            (1970, 1, 1, 0), (1969, 12, 31, -1), (2000, 3, 1, 11_017), (2026, 11, 25, 20_782), (1900, 1, 1, -25_567),
        ])
    func numbers(year: Int, month: Int, day: Int, number: Int) throws {
        let found = try #require(CalendarDay(year: year, month: month, day: day))
        #expect(found.number == number)
        #expect(CalendarDay(number: number).parts == (year, month, day))
    }

    @Test("days that do not exist are refused")
    func impossible() {
        #expect(CalendarDay(year: 2026, month: 2, day: 29) == nil)
        #expect(CalendarDay(year: 2024, month: 2, day: 29) != nil)
        #expect(CalendarDay(year: 1900, month: 2, day: 29) == nil)
        #expect(CalendarDay(year: 2026, month: 13, day: 1) == nil)
        #expect(CalendarDay(year: 2026, month: 4, day: 31) == nil)
        #expect(CalendarDay(year: 2026, month: 4, day: 0) == nil)
    }

    @Test("the week begins on Monday")
    func weekdays() throws {
        #expect(try #require(CalendarDay(year: 2026, month: 11, day: 25)).weekday == 2)
        #expect(CalendarDay(number: 0).weekday == 3)
        #expect(CalendarDay(number: -4).weekday == 6)
    }

    @Test("a month ends where the next one begins")
    func months() {
        let december = CalendarMonth(year: 2025, month: 12)
        #expect((december + 1).text == "2026-01")
        #expect((december - 12).text == "2024-12")
        #expect(((december + 1).firstDay - 1).text == "2025-12-31")
        #expect(CalendarDay(number: 20_782).month == CalendarMonth(year: 2026, month: 11))
    }

    @Test("a date is known to the day, the month or the year")
    func dates() throws {
        #expect(ReadingDate("2026-11-25") == .day(CalendarDay(number: 20_782)))
        #expect(ReadingDate("2026-11") == .month(CalendarMonth(year: 2026, month: 11)))
        #expect(ReadingDate("2026") == .year(2026))
        #expect(ReadingDate("2026-02-30") == .month(CalendarMonth(year: 2026, month: 2)))
        #expect(ReadingDate("2026-13") == .year(2026))
        for text in ["", "soon", "-2026", "2026-", "2026-11-25-1", "20261125", "2026-11-25T10:00"] {
            #expect(ReadingDate(text) == nil, "\(text)")
        }
    }
}
