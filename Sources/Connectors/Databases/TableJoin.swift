internal import ConnectorProtocol
internal import GRDB
internal import JSON

/// A table with values for the records of another table, such as the authors of books.
struct TableJoin: Equatable {
    /// The key of the values in a record.
    let key: String
    /// The table of the values.
    let table: String
    /// The column of the values; nil for the one that looks like a name.
    let column: String?
    /// The table that links the two; nil to find it.
    let link: String?

    /// Parses joins from an array of objects.
    static func joins(in text: String) -> [TableJoin]? {
        guard let items = JSONValue(parsing: text.utf8)?.elements else { return nil }
        let joins = items.compactMap { item -> TableJoin? in
            guard let key = item["key"]?.string, let table = item["table"]?.string else { return nil }
            return TableJoin(key: key, table: table, column: item["column"]?.string, link: item["through"]?.string)
        }
        return joins.count == items.count ? joins : nil
    }

    /// The parts of a query for records that select the values.
    struct Source {
        /// The expression for the values, a JSON array.
        let expression: String
        /// The clause that joins it to the table of records; may be empty.
        let clause: String
    }

    /// Returns the values as a JSON array; `records` is the table of records.
    ///
    /// Tables are linked by foreign keys, otherwise by columns named after a table, such as `book` or `book_id`.
    /// - Parameter alias: A name that no table of the query has.
    /// - Throws: `ConnectorFailure` if a table or a link is missing.
    func source(records: String, alias: String, in database: Database, path: String) throws -> Source {
        let tables = try String.fetchAll(
            database, sql: "SELECT name FROM sqlite_master WHERE type IN ('table', 'view')")
        for name in [table, link].compactMap(\.self) where !tables.contains(name) {
            throw ConnectorFailure(.format, .noTable, subject: path, detail: name)
        }
        if let column {
            let names = try String.fetchAll(database, sql: "SELECT name FROM pragma_table_info(?)", arguments: [table])
            guard names.contains(where: { $0.lowercased() == column.lowercased() }) else {
                throw ConnectorFailure(.format, .noColumn, subject: path, detail: "\(table).\(column)")
            }
        }
        let value = try valueExpression(of: records, in: database)
        let name = table.sqlName
        // Many to many, through a third table.
        for middle in link.map({ [$0] }) ?? tables where middle != records && middle != table {
            if let one = try TableReference.all(from: middle, to: records, in: database).first,
                let other = try TableReference.all(from: middle, to: table, in: database).first
            {
                let rows = "\(middle.sqlName) JOIN \(name) ON \(other.condition)"
                return try source(value, of: rows, one, alias, in: database)
            }
        }
        if link == nil {
            if let reference = try TableReference.all(from: table, to: records, in: database).first {
                return try source(value, of: name, reference, alias, in: database)
            }
            if let reference = try TableReference.all(from: records, to: table, in: database).first {
                return Source(
                    expression: array("\(value) AS value FROM \(name) WHERE \(reference.condition)"), clause: "")
            }
        }
        throw ConnectorFailure(.format, .noLink, subject: path, detail: table)
    }

    /// Returns the values in `rows`, which belong to the records by `reference`.
    private func source(
        _ value: String, of rows: String, _ reference: TableReference, _ alias: String, in database: Database
    ) throws -> Source {
        let order = try Self.order(of: reference.table, in: database)
        if try reference.isIndexed(in: database) {
            let condition = "\(value) AS value FROM \(rows) WHERE \(reference.condition)"
            return Source(expression: array(order.isEmpty ? condition : "\(condition) ORDER BY \(order)"), clause: "")
        }
        // Without an index, SQLite would read the whole table for each record.
        let table = reference.table.sqlName
        let key = "\(table).\(reference.column.sqlName)"
        let sorting = ([key] + (order.isEmpty ? [] : [order])).joined(separator: ", ")
        let name = alias.sqlName
        let target = "\(reference.target.sqlName).\(reference.key.sqlName)"
        return Source(
            expression: "coalesce(\(name).list, '[]')",
            clause: """
                 LEFT JOIN (SELECT key, json_group_array(value) AS list FROM (
                    SELECT \(key) AS key, \(value) AS value FROM \(rows) ORDER BY \(sorting)
                ) GROUP BY key) AS \(name) ON \(name).key = \(target)
                """)
    }

    private func array(_ rest: String) -> String { "(SELECT json_group_array(value) FROM (SELECT \(rest)))" }

    /// Returns the sort key for the rows of a table: their position if they have one, otherwise the order of insertion.
    private static func order(of table: String, in database: Database) throws -> String {
        let names = try String.fetchAll(database, sql: "SELECT name FROM pragma_table_info(?)", arguments: [table])
        let positions = ["position", "ordinal", "sort_order", "sortorder", "item_order", "author_order", "rank"]
        let withoutRows = try Bool.fetchOne(
            database, sql: "SELECT wr OR type = 'view' FROM pragma_table_list(?)", arguments: [table])
        let columns = [
            names.first { positions.contains($0.lowercased()) }?.sqlName,
            withoutRows == true ? nil : "rowid",
        ]
        return columns.compactMap(\.self).map { "\(table.sqlName).\($0)" }.joined(separator: ", ")
    }

    private func valueExpression(of records: String, in database: Database) throws -> String {
        let table = table.sqlName
        if let column { return "\(table).\(column.sqlName)" }
        let columns = try Row.fetchAll(
            database, sql: "SELECT name, pk FROM pragma_table_info(?)", arguments: [self.table])
        let references = Set(try TableReference.all(from: self.table, to: records, in: database).map(\.column))
        let names = columns.filter { ($0["pk"] as Int? ?? 0) == 0 }.compactMap { $0["name"] as String? }
            .filter { !references.contains($0) }
        func first(_ usual: [String]) -> String? {
            names.first { usual.contains($0.lowercased().filter(\.isLetter)) }
                .map { "\(table).\($0.sqlName)" }
        }
        if let name = first(["name", "fullname", "title", "label", "value", self.table.singular]) { return name }
        if let family = first(["lastname", "familyname", "surname", "family"]),
            let given = first(["firstname", "givenname", "forename", "given"])
        {
            return "trim(coalesce(\(given), '') || ' ' || coalesce(\(family), ''))"
        }
        return "\(table).\((names.first ?? "rowid").sqlName)"
    }
}
