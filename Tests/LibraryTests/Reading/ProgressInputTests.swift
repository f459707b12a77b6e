internal import Books
internal import Library
internal import Testing

@Suite("Progress as a reader types it") struct ProgressInputTests {
    private static let today = CalendarDay(year: 2026, month: 11, day: 25) ?? CalendarDay(number: 0)

    @Test(
        "a page or a part, with a day or without",
        arguments: [
            ("180", .page(180), nil), (" p180", .page(180), nil), ("p. 180", .page(180), nil),
            ("page 180", .page(180), nil), ("180/285", .page(180), nil), ("45%", .percent(45), nil),
            ("45 %", .percent(45), nil), ("0%", .percent(0), nil), ("180 yesterday", .page(180), "2026-11-24"),
            ("45% 12 mar", .percent(45), "2026-03-12"), ("285", .page(285), nil),
        ] as [(String, ReadingProgress.Place, String?)])
    func accepted(typed: String, place: ReadingProgress.Place, day: String?) throws {
        let input = try ProgressInput(typed, pageCount: 285, today: Self.today)
        #expect(input.place == place && input.day?.text == day)
    }

    @Test(
        "what is none, or beyond the end, is refused",
        arguments: [
            ("", .notAPlace("")), ("half", .notAPlace("half")), ("0", .notAPlace("0")), ("101%", .notAPlace("101%")),
            ("180x", .notAPlace("180x")), ("286", .beyondEnd(pageCount: 285)), ("20 soon", .day(.notADay("soon"))),
            ("20 2027", .day(.inTheFuture("2027"))), ("99999999999999999999", .notAPlace("99999999999999999999")),
        ] as [(String, ProgressInput.Problem)])
    func refused(typed: String, problem: ProgressInput.Problem) {
        var thrown: ProgressInput.Problem?
        do throws(ProgressInput.Problem) {
            _ = try ProgressInput(typed, pageCount: 285, today: Self.today)
        } catch { thrown = error }
        #expect(thrown == problem)
    }
}
