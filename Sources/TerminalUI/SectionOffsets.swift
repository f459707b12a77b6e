/// The rows of a table, numbered through its sections from zero.
struct SectionOffsets {
    /// For each section the number of its first row, and at the end the number of all rows.
    private var starts = [0]

    /// How many rows there are in all sections.
    var count: Int { starts[starts.count - 1] }

    /// Makes room for so many sections.
    mutating func reserveCapacity(_ sections: Int) {
        starts.reserveCapacity(sections + 1)
    }

    /// Adds a section of so many rows; what is below zero counts as zero.
    mutating func appendSection(of rows: Int) {
        starts.append(count.addingWithoutOverflow(max(0, rows)))
    }

    /// The section that has a row; logarithmic in the sections.
    func section(ofRow row: Int) -> Int {
        var low = 0
        var high = max(1, starts.count - 1)
        while high - low > 1 {
            let middle = (low + high) / 2
            if starts[middle] <= row { low = middle } else { high = middle }
        }
        return low
    }

    /// The rows of a section that there is.
    func rows(ofSection section: Int) -> Range<Int> {
        starts[section]..<starts[section + 1]
    }

    /// The first row of the section that is so many sections with rows behind that of `row`, or before it where `count` is
    /// negative; the beginning of the section of `row` is one of those before it, unless it is `row` itself. Where there
    /// are not so many, that of the last or first section there is. Nil where there is none, as behind the last.
    ///
    /// The cost is that of the sections passed.
    func sectionStart(_ count: Int, from row: Int) -> Int? {
        var section = section(ofRow: row)
        var left = count.magnitude
        var found: Int?
        if count < 0 && rows(ofSection: section).lowerBound < row {
            found = rows(ofSection: section).lowerBound
            left -= 1
        }
        while left > 0 {
            section += count.signum()
            guard (0..<starts.count - 1).contains(section) else { break }
            let rows = rows(ofSection: section)
            if rows.isEmpty { continue }
            found = rows.lowerBound
            left -= 1
        }
        return found
    }
}

extension Int {
    /// The sum, or the nearest number there is.
    func addingWithoutOverflow(_ other: Int) -> Int {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? (other > 0 ? .max : .min) : sum
    }
}
