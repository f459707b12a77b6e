public import Books

/// The pages that were read between two known points of a reading, and when.
public struct ReadingStretch: Hashable, Sendable {
    /// The time of a stretch as far as it is known.
    public enum Period: Hashable, Sendable {
        /// Evenly over these days, both included.
        case days(ClosedRange<CalendarDay>)
        /// In this month.
        case month(CalendarMonth)
        /// In this year.
        case year(Int)
        case unknown
    }

    /// The number of pages, at least 0.
    public var pages: Double
    /// The time.
    public var period: Period

    /// Creates a stretch.
    public init(pages: Double, period: Period) { (self.pages, self.period) = (pages, period) }
}

extension Reading {
    /// Returns the stretches of the reading in a book with this number of pages, in order.
    ///
    /// The points are the start at page 0, each progress and, of a finished reading, the end at the last page. The
    /// first stretch includes the day of the start, the others begin on the day after their first point. Without a
    /// known start, the pages up to the first point belong to that point's day. If only the month or year of one of the
    /// two points is known, the pages belong to the month or year of the second one.
    ///
    /// Progress without a number of pages is no point, nor is one from before the start or after the end. Progress
    /// beyond a later point was a mistake.
    public func stretches(ofPages pageCount: Int?) -> [ReadingStretch] {
        var stretches: [ReadingStretch] = []
        var previous = start.flatMap(ReadingDate.init)
        var page = 0.0
        var isFirst = true
        for point in points(ofPages: pageCount) {
            let date = point.date
            stretches.append(
                ReadingStretch(
                    pages: point.page - page, period: Self.period(from: previous, to: date, isFirst: isFirst)))
            (previous, page, isFirst) = (date, point.page, false)
        }
        return stretches
    }

    /// The days on which the reader certainly read: those of each progress, and of the end if the book was finished.
    public var certainDays: [CalendarDay] {
        let texts = progress.map(\.day) + (outcome == .finished ? [end].compactMap(\.self) : [])
        return texts.compactMap { text in if case .day(let day) = ReadingDate(text) { day } else { nil } }
    }

    /// The greatest page: no book has more, and sums of mistyped ones would overflow.
    private static let maximumPage = 1_000_000.0

    private func points(ofPages pageCount: Int?) -> [(page: Double, date: ReadingDate?)] {
        var points: [(page: Double, date: ReadingDate?)] = []
        for step in progress {
            guard let page = step.place.pages(of: pageCount) else { continue }
            if let start, ReadingLog.isDay(start, after: step.day) { continue }
            if let end, ReadingLog.isDay(step.day, after: end) { continue }
            points.append((min(page, Self.maximumPage), ReadingDate(step.day)))
        }
        if outcome == .finished, let pageCount, pageCount > 0 {
            points.append((min(Double(pageCount), Self.maximumPage), end.flatMap(ReadingDate.init)))
        }
        var limit = Double.infinity
        return points.reversed().filter { point in
            defer { limit = min(limit, point.page) }
            return point.page <= limit
        }.reversed()
    }

    private static func period(from first: ReadingDate?, to last: ReadingDate?, isFirst: Bool) -> ReadingStretch.Period
    {
        switch (first, last) {
        case (_, nil): .unknown
        case (.day(let first), .day(let last)): .days(min(isFirst ? first : first + 1, last)...last)
        case (nil, .day(let last)): .days(last...last)
        case (.year, .day(let last)): .year(last.year)
        case (.month, .day(let last)): .month(last.month)
        case (.year, .month(let last)): .year(last.year)
        case (_, .month(let last)): .month(last)
        case (_, .year(let last)): .year(last)
        }
    }
}
