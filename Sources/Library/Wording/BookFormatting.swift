public import Books
public import Catalog
internal import Graphemes
internal import Text

extension BookField {
    /// Returns the value in `book` for display; nil if there is none.
    public func shown(in book: Book) -> String? {
        switch self {
        case .isbn: book.isbn == nil ? nil : book.shownISBN
        case .fiction: book.fiction == nil ? nil : book.shownKind
        case .series: book.shownSeries
        case .languages: book.shownLanguages
        case .rating: book.shownRating
        default: value(in: book)?.shown
        }
    }
}

extension FieldValue {
    /// The value for display.
    fileprivate var shown: String {
        switch self {
        case .integer(let number): number.grouped
        case .date(let date): date.shown
        case .status(let status): status.shown
        case .list: texts.listed
        case .text, .number, .boolean, .isbn: text
        }
    }
}

/// The display of a book's fields, including placeholders for missing ones.
extension Book {
    /// The title, or "Untitled" if it has no visible characters.
    public var shownTitle: String { isUntitled ? "Untitled" : title }

    /// The text that replaces a book whose record is gone.
    public static var missingText: String { "No longer there: the catalog changed on disk" }

    /// The authors, or "Unknown author".
    public var shownAuthors: String { authors.isEmpty ? "Unknown author" : authors.listed }

    /// The ISBN for display, or "–".
    public var shownISBN: String {
        guard let isbn else { return "–" }
        return isbn.isValid ? isbn.formatted : isbn.text + " (not a valid ISBN)"
    }

    /// The number of pages, or "–".
    public var shownPages: String { pageCount.map { $0.grouped } ?? "–" }

    /// "Fiction", "Non-fiction", or "–" if unknown.
    public var shownKind: String {
        switch fiction {
        case true: "Fiction"
        case false: "Non-fiction"
        case nil: "–"
        }
    }

    /// The series and the position in it, "Discworld, 8", as far as they are known.
    public var shownSeries: String? {
        let parts = [series, seriesPosition?.shown].compactMap(\.self)
        return parts.isEmpty ? nil : parts.joined(separator: ", ")
    }

    /// The names of the languages, or the catalog's text for unknown tags.
    public var languageNames: [String] { languages.map { LanguageTag($0)?.englishName ?? $0 } }

    /// The names of the languages in one text.
    public var shownLanguages: String { languageNames.listed }

    /// The rating as stars and a number, "★★★★½ 4.5".
    public var shownShortRating: String? {
        rating.map { "\(StarRating($0.isFinite ? $0 : 0).text) \($0.shown)" }
    }

    /// The rating as stars and a number, "★★★★½ 4.5 of 5".
    public var shownRating: String? {
        shownShortRating.map { $0 + " of 5" }
    }

    /// The series with the place in it, "Discworld #8", as far as they are known.
    public var shownPlaceInSeries: String? {
        guard let seriesPosition else { return series }
        let place = "#" + seriesPosition.shown
        return series.map { "\(SeriesName.name(of: $0)) \(place)" } ?? place
    }

    /// The identifiers grouped by the name of their scheme, schemes in catalog order, without links to the files in the
    /// calibre library at `directory`.
    public func shownIdentifiers(below directory: String?) -> [(scheme: String, values: [String])] {
        var schemes: [String] = []
        var values: [String: [String]] = [:]
        for identifier in identifiersWithoutFiles(below: directory) {
            let scheme = identifier.shownScheme
            if values[scheme] == nil { schemes.append(scheme) }
            values[scheme, default: []].append(identifier.value)
        }
        return schemes.map { ($0, values[$0, default: []]) }
    }

    /// Where the picture of the cover is, without the whole link: the host, "covers.example.org", or the name of the file,
    /// or that it is in the record.
    public var shownCover: String? {
        guard let cover, !cover.isEmpty else { return nil }
        if cover.prefix(5).lowercased() == "data:" { return "picture in the record" }
        let parts = cover.split(separator: "/", omittingEmptySubsequences: false)
        if parts.count > 2, parts[0].hasSuffix(":"), parts[1].isEmpty {
            let host = parts[2].prefix { !"?#".contains($0) }
            if !host.isEmpty { return String(host) }
        }
        return parts.last { !$0.isEmpty }.map(String.init)
    }

    /// The contributors grouped by role, roles in catalog order.
    public var shownContributors: [(role: String, names: [String])] {
        var roles: [String] = []
        var names: [String: [String]] = [:]
        for contributor in contributors {
            let role = contributor.shownRole
            if names[role] == nil { roles.append(role) }
            names[role, default: []].append(contributor.name)
        }
        return roles.map { ($0, names[$0, default: []]) }
    }
}

extension Book.Contributor {
    /// The role as a label: "Translator", or "Contributor" if unknown.
    var shownRole: String {
        guard let role, !role.isEmpty else { return "Contributor" }
        return Self.relators[role.lowercased()] ?? role.prefix(1).uppercased() + role.dropFirst()
    }

    /// The most common codes of the MARC Code List for Relators.
    private static let relators = [
        "art": "Artist", "aui": "Introduction", "aut": "Author", "bkp": "Producer", "clr": "Colourist",
        "cmm": "Commentator", "com": "Compiler", "cov": "Cover", "ctb": "Contributor", "edt": "Editor",
        "ill": "Illustrator", "nrt": "Narrator", "pbl": "Publisher", "pht": "Photographer", "trl": "Translator",
    ]
}

extension Book.Identifier {
    /// The name of the scheme, "LibraryThing", or as the catalog writes it if it is not well known.
    var shownScheme: String { Self.schemes[scheme.lowercased()] ?? scheme }

    private static let schemes = [
        "amazon": "Amazon", "arxiv": "arXiv", "asin": "ASIN", "barnesnoble": "Barnes & Noble", "doi": "DOI",
        "file": "File",
        "goodreads": "Goodreads", "google": "Google Books", "gutenberg": "Gutenberg", "isni": "ISNI", "issn": "ISSN",
        "lccn": "LCCN", "librarything": "LibraryThing", "oclc": "OCLC", "olid": "Open Library",
        "openlibrary": "Open Library", "uri": "URI", "url": "URL", "uuid": "UUID", "wikidata": "Wikidata",
    ]
}

extension Book.ReadingStatus {
    /// The display name of the status.
    public var shown: String {
        switch self {
        case .toRead: "To read"
        case .reading: "Reading"
        case .read: "Read"
        case .abandoned: "Abandoned"
        }
    }

    /// The sign of the status, one column wide.
    public var sign: String {
        switch self {
        case .toRead: "○"
        case .reading: "◐"
        case .read: "●"
        case .abandoned: "✕"
        }
    }
}

extension PartialDate {
    /// The known parts of the date: "5 March 2004", "March 2004", "2004", "750 BC".
    public var shown: String {
        let shownYear = Self.name(ofYear: year)
        guard let month, (1...12).contains(month) else { return shownYear }
        return (day.map { "\($0) " } ?? "") + "\(CalendarMonth(year: year, month: month).name) \(shownYear)"
    }
}

extension [String] {
    /// The elements joined with commas, or with semicolons if one contains a comma.
    public var listed: String {
        joined(separator: listSeparator)
    }

    /// The separator of `listed`.
    public var listSeparator: String { count > 1 && contains(where: \.hasInnerComma) ? "; " : ", " }
}

extension String {
    /// Whether the string contains a comma followed by a space.
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
    /// The number with at most two decimal places: 3, 2.5, 4.17.
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
    /// The number with thousands separators: 1,000,000.
    public var grouped: String {
        let digits = String(magnitude)
        var text = ""
        for (index, digit) in digits.enumerated() {
            if index > 0 && (digits.count - index).isMultiple(of: 3) { text += "," }
            text.append(digit)
        }
        return self < 0 ? "-" + text : text
    }

    /// Returns the number as a percentage of `whole`; "100 %" only for all of it, "0 %" only for none.
    public func percentage(of whole: Int) -> String {
        if self == 0 || whole == 0 { return "0 %" }
        let percent = Int((Double(self) * 100 / Double(whole)).rounded())
        if percent == 0 { return "<1 %" }
        return "\(self < whole ? Swift.min(percent, 99) : percent) %"
    }

    /// Returns the number with a noun: "1 book", "2,000 books".
    public func of(_ singular: String) -> String {
        "\(grouped) \(singular)\(self == 1 ? "" : "s")"
    }
}

extension BookCount {
    /// The count for display: "4,000", "4,000+", "about 50,000,000", "?".
    public var shown: String {
        switch self {
        case .exactly(let count): count.grouped
        case .atLeast(let count): count.grouped + "+"
        case .about(let count): "about " + count.grouped
        case .unknown: "?"
        }
    }

    /// Returns the count with a noun: "1 book", "4,000+ books".
    public func of(_ noun: String) -> String {
        if case .exactly(let count) = self { count.of(noun) } else { "\(shown) \(noun)s" }
    }
}

extension Slot {
    /// The text that replaces an unavailable value; "" if it is available.
    public var placeholder: String {
        switch self {
        case .ready: ""
        case .pending: "…"
        case .failed(let reason): reason
        case .gone: Book.missingText
        }
    }
}
