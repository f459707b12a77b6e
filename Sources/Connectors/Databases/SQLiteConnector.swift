internal import ConnectorProtocol
internal import GRDB
internal import JSON

/// A table or view of a SQLite database. Each row becomes an object with the column names as keys; NULL and BLOBs are
/// omitted.
final class SQLiteConnector: Connector {
    /// The first bytes of a database.
    static let mark = Array("SQLite format 3\0".utf8)

    private let file: DatabaseFile
    private let table: OpenedSource.Table
    private let joins: [TableJoin]
    private let known: KnownDatabase?
    let opened: OpenedSource

    /// Opens a table, or the most likely table of books if `name` is nil. Records also have the values of `joins`.
    init(_ file: DatabaseFile, table name: String?, joins: [TableJoin] = []) throws(ConnectorFailure) {
        self.file = file
        let tables = try Self.tables(of: file)
        var known: KnownDatabase?
        if let name {
            let found = tables.first { $0.name == name } ?? tables.first { $0.name.lowercased() == name.lowercased() }
            guard let found else { throw ConnectorFailure(.format, .noTable, subject: file.path, detail: name) }
            table = found
        } else if let found = tables.first(where: { KnownDatabase(table: $0) != nil }) {
            table = found
            known = KnownDatabase(table: found)
        } else {
            guard let first = tables.first else { throw ConnectorFailure(.format, .noTables, subject: file.path) }
            table = first
        }
        let table = table
        self.known = known
        // A full-text index has the same columns as a table of books.
        let virtual = try file.read { database in
            Set(try String.fetchAll(database, sql: "SELECT name FROM sqlite_master WHERE sql LIKE 'CREATE VIRTUAL%'"))
        }
        // Unambiguous links need no profile.
        self.joins =
            joins.isEmpty && known == nil ? try file.read { try LinkedTables.joins(of: table, in: $0) } : joins
        let joined = Set(self.joins.map(\.table))
        let others = tables.filter { other in
            name == nil && known == nil && other.name != table.name && !joined.contains(other.name)
                && TableScore.isOfBooks(other)
                && !virtual.contains(other.name)
        }
        opened = OpenedSource(kind: "sqlite", table: table.name, tables: tables, alternatives: others.map(\.name))
    }

    var version: SourceVersion { file.version }

    /// Returns the tables and views, the most likely tables of books first.
    private static func tables(of file: DatabaseFile) throws(ConnectorFailure) -> [OpenedSource.Table] {
        let (tables, scores) = try file.read { database -> ([OpenedSource.Table], [Int]) in
            let names = try String.fetchAll(
                database,
                sql: """
                    SELECT name FROM sqlite_master WHERE type IN ('table', 'view')
                        AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
                    ORDER BY rowid
                    """)
            let tables = names.compactMap { name -> OpenedSource.Table? in
                // A view may need functions that only another program defines.
                guard
                    let columns = try? String.fetchAll(
                        database, sql: "SELECT name FROM pragma_table_info(?)", arguments: [name]), !columns.isEmpty
                else { return nil }
                return OpenedSource.Table(name: name, columns: columns)
            }
            return (tables, try TableScore.scores(of: tables, in: database))
        }
        // The sort is not stable.
        let order = tables.indices.sorted { (-scores[$0], $0) < (-scores[$1], $1) }
        return order.map { tables[$0] }
    }

    func copy(to rows: RowWriter) throws(ConnectorFailure) -> Bool {
        // The rows of a truncated database cannot be counted, but the available ones can be read.
        rows.total = file.count(of: table.name, where: known?.condition, isCancelled: rows.isCancelled)
        return try file.copy(to: rows) { try copy($0, to: rows) }
    }

    /// The maximum number of rows that are skipped because a value is too large: each is reached from the first row.
    private static let skippedLimit = 100
    /// The maximum number of consecutive rows that are skipped. A view whose rows SQLite computes all before the first
    /// one fails at the same row each time.
    private static let consecutiveLimit = 8

    private func copy(_ database: Database, to rows: RowWriter) throws {
        // The number of rows of the table that were read.
        var count = 0
        var omitsBlobs = false
        var skippedCount = 0
        /// The rows skipped since the last one that was read.
        var skipped: [Int] = []
        func noteSkipped() {
            for row in skipped { rows.note(.tooLarge, at: .record(row)) }
            skipped = []
        }
        while true {
            let start = count
            do {
                try copy(database, from: &count, omittingBlobs: omitsBlobs, to: rows)
                return noteSkipped()
            } catch let error as DatabaseError
                where error.resultCode == .SQLITE_TOOBIG && skippedCount < Self.skippedLimit
                && (count > start || skipped.count < Self.consecutiveLimit)
            {
                if count > start { noteSkipped() }
                // A BLOB is not copied, but leaving out all of them takes longer.
                if omitsBlobs {
                    (count, skippedCount) = (count + 1, skippedCount + 1)
                    skipped.append(count)
                }
                omitsBlobs = true
            }
        }
    }

    /// Copies the rows from the row with the number `number` on, and counts it up.
    private func copy(
        _ database: Database, from number: inout Int, omittingBlobs omitsBlobs: Bool, to rows: RowWriter
    ) throws {
        let name = table.name.sqlName
        let joined = try joins.enumerated().map { index, join in
            try join.source(records: table.name, alias: "stacks join \(index)", in: database, path: file.path)
        }
        // A join replaces the column of the same name, such as the id of the publisher.
        let columns = table.columns.filter { column in !joins.contains { $0.key == column } }
        let values =
            known?.values(from: columns)
            ?? columns.map { KnownDatabase.Value(key: $0, expression: "\(name).\($0.sqlName)") }
        let selected =
            values.map(\.expression).map { value in
                omitsBlobs ? "CASE typeof(\(value)) WHEN 'blob' THEN NULL ELSE \(value) END" : value
            } + joined.map(\.expression)
        let clauses =
            joined.map(\.clause).joined() + (known?.condition.map { " WHERE \($0)" } ?? "")
            + (number > 0 ? " LIMIT -1 OFFSET \(number)" : "")
        let source = try DatabaseRows(
            database, sql: "SELECT \(selected.isEmpty ? "1" : selected.joined(separator: ", ")) FROM \(name)\(clauses)")
        let keys = TableHeader(values.map(\.key) + joins.map(\.key)).keys.map { key in
            var json: [UInt8] = []
            JSONText.append(key, to: &json)
            json.append(UInt8(ascii: ":"))
            return json
        }
        let count = Int32(min(source.columnCount, keys.count))
        while try source.next() {
            number += 1
            var isText = true
            try rows.add { json in
                let start = json.count
                json.append(UInt8(ascii: "{"))
                var isFirst = true
                for column in 0..<count where source.isWritable(column) {
                    // The row is skipped.
                    if json.count - start > RowWriter.rowLimit { break }
                    if !isFirst { json.append(UInt8(ascii: ",")) }
                    isFirst = false
                    json.append(contentsOf: keys[Int(column)])
                    // SQLite has encoded the values of a join as JSON.
                    if Int(column) >= values.count {
                        json.append(contentsOf: source.text(column))
                    } else if !source.append(column, to: &json) {
                        isText = false
                    }
                }
                json.append(UInt8(ascii: "}"))
            }
            if !isText { rows.note(.encoding, at: .record(rows.count)) }
        }
    }
}
