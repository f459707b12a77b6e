/// The distribution of charts over two columns.
public enum ChartColumns {
    /// Returns the column of each chart, 0 or 1, that makes the longer column as short as possible; the first chart is
    /// in column 0. Exponential in the number of charts, which is at most a dozen.
    public static func columns(forHeights heights: [Int]) -> [Int] {
        func column(of chart: Int, in assignment: Int) -> Int { assignment >> (heights.count - 1 - chart) & 1 }
        let whole = heights.reduce(0, +)
        var best = (assignment: 0, height: whole)
        // Assignments with the first chart in column 1 are skipped.
        for assignment in 0..<(1 << max(0, heights.count - 1)) {
            let right = heights.indices.reduce(0) { $0 + column(of: $1, in: assignment) * heights[$1] }
            let height = max(right, whole - right)
            if height < best.height { best = (assignment, height) }
        }
        return heights.indices.map { column(of: $0, in: best.assignment) }
    }
}
