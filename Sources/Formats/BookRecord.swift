internal import Books
internal import Text

// What the formats for records of books have in common.

extension PrintedBook {
    /// The key in the catalog, otherwise the identity.
    var recordKey: String { book.sourceID?.nonEmpty ?? knownIdentity.description }
}

extension Book {
    /// The title; a record must have one.
    var recordTitle: String { title.nonEmpty ?? "Untitled" }
    /// The number within the series; nil if it is unknown.
    var seriesNumber: String? { seriesPosition.flatMap { $0.isFinite ? $0.inBibliography : nil } }
}

extension BinaryInteger {
    /// Returns the number padded with zeros to `count` digits.
    func padded(_ count: Int, radix: Int = 10) -> String {
        let digits = String(magnitude, radix: radix)
        return (self < 0 ? "-" : "") + String(repeating: "0", count: Swift.max(0, count - digits.count)) + digits
    }
}

extension String {
    /// A name of a person with the family name first: "Le Guin, Ursula K."
    var lastNameFirst: String {
        guard let parts = NameParts(self) else { return self }
        let family = [parts.particle, parts.family].filter { !$0.isEmpty }.joined(separator: " ")
        return [family, parts.given, parts.suffix].filter { !$0.isEmpty }.joined(separator: ", ")
    }
}
