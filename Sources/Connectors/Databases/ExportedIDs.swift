internal import GRDB

/// The ids of the books of a database that are also in the new export, in a temporary table that SQLite can keep on
/// disk.
final class ExportedIDs {
    private let database: Database
    private let insert: PreparedStatement
    private let find: PreparedStatement
    private var findKey: PreparedStatement?

    /// Creates an empty table for books of `database`.
    init(_ database: Database) throws {
        self.database = database
        try database.execute(sql: "CREATE TEMP TABLE kept_books (id INTEGER PRIMARY KEY)")
        insert = try PreparedStatement(database, "INSERT OR IGNORE INTO temp.kept_books VALUES (?)")
        find = try PreparedStatement(database, "SELECT 1 FROM temp.kept_books WHERE id = ?")
    }

    /// Adds the id of a book.
    func add(_ id: Int64) throws { try insert.run([.integer(id)]) }

    /// Returns the id of the book that has the same key in the catalog as `book`, but another identity, because its
    /// title or authors have changed; nil if there is none, if several books have the key, or if it was added already.
    func id(withKeyOf book: ExportedBook) throws -> Int64? {
        guard let key = book.text("sourceID") else { return nil }
        let findKey = try self.findKey ?? statementForKeys()
        self.findKey = findKey
        try findKey.bind([.text(key)])
        defer { findKey.reset() }
        guard try findKey.next() else { return nil }
        let number = findKey.integer(0)
        try find.bind([.integer(number)])
        defer { find.reset() }
        return try find.next() ? nil : number
    }

    /// The schema has no index of keys, because only renamed and new books are looked up by key.
    private func statementForKeys() throws -> PreparedStatement {
        try database.execute(
            sql: """
                CREATE TEMP TABLE book_keys (key TEXT PRIMARY KEY, id INTEGER) WITHOUT ROWID;
                INSERT INTO temp.book_keys SELECT source_id, min(id) FROM main.books WHERE source_id IS NOT NULL
                GROUP BY source_id HAVING count(*) = 1
                """)
        return try PreparedStatement(database, "SELECT id FROM temp.book_keys WHERE key = ?")
    }

    /// Deletes all other books.
    func deleteOthers() throws {
        try database.execute(sql: "DELETE FROM main.books WHERE id NOT IN (SELECT id FROM temp.kept_books)")
    }
}
