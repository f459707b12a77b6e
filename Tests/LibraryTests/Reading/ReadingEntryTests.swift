import Testing

@testable import Books
@testable import Library

@Suite("Reading log: what a reader enters at once") struct ReadingEntryTests {
    private let first = Reading(start: "2019-05-01", end: "2019-06-02", outcome: .finished)
    private let open = Reading(start: "2026-03-09")
    private let step = ReadingProgress(.page(180), on: "2026-03-12")

    private func entry(
        toRead: String? = nil, start: String? = nil, finished: String? = nil, abandoned: String? = nil,
        progress: ReadingProgress? = nil, again: Bool = false
    ) -> ReadingEntry {
        var entry = ReadingEntry()
        (entry.toRead, entry.start, entry.progress, entry.isAgain) = (toRead, start, progress, again)
        if finished != nil { (entry.outcome, entry.end) = (.finished, finished) }
        if abandoned != nil { (entry.outcome, entry.end) = (.abandoned, abandoned) }
        return entry
    }

    /// Enters `entry` into a log of readings, and checks the result.
    private func check(
        _ entry: ReadingEntry, in readings: [Reading], _ status: Book.ReadingStatus?, toRead: String? = nil,
        gives expected: [Reading], _ newStatus: Book.ReadingStatus?, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let (found, log) = try entry.entered(in: ReadingLog(toRead: toRead, readings: readings), status: status)
        #expect(log.readings == expected, sourceLocation: sourceLocation)
        #expect(found == newStatus, sourceLocation: sourceLocation)
    }

    @Test("a book without readings gets one") func new() throws {
        try check(entry(start: "2026-03-09"), in: [], nil, gives: [open], .reading)
        try check(entry(start: "2019-05-01", finished: "2019-06-02"), in: [], .toRead, gives: [first], .read)
        try check(entry(finished: "2024"), in: [], nil, gives: [Reading(end: "2024", outcome: .finished)], .read)
        try check(entry(progress: step), in: [], nil, gives: [Reading(progress: [step])], .reading)
    }

    @Test("the reading that lasts is continued, corrected and ended") func current() throws {
        try check(
            entry(start: "2026-03-01"), in: [first, open], .reading, gives: [first, Reading(start: "2026-03-01")],
            .reading)
        try check(
            entry(progress: step), in: [open], .reading, gives: [Reading(start: "2026-03-09", progress: [step])],
            .reading)
        try check(
            entry(finished: "2026-03-21", progress: step), in: [open], .reading,
            gives: [Reading(start: "2026-03-09", end: "2026-03-21", outcome: .finished, progress: [step])], .read)
        try check(
            entry(abandoned: "2026-03"), in: [first, open], .reading,
            gives: [first, Reading(start: "2026-03-09", end: "2026-03", outcome: .abandoned)], .abandoned)
    }

    @Test("a reading before the one that lasts is another one") func earlier() throws {
        try check(
            entry(start: "2019-05-01", finished: "2019-06-02"), in: [open], .reading, gives: [first, open], .reading)
        try check(
            entry(finished: "2020", again: true), in: [open], .reading,
            gives: [Reading(end: "2020", outcome: .finished), open], .reading)
    }

    @Test("the days of a book that is read are corrected") func corrected() throws {
        try check(
            entry(finished: "2019-06-05"), in: [first], .read,
            gives: [Reading(start: "2019-05-01", end: "2019-06-05", outcome: .finished)], .read)
        try check(
            entry(start: "2019-04"), in: [first], .read,
            gives: [Reading(start: "2019-04", end: "2019-06-02", outcome: .finished)], .read)
    }

    @Test("a further reading of a book that is read is entered as one") func again() throws {
        try check(entry(start: "2026-03-09", again: true), in: [first], .read, gives: [first, open], .reading)
        try check(
            entry(start: "2015", finished: "2016", again: true), in: [first], .abandoned,
            gives: [Reading(start: "2015", end: "2016", outcome: .finished), first], .abandoned)
        try check(
            entry(finished: "2021", again: true), in: [first], .toRead, toRead: "2026",
            gives: [first, Reading(end: "2021", outcome: .finished)], .toRead)
        try check(entry(start: "2026-03-09"), in: [first], .toRead, gives: [first, open], .reading)
        try check(
            entry(finished: "2021"), in: [Reading(end: "2020", outcome: .abandoned)], .abandoned,
            gives: [Reading(end: "2020", outcome: .abandoned), Reading(end: "2021", outcome: .finished)], .read)
    }

    @Test("the day on which a book became one to read is entered alone or with a reading") func toRead() throws {
        let alone = try entry(toRead: "2026-02-02").entered(in: ReadingLog(readings: [first]), status: .read)
        #expect(alone.status == .toRead && alone.log == ReadingLog(toRead: "2026-02-02", readings: [first]))
        let both = try entry(toRead: "2026-02-02", start: "2026-03-09").entered(in: ReadingLog(), status: nil)
        #expect(both.status == .reading && both.log == ReadingLog(toRead: "2026-02-02", readings: [open]))
    }

    @Test("what does not fit the log is refused") func refused() {
        func problem(_ entry: ReadingEntry, _ readings: [Reading], _ status: Book.ReadingStatus?) -> ReadingEntry
            .Problem?
        {
            do {
                _ = try entry.entered(in: ReadingLog(readings: readings), status: status)
                return nil
            } catch {
                return error
            }
        }
        #expect(
            problem(entry(start: "2024-05", finished: "2024-04-30"), [], nil)
                == .endsBeforeStart(end: "2024-04-30", start: "2024-05"))
        #expect(
            problem(entry(finished: "2019-04-30"), [first], .read)
                == .endsBeforeStart(end: "2019-04-30", start: "2019-05-01"))
        #expect(problem(entry(start: "2026-03-09"), [first], .read) == .hasEnded(first))
        #expect(problem(entry(progress: step), [first], .read) == .hasEnded(first))
        #expect(problem(entry(start: "2026-04-01", again: true), [open], .reading) == .isBeingRead(since: "2026-03-09"))
    }

    @Test(
        "the status follows from the rest after a reading is removed",
        arguments: [(0, nil, Book.ReadingStatus.reading), (1, nil, .read), (1, "2018", .read)]
            as [(Int, String?, Book.ReadingStatus)])
    func removed(index: Int, toRead: String?, status: Book.ReadingStatus) {
        var log = ReadingLog(toRead: toRead, readings: [first, open])
        #expect(log.remove(at: index, status: .reading) == status)
        #expect(log.readings == [[first, open][1 - index]])
        #expect(log.remove(at: 0, status: status) == (toRead == nil ? nil : .toRead))
    }
}
