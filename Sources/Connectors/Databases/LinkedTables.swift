internal import Books
internal import ConnectorProtocol
internal import GRDB

/// The tables of a database with values of books, such as their authors.
enum LinkedTables {
    /// The fields whose values have tables of their own, with what such tables are called besides the names that tell the
    /// field.
    private static let fields: [(field: BookField, nouns: Set<String>)] = [
        (.authors, ["person", "people"]), (.publisher, ["house", "press"]), (.series, []), (.languages, []),
        (.subjects, ["tag", "category", "topic", "keyword"]),
    ]

    /// Returns the key for the values of the table with this name; nil if it has no values of books.
    static func key(of table: String) -> String? {
        let name = table.singular
        // Frameworks put the name of the application before that of a table: `catalog_author` (Django), `tblAuthors`.
        let names =
            [name] + (name.hasPrefix("tbl") ? [String(name.dropFirst(3))] : [])
            + (name.lastIndex(of: "_").map { [String(name[name.index(after: $0)...])] } ?? [])
        let keys = names.map(FieldNames.key)
        return fields.first { field, nouns in
            keys.contains { nouns.contains($0) || field.names.telling.contains($0) }
        }?.field.info.nativeKey
    }

    /// Returns the unambiguous joins of a database: one for each table of values that is linked with the table of books
    /// in exactly one way, unless the books have this value themselves.
    static func joins(of books: OpenedSource.Table, in database: Database) throws -> [TableJoin] {
        let tables = try String.fetchAll(
            database,
            sql: """
                SELECT name FROM sqlite_master
                WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND sql NOT LIKE 'CREATE VIRTUAL%'
                ORDER BY rowid
                """)
        // A database with many tables is not a collection of books, and each pair of tables must be examined.
        guard tables.contains(books.name), tables.count <= 100 else { return [] }
        var references: [(table: String, count: Int)] = []
        for table in tables where table != books.name {
            let count = try TableReference.all(from: table, to: books.name, in: database).count
            if count > 0 { references.append((table, count)) }
        }
        let candidates = tables.filter { $0 != books.name }.compactMap { table in
            key(of: table).map { (table: table, key: $0) }
        }
        var found: [(table: String, key: String, link: String?)] = []
        for (table, key) in candidates {
            // `book_authors` has no values if it refers to `authors`.
            let isLink = try candidates.contains { other in
                try other.key == key && other.table != table
                    && !TableReference.all(from: table, to: other.table, in: database).isEmpty
            }
            guard !isLink, let link = try onlyLink(from: table, to: books, among: references, in: database)
            else { continue }
            found.append((table, key, link.table))
        }
        let isCapital = books.columns.contains { ["Title", "Name", "Book Title", "TITLE"].contains($0) }
        return found.map { item in
            // Tags and genres are both subjects; with both, each table keeps its own name.
            let isOnly = found.count { $0.key == item.key } == 1
            let key = isOnly ? item.key : item.table
            return TableJoin(
                key: isCapital ? key.prefix(1).uppercased() + key.dropFirst() : key, table: item.table, column: nil,
                link: item.link)
        }
    }

    private struct Link {
        /// The link table; nil if one table refers to the other.
        let table: String?
    }

    /// Returns the link of a table with the table of books; nil if there is none or more than one.
    ///
    /// - Parameter references: The tables that refer to the table of books, with the number of their referring columns.
    private static func onlyLink(
        from table: String, to books: OpenedSource.Table, among references: [(table: String, count: Int)],
        in database: Database
    ) throws -> Link? {
        var links: [Link] = []
        let direct = try TableReference.all(from: books.name, to: table, in: database)
        let hasValue = books.columns.contains { column in
            !direct.contains { $0.column == column } && key(of: column) == key(of: table)
        }
        if hasValue { return nil }
        for middle in references {
            if middle.table == table {
                links += Array(repeating: Link(table: nil), count: middle.count)
                continue
            }
            let others = try TableReference.all(from: middle.table, to: table, in: database)
            links += Array(repeating: Link(table: middle.table), count: middle.count * others.count)
        }
        links += direct.map { _ in Link(table: nil) }
        return links.count == 1 ? links[0] : nil
    }
}
