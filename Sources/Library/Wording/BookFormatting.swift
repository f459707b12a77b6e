public import Books
public import Catalog
internal import Graphemes
internal import Text

/// How a book reads where a field is missing. The data is not changed by what is shown.
extension Book {
    /// The title, or "Untitled" where there is nothing of it to see.
    public var shownTitle: String { GraphemeSanitizer(title).contains { $0 != .space } ? title : "Untitled" }

    /// What stands in place of a book whose record is not there any more.
    public static var missingText: String { "Not there any more: the catalog was changed on disk" }

    /// The authors, or "Unknown author".
    public var shownAuthors: String { authors.isEmpty ? "Unknown author" : authors.listed }

    /// The ISBN for reading, or "–".
    public var shownISBN: String {
        guard let isbn else { return "–" }
        return isbn.isValid ? isbn.formatted : isbn.text + " (not a valid ISBN)"
    }

    /// The number of pages, or "–".
    public var shownPages: String { pageCount.map { $0.grouped } ?? "–" }

    /// "Fiction", "Non-fiction", or "–" where the catalog does not say.
    public var shownKind: String {
        switch fiction {
        case true: "Fiction"
        case false: "Non-fiction"
        case nil: "–"
        }
    }

    /// The series and the place in it, "Discworld, 8"; nil where the catalog has neither.
    public var shownSeries: String? {
        let parts = [series, seriesPosition?.shown].compactMap(\.self)
        return parts.isEmpty ? nil : parts.joined(separator: ", ")
    }

    /// The names of the languages; what is no known tag as the catalog has it.
    public var shownLanguages: String { languages.map { LanguageTag($0)?.englishName ?? $0 }.listed }

    /// The rating as stars and as a number, "★★★★☆ 4.2 of 5".
    public var shownRating: String? {
        rating.map { rating in
            let count = Int(min(5, max(0, rating.isFinite ? rating : 0)).rounded())
            let stars = String(repeating: "★", count: count) + String(repeating: "☆", count: 5 - count)
            return "\(stars) \(rating.shown) of 5"
        }
    }

    /// Who had a part in it, by the parts in the catalog's order.
    public var shownContributors: [(role: String, names: String)] {
        var roles: [String] = []
        var names: [String: [String]] = [:]
        for contributor in contributors {
            let role = contributor.shownRole
            if names[role] == nil { roles.append(role) }
            names[role, default: []].append(contributor.name)
        }
        return roles.map { ($0, names[$0, default: []].listed) }
    }
}

extension Book.Contributor {
    /// The part as a label: "Translator", and "Contributor" where the catalog does not say.
    var shownRole: String {
        guard let role, !role.isEmpty else { return "Contributor" }
        return Self.relators[role.lowercased()] ?? role.prefix(1).uppercased() + role.dropFirst()
    }

    /// The commonest codes that libraries have for parts (MARC Code List for Relators).
    private static let relators = [
        "art": "Artist", "aui": "Introduction", "aut": "Author", "bkp": "Producer", "clr": "Colourist",
        "cmm": "Commentator", "com": "Compiler", "cov": "Cover", "ctb": "Contributor", "edt": "Editor",
        "ill": "Illustrator", "nrt": "Narrator", "pbl": "Publisher", "pht": "Photographer", "trl": "Translator",
    ]
}

extension Book.ReadingStatus {
    /// The status for reading.
    public var shown: String {
        switch self {
        case .toRead: "To read"
        case .reading: "Reading"
        case .read: "Read"
        case .abandoned: "Abandoned"
        }
    }
}

extension PartialDate {
    /// The date for reading, as far as it is known: "5 March 2004", "March 2004", "2004", "750 BC".
    public var shown: String {
        let months = [
            "January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
            "November",
            "December",
        ]
        let shownYear = year < 0 ? "\(year.magnitude) BC" : "\(year)"
        guard let month, (1...12).contains(month) else { return shownYear }
        return (day.map { "\($0) " } ?? "") + "\(months[month - 1]) \(shownYear)"
    }
}

extension [String] {
    /// These one after another with commas between them, or with semicolons where one has a comma itself.
    public var listed: String {
        joined(separator: count > 1 && contains(where: \.hasInnerComma) ? "; " : ", ")
    }
}

extension String {
    /// Whether it has a comma with a blank behind it.
    fileprivate var hasInnerComma: Bool {
        var previous: UInt8 = 0
        for byte in utf8 {
            if byte == UInt8(ascii: " ") && previous == UInt8(ascii: ",") { return true }
            previous = byte
        }
        return false
    }
}

extension Double {
    /// The number with two decimal places at most: 3, 2.5, 4.17.
    public var shown: String {
        guard magnitude < 1e12 else { return "\(self)" }
        let hundredths = Int((self * 100).rounded())
        let fraction = hundredths.magnitude % 100
        let whole = (hundredths < 0 ? "-" : "") + "\(hundredths.magnitude / 100)"
        if fraction == 0 { return whole }
        if fraction.isMultiple(of: 10) { return "\(whole).\(fraction / 10)" }
        return "\(whole).\(fraction < 10 ? "0" : "")\(fraction)"
    }
}

extension Int {
    /// The number with its thousands set apart by commas: 1,000,000.
    public var grouped: String {
        let digits = String(magnitude)
        var text = ""
        for (index, digit) in digits.enumerated() {
            if index > 0 && (digits.count - index).isMultiple(of: 3) { text += "," }
            text.append(digit)
        }
        return self < 0 ? "-" + text : text
    }

    /// Its share of `whole` in per cent: "100 %" only of all, "0 %" only of none.
    public func percentage(of whole: Int) -> String {
        if self == 0 || whole == 0 { return "0 %" }
        let percent = self * 100 / whole
        if percent == 0 { return "<1 %" }
        return "\(self < whole ? Swift.min(percent, 99) : percent) %"
    }

    /// The number with a noun: "1 book", "2,000 books".
    public func of(_ singular: String) -> String {
        "\(grouped) \(singular)\(self == 1 ? "" : "s")"
    }
}

extension BookCount {
    /// The count for people: "4,000", "4,000+", "about 50,000,000", "?".
    package var shown: String {
        switch self {
        case .exactly(let count): count.grouped
        case .atLeast(let count): count.grouped + "+"
        case .about(let count): "about " + count.grouped
        case .unknown: "?"
        }
    }

    /// The count with what is counted: "1 book", "4,000+ books".
    package func of(_ noun: String) -> String {
        if case .exactly(let count) = self { count.of(noun) } else { "\(shown) \(noun)s" }
    }
}

extension Slot {
    /// What is shown in place of a value that is not there; "" if it is.
    public var placeholder: String {
        switch self {
        case .ready: ""
        case .pending: "…"
        case .failed(let reason): reason
        case .gone: Book.missingText
        }
    }
}
