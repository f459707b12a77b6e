internal import GRDB
internal import GRDBSQLite

/// A value of a column.
enum ColumnValue: Hashable {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)

    /// Creates a text value, or NULL for nil.
    init(_ text: String?) { self = text.map { .text($0) } ?? .null }
}

/// A statement that is executed many times with different values.
final class PreparedStatement {
    private let database: OpaquePointer?
    private let statement: OpaquePointer?

    /// Prepares the statement `sql`.
    init(_ database: Database, _ sql: String) throws {
        self.database = database.sqliteConnection
        var statement: OpaquePointer?
        let code = sqlite3_prepare_v2(self.database, sql, -1, &statement, nil)
        self.statement = statement
        guard code == SQLITE_OK else { throw Self.error(code, self.database) }
    }

    deinit { sqlite3_finalize(statement) }

    /// Resets the statement and binds these values.
    func bind(_ values: [ColumnValue]) throws {
        sqlite3_reset(statement)
        for (index, value) in values.enumerated() {
            let position = Int32(index + 1)
            let code =
                switch value {
                case .null: sqlite3_bind_null(statement, position)
                case .integer(let number): sqlite3_bind_int64(statement, position, number)
                case .real(let number): sqlite3_bind_double(statement, position, number)
                case .text(let text): bind(text, position)
                }
            guard code == SQLITE_OK else { throw Self.error(code, database) }
        }
    }

    private func bind(_ text: String, _ position: Int32) -> Int32 {
        var text = text
        // SQLite makes its own copy.
        let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
        return text.withUTF8 { bytes in
            bytes.withMemoryRebound(to: CChar.self) {
                sqlite3_bind_text(statement, position, $0.baseAddress, Int32($0.count), copied)
            }
        }
    }

    /// Moves to the next row of the result.
    ///
    /// - Returns: Whether there is a row.
    func next() throws -> Bool {
        switch sqlite3_step(statement) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        case let code: throw Self.error(code, database)
        }
    }

    /// Executes the statement with these values.
    func run(_ values: [ColumnValue]) throws {
        try bind(values)
        while try next() {}
        sqlite3_reset(statement)
    }

    /// Ends reading the result, so that its tables can be changed.
    func reset() { sqlite3_reset(statement) }

    /// The number of columns of a row.
    var columnCount: Int { Int(sqlite3_column_count(statement)) }

    /// The value of a column of the row.
    func value(_ column: Int) -> ColumnValue {
        let column = Int32(column)
        switch sqlite3_column_type(statement, column) {
        case SQLITE_NULL: return .null
        case SQLITE_INTEGER: return .integer(sqlite3_column_int64(statement, column))
        case SQLITE_FLOAT: return .real(sqlite3_column_double(statement, column))
        default:
            let start = sqlite3_column_text(statement, column)
            let text = UnsafeBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, column)))
            return .text(String(decoding: text, as: UTF8.self))
        }
    }

    /// The value of a column of the row as a number.
    func integer(_ column: Int) -> Int64 { sqlite3_column_int64(statement, Int32(column)) }

    private static func error(_ code: Int32, _ database: OpaquePointer?) -> DatabaseError {
        DatabaseError(
            resultCode: ResultCode(rawValue: code), message: sqlite3_errmsg(database).map { String(cString: $0) })
    }
}
