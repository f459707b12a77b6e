/// Proportions as bars of block characters.
public enum Bar {
    private static let eighths = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"]

    /// A bar that is `fraction` of `width` columns long, to an eighth of a column: whatever is more than nothing has at
    /// least one. What is beyond nothing or all counts as that, and what is no number as nothing.
    public static func text(fraction: Double, width: Int) -> String {
        guard fraction > 0, width > 0 else { return "" }
        let count = max(1, Int((min(fraction, 1) * Double(width) * 8).rounded()))
        return String(repeating: "█", count: count / 8) + eighths[count % 8]
    }

    /// Numbers as a line of blocks that are as high as they are great, each a column wide; whatever is more than nothing has
    /// an eighth of the height at least.
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
