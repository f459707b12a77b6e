internal import Books

/// What the reader has read in a year: the books, the best, the longest and the fastest of them.
public struct YearInReview: Hashable, Sendable {
    /// A reading with how fast it was.
    public struct Pace: Hashable, Sendable {
        /// The reading.
        public let reading: LoggedReading
        /// The number of days from the first to the last one, at least 1.
        public let dayCount: Int
        /// The number of pages a day.
        public let pagesPerDay: Double
    }

    /// An author with the number of finished readings.
    public struct CountedAuthor: Hashable, Sendable {
        /// The name.
        public let name: String
        /// The number of readings.
        public let count: Int
    }

    /// The year.
    public let year: Int
    /// The number of books to read in the year; nil if there was no goal.
    public let target: Int?
    /// The readings that were finished in the year, the earliest first.
    public let finished: [LoggedReading]
    /// The number of readings that were abandoned in the year.
    public let abandonedCount: Int
    /// The number of pages read in the year.
    public let pageCount: Double
    /// The number of finished readings of books whose page count is unknown.
    public let pagelessCount: Int
    /// The number of days on which something was read.
    public let dayCount: Int
    /// The twelve months.
    public let months: [ReadingCharts.Month]

    /// The number of books and authors in each list.
    public static let limit = 5

    /// Creates the review of a year.
    ///
    /// - Parameters:
    ///   - books: The books with readings.
    ///   - statistics: What was read and when, counted from the same readings.
    ///   - target: The number of books to read in the year, if there was a goal.
    public init(of year: Int, _ books: [LoggedBook], _ statistics: ReadingStatistics, target: Int?) {
        (self.year, self.target) = (year, target)
        let ended = books.latestReadings.reversed().filter { $0.reading.end?.hasPrefix("\(year)") == true }
        finished = ended.filter { $0.reading.outcome == .finished }
        abandonedCount = ended.count - finished.count
        pageCount = statistics.pages(inYear: year)
        pagelessCount = statistics.pagelessBooks(inYear: year)
        dayCount = statistics.readingDays(inYear: year)
        let first = CalendarMonth(year: year, month: 1)
        months = (0..<12).map { ReadingCharts.Month(first + $0, of: statistics) }
    }

    /// Whether nothing was read in the year.
    public var isEmpty: Bool { finished.isEmpty && abandonedCount == 0 && pageCount == 0 && dayCount == 0 }

    /// The books with the best ratings of the reader, of at least four stars; the best first.
    public var best: [LoggedReading] {
        func halfStars(_ reading: LoggedReading) -> Int { reading.book.rating?.halves ?? 0 }
        let rated = finished.filter { halfStars($0) >= 8 }.uniqueBooks
        return Array(rated.sortedStably { halfStars($0) > halfStars($1) }.prefix(Self.limit))
    }

    /// The reading of the book with the most pages.
    public var longest: LoggedReading? { byPages.last }

    /// The reading of the book with the fewest pages; nil if that is the longest, too.
    public var shortest: LoggedReading? { byPages.count > 1 ? byPages.first : nil }

    private var byPages: [LoggedReading] {
        finished.filter { ($0.book.pageCount ?? 0) > 0 }
            .sortedStably { ($0.book.pageCount ?? 0) < ($1.book.pageCount ?? 0) }
    }

    /// The reading with the most pages a day, of those whose first and last day and page count are known.
    public var fastest: Pace? { paces.last }

    /// The reading with the fewest pages a day; nil if that is the fastest, too.
    public var slowest: Pace? { paces.count > 1 ? paces.first : nil }

    private var paces: [Pace] { finished.compactMap(Pace.init).sortedStably { $0.pagesPerDay < $1.pagesPerDay } }

    /// The authors of several of the readings, those of most readings first.
    public var authors: [CountedAuthor] {
        var counts: [String: Int] = [:]
        for reading in finished { for name in Set(reading.book.authors) { counts[name, default: 0] += 1 } }
        let several = counts.filter { $0.value > 1 }.map { CountedAuthor(name: $0.key, count: $0.value) }
        let sorted = several.sorted { $0.count == $1.count ? $0.name < $1.name : $0.count > $1.count }
        return Array(sorted.prefix(Self.limit))
    }

    /// The sums of the year: "34 books, 11,203 pages, 210 days, 2 abandoned".
    public var summary: String {
        var parts = [
            ReadingCharts.booksAndPages(finished.count, pageCount, pageless: pagelessCount), dayCount.of("day"),
        ]
        if abandonedCount > 0 { parts.append("\(abandonedCount.grouped) abandoned") }
        return parts.joined(separator: ", ")
    }
}

extension YearInReview.Pace {
    /// Creates the pace of a reading; fails if its first or last day or the page count of its book is unknown.
    fileprivate init?(_ reading: LoggedReading) {
        guard let start = reading.reading.start.flatMap(CalendarDay.init),
            let end = reading.reading.end.flatMap(CalendarDay.init), start <= end,
            let pageCount = reading.book.pageCount, pageCount > 0
        else { return nil }
        let dayCount = end.number - start.number + 1
        self.init(reading: reading, dayCount: dayCount, pagesPerDay: Double(pageCount) / Double(dayCount))
    }
}

extension [LoggedReading] {
    /// The readings without further ones of the same book.
    fileprivate var uniqueBooks: [LoggedReading] {
        var seen: Set<LoggedBook.Place> = []
        return filter { seen.insert($0.book.place).inserted }
    }
}

extension Array {
    /// Returns the elements sorted; those that are alike keep their order.
    fileprivate func sortedStably(by isLess: (Element, Element) -> Bool) -> [Element] {
        enumerated().sorted { first, second in
            isLess(first.element, second.element)
                || !isLess(second.element, first.element) && first.offset < second.offset
        }
        .map(\.element)
    }
}
