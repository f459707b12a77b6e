internal import Testing

@testable import Books
@testable import Library

@Suite("Pages of a reading by day") struct ReadingStretchTests {
    private func days(_ first: String, _ last: String) throws -> ReadingStretch.Period {
        guard case .day(let first) = ReadingDate(first), case .day(let last) = ReadingDate(last) else {
            throw UnknownDay()
        }
        return .days(first...last)
    }
    private struct UnknownDay: Error {}

    private func finished(
        _ start: String?, _ end: String?, _ progress: [(ReadingProgress.Place, String)] = []
    ) -> Reading {
        Reading(
            start: start, end: end, outcome: .finished, progress: progress.map { ReadingProgress($0.0, on: $0.1) })
    }

    @Test("a book is read from the day of the start to that of the end")
    func whole() throws {
        #expect(
            try finished("2026-01-29", "2026-02-02").stretches(ofPages: 50)
                == [.init(pages: 50, period: days("2026-01-29", "2026-02-02"))])
    }

    @Test("each progress ends a stretch; the next one begins on the day after it")
    func progress() throws {
        let reading = finished("2026-03-01", "2026-03-10", [(.page(100), "2026-03-04"), (.percent(50), "2026-03-06")])
        #expect(
            try reading.stretches(ofPages: 280) == [
                .init(pages: 100, period: days("2026-03-01", "2026-03-04")),
                .init(pages: 40, period: days("2026-03-05", "2026-03-06")),
                .init(pages: 140, period: days("2026-03-07", "2026-03-10")),
            ])
    }

    @Test("without a start, the pages up to the first point belong to its day")
    func unknownStart() throws {
        let reading = finished(nil, "2026-05-05", [(.percent(60), "2026-05-01")])
        #expect(
            try reading.stretches(ofPages: 200) == [
                .init(pages: 120, period: days("2026-05-01", "2026-05-01")),
                .init(pages: 80, period: days("2026-05-02", "2026-05-05")),
            ])
    }

    @Test("two points of one day are of that day")
    func sameDay() throws {
        let reading = finished("2026-05-05", "2026-05-05", [(.page(30), "2026-05-05")])
        let day = try days("2026-05-05", "2026-05-05")
        #expect(
            reading.stretches(ofPages: 100) == [.init(pages: 30, period: day), .init(pages: 70, period: day)])
    }

    @Test("a partial day gives the month or the year, whichever both points have at least")
    func partial() {
        let march = CalendarMonth(year: 2026, month: 3)
        func period(_ start: String, _ end: String) -> ReadingStretch.Period? {
            finished(start, end).stretches(ofPages: 10).first?.period
        }
        #expect(period("2026-03", "2026-03-20") == .month(march))
        #expect(period("2026-02-01", "2026-03") == .month(march))
        #expect(period("2026-02", "2026-03-20") == .month(march))
        #expect(period("2025", "2026-03-20") == .year(2026))
        #expect(period("2025", "2026-03") == .year(2026))
        #expect(period("2026-02-01", "2026") == .year(2026))
        #expect(finished("2026-02-01", nil).stretches(ofPages: 10) == [.init(pages: 10, period: .unknown)])
    }

    @Test("without page counts only progress by pages is counted")
    func unknownPages() throws {
        let reading = finished("2026-06-02", "2026-06-09", [(.page(40), "2026-06-03"), (.percent(50), "2026-06-05")])
        #expect(
            try reading.stretches(ofPages: nil) == [.init(pages: 40, period: days("2026-06-02", "2026-06-03"))])
        #expect(reading.certainDays.map { $0.text } == ["2026-06-03", "2026-06-05", "2026-06-09"])
    }

    @Test("a book that was abandoned was read as far as its progress says")
    func abandoned() throws {
        let reading = Reading(
            start: "2026-07-01", end: "2026-07-20", outcome: .abandoned,
            progress: [ReadingProgress(.page(50), on: "2026-07-05")])
        #expect(
            try reading.stretches(ofPages: 400) == [.init(pages: 50, period: days("2026-07-01", "2026-07-05"))])
        #expect(reading.certainDays.map { $0.text } == ["2026-07-05"])
    }

    @Test("progress beyond a later point was a mistake")
    func mistakes() throws {
        let reading = Reading(
            progress: [ReadingProgress(.page(180), on: "2026-07-01"), ReadingProgress(.page(90), on: "2026-07-02")])
        #expect(
            try reading.stretches(ofPages: 400) == [.init(pages: 90, period: days("2026-07-02", "2026-07-02"))])
        // Another edition has more pages.
        let beyond = finished("2026-07-01", "2026-07-04", [(.page(500), "2026-07-02")])
        #expect(
            try beyond.stretches(ofPages: 400) == [.init(pages: 400, period: days("2026-07-01", "2026-07-04"))])
    }

    @Test("progress before the start or after the end is no point")
    func outside() throws {
        let reading = finished("2026-07-10", "2026-07-12", [(.page(5), "2026-07-01"), (.page(20), "2026-07-20")])
        #expect(
            try reading.stretches(ofPages: 30) == [.init(pages: 30, period: days("2026-07-10", "2026-07-12"))])
    }
}
