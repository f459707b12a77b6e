public import Search

/// A bar chart of the number of books by value.
public struct Chart: Hashable, Sendable {
    /// A value with the number of books that have it.
    public struct Row: Hashable, Sendable {
        /// The display name of the value.
        public var label: String
        /// The number of books.
        public var count: Int
        /// Whether the row stands for the remaining or unknown values, and therefore has no bar.
        public var isRest = false
    }

    /// A timeline of the number of books by year, shown as one line of blocks.
    public struct Timeline: Hashable, Sendable {
        /// The number of books by year.
        public var histogram: Histogram
        /// The first and last year.
        public var range: ClosedRange<Int>

        /// Returns the number of books in each of at most `limit` equal periods, of one year each if they fit.
        public func counts(limit: Int) -> [Int] {
            let yearCount = range.count
            let period = max(1, (yearCount + max(1, limit) - 1) / max(1, limit))
            var counts = [Int](repeating: 0, count: (yearCount + period - 1) / period)
            for entry in histogram.entries where range.contains(entry.number) {
                counts[(entry.number - range.lowerBound) / period] += entry.count
            }
            return counts
        }
    }

    /// The title of the chart.
    public var title: String
    /// A summary of the values; "" for none.
    public var summary = ""
    /// The timeline, if the values are years.
    public var timeline: Timeline?
    /// The rows in display order.
    public var rows: [Row]
    /// The number of books that a bar of full length stands for, at least 1.
    public var scale: Int
    /// The part of the values that is shown, to be appended to the title; "" for all.
    public var extent = ""

    /// Creates a chart of `rows`; a bar of full length stands for `scale` books, by default those of the largest row.
    init(
        _ title: String, _ rows: [Row], scale: Int? = nil, summary: String = "", timeline: Timeline? = nil,
        extent: String = ""
    ) {
        self.title = title
        self.rows = rows
        self.scale = max(1, scale ?? rows.reduce(0) { $1.isRest ? $0 : max($0, $1.count) })
        (self.summary, self.timeline, self.extent) = (summary, timeline, extent)
    }

    /// Returns the length of the bar of `row`, from 0 to 1.
    public func fraction(of row: Row) -> Double { row.isRest ? 0 : Double(row.count) / Double(scale) }
}
