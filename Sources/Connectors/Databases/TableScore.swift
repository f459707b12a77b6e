internal import ConnectorProtocol
internal import GRDB

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
        if ["books", "book", "titles", "works", "editions", "library", "novels", "novel", "volumes"].contains(table) {
            score += 3
        } else if table.contains("book") {
            score += 1
        }
        // Authors have a name too.
        return LinkedTables.key(of: name) == nil ? score : min(score, 1)
    }

    /// Returns the points of a table, with those for authors and the like in tables of their own.
    static func score(of table: OpenedSource.Table, in database: Database) throws -> Int {
        let own = score(name: table.name, columns: table.columns)
        // Each pair of tables is looked at for this.
        if own < points { return own }
        return try LinkedTables.joins(of: table, in: database).reduce(own) { score, join in
            score + (LinkedTables.key(of: join.table) == "authors" ? 3 : 1)
        }
    }

    /// Whether a table most likely has books, too: it has a title and more of a book.
    static func isOfBooks(_ table: OpenedSource.Table) -> Bool {
        score(name: table.name, columns: table.columns) >= points
    }

    private static let points = 5
}
