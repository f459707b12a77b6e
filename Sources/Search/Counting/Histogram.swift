/// How many books have each number: a year, a count of pages, stars.
public struct Histogram: Hashable, Sendable {
    /// A number, and how many books have it.
    public struct Entry: Hashable, Sendable {
        /// The number.
        public let number: Int
        /// How many books have it, at least one.
        public let count: Int
    }

    /// The numbers that any book has, ascending.
    public let entries: [Entry]
    /// How many books have a number.
    public let bookCount: Int

    /// The numbers from `first` on, of which as many books have each as `counts` says.
    init(from first: Int = 0, counts: [UInt32]) {
        entries = counts.indices.compactMap { counts[$0] > 0 ? Entry(number: first + $0, count: Int(counts[$0])) : nil }
        bookCount = entries.reduce(0) { $0 + $1.count }
    }

    /// The number that so large a share of the books are at or below, from 0 to 1: 0.5 for the median. Nil where there are no
    /// books. Linear in the entries.
    public func quantile(_ share: Double) -> Int? {
        var rest = min(bookCount, max(1, Int((share * Double(bookCount)).rounded(.up))))
        for entry in entries {
            rest -= entry.count
            if rest <= 0 { return entry.number }
        }
        return nil
    }

    /// How many books have a number in `range`. Linear in the entries.
    public func count(in range: ClosedRange<Int>) -> Int {
        entries.reduce(0) { range.contains($1.number) ? $0 + $1.count : $0 }
    }

    /// The mean of the numbers of all books; nil where there are no books. Linear in the entries.
    public var mean: Double? {
        bookCount == 0 ? nil : entries.reduce(0) { $0 + Double($1.number) * Double($1.count) } / Double(bookCount)
    }
}
