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
}
