/// A rating in stars, from 0 to 5, in steps of half a star.
public struct StarRating: Hashable, Comparable, Sendable {
    /// The number of half stars, from 0 to 10.
    public let halves: Int

    /// Creates a rating of `halves` half stars, limited to 0...10.
    public init(halves: Int) { self.halves = min(10, max(0, halves)) }

    /// Creates the stars nearest to a rating, limited to 0...5; no stars for NaN.
    public init(_ rating: Double) { self.init(halves: rating.isNaN ? 0 : Int((min(5, max(0, rating)) * 2).rounded())) }

    /// Creates a rating of `stars`; fails unless this is a multiple of a half from 0 to 5.
    public init?(exactly stars: Double) {
        guard (0...5).contains(stars), let halves = Int(exactly: stars * 2) else { return nil }
        self.init(halves: halves)
    }

    /// Creates a rating of this many stars, limited to 0...5, and half a star more if it has a half.
    public init(whole: Int, hasHalf: Bool = false) { self.init(halves: min(5, max(0, whole)) * 2 + (hasHalf ? 1 : 0)) }

    /// The number of whole stars, from 0 to 5; half a star is left out.
    public var whole: Int { halves / 2 }

    /// Whether the rating has half a star beside the whole ones.
    public var hasHalf: Bool { !halves.isMultiple(of: 2) }

    /// The number of stars, from 0 to 5.
    public var stars: Double { Double(halves) / 2 }

    /// The stars in five columns: "★★★★½", "★★★☆☆".
    public var text: String {
        filled + String(repeating: "☆", count: (10 - halves) / 2)
    }

    /// The stars without the missing ones: "★★★★½", "★★★".
    public var filled: String { String(repeating: "★", count: whole) + (hasHalf ? "½" : "") }

    /// The number of stars: "4.5", "3".
    public var number: String { hasHalf ? "\(whole).5" : "\(whole)" }

    /// Whether a rating has fewer stars than another.
    public static func < (one: StarRating, other: StarRating) -> Bool { one.halves < other.halves }
}

extension StarRating? {
    /// Returns the rating raised by half stars, or lowered by a negative number of them, within 0...5; no rating counts
    /// as no stars, and a result of no stars is no rating.
    public func changed(byHalves halves: Int) -> StarRating? {
        let result = StarRating(halves: (self?.halves ?? 0) + halves)
        return result.halves == 0 ? nil : result
    }
}
