import Books
import Library
import Testing

@testable import Browser

@Suite("Card: the reading log") struct ReadingLinesTests {
    private static let today = CalendarDay(year: 2026, month: 3, day: 20) ?? CalendarDay(number: 0)

    private func lines(
        _ status: Book.ReadingStatus?, toRead: String? = nil, pageCount: Int? = nil, _ readings: Reading...
    ) -> ReadingLines {
        ReadingLines(
            status: status, log: ReadingLog(toRead: toRead, readings: readings), pageCount: pageCount,
            today: Self.today)
    }

    /// Returns a line with ordinary blanks.
    private func plain(_ line: String?) -> String? { line?.replacing("\u{A0}", with: " ") }

    @Test("the status has its day, counted from the first") func statusLine() {
        #expect(plain(lines(.reading, Reading(start: "2026-03-09")).statusLine) == "◐ Reading since 9 Mar (day 12)")
        #expect(plain(lines(.reading, Reading(start: "2026-03-20")).statusLine) == "◐ Reading since today (day 1)")
        #expect(plain(lines(.reading, Reading(start: "2025-12")).statusLine) == "◐ Reading since Dec 2025")
        #expect(plain(lines(.reading, Reading()).statusLine) == "◐ Reading")
        #expect(plain(lines(.toRead, toRead: "2026-02-02").statusLine) == "○ To read since 2 Feb")
        #expect(
            plain(
                lines(.read, Reading(end: "2019", outcome: .finished), Reading(end: "2024-03-12", outcome: .finished))
                    .statusLine) == "● Read 12 Mar 2024, 2 times")
        #expect(
            plain(lines(.abandoned, Reading(end: "2026-03", outcome: .abandoned)).statusLine) == "✕ Abandoned Mar 2026")
        #expect(lines(nil).statusLine == nil)
    }

    @Test("progress is a bar where the whole is known") func progressLine() {
        func progress(_ place: ReadingProgress.Place, pageCount: Int? = nil) -> String? {
            plain(
                lines(.reading, pageCount: pageCount, Reading(progress: [ReadingProgress(place, on: "2026-03-10")]))
                    .progressLine)
        }
        #expect(progress(.page(180), pageCount: 285) == "▓▓▓▓▓▓░░░░░ p. 180 of 285")
        #expect(progress(.page(285), pageCount: 285) == "▓▓▓▓▓▓▓▓▓▓▓ p. 285 of 285")
        #expect(progress(.page(180)) == "p. 180")
        #expect(progress(.percent(0)) == "░░░░░░░░░░░ 0 %")
        #expect(lines(.read, Reading(outcome: .finished, progress: [])).progressLine == nil)
    }

    @Test("the log has all entries, the latest first, unless the status says it all") func logLine() {
        let log = lines(
            .reading, toRead: "2026-02-02", Reading(start: "2019-05", end: "2019-06-03", outcome: .finished),
            Reading(start: "2026-03-09"))
        #expect(plain(log.logLine) == "9 Mar started · 2 Feb to read · May 2019 – 3 Jun 2019 read")
        #expect(lines(.reading, Reading(start: "2026-03-09")).logLine == nil)
        #expect(lines(.read, Reading(end: "2026-03-09", outcome: .finished)).logLine == nil)
        #expect(
            plain(lines(.read, Reading(start: "2026-03-01", end: "2026-03-09", outcome: .finished)).logLine)
                == "1 Mar – 9 Mar read")
    }
}
