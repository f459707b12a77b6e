/// The fields of a book, by their names in a mapping.
public enum BookField: String, CaseIterable, Sendable {
    case title, authors, isbn, pageCount, fiction
    case sourceID = "id"
    case subtitle, sortTitle, publisher, published, languages, subjects, series, seriesPosition
    case description, cover, identifiers, contributors, rating, status, dateAdded

    /// The field of this name; nil where there is none.
    ///
    /// What the compiler makes of so many names, `init(rawValue:)`, is a table that takes as long to make as to read the
    /// profiles that programs start with.
    init?(named name: String) {
        guard let field = Self.allCases.first(where: { $0.rawValue == name }) else { return nil }
        self = field
    }
}
