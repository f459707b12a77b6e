public import Books
public import Indexing
internal import Text

/// A property by which the books of a list are counted.
public enum Facet: Hashable, CaseIterable, Sendable {
    case author, subject, language, decade, series, fiction, status, rating, ownRating, shelf, yearRead
    /// A field that only the catalog has.
    case own(BookField)

    /// The properties of every book.
    public static let allCases: [Facet] = [
        .author, .subject, .language, .decade, .series, .fiction, .status, .rating, .ownRating, .shelf, .yearRead,
    ]

    /// The display name of unknown values.
    public static let unknownName = "Not known"
    /// The display name for books without a series.
    static let noSeriesName = "No series"
    /// The display name for books without a reading status.
    static let noStatusName = "No status"

    /// The field whose values are counted; nil for those that are made of numbers or user data.
    public var field: BookField? {
        if case .own(let field) = self { return field }
        return textField?.bookField
    }

    /// The display name for books without a value. A book need not belong to a series or have a reading status, whereas
    /// it always has an author or a year.
    public var absenceName: String {
        switch self {
        case .series: Self.noSeriesName
        case .status: Self.noStatusName
        case .rating: "Not rated"
        case .ownRating: "Not rated by me"
        case .shelf: "On no shelf"
        case .yearRead: "No date read"
        case .author, .subject, .language, .decade, .fiction, .own: Self.unknownName
        }
    }
}

/// A value of a facet, with the number of books that have it.
public struct FacetValue: Hashable, Sendable {
    /// The facet.
    public let facet: Facet
    /// The value: normalized text, for series without the position; a language code, or a normalized name without one;
    /// "1990..1999"; "yes" or "no"; "to-read"; stars, such as "4.5"; the key of a shelf's name; a year.
    public let value: String
    /// The number of books that have the value.
    public let count: Int
    /// The first of the counted books, in catalog order, that has the value.
    public let book: BookID
}

extension FacetValue {
    /// Returns the display name: the spelling in the first book for authors, subjects and series, the English name of a
    /// language, "1990s", "Non-fiction", "To read", "★★★★½"; for a shelf, the key of its name.
    public func name(in books: any BookReader) -> String {
        switch facet {
        case .author, .subject, .series: books.bookAtHand(book).flatMap(spelling) ?? value
        case .language: LanguageTag(value)?.englishName ?? books.bookAtHand(book).flatMap(spelling) ?? value
        case .decade: value == Self.earlyDecades ? "Before 1900" : decade?.name ?? value
        case .fiction: Self.name(ofFiction: value == "yes")
        case .status: Book.ReadingStatus(rawValue: value).map(Self.name) ?? value
        case .rating, .ownRating: stars.text
        case .shelf, .yearRead: value
        case .own(let field): books.bookAtHand(book).flatMap { spelling(of: field, in: $0) } ?? value
        }
    }

    /// Returns the spelling of the value of a catalog's own field in `book`.
    private func spelling(of field: BookField, in book: Book) -> String? {
        if field.info.kind == .boolean { return value == "yes" ? "Yes" : "No" }
        return field.value(in: book)?.texts.first {
            $0 == value || String(decoding: [UInt8](folding: $0), as: UTF8.self) == value
        }
    }

    /// Returns the query for the books that have the value.
    public func query(in books: any BookReader) -> String {
        switch facet {
        case .author, .subject, .series:
            facet.textField.map { Query.text(of: $0, whole: name(in: books)) } ?? ""
        case .language:
            LanguageCode(of: value).text == value
                ? "language:\(value)"
                : Query.text(of: .language, whole: books.bookAtHand(book).flatMap(spelling) ?? value)
        case .decade: "year:\(value)"
        case .fiction, .status: "\(facet):\(value)"
        case .rating: Query.text(of: stars)
        case .ownRating: "mine:\(value)"
        case .yearRead: "read:\(value)"
        case .shelf: Query.text(ofShelf: value)
        case .own(let field): Query.text(ofOwn: field, whole: field.info.kind == .boolean ? value : name(in: books))
        }
    }

    /// Returns the display name of fiction or non-fiction.
    static func name(ofFiction isFiction: Bool) -> String { isFiction ? "Fiction" : "Non-fiction" }

    /// Returns the display name of a reading status.
    public static func name(of status: Book.ReadingStatus) -> String {
        switch status {
        case .toRead: "To read"
        case .reading: "Reading"
        case .read: "Read"
        case .abandoned: "Abandoned"
        }
    }

    /// The value of all decades before 1900.
    public static let earlyDecades = "<1900"

    fileprivate var isEarlyDecade: Bool { decade.map { $0.number < 190 } ?? false }

    private var stars: StarRating { StarRating(Double(value) ?? 0) }

    private var decade: Decade? {
        value.firstRange(of: "..").flatMap { Int(value[..<$0.lowerBound]) }.map(Decade.init(ofYear:))
    }

    /// Returns the spelling of the value in `book`, or nil if the book does not have it.
    private func spelling(in book: Book) -> String? {
        facet.textField?.spelling(of: Array(value.utf8), in: book)
    }
}

extension Facet {
    /// The field whose texts the facet counts; nil if it counts numbers or user data.
    var textField: Query.TextField? {
        if case .own = self { return nil }
        return BookField(queryName: "\(self)").flatMap { $0.info.isFacet ? Query.TextField($0) : nil }
    }
}

extension Query.TextField {
    /// Returns the spelling in `book` of the text that normalizes to `value`, or nil if the book does not have it.
    func spelling(of value: [UInt8], in book: Book) -> String? {
        // Catalogs append the position to the name of a series.
        if self == .series { return book.series.flatMap { SeriesName.beginning(of: $0, foldedTo: value) } }
        return bookField.value(in: book)?.texts.first { [UInt8](folding: $0) == value }
    }
}

/// The values of one facet in the books of a list.
public struct FacetCounts: Hashable, Sendable {
    /// The most frequent values up to the requested limit, by descending count and then in catalog order.
    public let values: [FacetValue]
    /// The number of distinct values.
    public let distinctCount: Int
    /// The number of books without a value.
    public let unknownCount: Int

    /// The counts of a facet that was not counted.
    static let none = FacetCounts(values: [], distinctCount: 0, unknownCount: 0)
}

extension FacetCounts {
    /// The values as readers look for them: statuses as books pass through them, the latest decades, the best ratings and
    /// the latest years of reading first, and all others by descending count.
    public var arranged: [FacetValue] {
        // Facets of texts, which may have very many values, are in this order already.
        if values.first?.position == nil { return values }
        return values.enumerated().sorted { ($0.element.position ?? $0.offset) < ($1.element.position ?? $1.offset) }
            .map(\.element)
    }

    /// Whether there are several decades before 1900, and most books are of later ones.
    public var isMostlyLater: Bool {
        let early = values.filter(\.isEarlyDecade)
        return early.count > 1 && 2 * early.reduce(0) { $0 + $1.count } < values.reduce(0) { $0 + $1.count }
    }

    /// The counts with all decades before 1900 as one value.
    public var joiningEarlyDecades: FacetCounts {
        let early = values.filter(\.isEarlyDecade)
        guard let first = early.min(by: { $0.book < $1.book }) else { return self }
        let joined = FacetValue(
            facet: .decade, value: FacetValue.earlyDecades, count: early.reduce(0) { $0 + $1.count }, book: first.book)
        return FacetCounts(
            values: values.filter { !$0.isEarlyDecade } + [joined], distinctCount: distinctCount - early.count + 1,
            unknownCount: unknownCount)
    }
}

extension FacetValue {
    /// The place of the value in the order of its facet; nil if values are ordered by count.
    fileprivate var position: Int? {
        switch facet {
        case .author, .subject, .language, .series, .fiction, .shelf, .own: nil
        case .decade: value == Self.earlyDecades ? .max : decade.map { -$0.number }
        case .status: Book.ReadingStatus(rawValue: value).flatMap { Book.ReadingStatus.allCases.firstIndex(of: $0) }
        case .rating, .ownRating: -stars.halves
        case .yearRead: Int(value).map { -$0 }
        }
    }
}

/// The values of all facets in the books of a list.
public struct Facets: Sendable {
    /// The number of books counted.
    public let bookCount: Int
    private let counts: [Facet: FacetCounts]
    /// The number of books with a text in each field, by raw value.
    private let bookCounts: [Int]

    /// Creates the result from the counts by facet, and the number of books with a text in each
    /// field, by raw value.
    init(bookCount: Int, _ counts: [Facet: FacetCounts], having bookCounts: [Int]) {
        self.bookCount = bookCount
        self.counts = counts
        self.bookCounts = bookCounts
    }

    /// Returns the number of books that have a text in a field.
    func bookCount(having kind: IndexedTextField) -> Int { bookCounts[Int(kind.rawValue)] }

    /// Returns the values of `facet`.
    public subscript(facet: Facet) -> FacetCounts { counts[facet] ?? .none }

    /// Returns these values with those of `facets` replaced by the values in `other`.
    public func replacing(_ facets: some Sequence<Facet>, from other: Facets) -> Facets {
        var counts = counts
        for facet in facets { counts[facet] = other[facet] }
        return Facets(bookCount: bookCount, counts, having: bookCounts)
    }

    /// Returns the query for the counted books without a value of `facet`.
    public func unknownQuery(of facet: Facet) -> String {
        switch facet {
        case .fiction: "fiction:unknown"
        case .status: "status:none"
        case .decade: Query.text(excluding: "has:year")
        case .author, .subject, .language, .series, .rating: Query.text(excluding: "has:\(facet)")
        case .own(let field): Query.text(excluding: "has:\(field.id)")
        case .ownRating: Query.text(excluding: "has:mine")
        case .yearRead: Query.text(excluding: "has:read")
        case .shelf:
            Query.text(
                excluding: "(" + self[facet].values.map { Query.text(ofShelf: $0.value) }.joined(separator: " | ") + ")"
            )
        }
    }
}
