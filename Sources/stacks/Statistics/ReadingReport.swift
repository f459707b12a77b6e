internal import JSON
internal import Library

/// The JSON output of the reader's statistics, whose members are never removed or renamed.
struct ReadingReport {
    private let statistics: ReadingStatistics
    private let goal: ReadingGoal?

    /// Creates the report on `statistics`.
    ///
    /// - Parameter goal: The number of books to read in a year, if the reader has set one.
    init(_ statistics: ReadingStatistics, goal: Int?) {
        self.statistics = statistics
        self.goal = goal.map(statistics.goal)
    }

    /// The report as a JSON object.
    var value: JSONValue {
        jsonObject([
            "today": .string(statistics.today.text), "books": number(statistics.finishedCount),
            "withoutDate": number(statistics.undatedCount), "withoutPageCount": number(statistics.pagelessCount),
            "beingRead": number(statistics.openCount), "pages": decimal(statistics.pageCount), "goal": goalValue,
            "years": .array(statistics.years.map(year)), "months": .array(statistics.months.map(month)),
            "calendar": calendar,
        ])
    }

    private var goalValue: JSONValue {
        guard let goal else { return .null }
        return jsonObject([
            "year": number(goal.year), "books": number(goal.target), "read": number(goal.read),
            "expected": decimal(goal.expected), "ahead": number(goal.ahead), "forecast": number(goal.forecast),
        ])
    }

    private func year(_ year: Int) -> JSONValue {
        jsonObject([
            "year": number(year), "books": number(statistics.books(inYear: year)),
            "withoutPageCount": number(statistics.pagelessBooks(inYear: year)),
            "pages": decimal(statistics.pages(inYear: year)), "days": number(statistics.readingDays(inYear: year)),
        ])
    }

    private func month(_ month: CalendarMonth) -> JSONValue {
        jsonObject([
            "month": .string(month.text), "books": number(statistics.books(in: month)),
            "pages": decimal(statistics.pages(in: month)), "days": number(statistics.readingDays(in: month)),
        ])
    }

    private var calendar: JSONValue {
        let calendar = ReadingCalendar(statistics)
        let days = calendar.readingDays.map { day in
            jsonObject([
                "day": .string(day.text), "pages": decimal(calendar.pages(on: day)),
                "level": number(calendar.level(of: day)),
            ])
        }
        return jsonObject([
            "from": .string(calendar.first.text), "to": .string(calendar.last.text),
            "levels": .array(calendar.bounds.map(number)), "days": .array(days),
        ])
    }

    private func number(_ number: Int?) -> JSONValue { number.map { .number(String($0)) } ?? .null }

    /// Returns a number with at most two decimal places.
    private func decimal(_ number: Double) -> JSONValue {
        let hundredths = Int((number * 100).rounded())
        return .number(
            hundredths % 100 == 0 ? String(hundredths / 100) : String(Double(hundredths) / 100))
    }
}
