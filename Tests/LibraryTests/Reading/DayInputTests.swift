internal import Library
internal import Testing

@Suite("Days as a reader types them") struct DayInputTests {
    /// Wednesday, 25 November 2026.
    private static let today = CalendarDay(year: 2026, month: 11, day: 25) ?? CalendarDay(number: 0)

    @Test(
        "a day has many names",
        arguments: [
            ("", "2026-11-25"), ("today", "2026-11-25"), ("Yesterday", "2026-11-24"),
            ("the day before yesterday", "2026-11-23"), ("3 days ago", "2026-11-22"), ("a week ago", "2026-11-18"),
            ("two months ago", "2026-09"), ("14 months ago", "2025-09"), ("last month", "2026-10"),
            ("last year", "2025"), ("this year", "2026"), ("this month", "2026-11"), ("2 years ago", "2024"),
            ("sunday", "2026-11-22"), ("last sunday", "2026-11-22"), ("wed", "2026-11-18"),
            ("on Thursday", "2026-11-19"),
            ("12 mar", "2026-03-12"), ("12 March", "2026-03-12"), ("12th of March", "2026-03-12"),
            ("mar 12", "2026-03-12"), ("March 12th, 2024", "2024-03-12"), ("12 march 2024", "2024-03-12"),
            ("25 nov", "2026-11-25"), ("26 nov", "2025-11-26"), ("december", "2025-12"), ("november", "2026-11"),
            ("march 2024", "2024-03"), ("in march", "2026-03"), ("2024 march 12", "2024-03-12"),
            ("2024-03", "2024-03"), ("03/2024", "2024-03"), ("2024", "2024"), ("2024-03-12", "2024-03-12"),
            ("2024/3/12", "2024-03-12"), ("12.3.2024", "2024-03-12"), ("12/3", "2026-03-12"),
            ("29 feb 2024", "2024-02-29"),
        ])
    func names(typed: String, day: String) throws {
        #expect(try DayInput(typed, today: Self.today).text == day)
    }

    @Test(
        "what is no day, does not exist or is still to come is refused",
        arguments: [
            ("soon", .notADay("soon")), ("13", .notADay("13")), ("mar mar", .notADay("mar mar")),
            ("12 13 14", .notADay("12 13 14")), ("1.1", nil), ("31 june", .noSuchDay("31 june")),
            ("29 feb 2023", .noSuchDay("29 feb 2023")), ("2024-13", .noSuchDay("2024-13")),
            ("2024-00-10", .noSuchDay("2024-00-10")), ("2026-11-26", .inTheFuture("26 November 2026")),
            ("2026-12", .inTheFuture("December 2026")), ("2027", .inTheFuture("2027")),
            ("tomorrow", .inTheFuture("26 November 2026")),
        ] as [(String, DayInput.Problem?)])
    func refused(typed: String, problem: DayInput.Problem?) {
        var thrown: DayInput.Problem?
        do throws(DayInput.Problem) { _ = try DayInput(typed, today: Self.today) } catch { thrown = error }
        #expect(thrown == problem)
    }

    @Test("a day is shown in words before it is taken")
    func shown() throws {
        #expect(try DayInput("", today: Self.today).shown(today: Self.today) == "today")
        #expect(try DayInput("24.11.", today: Self.today).shown(today: Self.today) == "yesterday")
        #expect(try DayInput("mar 2024", today: Self.today).shown(today: Self.today) == "March 2024")
        #expect(try DayInput("12 3 2024", today: Self.today).shown(today: Self.today) == "12 March 2024")
    }

    @Test("a day has one number, and each number one day", arguments: [-719_162, -1, 0, 59, 19_782, 20_782, 100_000])
    func calendar(number: Int) {
        let day = CalendarDay(number: number)
        let (year, month, dayOfMonth) = day.parts
        #expect(CalendarDay(year: year, month: month, day: dayOfMonth) == day)
        #expect(year < 1000 || CalendarDay(day.text) == day)
    }

    @Test("1 January 1970 was a Thursday") func weekday() {
        #expect(CalendarDay(number: 0).weekday == 3 && CalendarDay(number: 0).text == "1970-01-01")
        #expect(CalendarDay(number: -4).weekday == 6)
        #expect(CalendarDay("2024-02-30") == nil && CalendarDay("2024-02") == nil && CalendarDay("2024-02-29") != nil)
    }
}
