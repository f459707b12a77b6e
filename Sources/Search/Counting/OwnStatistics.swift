public import Books
internal import Indexing

/// The statistics of a field that only the catalog has.
public struct OwnStatistics: Sendable {
    /// The field.
    public let field: BookField
    /// The number of books with a value.
    public let knownCount: Int
    /// The most frequent values of texts, lists, links and yes or no; nil for numbers and dates.
    public private(set) var values: FacetCounts?
    /// The numbers; nil for other kinds.
    public private(set) var numbers: Numbers?
    /// The years of dates; nil for other kinds.
    public private(set) var years: Histogram?

    /// What is counted of numbers.
    public struct Numbers: Hashable, Sendable {
        /// The sum of the numbers of all books.
        public let sum: Double
        /// The least and the greatest number.
        public let range: ClosedRange<Double>
        /// The number of books by number, in ranges of equal width from the least number on; one range if all are equal.
        public let bins: [Bin]

        /// A range of numbers.
        public struct Bin: Hashable, Sendable {
            /// The first and the last number; if some are not whole, the last one is the first of the next range.
            public let range: ClosedRange<Double>
            /// The number of books.
            public let count: Int
        }

        /// Returns the mean for `count` numbers.
        public func mean(of count: Int) -> Double { sum / Double(max(1, count)) }
    }

    /// Counts the values of a column in the books of a list. Linear in the books and the distinct values.
    init(of field: BookField, _ column: FieldColumn, in books: SelectionBySegment, limit: Int) {
        self.field = field
        let counts = ColumnCounts(column, in: books)
        knownCount = counts.knownCount
        let counted = counts.tallies.indices.lazy.filter { counts.tallies[$0].count > 0 }
            .map { (number: column.number(ofValue: $0), count: Int(counts.tallies[$0].count)) }
        switch field.info.kind {
        case .number: numbers = Numbers(Array(counted))
        case .date:
            years = Histogram(ofYears: counted.map { (Int(($0.number / 10_000).rounded(.down)), $0.count) })
        default: values = FacetCounts(of: field, column, in: books, limit: limit)
        }
    }
}

extension OwnStatistics.Numbers {
    /// The number of ranges of different numbers.
    private static let binCount = 10

    /// Counts ascending distinct numbers; fails if there are none.
    fileprivate init?(_ counted: [(number: Double, count: Int)]) {
        guard let least = counted.first?.number, let greatest = counted.last?.number else { return nil }
        range = least...greatest
        sum = counted.reduce(0) { $0 + $1.number * Double($1.count) }
        let isWhole = counted.allSatisfy { $0.number == $0.number.rounded() }
        let step = max(isWhole ? 1 : 0, Self.step(for: (greatest - least) / Double(Self.binCount)))
        let start = (least / step).rounded(.down) * step
        let binCount = greatest > least ? Int(((greatest - start) / step).rounded(.down)) + 1 : 1
        var counts = [Int](repeating: 0, count: binCount)
        for (number, count) in counted {
            counts[min(binCount - 1, max(0, Int(((number - start) / step).rounded(.down))))] += count
        }
        bins = counts.enumerated().map { place, count in
            let first = start + Double(place) * step
            let last = isWhole ? first + step - 1 : first + step
            return Bin(range: greatest > least ? first...last : least...greatest, count: count)
        }
    }

    /// Returns a round number that is not below `width`: 1, 2 or 5 times a power of ten.
    static func step(for width: Double) -> Double {
        guard width > 0, width.isFinite else { return 1 }
        var power = 1.0
        while power > width { power /= 10 }
        while power * 10 <= width { power *= 10 }
        return [1, 2, 5, 10].map { $0 * power }.first { $0 >= width } ?? power * 10
    }
}
