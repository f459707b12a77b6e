/// A decade; the last one before Christ and the first one after have nine years, because there is no year 0.
public struct Decade: Hashable, Sendable {
    /// The number of the decade in chronological order; 199 is the 1990s.
    public let number: Int

    /// The decades of all years that an index can store.
    public static let numbers = Decade(ofYear: Int(Int16.min)).number...Decade(ofYear: Int(Int16.max)).number

    /// Creates the decade with this number.
    public init(number: Int) { self.number = number }

    /// Creates the decade of a year in the counting of `PartialDate`.
    public init(ofYear year: Int) { number = year < 0 ? -1 - (-year) / 10 : year / 10 }

    /// The years of the decade.
    public var years: ClosedRange<Int> {
        if number >= 0 { return number * 10...number * 10 + 9 }
        let last = (-1 - number) * 10
        return (-last - 9)...min(-1, -last)
    }

    /// The display name: "1990s", "750s BC".
    public var name: String { number < 0 ? "\((-1 - number) * 10)s BC" : "\(number * 10)s" }
}
