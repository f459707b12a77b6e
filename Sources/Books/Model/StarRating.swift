/// A rating as stars, to the nearest half.
public struct StarRating: Hashable, Sendable {
    /// The number of half stars, from 0 to 10.
    public let halves: Int

    /// Creates a rating of `halves` half stars, limited to 0...10.
    public init(halves: Int) { self.halves = min(10, max(0, halves)) }

    /// Creates the stars nearest to a rating, limited to 0...5; no stars for NaN.
    public init(_ rating: Double) { self.init(halves: rating.isNaN ? 0 : Int((min(5, max(0, rating)) * 2).rounded())) }

    /// The stars in five columns: "★★★★½", "★★★☆☆".
    public var text: String {
        let isHalf = !halves.isMultiple(of: 2)
        return String(repeating: "★", count: halves / 2) + (isHalf ? "½" : "")
            + String(repeating: "☆", count: (10 - halves) / 2)
    }

    /// The number of stars: "4.5", "3".
    public var number: String { halves.isMultiple(of: 2) ? "\(halves / 2)" : "\(halves / 2).5" }
}
