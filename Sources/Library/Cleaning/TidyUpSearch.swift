internal import Catalog
public import Search

/// A search for books whose records lack something or are wrong.
public enum TidyUpSearch: String, CaseIterable, Sendable {
    case noAuthor = "no-author"
    case noYear = "no-year"
    case noLanguage = "no-language"
    case noCover = "no-cover"
    case invalidISBN = "invalid-isbn"
    case noPosition = "no-position"
    case seriesGap = "series-gap"

    /// The display name.
    public var name: String {
        switch self {
        case .noAuthor: "No author"
        case .noYear: "No year"
        case .noLanguage: "No language"
        case .noCover: "No cover"
        case .invalidISBN: "Invalid ISBN"
        case .noPosition: "No number in series"
        case .seriesGap: "Gaps in series"
        }
    }

    /// The query as it can be typed.
    public var text: String {
        switch self {
        case .noAuthor: "-has:author"
        case .noYear: "-has:year"
        case .noLanguage: "-has:language"
        case .noCover: "-has:cover"
        case .invalidISBN: "is:invalid-isbn"
        case .noPosition: "has:series -has:position"
        case .seriesGap: "is:series-gap"
        }
    }

    /// The sections in which the books are shown at first, if any.
    public var grouping: SectionKey? { self == .seriesGap ? .series : nil }
}

extension Library {
    /// The lists of what is to be tidied up, behind all others; none from a server, which cannot search for it.
    public var tidyUpLists: [NamedList] {
        guard hasTidyUp, store.local != nil else { return [] }
        return TidyUpSearch.allCases.map { NamedList(.tidyUp($0), name: $0.name) }
    }

    /// The lists in display order, and behind them those of what is to be tidied up.
    public var everyList: [NamedList] { lists + tidyUpLists }
}
