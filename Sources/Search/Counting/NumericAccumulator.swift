internal import Indexing

/// What one thread counts of the numbers that books have: by the numbers themselves, of which there are few.
struct NumericAccumulator {
    /// How many books have each year, from that of the smallest `Int16` on.
    private(set) var years = [UInt32](repeating: 0, count: 1 << 16)
    /// How many books have each number of pages, and none at 0.
    private(set) var pages = [UInt32](repeating: 0, count: 1 << 16)
    /// How many books have each rating as `NumericFields` has it, and none at 0.
    private(set) var ratings = [UInt32](repeating: 0, count: 1 << 8)
    /// How many books came to the catalog in each year, from `NumericFields.year(ofPacked: 0)` on.
    private(set) var yearsAdded = [UInt32](repeating: 0, count: 1 << 15)
    /// How many books have each of the traits, by their bits.
    private(set) var traits = [UInt32](repeating: 0, count: 1 << 8)

    /// The year from which `years` are counted.
    static let firstYear = Int(Int16.min)
    /// The year from which `yearsAdded` are counted.
    static let firstYearAdded = NumericFields.year(ofPacked: 0)

    /// Counts those of `books` that are in the segment of this number.
    mutating func add(_ books: SelectionBySegment, inSegment number: Int) {
        let segment = books.segments[number]
        // Column by column: only what a segment has is read, and that from its beginning to its end.
        if !segment.years.isEmpty {
            books.forEach(inSegment: number) { years[Int(segment.years[$0]) - Self.firstYear] += 1 }
        }
        if !segment.pages.isEmpty { books.forEach(inSegment: number) { pages[Int(segment.pages[$0])] += 1 } }
        if !segment.ratings.isEmpty { books.forEach(inSegment: number) { ratings[Int(segment.ratings[$0])] += 1 } }
        if !segment.traits.isEmpty { books.forEach(inSegment: number) { traits[Int(segment.traits[$0])] += 1 } }
        if !segment.added.isEmpty {
            books.forEach(inSegment: number) { place in
                // An index that was damaged may hold any number.
                let year = Int(segment.added[place]) >> 9
                if year > 0 && year < yearsAdded.count { yearsAdded[year] += 1 }
            }
        }
    }

    /// Adds what `other` counted of other books.
    mutating func add(_ other: NumericAccumulator) {
        Self.add(other.years, to: &years)
        Self.add(other.pages, to: &pages)
        Self.add(other.ratings, to: &ratings)
        Self.add(other.yearsAdded, to: &yearsAdded)
        Self.add(other.traits, to: &traits)
    }

    private static func add(_ others: [UInt32], to counts: inout [UInt32]) {
        for place in counts.indices { counts[place] += others[place] }
    }

    /// How many books have traits such as these.
    func count(where isIncluded: (NumericFields.Traits) -> Bool) -> Int {
        traits.indices.reduce(0) { sum, bits in
            isIncluded(NumericFields.Traits(rawValue: UInt8(bits))) ? sum + Int(traits[bits]) : sum
        }
    }
}
