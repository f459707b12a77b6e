/// The books of a list in the order of years that are of the same ten years. Sections are in the order of their books.
struct DecadeSection: Hashable, Comparable, Sendable {
    /// What tells the sections apart; of two the smaller comes first.
    let number: Int

    /// The section of books of which the year is not known.
    static let unknown = DecadeSection(number: .max)

    private init(number: Int) {
        self.number = number
    }

    /// The section of a year as `PartialDate` counts it, or of none.
    init(ofYear year: Int?) {
        guard let year else {
            self = .unknown
            return
        }
        // There are two decades of nine years, before and after the birth of Christ.
        number = year < 0 ? -1 - Int(clamping: year.magnitude / 10) : year / 10
    }

    /// What stands over the section: "1990s", "750s BC", "Unknown".
    var title: String {
        if self == .unknown { return "Unknown" }
        return number < 0 ? "\((-1 - number) * 10)s BC" : "\(number * 10)s"
    }

    /// Smaller numbers first.
    static func < (left: Self, right: Self) -> Bool { left.number < right.number }
}
