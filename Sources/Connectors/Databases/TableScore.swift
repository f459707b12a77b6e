internal import ConnectorProtocol
internal import GRDB

/// The likelihood that a table of a database contains books.
enum TableScore {
    /// The points for the names of columns, in lower case and without separators.
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
        // Tables of authors have such columns, too.
        return LinkedTables.key(of: name) == nil ? score : min(score, 1)
    }

    /// Returns the points of tables. The best tables also get points for separate tables of authors and similar values.
    static func scores(of tables: [OpenedSource.Table], in database: Database) throws -> [Int] {
        var scores = tables.map { score(name: $0.name, columns: $0.columns) }
        let best = scores.indices.filter { scores[$0] >= points }.sorted { (-scores[$0], $0) < (-scores[$1], $1) }
        // Each of them is compared with all tables.
        for index in best.prefix(linkedCount) {
            for join in try LinkedTables.joins(of: tables[index], in: database) {
                scores[index] += LinkedTables.key(of: join.table) == "authors" ? 3 : 1
            }
        }
        return scores
    }

    private static let linkedCount = 5

    /// Returns whether a table probably has books, too: it has a title and other columns of books.
    static func isOfBooks(_ table: OpenedSource.Table) -> Bool {
        score(name: table.name, columns: table.columns) >= points
    }

    private static let points = 5
}
