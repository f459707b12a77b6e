internal import Indexing

/// The numbers that are missing in series.
public enum SeriesGaps {
    /// Returns the whole numbers that are missing among those of a series, as ascending ranges.
    ///
    /// They are missing from 1 on if at least half of the numbers up to the highest one are there; else from the lowest one
    /// on, since issues of a journal may be numbered by years. Parts such as 2.5, and numbers below 1, count for nothing.
    public static func missing(among positions: some Sequence<Float>) -> [ClosedRange<Int>] {
        let numbers = Set(positions.compactMap(Int.init(exactly:)).filter { $0 >= 1 && $0 <= highest }).sorted()
        guard let first = numbers.first, let last = numbers.last, numbers.count < last else { return [] }
        var missing: [ClosedRange<Int>] = []
        var next = 2 * numbers.count >= last ? 1 : first
        for number in numbers {
            if number > next { missing.append(next...number - 1) }
            next = number + 1
        }
        return missing
    }

    /// The highest number that counts, up to which a position is exact.
    private static let highest = 1 << 24

    /// Returns the ranks of the series in a column: that of a match for those of which numbers are missing. Linear in the
    /// books.
    static func ranks(of column: FieldColumn, in scope: BookSearch.Scope) -> [UInt8] {
        var positions = [[Float]](repeating: [], count: column.valueCount)
        for (segment, start) in zip(scope.segments, scope.starts) {
            for index in 0..<segment.count where start + index < column.bookCount {
                let entry = column.numbers[start + index]
                if entry == 0 { continue }
                let position = segment.facts(at: index).position
                if position.isNaN { continue }
                for value in column.values(ofEntry: Int(entry) - 1) { positions[value].append(position) }
            }
        }
        return positions.map { missing(among: $0).isEmpty ? SegmentMatcher.noMatch : 0 }
    }
}
