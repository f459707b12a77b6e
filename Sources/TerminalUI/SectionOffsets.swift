/// The first row of each section of a table; rows are numbered through all sections from zero.
struct SectionOffsets {
    /// The first row of each section, followed by the total number of rows.
    private var starts = [0]

    /// The total number of rows.
    var count: Int { starts[starts.count - 1] }

    /// Reserves memory for this many sections.
    mutating func reserveCapacity(_ sections: Int) {
        starts.reserveCapacity(sections + 1)
    }

    /// Appends a section of `rows` rows; a negative number counts as zero.
    mutating func appendSection(of rows: Int) {
        starts.append(count.addingWithoutOverflow(max(0, rows)))
    }

    /// Returns the section that contains `row`. O(log sections).
    func section(ofRow row: Int) -> Int {
        var low = 0
        var high = max(1, starts.count - 1)
        while high - low > 1 {
            let middle = (low + high) / 2
            if starts[middle] <= row { low = middle } else { high = middle }
        }
        return low
    }

    /// Returns the rows of a section.
    func rows(ofSection section: Int) -> Range<Int> {
        starts[section]..<starts[section + 1]
    }

    /// Returns the first row of the section that is `count` non-empty sections after that of `row`, or before it if
    /// `count` is negative.
    ///
    /// Going back, the start of the section of `row` is the first stop, unless `row` is already there. If there are
    /// fewer sections, the last or first one counts. Returns nil if there is no section in this direction. The cost is
    /// linear in the sections passed.
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
    /// Returns the sum, clamped to the range of `Int`.
    func addingWithoutOverflow(_ other: Int) -> Int {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? (other > 0 ? .max : .min) : sum
    }
}
