public import Books
internal import Text

/// A CSV table with the columns of calibre's catalogs, in the same order.
///
/// There is no column for user data except the rating: the user's rating replaces the catalog's.
public struct CalibreFormatter: BookFormatter {
    /// A column of the table; the raw values are the names in the header.
    public enum Column: String, CaseIterable, Sendable {
        case authorSort = "author_sort"
        case authors, comments, cover, formats, id, identifiers, isbn, languages
        case libraryName = "library_name"
        case published = "pubdate"
        case publisher, rating, series
        case seriesIndex = "series_index"
        case size, tags, timestamp, title
        case titleSort = "title_sort"
        case uuid
    }

    private let guardsFormulas: Bool

    /// Creates a formatter.
    ///
    /// - Parameter guardsFormulas: Whether to guard cells that a spreadsheet would run as formulas.
    public init(guardsFormulas: Bool = false) { self.guardsFormulas = guardsFormulas }

    /// What calibre's table has no column for.
    public func expect(_ schema: Schema) -> [FieldLoss] {
        let kept: Set<BookField> = [
            .title, .authors, .isbn, .publisher, .published, .languages, .subjects, .series, .seriesPosition,
            .description, .rating, .cover, .identifiers, .dateAdded, .sortTitle,
        ]
        return [FieldLoss].all(but: kept, in: schema) + [
            FieldLoss("that a month or day is unknown") { book in
                [book.published, book.dateAdded].contains { $0.map { $0.year > 0 && $0.day == nil } ?? false }
            },
            FieldLoss("years before 1") { $0.published.map { $0.year <= 0 } ?? false },
            .commasInSubjects,
        ]
    }

    /// Appends the header.
    public func begin(_ text: inout [UInt8]) { Column.allCases.map { CSVField($0.rawValue) }.write(to: &text) }

    /// Appends the row of a book.
    public func append(_ printed: PrintedBook, to text: inout [UInt8]) {
        Column.allCases.map { column in
            column == .comments
                ? CSVField(lines: printed.book.description ?? "") : CSVField(Self.text(of: printed, in: column))
        }
        .write(to: &text, guardsFormulas: guardsFormulas)
    }

    private static func text(of printed: PrintedBook, in column: Column) -> String {
        let book = printed.book
        return switch column {
        case .authorSort: names(book.authors.map(\.lastNameFirst))
        case .authors: names(book.authors)
        case .cover: book.cover ?? ""
        case .id: book.sourceID ?? printed.knownIdentity.description
        case .identifiers: identifiers(of: book)
        case .isbn: book.isbn?.text ?? ""
        case .languages: book.languages.joined(separator: ", ")
        case .published: time(book.published)
        case .publisher: book.publisher ?? ""
        case .rating: rating(of: printed)
        case .series: book.series ?? ""
        case .seriesIndex: book.series == nil ? "" : book.seriesPosition?.inBibliography ?? ""
        case .tags: book.subjects.map { $0.replacing(",", with: ";") }.joined(separator: ", ")
        case .timestamp: time(book.dateAdded)
        case .title: book.title
        case .titleSort: book.sortTitle ?? ""
        case .comments, .formats, .libraryName, .size, .uuid: ""
        }
    }

    /// Names are separated by ampersands; an ampersand in a name is doubled.
    private static func names(_ names: [String]) -> String {
        names.map { $0.replacing("&", with: "&&") }.joined(separator: " & ")
    }

    private static func identifiers(of book: Book) -> String {
        let isbn = book.isbn.map { [Book.Identifier(scheme: "isbn", value: $0.text)] } ?? []
        return (book.identifiers + isbn).map { "\($0.scheme):\($0.value)" }.joined(separator: ",")
    }

    /// calibre supports only full dates, and none before the year 1.
    private static func time(_ date: PartialDate?) -> String {
        guard var date, date.year > 0 else { return "" }
        date.month = date.month ?? 1
        date.day = date.day ?? 1
        return date.description + "T00:00:00+00:00"
    }

    private static func rating(of printed: PrintedBook) -> String {
        guard let rating = printed.userData?.rating?.stars ?? printed.book.rating, rating.isFinite else {
            return ""
        }
        return rating.inBibliography
    }
}
