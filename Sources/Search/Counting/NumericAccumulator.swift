internal import Indexing

/// The numeric values that one thread has counted, in one table per field.
struct NumericAccumulator {
    /// The number of books by year, starting at `firstYear`.
    private(set) var years = [UInt32](repeating: 0, count: 1 << 16)
    /// The number of books by page count; unknown at index 0.
    private(set) var pages = [UInt32](repeating: 0, count: 1 << 16)
    /// The number of books by rating in the encoding of `NumericFields`; unknown at index 0.
    private(set) var ratings = [UInt32](repeating: 0, count: 1 << 8)
    /// The number of books by the year they were added, starting at `firstYearAdded`.
    private(set) var yearsAdded = [UInt32](repeating: 0, count: 1 << 15)
    /// The number of books by the bits of their traits.
    private(set) var traits = [UInt32](repeating: 0, count: 1 << 8)

    /// The year at index 0 of `years`.
    static let firstYear = Int(Int16.min)
    /// The year at index 0 of `yearsAdded`.
    static let firstYearAdded = NumericFields.year(ofPacked: 0)

    /// Counts the selected books in a segment.
    mutating func add(_ books: SelectionBySegment, inSegment number: Int) {
        let segment = books.segments[number]
        // Column-wise counting reads only the columns that exist, each sequentially.
        if !segment.years.isEmpty {
            books.forEach(inSegment: number) { years[Int(segment.years[$0]) - Self.firstYear] += 1 }
        }
        if !segment.pages.isEmpty { books.forEach(inSegment: number) { pages[Int(segment.pages[$0])] += 1 } }
        if !segment.ratings.isEmpty { books.forEach(inSegment: number) { ratings[Int(segment.ratings[$0])] += 1 } }
        if !segment.traits.isEmpty { books.forEach(inSegment: number) { traits[Int(segment.traits[$0])] += 1 } }
        if !segment.added.isEmpty {
            books.forEach(inSegment: number) { offset in
                // A damaged index may contain arbitrary numbers.
                let year = Int(segment.added[offset]) >> 9
                if year > 0 && year < yearsAdded.count { yearsAdded[year] += 1 }
            }
        }
    }

    /// Adds the counts of other books.
    mutating func add(_ other: NumericAccumulator) {
        Self.add(other.years, to: &years)
        Self.add(other.pages, to: &pages)
        Self.add(other.ratings, to: &ratings)
        Self.add(other.yearsAdded, to: &yearsAdded)
        Self.add(other.traits, to: &traits)
    }

    private static func add(_ others: [UInt32], to counts: inout [UInt32]) {
        for offset in counts.indices { counts[offset] += others[offset] }
    }

    /// Returns the number of books whose traits satisfy the predicate.
    func count(where isIncluded: (NumericFields.Traits) -> Bool) -> Int {
        traits.indices.reduce(0) { sum, bits in
            isIncluded(NumericFields.Traits(rawValue: UInt8(bits))) ? sum + Int(traits[bits]) : sum
        }
    }
}
