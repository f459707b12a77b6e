public import Books
internal import Text

/// The ways in which books are related to a given one.
public enum RelatedBooks: CaseIterable, Sendable {
    case author, series, subject, year

    /// Returns the query for the books with the same first author, series, first subject or year, or nil if that field
    /// of `book` is empty.
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
    /// Whether nothing searchable remains after normalization.
    var isFoldedToNothing: Bool { [UInt8](folding: self).isEmpty }
}
