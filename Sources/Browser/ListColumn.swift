/// A column that the list of books can have, by the name that options, the config file and the preferences have for it.
public enum ListColumn: String, CaseIterable, Hashable, Sendable {
    case title, author, series, year, pages, rating, language, publisher, subject, isbn, added
}
