package import Books
public import Indexing
internal import Text

/// What the books of a list are counted by.
public enum Facet: Int, CaseIterable, Sendable {
    case author, subject, language, decade, series, fiction, status

    /// What stands for the books of which it is not known.
    public static let unknownName = "Not known"

    /// The query for the books of which it is not known.
    public var unknownQuery: String {
        switch self {
        case .fiction: "fiction:unknown"
        case .status: "status:none"
        case .decade: Query.text(excluding: "has:year")
        case .author, .subject, .language, .series: Query.text(excluding: "has:\(self)")
        }
    }
}

/// A value that books of a list have.
public struct FacetValue: Hashable, Sendable {
    /// What it is a value of.
    public let facet: Facet
    /// The value: a folded text, of a series its name without a place; the code of a language, or its folded name where it
    /// has none; "1990..1999"; "yes" and "no"; "to-read".
    public let value: String
    /// How many books have it.
    public let count: Int
    /// The first book in the catalog that has it, of those that were counted.
    public let book: BookID
}

extension FacetValue {
    /// What it is called: an author, a subject or a series as the first book that has it writes it, the English
    /// name of a language, "1990s", "Non-fiction", "To read".
    public func name(in books: any BookReader) -> String {
        switch facet {
        case .author, .subject, .series: books.bookAtHand(book).flatMap(spelling) ?? value
        case .language: LanguageTag(value)?.englishName ?? books.bookAtHand(book).flatMap(spelling) ?? value
        case .decade: decade?.name ?? value
        case .fiction: Self.name(ofFiction: value == "yes")
        case .status: Book.ReadingStatus(rawValue: value).map(Self.name) ?? value
        }
    }

    /// The query for the books that have it.
    public func query(in books: any BookReader) -> String {
        switch facet {
        case .author: Query.text(of: .author, whole: name(in: books))
        case .subject: Query.text(of: .subject, whole: name(in: books))
        case .series: Query.text(of: .series, whole: name(in: books))
        case .language:
            LanguageCode(of: value).text == value
                ? "language:\(value)"
                : Query.text(of: .language, whole: books.bookAtHand(book).flatMap(spelling) ?? value)
        case .decade: "year:\(value)"
        case .fiction, .status: "\(facet):\(value)"
        }
    }

    /// The query for the books that do not have it.
    public func exclusion(in books: any BookReader) -> String { Query.text(excluding: query(in: books)) }

    /// What is fiction, or not, is called.
    static func name(ofFiction isFiction: Bool) -> String { isFiction ? "Fiction" : "Non-fiction" }

    /// What a status is called.
    package static func name(of status: Book.ReadingStatus) -> String {
        switch status {
        case .toRead: "To read"
        case .reading: "Reading"
        case .read: "Read"
        case .abandoned: "Abandoned"
        }
    }

    private var decade: Decade? {
        value.firstRange(of: "..").flatMap { Int(value[..<$0.lowerBound]) }.map(Decade.init(ofYear:))
    }

    /// How `book` writes it; nil where it does not have it.
    private func spelling(in book: Book) -> String? { facet.spelling(of: Array(value.utf8), in: book) }
}

extension Facet {
    /// How `book` writes the value that is folded to `value`; nil where it does not have it.
    func spelling(of value: [UInt8], in book: Book) -> String? {
        func first(of texts: [String]) -> String? { texts.first { [UInt8](folding: $0) == value } }
        return switch self {
        case .author: first(of: book.authors)
        case .subject: first(of: book.subjects)
        case .language: first(of: book.languages)
        case .series: book.series.flatMap { SeriesName.beginning(of: $0, foldedTo: value) }
        case .decade, .fiction, .status: nil
        }
    }
}

/// The values that a list's books have of one kind.
public struct FacetCounts: Hashable, Sendable {
    /// The values, those that most books have first, of those with as many the one that the catalog has first; at most as
    /// many as were asked for.
    public let values: [FacetValue]
    /// How many different values there are.
    public let distinctCount: Int
    /// How many books have none.
    public let unknownCount: Int
}

/// The values of all kinds that a list's books have.
public struct Facets: Sendable {
    /// How many books were counted.
    public let bookCount: Int
    private let counts: [FacetCounts]
    /// How many books have a text of each kind.
    private let bookCounts: [Int]

    /// These counts, in the order of the facets, and how many books have a text of each kind, by the kinds' raw values.
    init(bookCount: Int, _ counts: [FacetCounts], having bookCounts: [Int]) {
        self.bookCount = bookCount
        self.counts = counts
        self.bookCounts = bookCounts
    }

    /// How many books have a text of `kind`.
    func bookCount(having kind: IndexedTextField) -> Int { bookCounts[Int(kind.rawValue)] }

    /// The values of `facet`.
    public subscript(facet: Facet) -> FacetCounts { counts[facet.rawValue] }
}
