internal import JSON
internal import TestSupport
internal import Testing

@testable import Books

@Suite("Reading log") struct ReadingLogTests {
    private var log = ReadingLog()
    private var status: Book.ReadingStatus?

    /// Sets the status as of a day, as a reader does, with or without typing the day.
    private mutating func set(_ new: Book.ReadingStatus?, _ day: String, typed: Bool = false) {
        status = log.set(new, after: status, on: day, isGiven: typed)
    }

    @Test("a book that is begun and finished was read once") mutating func oneReading() {
        set(.toRead, "2026-02-02")
        set(.reading, "2026-03-09")
        set(.read, "2026-04-01")
        #expect(log.toRead == "2026-02-02")
        #expect(log.readings == [Reading(start: "2026-03-09", end: "2026-04-01", outcome: .finished)])
    }

    @Test("reading it again begins a new reading") mutating func again() {
        set(.read, "2019-05-01")
        set(.reading, "2026-03-09")
        #expect(status == .reading && log.current == Reading(start: "2026-03-09"))
        set(.read, "2026-04-01")
        #expect(log.finishedCount == 2)
        #expect(log.lastFinished == Reading(start: "2026-03-09", end: "2026-04-01", outcome: .finished))
    }

    @Test("a book put aside goes on where it was begun") mutating func aside() {
        set(.reading, "2026-03-09")
        set(.toRead, "2026-03-20")
        set(.reading, "2026-05-01")
        #expect(log.readings == [Reading(start: "2026-03-09")])
    }

    @Test("the same status again changes nothing but a day that is typed") mutating func sameStatus() {
        set(.read, "2026-04-01")
        set(.read, "2026-04-05")
        #expect(log.readings == [Reading(end: "2026-04-01", outcome: .finished)])
        set(.read, "2026-03", typed: true)
        #expect(log.readings == [Reading(end: "2026-03", outcome: .finished)])
        set(.reading, "2026-06-01")
        set(.reading, "2026-05-30", typed: true)
        #expect(log.current == Reading(start: "2026-05-30"))
    }

    @Test("an end before the open reading is of an earlier reading") mutating func earlierReading() {
        set(.reading, "2026-03-09")
        set(.read, "2019", typed: true)
        #expect(status == .reading)
        #expect(log.readings == [Reading(end: "2019", outcome: .finished), Reading(start: "2026-03-09")])
    }

    @Test("an end that is corrected to a day before the start makes the start unknown") mutating func correctedEnd() {
        set(.reading, "2026-03-09")
        set(.read, "2026-04-01")
        set(.read, "2026-01-01", typed: true)
        #expect(log.readings == [Reading(end: "2026-01-01", outcome: .finished)])
    }

    @Test("clearing the status removes what it is about and leaves earlier readings") mutating func cleared() {
        set(.read, "2019-05-01")
        set(.reading, "2026-03-09")
        set(nil, "2026-03-10")
        #expect(status == nil && log.readings == [Reading(end: "2019-05-01", outcome: .finished)])
        set(.abandoned, "2026-05-01")
        set(nil, "2026-05-01")
        #expect(log.finishedCount == 1 && log.readings.count == 1)
    }

    @Test("progress is kept by day, in a reading that begins if there is none") mutating func progress() {
        log.set(ReadingProgress(.page(20), on: "2026-03-09"))
        log.set(ReadingProgress(.percent(50), on: "2026-03-12"))
        log.set(ReadingProgress(.page(40), on: "2026-03-09"))
        #expect(
            log.current?.progress == [
                ReadingProgress(.page(40), on: "2026-03-09"), ReadingProgress(.percent(50), on: "2026-03-12"),
            ])
        #expect(log.current?.start == nil)
    }

    @Test("a year is not after a month of it") func partialDays() {
        #expect(!ReadingLog.isDay("2024", after: "2024-03") && !ReadingLog.isDay("2024-03", after: "2024"))
        #expect(ReadingLog.isDay("2024-04", after: "2024-03-31") && !ReadingLog.isDay("2023", after: "2024-03"))
    }

    // MARK: - The days of early versions

    @Test(
        "the most recent day of each status becomes the start or the end of a reading",
        arguments: [
            ([.reading: "2026-01-01"], .reading, [Reading(start: "2026-01-01")]),
            ([.read: "2026-01-01"], .read, [Reading(end: "2026-01-01", outcome: .finished)]),
            (
                [.reading: "2026-01-01", .read: "2026-02-01"], .read,
                [Reading(start: "2026-01-01", end: "2026-02-01", outcome: .finished)]
            ),
            (
                [.reading: "2026-03-01", .read: "2026-02-01"], .reading,
                [Reading(end: "2026-02-01", outcome: .finished), Reading(start: "2026-03-01")]
            ),
            ([:], .read, [Reading(outcome: .finished)]),
            ([:], .reading, [Reading()]),
            ([.toRead: "2026-01-01"], .toRead, []),
        ] as [([Book.ReadingStatus: String], Book.ReadingStatus?, [Reading])])
    func earlyDays(dates: [Book.ReadingStatus: String], status: Book.ReadingStatus?, readings: [Reading]) {
        #expect(ReadingLog(statusDates: dates, status: status).readings == readings)
    }

    @Test("no day of early versions is lost, whatever the days are", arguments: 0..<500)
    func nothingIsLost(seed: UInt64) {
        var random = SplitMix(seed: seed)
        var dates: [Book.ReadingStatus: String] = [:]
        for status in Book.ReadingStatus.allCases where Bool.random(using: &random) {
            dates[status] =
                ["2024", "2024-03", "2024-03-05", "2025-01-01", "2025-01"].randomElement(using: &random)
        }
        let status = (Book.ReadingStatus.allCases + [nil]).randomElement(using: &random) ?? nil
        let log = ReadingLog(statusDates: dates, status: status)
        #expect(log.statusDates == dates)
        #expect(log.readings.count(where: \.isOpen) <= 1)
        #expect((status == .reading) == (log.current != nil) || dates[.reading] != nil)
        #expect(log.json(with: status) == nil)
    }

    // MARK: - Two logs of one book

    @Test("readings that both logs have are one, as exactly as either knows it") func merged() {
        var log = ReadingLog(readings: [
            Reading(start: "2024-03-01", end: "2024-03-20", outcome: .finished),
            Reading(end: "2020", outcome: .finished),
        ])
        log.merge(
            ReadingLog(
                toRead: "2019-01-01",
                readings: [
                    Reading(end: "2024-03", outcome: .finished), Reading(end: "2020-07-01", outcome: .finished),
                    Reading(start: "2026-01-01"),
                ]))
        #expect(
            log.readings == [
                Reading(end: "2020-07-01", outcome: .finished),
                Reading(start: "2024-03-01", end: "2024-03-20", outcome: .finished), Reading(start: "2026-01-01"),
            ])
        #expect(log.toRead == "2019-01-01")
    }

    @Test("two open readings are one that began at the earlier day") func mergedOpen() {
        var log = ReadingLog(readings: [
            Reading(start: "2026-03-09", progress: [ReadingProgress(.page(20), on: "2026-03-10")])
        ])
        log.merge(
            ReadingLog(readings: [
                Reading(start: "2026-03-01", progress: [ReadingProgress(.page(50), on: "2026-03-11")])
            ]))
        #expect(
            log.readings == [
                Reading(
                    start: "2026-03-01",
                    progress: [
                        ReadingProgress(.page(20), on: "2026-03-10"), ReadingProgress(.page(50), on: "2026-03-11"),
                    ])
            ])
    }

    @Test("merging twice adds nothing, and the order of logs does not matter", arguments: 0..<300)
    func mergeIsStable(seed: UInt64) {
        var random = SplitMix(seed: seed)
        func log() -> ReadingLog {
            var days = Array(1...28).shuffled(using: &random).prefix(6).sorted().map { String(format($0)) }
            var readings: [Reading] = []
            while days.count > 1, Bool.random(using: &random) {
                readings.append(Reading(start: days.removeFirst(), end: days.removeFirst(), outcome: .finished))
            }
            if let day = days.first, Bool.random(using: &random) { readings.append(Reading(start: day)) }
            return ReadingLog(readings: readings)
        }
        func format(_ day: Int) -> String { "2026-0\(1 + Int(seed % 9))-" + (day < 10 ? "0\(day)" : "\(day)") }
        let (first, second) = (log(), log())
        var both = first
        both.merge(second)
        var again = both
        again.merge(second)
        again.merge(first)
        #expect(again == both)
        var other = second
        other.merge(first)
        #expect(Set(other.readings) == Set(both.readings))
    }

    @Test("a reading of unknown days stands for any that ended in the same way, each for one") func mergedUnknown() {
        let dated = Reading(start: "2024-03-01", end: "2024-03-20", outcome: .finished)
        let unknown = Reading(outcome: .finished)
        var log = ReadingLog(readings: [dated])
        log.merge(ReadingLog(readings: [unknown]))
        #expect(log.readings == [dated])
        log.merge(ReadingLog(readings: [unknown, unknown, Reading(end: "2024-03", outcome: .finished)]))
        #expect(log.readings == [unknown, unknown, dated])
        log.merge(ReadingLog(readings: [Reading(outcome: .abandoned)]))
        #expect(log.readings == [Reading(outcome: .abandoned), unknown, unknown, dated])
        log.merge(ReadingLog(readings: [Reading(end: "2020", outcome: .finished)]))
        #expect(log.readings.count == 4 && log.finishedCount == 3)
        #expect(log.readings.contains(Reading(end: "2020", outcome: .finished)))
    }

    @Test("merged days to read are the later one, and the more exact one of the same")
    func mergedToRead() {
        func merged(_ first: String?, _ second: String?) -> String? {
            var log = ReadingLog(toRead: first, readings: [])
            log.merge(ReadingLog(toRead: second, readings: []))
            return log.toRead
        }
        for (first, second, expected) in [
            ("2024-01-02", "2025-01-02", "2025-01-02"), ("2024", "2024-05", "2024-05"), ("2024", "2023-05", "2024"),
        ] {
            #expect(merged(first, second) == expected && merged(second, first) == expected)
        }
        #expect(merged(nil, "2024") == "2024" && merged("2024", nil) == "2024")
    }

    @Test("a log that replaces another one keeps what only the other knows of the same readings") func replaced() {
        let step = ReadingProgress(.page(20), on: "2024-03-10")
        var log = ReadingLog(
            toRead: "2019",
            readings: [
                Reading(start: "2024-03-01", end: "2024-03-20", outcome: .finished, progress: [step]),
                Reading(start: "2025-01-01", end: "2025-01-03", outcome: .finished),
            ])
        log.replace(with: ReadingLog(readings: [Reading(outcome: .finished)]))
        #expect(log.finishedCount == 2)
        log.replace(
            with: ReadingLog(readings: [Reading(end: "2024-03-20", outcome: .finished), Reading(start: "2026")]))
        #expect(log.toRead == "2019")
        #expect(
            log.readings == [
                Reading(start: "2024-03-01", end: "2024-03-20", outcome: .finished, progress: [step]),
                Reading(start: "2026"),
            ])
    }

    @Test("a reading of unknown days that was added is kept beside others") func addedUnknown() {
        let dated = Reading(end: "2019", outcome: .finished)
        let unknown = Reading(outcome: .finished)
        let other = ReadingLog(readings: [dated, Reading(end: "2020", outcome: .finished)])
        let log = other.applying(
            changesFrom: ReadingLog(readings: [dated]), to: ReadingLog(readings: [dated, unknown]))
        #expect(log.finishedCount == 3)
        let twice = ReadingLog(readings: [unknown, dated])
            .applying(changesFrom: ReadingLog(readings: [unknown]), to: ReadingLog(readings: [unknown, unknown]))
        #expect(twice.finishedCount == 3)
    }

    // MARK: - The stored form

    @Test("readings are stored as they are") func stored() throws {
        let readings = [
            Reading(start: "2024-03-01", end: "2024-03-20", outcome: .abandoned),
            Reading(
                start: "2026",
                progress: [
                    ReadingProgress(.page(20), on: "2026-03-10"), ReadingProgress(.percent(0), on: "2026-03-11"),
                ]),
        ]
        let text =
            #"[{"end":"2024-03-20","outcome":"abandoned","start":"2024-03-01"},"#
            + #"{"progress":[{"day":"2026-03-10","page":20},{"day":"2026-03-11","percent":0}],"start":"2026"}]"#
        var bytes: [UInt8] = []
        readings.json.write(to: &bytes)
        #expect(String(decoding: bytes, as: UTF8.self) == text)
        #expect([Reading](json: try #require(JSONValue(parsing: Array(text.utf8)))) == readings)
    }

    @Test(
        "a damaged reading is not read",
        arguments: [
            "1", "{}", #"[{"outcome":"lost"}]"#, #"[{"progress":[{"page":1}]}]"#,
            #"[{"progress":[{"day":"2026-01-01","percent":101}]}]"#, "[1]",
        ])
    func damaged(text: String) throws {
        #expect([Reading](json: try #require(JSONValue(parsing: Array(text.utf8)))) == nil)
    }
}
