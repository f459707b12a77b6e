public import Books

/// What was read and when, counted from the reading logs of books.
public struct ReadingStatistics: Hashable, Sendable {
    /// The day that counts as today.
    public let today: CalendarDay
    /// The number of finished readings; a book that was read twice counts twice.
    public private(set) var finishedCount = 0
    /// The number of finished readings of which not even the year is known.
    public private(set) var undatedCount = 0
    /// The number of finished readings of books whose page count is unknown.
    public private(set) var pagelessCount = 0
    /// The number of books that are being read.
    public private(set) var openCount = 0
    /// The number of pages of all readings, also of those whose time is unknown.
    public private(set) var pageCount = 0.0

    /// A number of finished readings.
    private struct FinishedCount: Hashable {
        /// The number of all.
        var books = 0
        /// The number of those of books whose page count is unknown.
        var pageless = 0
    }

    private var finishedByMonth: [CalendarMonth: FinishedCount] = [:]
    /// The finished readings of which only the year is known.
    private var finishedByYearAlone: [Int: FinishedCount] = [:]
    private var pagesByMonthAlone: [CalendarMonth: Double] = [:]
    private var pagesByYearAlone: [Int: Double] = [:]
    private var days: ReadingDays

    /// Counts nothing yet.
    public init(today: CalendarDay) {
        self.today = today
        days = ReadingDays(upTo: CalendarMonth(year: today.year + 1, month: 12).firstDay + 30)
    }

    /// Counts the readings of a book with this number of pages. The days are complete after `finish()`.
    ///
    /// - Parameter status: The reader's status of the book. A reading can stay open while the book waits to be read.
    public mutating func add(_ log: ReadingLog, pageCount: Int?, status: Book.ReadingStatus?) {
        if status == .reading && log.current != nil { openCount += 1 }
        for reading in log.readings {
            if reading.outcome == .finished {
                addBook(reading.end.flatMap(ReadingDate.init), isPageless: (pageCount ?? 0) <= 0)
            }
            for stretch in reading.stretches(ofPages: pageCount) { add(stretch) }
            for day in reading.certainDays { days.add(0, on: day...day) }
        }
    }

    /// Computes the days after the last book was added.
    public mutating func finish() { days.finish() }

    private mutating func addBook(_ end: ReadingDate?, isPageless: Bool) {
        finishedCount += 1
        if isPageless { pagelessCount += 1 }
        if let month = end?.month {
            finishedByMonth[month, default: FinishedCount()].books += 1
            if isPageless { finishedByMonth[month]?.pageless += 1 }
        } else if let year = end?.year {
            finishedByYearAlone[year, default: FinishedCount()].books += 1
            if isPageless { finishedByYearAlone[year]?.pageless += 1 }
        } else {
            undatedCount += 1
        }
    }

    private mutating func add(_ stretch: ReadingStretch) {
        pageCount += stretch.pages
        switch stretch.period {
        case .days(let range): if stretch.pages > 0 { days.add(stretch.pages, on: range) }
        case .month(let month): pagesByMonthAlone[month, default: 0] += stretch.pages
        case .year(let year): pagesByYearAlone[year, default: 0] += stretch.pages
        case .unknown: break
        }
    }

    // MARK: - Results

    /// Whether there are no readings.
    public var isEmpty: Bool { finishedCount == 0 && openCount == 0 && pageCount == 0 && days.isEmpty }

    /// Returns the number of readings that were finished in a month.
    public func books(in month: CalendarMonth) -> Int { finishedByMonth[month]?.books ?? 0 }

    /// Returns the number of readings that were finished in a month, of books whose page count is unknown.
    public func pagelessBooks(in month: CalendarMonth) -> Int { finishedByMonth[month]?.pageless ?? 0 }

    /// Returns the number of readings that were finished in a year, also those of which only the year is known.
    public func books(inYear year: Int) -> Int {
        months(ofYear: year).reduce(finishedByYearAlone[year]?.books ?? 0) { $0 + books(in: $1) }
    }

    /// Returns the number of readings that were finished in a year, of books whose page count is unknown.
    public func pagelessBooks(inYear year: Int) -> Int {
        months(ofYear: year).reduce(finishedByYearAlone[year]?.pageless ?? 0) { $0 + pagelessBooks(in: $1) }
    }

    /// Returns the number of pages that were read on a day, as far as it is known.
    public func pages(on day: CalendarDay) -> Double { days.pages(on: day) }

    /// Returns whether the reader read on a day, even if the number of pages is unknown.
    public func isReadingDay(_ day: CalendarDay) -> Bool { days.isReadingDay(day) }

    /// Returns the number of pages of a month: those of its days, and those of which only the month is known.
    public func pages(in month: CalendarMonth) -> Double {
        Self.tidy(
            Self.days(of: month).reduce(pagesByMonthAlone[month] ?? 0) {
                $0 + days.pages(on: CalendarDay(number: $1))
            })
    }

    /// Returns the number of pages of a year: those of its months, and those of which only the year is known.
    public func pages(inYear year: Int) -> Double {
        months(ofYear: year).reduce(pagesByYearAlone[year] ?? 0) { $0 + pages(in: $1) }
    }

    /// Returns a sum without the rounding errors of its terms: half a page must not become less than half.
    private static func tidy(_ pages: Double) -> Double { (pages * 1_000_000).rounded() / 1_000_000 }

    /// Returns the number of days in a month on which the reader read.
    public func readingDays(in month: CalendarMonth) -> Int {
        Self.days(of: month).count { days.isReadingDay(CalendarDay(number: $0)) }
    }

    /// Returns the number of days in a year on which the reader read.
    public func readingDays(inYear year: Int) -> Int { months(ofYear: year).reduce(0) { $0 + readingDays(in: $1) } }

    /// All months in which something was read, ascending.
    public var months: [CalendarMonth] {
        var months = Set(finishedByMonth.keys).union(pagesByMonthAlone.keys)
        for range in days.ranges {
            for number in range.lowerBound.month.number...range.upperBound.month.number {
                let month = CalendarMonth(number: number)
                if readingDays(in: month) > 0 { months.insert(month) }
            }
        }
        return months.sorted()
    }

    /// All years in which something was read, ascending.
    public var years: [Int] {
        Set(months.map(\.year)).union(finishedByYearAlone.keys).union(pagesByYearAlone.keys).sorted()
    }

    private func months(ofYear year: Int) -> [CalendarMonth] { (1...12).map { CalendarMonth(year: year, month: $0) } }

    /// Returns the numbers of the days of a month.
    private static func days(of month: CalendarMonth) -> Range<Int> {
        month.firstDay.number..<(month + 1).firstDay.number
    }
}
