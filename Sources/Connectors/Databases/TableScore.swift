/// How likely a table of a database has books.
enum TableScore {
    /// What the name of a column says of a book, in lower case and without separators.
    private static let columns: [(points: Int, names: Set<String>)] = [
        (4, ["title", "booktitle"]),
        (
            3,
            [
                "author", "authors", "authorname", "writer", "creator", "authorid", "isbn", "isbn13", "isbn10",
                "authorsort",
            ]
        ),
        (1, ["name", "titel", "titre", "titulo", "titolo"]),
        (
            1,
            [
                "publisher", "year", "published", "publicationyear", "pubdate", "publicationdate", "pages", "pagecount",
                "numberofpages", "language", "languages", "languagecode", "series", "seriesindex", "genre", "subject",
                "subjects", "cover", "description", "rating", "format",
            ]
        ),
    ]

    /// Returns the points of a table with this name and these columns.
    static func score(name: String, columns names: [String]) -> Int {
        let keys = Set(names.map { $0.lowercased().filter { $0 != "_" && $0 != "-" && $0 != " " } })
        var score = columns.reduce(0) { $0 + $1.points * keys.intersection($1.names).count }
        let table = name.lowercased()
        if ["books", "book", "titles", "works", "editions", "library"].contains(table) {
            score += 3
        } else if table.contains("book") {
            score += 1
        }
        return score
    }
}
