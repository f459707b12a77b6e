/// Ten years, or the nine before and after the birth of Christ, as there is no year 0.
public struct Decade: Hashable, Sendable {
    /// Of two the smaller is the earlier; 199 is that of 1990.
    public let number: Int

    /// The numbers of the decades of all years that an index may have.
    package static let numbers = Decade(ofYear: Int(Int16.min)).number...Decade(ofYear: Int(Int16.max)).number

    /// The decade of this number.
    public init(number: Int) { self.number = number }

    /// The decade of a year as `PartialDate` counts it.
    public init(ofYear year: Int) { number = year < 0 ? -1 - (-year) / 10 : year / 10 }

    /// Its years.
    public var years: ClosedRange<Int> {
        if number >= 0 { return number * 10...number * 10 + 9 }
        let last = (-1 - number) * 10
        return (-last - 9)...min(-1, -last)
    }

    /// What it is called: "1990s", "750s BC".
    public var name: String { number < 0 ? "\((-1 - number) * 10)s BC" : "\(number * 10)s" }
}
