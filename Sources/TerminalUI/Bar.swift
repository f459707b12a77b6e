/// Bars and sparklines made of block characters.
public enum Bar {
    private static let eighths = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"]

    /// Returns a bar of `fraction` × `width` columns, rounded to an eighth of a column.
    ///
    /// `fraction` is clamped to 0...1, and NaN counts as 0. A positive fraction shows at least an eighth of a column.
    public static func text(fraction: Double, width: Int) -> String {
        guard fraction > 0, width > 0 else { return "" }
        let count = max(1, Int((min(fraction, 1) * Double(width) * 8).rounded()))
        return String(repeating: "█", count: count / 8) + eighths[count % 8]
    }

    /// Returns a bar chart one row high: one block per number, scaled so that the greatest number fills the row.
    ///
    /// A positive number shows at least an eighth of the height.
    public static func sparkline(_ numbers: [Int]) -> String {
        let greatest = numbers.reduce(1, max)
        return String(
            numbers.map { number in
                if number <= 0 { return " " }
                let eighths = (Double(number) / Double(greatest) * 8).rounded()
                return blocks[min(7, max(0, Int(eighths) - 1))]
            })
    }

    private static let blocks: [Character] = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]
}
