/// The pages by day, from 1900 on; a reader has no earlier days.
///
/// A stretch is added in constant time, however long it is.
struct ReadingDays: Hashable, Sendable {
    private static let first = CalendarMonth(year: 1900, month: 1).firstDay.number
    /// Before `finish()`, the difference of each day's pages from those of the day before; then the pages.
    private var pages: [Double] = []
    /// Before `finish()`, the difference in the number of stretches; then the number of stretches of each day.
    private var counts: [Int32] = []
    private let limit: Int

    /// Creates days without pages up to `last`; later days are not kept.
    init(upTo last: CalendarDay) { limit = max(1, last.number - Self.first + 1) }

    /// Spreads pages evenly over the days of `range`; 0 pages only note that the reader read.
    mutating func add(_ number: Double, on range: ClosedRange<CalendarDay>) {
        let (low, high) = (range.lowerBound.number - Self.first, range.upperBound.number - Self.first)
        guard high >= 0, low < limit else { return }
        if pages.isEmpty {
            pages = Array(repeating: 0, count: limit + 1)
            counts = Array(repeating: 0, count: limit + 1)
        }
        let daily = number / Double(high - low + 1)
        let (start, end) = (max(0, low), min(limit, high + 1))
        pages[start] += daily
        pages[end] -= daily
        counts[start] += 1
        counts[end] -= 1
    }

    /// Computes the pages of each day after the last call of `add`.
    mutating func finish() {
        var (sum, count) = (0.0, Int32(0))
        for day in pages.indices {
            sum += pages[day]
            count += counts[day]
            // What the rounding of sums leaves is no reading.
            if count == 0 { sum = 0 }
            pages[day] = max(0, (sum * 1_000_000_000).rounded() / 1_000_000_000)
            counts[day] = count
        }
        // The last element only ends stretches.
        pages = pages.dropLast()
        counts = counts.dropLast()
    }

    /// Whether no day was added.
    var isEmpty: Bool { pages.isEmpty }

    /// Returns the pages of a day.
    func pages(on day: CalendarDay) -> Double {
        let index = day.number - Self.first
        return pages.indices.contains(index) ? pages[index] : 0
    }

    /// Returns whether a stretch includes a day.
    func isReadingDay(_ day: CalendarDay) -> Bool {
        let index = day.number - Self.first
        return counts.indices.contains(index) && counts[index] > 0
    }

    /// The ranges of consecutive days that stretches include, ascending.
    var ranges: [ClosedRange<CalendarDay>] {
        var ranges: [ClosedRange<CalendarDay>] = []
        var start: Int?
        for index in 0...counts.count {
            let isRead = index < counts.count && counts[index] > 0
            if isRead, start == nil { start = index }
            if !isRead, let first = start {
                ranges.append(
                    CalendarDay(number: first + Self.first)...CalendarDay(number: index - 1 + Self.first))
                start = nil
            }
        }
        return ranges
    }
}
