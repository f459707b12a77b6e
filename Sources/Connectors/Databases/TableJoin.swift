internal import ConnectorProtocol
internal import GRDB
internal import JSON

/// A table whose values belong to the records of another one, such as the authors of books.
struct TableJoin {
    /// The key under which a record gets the values.
    let key: String
    /// The table of the values.
    let table: String
    /// The column of the values; nil for the one that looks like a name.
    let column: String?
    /// The table that links the two; nil to find it.
    let link: String?

    /// Reads joins from an array of objects.
    static func joins(in text: String) -> [TableJoin]? {
        guard let items = JSONValue(parsing: text.utf8)?.elements else { return nil }
        let joins = items.compactMap { item -> TableJoin? in
            guard let key = item["key"]?.string, let table = item["table"]?.string else { return nil }
            return TableJoin(key: key, table: table, column: item["column"]?.string, link: item["through"]?.string)
        }
        return joins.count == items.count ? joins : nil
    }

    /// Returns an expression for the values as a JSON array, in which `records` is the table of the records.
    ///
    /// Tables are linked by foreign keys, else by columns that are named after a table, such as `book` or `book_id`.
    /// - Throws: `ConnectorFailure` if a table or a link is missing.
    func expression(records: String, in database: Database, path: String) throws -> String {
        let tables = try String.fetchAll(
            database, sql: "SELECT name FROM sqlite_master WHERE type IN ('table', 'view')")
        for name in [table, link].compactMap(\.self) where !tables.contains(name) {
            throw ConnectorFailure(.format, .noTable, subject: path, detail: name)
        }
        let value = "\(table.quotedDatabaseIdentifier).\(try valueColumn(in: database).quotedDatabaseIdentifier)"
        func values(_ rest: String) -> String {
            "(SELECT json_group_array(value) FROM (SELECT \(value) AS value FROM \(rest)))"
        }
        func equal(_ reference: Reference) -> String {
            """
            \(reference.table.quotedDatabaseIdentifier).\(reference.column.quotedDatabaseIdentifier)
                = \(reference.target.quotedDatabaseIdentifier).\(reference.key.quotedDatabaseIdentifier)
            """
        }
        let name = table.quotedDatabaseIdentifier
        // Many to many, through a third table.
        for middle in link.map({ [$0] }) ?? tables where middle != records && middle != table {
            if let one = try Reference(from: middle, to: records, in: database),
                let other = try Reference(from: middle, to: table, in: database)
            {
                let middle = middle.quotedDatabaseIdentifier
                return values(
                    "\(middle) JOIN \(name) ON \(equal(other)) WHERE \(equal(one)) ORDER BY \(middle).rowid")
            }
        }
        if link == nil {
            if let reference = try Reference(from: table, to: records, in: database) {
                return values("\(name) WHERE \(equal(reference)) ORDER BY \(name).rowid")
            }
            if let reference = try Reference(from: records, to: table, in: database) {
                return values("\(name) WHERE \(equal(reference))")
            }
        }
        throw ConnectorFailure(.format, .noLink, subject: path, detail: table)
    }

    private func valueColumn(in database: Database) throws -> String {
        if let column { return column }
        let columns = try Row.fetchAll(database, sql: "SELECT name, pk FROM pragma_table_info(?)", arguments: [table])
        let names = columns.filter { ($0["pk"] as Int? ?? 0) == 0 }.compactMap { $0["name"] as String? }
        let usual = names.first { ["name", "title", "label", "value"].contains($0.lowercased()) }
        return usual ?? names.first ?? "rowid"
    }
}

/// A column of a table that refers to another table.
private struct Reference {
    let table: String
    let column: String
    let target: String
    /// The column of the other table.
    let key: String

    /// Finds the column of `table` that refers to `target`.
    init?(from table: String, to target: String, in database: Database) throws {
        (self.table, self.target) = (table, target)
        let columns = try Row.fetchAll(database, sql: "SELECT name, pk FROM pragma_table_info(?)", arguments: [target])
        let primary = columns.filter { ($0["pk"] as Int? ?? 0) > 0 }.compactMap { $0["name"] as String? }
        let ownKey = primary.count == 1 ? primary[0] : "rowid"
        let declared = try Row.fetchOne(
            database,
            sql: #"SELECT "from", "to" FROM pragma_foreign_key_list(?) WHERE lower("table") = lower(?)"#,
            arguments: [table, target])
        if let declared, let from = declared["from"] as String? {
            column = from
            key = declared["to"] as String? ?? ownKey
            return
        }
        let name = target.lowercased()
        let singular =
            name.hasSuffix("ies") ? name.dropLast(3) + "y" : name.hasSuffix("s") ? name.dropLast() : name[...]
        let candidates = [name, String(singular)].flatMap { [$0, $0 + "_id", $0 + "id"] }
        let names = try String.fetchAll(database, sql: "SELECT name FROM pragma_table_info(?)", arguments: [table])
        guard let found = names.first(where: { candidates.contains($0.lowercased()) }) else { return nil }
        (column, key) = (found, ownKey)
    }
}
