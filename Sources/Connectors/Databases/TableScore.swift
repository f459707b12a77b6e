internal import Books
internal import ConnectorProtocol
internal import GRDB

/// The likelihood that a table of a database contains books.
enum TableScore {
    /// The points for columns of these fields; columns of other fields prove nothing.
    private static let points: [BookField: Int] = [
        .title: 4, .authors: 3, .isbn: 3, .publisher: 1, .published: 1, .pageCount: 1, .languages: 1, .series: 1,
        .seriesPosition: 1, .subjects: 1, .cover: 1, .description: 1, .rating: 1,
    ]

    /// The points for a column that may be a title, as a name or a label may.
    private static let possibleTitle = 1

    /// Returns the points of a table with this name and these columns.
    static func score(name: String, columns names: [String]) -> Int {
        var score = 0
        var fields: Set<BookField> = []
        for key in Set(names.map(FieldNames.key)) {
            // The columns "author_id" and "author_sort" are of authors, too.
            let keys = [key] + ["id", "sort"].filter { key.hasSuffix($0) }.map { String(key.dropLast($0.count)) }
            let field = BookField.builtIn.first { field in keys.contains(where: field.names.telling.contains) }
            if let field {
                fields.insert(field)
                score += points[field] ?? 0
            } else if key != "label", BookField.title.names.weight(of: key) != nil {
                score += possibleTitle
            }
        }
        let table = name.lowercased()
        if ["books", "book", "titles", "works", "editions", "library", "novels", "novel", "volumes"].contains(table) {
            score += 3
        } else if table.contains("book") {
            score += 1
        }
        // Tables of authors have such columns, too, but not those of books in a table called after a collection.
        let isOfBooks = fields.isSuperset(of: [.title, .authors]) || fields.isSuperset(of: [.title, .isbn])
        return isOfBooks || LinkedTables.key(of: name) == nil ? score : min(score, 1)
    }

    /// Returns the points of tables. The best tables also get points for separate tables of authors and similar values.
    static func scores(of tables: [OpenedSource.Table], in database: Database) throws -> [Int] {
        var scores = tables.map { score(name: $0.name, columns: $0.columns) }
        let best = scores.indices.filter { scores[$0] >= leastPoints }.sorted { (-scores[$0], $0) < (-scores[$1], $1) }
        // Each of them is compared with all tables.
        for index in best.prefix(linkedCount) {
            for join in try LinkedTables.joins(of: tables[index], in: database) {
                // A column may be called like a table without referring to it; a table between the two is no accident.
                let points = join.link == nil ? 3 : 6
                scores[index] += LinkedTables.key(of: join.table) == "authors" ? points : 1
            }
        }
        return scores
    }

    private static let linkedCount = 5

    /// Returns whether a table probably has books, too: it has a title and other columns of books.
    static func isOfBooks(_ table: OpenedSource.Table) -> Bool {
        score(name: table.name, columns: table.columns) >= leastPoints
    }

    private static let leastPoints = 5
}
