/// The fields of a book; the raw values are their names in a profile.
public enum BookField: String, CaseIterable, Sendable {
    case title, authors, isbn, pageCount, fiction
    case sourceID = "id"
    case subtitle, sortTitle, publisher, published, languages, subjects, series, seriesPosition
    case description, cover, identifiers, contributors, rating, status, dateAdded
}
