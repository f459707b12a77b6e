internal import TerminalTesting
internal import Testing

@testable import Books
@testable import Browser
@testable import Library

@Suite("The line of this year's books") struct ReadingYearLineTests {
    /// Creates the line of the first months of 2026, with this number of books in each.
    private func line(_ counts: [Int], target: Int? = 30) throws -> ReadingYearLine? {
        var statistics = ReadingStatistics(
            today: try #require(CalendarDay(year: 2026, month: counts.count, day: 25)))
        for (index, count) in counts.enumerated() {
            for _ in 0..<count {
                statistics.add(
                    ReadingLog(readings: [Reading(end: "2026-0\(index + 1)-10", outcome: .finished)]),
                    pageCount: nil, status: .read)
            }
        }
        statistics.finish()
        return ReadingYearLine(statistics, target: target)
    }

    @Test("it has a block for each month up to this one")
    func months() throws {
        // Of the greatest number, 7: 2 are 2.3 eighths, 5 are 5.7, 3 are 3.4.
        let line = try #require(try line([2, 5, 7, 3, 0]))
        #expect(line.text(width: 80) == "THIS YEAR  17 of 30 read   Jan ▂ Feb ▆ Mar █ Apr ▃ May ·")
    }

    @Test("it becomes shorter in narrow windows")
    func widths() throws {
        let line = try #require(try line([2, 5, 7, 3]))
        #expect(line.text(width: 50) == "THIS YEAR  17 of 30 read   Jan ▂ Feb ▆ Mar █ Apr ▃")
        #expect(line.text(width: 49) == "THIS YEAR  17 of 30 read   Jan ▂▆█▃ Apr")
        #expect(line.text(width: 39) == "THIS YEAR  17 of 30 read   Jan ▂▆█▃ Apr")
        #expect(line.text(width: 38) == "THIS YEAR  17 of 30 read")
        #expect(line.text(width: 23) == "17 of 30 read")
        #expect(line.text(width: 12) == "")
    }

    @Test("it stands below the preview of each list, as long as there is room")
    func preview() throws {
        let user = try ReadersYear.user()
        func text(_ keys: String, columns: Int) throws -> String {
            try user.browse(keys, columns: columns, rows: 30, resumes: false).text
        }
        #expect(try text("L g g", columns: 120).contains("THIS YEAR  8 of 12 read   Jan ███·█████·· Nov"))
        #expect(try text("L g g j j", columns: 120).contains("THIS YEAR  8 of 12 read   Jan ███·█████·· Nov"))
        user.settings.readingGoal = nil
        #expect(try text("L g g", columns: 120).contains("THIS YEAR  8 books read   Jan"))
        #expect(!(try User(bookCount: 3).browse("L", columns: 120, rows: 30).text.contains("THIS YEAR")))
    }

    @Test("without a goal it counts the books")
    func noGoal() throws {
        #expect(try line([1], target: nil)?.text(width: 80) == "THIS YEAR  1 book read   Jan █")
        #expect(try line([1], target: nil)?.text(width: 25) == "THIS YEAR  1 book read")
        #expect(try line([0, 0], target: nil) == nil)
        #expect(try line([0, 0])?.text(width: 80) == "THIS YEAR  0 of 30 read   Jan · Feb ·")
    }
}
