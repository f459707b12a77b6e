internal import Indexing
internal import Search

/// The numbers that are missing in the series of sections. They are kept, because each drawing asks for them.
struct SeriesGapTexts {
    private var known: [Int: String?] = [:]

    /// The maximum number of ranges in a text, more than a line has room for.
    private static let rangeLimit = 20

    /// Forgets all, because the sections changed.
    mutating func forget() { known = [:] }

    /// Returns the numbers that are missing in the series of a section: "#4, #7–9"; nil if none are. The first call is
    /// linear in the books of the section.
    mutating func text(ofSection section: Int, of sections: BookSections, in index: BookIndex) -> String? {
        if let text = known[section] { return text }
        let made = sections.key == .series ? Self.text(ofSection: section, of: sections, in: index) : nil
        known[section] = .some(made)
        return made
    }

    private static func text(ofSection section: Int, of sections: BookSections, in index: BookIndex) -> String? {
        let missing = SeriesGaps.missing(
            among: sections.rows(ofSection: section).map { index.facts(at: sections.list[$0].index).position })
        if missing.isEmpty { return nil }
        var texts = missing.prefix(rangeLimit).map { range in
            range.count == 1 ? "#\(range.lowerBound)" : "#\(range.lowerBound)–\(range.upperBound)"
        }
        if missing.count > texts.count { texts.append("…") }
        return texts.joined(separator: ", ")
    }
}
