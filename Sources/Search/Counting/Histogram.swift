/// The number of books by a number such as year, page count or stars.
public struct Histogram: Hashable, Sendable {
    /// A number and the books that have it.
    public struct Entry: Hashable, Sendable {
        /// The number.
        public let number: Int
        /// The number of books, at least 1.
        public let count: Int
    }

    /// The numbers that occur, ascending.
    public let entries: [Entry]
    /// The number of books that have a number.
    public let bookCount: Int

    /// Creates a histogram of consecutive numbers, starting at `first`.
    init(from first: Int = 0, counts: [UInt32]) {
        entries = counts.indices.compactMap { counts[$0] > 0 ? Entry(number: first + $0, count: Int(counts[$0])) : nil }
        bookCount = entries.reduce(0) { $0 + $1.count }
    }

    /// Creates a histogram of ascending years, which may be repeated.
    init(ofYears counted: [(year: Int, count: Int)]) {
        var entries: [Entry] = []
        for (year, count) in counted {
            let before = entries.last?.number == year ? entries.removeLast().count : 0
            entries.append(Entry(number: year, count: before + count))
        }
        self.entries = entries
        bookCount = entries.reduce(0) { $0 + $1.count }
    }

    /// Returns the smallest number that is not exceeded in at least `share` of the books, from 0 to 1 (0.5 for the
    /// median); nil without books. Linear in the entries.
    public func quantile(_ share: Double) -> Int? {
        var rest = min(bookCount, max(1, Int((share * Double(bookCount)).rounded(.up))))
        for entry in entries {
            rest -= entry.count
            if rest <= 0 { return entry.number }
        }
        return nil
    }

    /// Returns the number of books whose number is in `range`. Linear in the entries.
    public func count(in range: ClosedRange<Int>) -> Int {
        entries.reduce(0) { range.contains($1.number) ? $0 + $1.count : $0 }
    }

    /// The mean over all books, or nil without books. Linear in the entries.
    public var mean: Double? {
        bookCount == 0 ? nil : entries.reduce(0) { $0 + Double($1.number) * Double($1.count) } / Double(bookCount)
    }
}
