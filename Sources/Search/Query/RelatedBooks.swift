public import Books
internal import Text

/// In what other books are like one.
public enum RelatedBooks: CaseIterable, Sendable {
    case author, series, subject, year

    /// The query for the books that have the same as `book`: its first author, its series, its first subject, or its year;
    /// nil where it has none.
    public func query(for book: Book) -> String? {
        switch self {
        case .author: Self.query(.author, for: book.authors.first { !$0.isFoldedToNothing })
        case .series: Self.query(.series, for: book.series.map(SeriesName.name))
        case .subject: Self.query(.subject, for: book.subjects.first { !$0.isFoldedToNothing })
        case .year: book.published.map { Query.text(of: .year, $0.year) }
        }
    }

    private static func query(_ field: Query.TextField, for value: String?) -> String? {
        guard let value, !value.isFoldedToNothing else { return nil }
        return Query.text(of: field, whole: value)
    }
}

extension String {
    /// Whether there is nothing in it that a search could find.
    var isFoldedToNothing: Bool { [UInt8](folding: self).isEmpty }
}
