package import Search

/// How many books have each of a few values, to be shown as bars.
public struct Chart: Hashable, Sendable {
    /// A value, and how many books have it.
    public struct Row: Hashable, Sendable {
        /// What the value is called, as the catalog has it where it is from there.
        public var label: String
        /// How many books have it.
        public var count: Int
        /// Whether it stands for all that is no value of its own: what was cut off, or is not known. It has no bar.
        public var isRest = false
    }

    /// How many books there are over the years, as one line of blocks.
    public struct Course: Hashable, Sendable {
        /// The years, and how many books are of each.
        package var histogram: Histogram
        /// The first year and the last.
        public var range: ClosedRange<Int>

        /// How many books there are in each of at most `limit` stretches of as many years, of one year where there is room.
        public func counts(limit: Int) -> [Int] {
            let yearCount = range.count
            let stretch = max(1, (yearCount + max(1, limit) - 1) / max(1, limit))
            var counts = [Int](repeating: 0, count: (yearCount + stretch - 1) / stretch)
            for entry in histogram.entries where range.contains(entry.number) {
                counts[(entry.number - range.lowerBound) / stretch] += entry.count
            }
            return counts
        }
    }

    /// What the values are.
    public var title: String
    /// What can be said of all of them; "" for nothing.
    public var summary = ""
    /// The course over the years; nil where they are none.
    public var course: Course?
    /// The values, in their order.
    public var rows: [Row]
    /// How many books the longest bar stands for, at least one.
    package var scale: Int
    /// How much of all it shows, for behind the title; "" for all.
    public var extent = ""

    /// A chart of `rows`, of which the longest bar stands for `scale` books, by default those of the greatest row.
    init(
        _ title: String, _ rows: [Row], scale: Int? = nil, summary: String = "", course: Course? = nil,
        extent: String = ""
    ) {
        self.title = title
        self.rows = rows
        self.scale = max(1, scale ?? rows.reduce(0) { $1.isRest ? $0 : max($0, $1.count) })
        (self.summary, self.course, self.extent) = (summary, course, extent)
    }

    /// How long the bar of `row` is, from 0 to 1.
    public func fraction(of row: Row) -> Double { row.isRest ? 0 : Double(row.count) / Double(scale) }
}
