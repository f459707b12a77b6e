import Testing

@testable import Books
@testable import Library

@Suite("Reading log: the days of a reading as typed") struct ReadingPeriodInputTests {
    private let today = CalendarDay(number: 20_783)
    private static let open = Reading(start: "2026-03-09")
    private static let read = Reading(start: "2026-03-09", end: "2026-03-12", outcome: .finished)
    private static let abandoned = Reading(end: "2019", outcome: .abandoned)

    @Test(
        "two days, one, or none, and how the reading ended",
        arguments: [
            ("9 mar 2024 to 12 apr 2024", read, Reading(start: "2024-03-09", end: "2024-04-12", outcome: .finished)),
            ("2019 to 2020 abandoned", read, Reading(start: "2019", end: "2020", outcome: .abandoned)),
            ("2019 – 2020", abandoned, Reading(start: "2019", end: "2020", outcome: .abandoned)),
            ("2019 TO", read, Reading(start: "2019", outcome: .finished)), ("2019 to", open, Reading(start: "2019")),
            ("to 2020", read, Reading(end: "2020", outcome: .finished)),
            ("2020", read, Reading(end: "2020", outcome: .finished)), ("2020", open, Reading(start: "2020")),
            ("2019 to 2020", open, Reading(start: "2019", end: "2020", outcome: .finished)),
            ("read", open, Reading(outcome: .finished)), ("", read, Reading(outcome: .finished)),
            ("2020 read", abandoned, Reading(end: "2020", outcome: .finished)),
        ])
    func typed(text: String, reading: Reading, expected: Reading) throws {
        let input = try ReadingPeriodInput(text, of: reading, today: today)
        #expect(input.applied(to: reading) == expected)
    }

    @Test(
        "the text of a reading is read as the same",
        arguments: [
            open, read, abandoned, Reading(outcome: .finished), Reading(), Reading(outcome: .abandoned),
            Reading(start: "2019", outcome: .abandoned),
        ])
    func text(reading: Reading) throws {
        let text = ReadingPeriodInput.text(of: reading)
        #expect(try ReadingPeriodInput(text, of: reading, today: today).applied(to: reading) == reading, "\(text)")
    }

    @Test("a text that is not a day is refused") func refused() {
        #expect(throws: DayInput.Problem.notADay("soon")) {
            try ReadingPeriodInput("2019 to soon", of: Self.read, today: today)
        }
    }

    @Test("a corrected reading must fit the log, and changes the status only with its outcome") func correcting() throws
    {
        let log = ReadingLog(readings: [Reading(start: "2019", end: "2020", outcome: .finished), Self.open])
        let (status, new) = try log.correctingReading(
            at: 0, to: Reading(start: "2018", end: "2020", outcome: .finished), status: .toRead)
        #expect(status == .toRead && new.readings.map(\.start) == ["2018", "2026-03-09"])
        #expect(try log.correctingReading(at: 1, to: Self.read, status: .reading).status == .read)
        #expect(throws: ReadingEntry.Problem.isBeingRead(since: "2026-03-09")) {
            try log.correctingReading(at: 0, to: Reading(start: "2019"), status: .reading)
        }
        #expect(throws: ReadingEntry.Problem.endsBeforeStart(end: "2018", start: "2019")) {
            try log.correctingReading(at: 0, to: Reading(start: "2019", end: "2018", outcome: .finished), status: nil)
        }
    }
}
