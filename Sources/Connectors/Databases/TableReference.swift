internal import GRDB

/// A column of a table that refers to another table.
struct TableReference {
    /// The table with the column.
    let table: String
    /// The column.
    let column: String
    /// The other table.
    let target: String
    /// The column of the other table.
    let key: String

    /// Returns the columns of `table` that refer to `target`: those with a foreign key, otherwise the first column
    /// named after it, such as `book` or `book_id`.
    static func all(from table: String, to target: String, in database: Database) throws -> [TableReference] {
        let columns = try Row.fetchAll(database, sql: "SELECT name, pk FROM pragma_table_info(?)", arguments: [target])
        let primary = columns.filter { ($0["pk"] as Int? ?? 0) > 0 }.compactMap { $0["name"] as String? }
        let ownKey = primary.count == 1 ? primary[0] : "rowid"
        // A foreign key of several columns has several rows with the same id.
        let declared = try Row.fetchAll(
            database,
            sql: """
                SELECT "from", "to" FROM pragma_foreign_key_list(?1) WHERE lower("table") = lower(?2)
                    AND id NOT IN (SELECT id FROM pragma_foreign_key_list(?1) WHERE seq > 0) ORDER BY id DESC
                """,
            arguments: [table, target])
        if !declared.isEmpty {
            return declared.compactMap { row in
                (row["from"] as String?).map {
                    TableReference(table: table, column: $0, target: target, key: row["to"] as String? ?? ownKey)
                }
            }
        }
        let candidates = [target.lowercased(), target.singular].flatMap { [$0, $0 + "_id", $0 + "id"] }
        let names = try String.fetchAll(database, sql: "SELECT name FROM pragma_table_info(?)", arguments: [table])
        let found = names.first { candidates.contains($0.lowercased()) }
        return found.map { [TableReference(table: table, column: $0, target: target, key: ownKey)] } ?? []
    }

    /// The condition that joins two rows.
    var condition: String {
        """
        \(table.sqlName).\(column.sqlName)
            = \(target.sqlName).\(key.sqlName)
        """
    }

    /// Whether an index or the primary key finds the rows that refer to a row of the other table.
    func isIndexed(in database: Database) throws -> Bool {
        let columns = try Row.fetchAll(
            database, sql: "SELECT name, type, pk FROM pragma_table_info(?)", arguments: [table])
        let primary = columns.filter { ($0["pk"] as Int? ?? 0) > 0 }
        let isRowNumber =
            primary.count == 1 && primary[0]["name"] as String? == column
            && (primary[0]["type"] as String? ?? "").uppercased() == "INTEGER"
        if isRowNumber { return true }
        let count = try Int.fetchOne(
            database,
            sql: """
                SELECT count(*) FROM pragma_index_list(?) AS list, pragma_index_info(list.name) AS info
                WHERE info.seqno = 0 AND lower(info.name) = lower(?) AND list.partial = 0
                """,
            arguments: [table, column])
        return (count ?? 0) > 0
    }
}

extension String {
    /// The name of a table in the singular, in lower case: "categories" becomes "category".
    var singular: String {
        let name = lowercased()
        if name.hasSuffix("ies"), name != "series" { return name.dropLast(3) + "y" }
        return name.hasSuffix("s") && name != "series" ? String(name.dropLast()) : name
    }
}
