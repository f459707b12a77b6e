internal import GRDB

/// The books of a database that are in the new export, too: their numbers, in a temporary table that needs no memory.
final class KeptBooks {
    private let database: Database
    private let insert: PreparedStatement
    private let find: PreparedStatement
    private var findKey: PreparedStatement?

    /// Creates the table for the books of `database`, none of which is in it.
    init(_ database: Database) throws {
        self.database = database
        try database.execute(sql: "CREATE TEMP TABLE kept_books (id INTEGER PRIMARY KEY)")
        insert = try PreparedStatement(database, "INSERT OR IGNORE INTO temp.kept_books VALUES (?)")
        find = try PreparedStatement(database, "SELECT 1 FROM temp.kept_books WHERE id = ?")
    }

    /// Keeps a book.
    func add(_ number: Int64) throws { try insert.run([.integer(number)]) }

    /// Returns the number of the book that has the catalog's own key of `book`, but another identity, because its title or
    /// authors were others; nil if there is none, several books have the key, or it is kept already.
    func number(withKeyOf book: ExportedBook) throws -> Int64? {
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

    /// The schema has no index of keys, as only renamed and new books are looked for by them.
    private func statementForKeys() throws -> PreparedStatement {
        try database.execute(
            sql: """
                CREATE TEMP TABLE book_keys (key TEXT PRIMARY KEY, id INTEGER) WITHOUT ROWID;
                INSERT INTO temp.book_keys SELECT source_id, min(id) FROM main.books WHERE source_id IS NOT NULL
                GROUP BY source_id HAVING count(*) = 1
                """)
        return try PreparedStatement(database, "SELECT id FROM temp.book_keys WHERE key = ?")
    }

    /// Deletes the books that are not kept.
    func deleteOthers() throws {
        try database.execute(sql: "DELETE FROM main.books WHERE id NOT IN (SELECT id FROM temp.kept_books)")
    }
}
