internal import CSQLite
internal import GRDB
internal import GRDBSQLite

/// How all databases are opened, whose content and schema may come from anybody.
enum DatabaseSettings {
    /// The maximum memory of SQLite in bytes, for all databases of the program.
    private static let memoryLimit = 1 << 28
    /// The maximum length of a value or row in bytes; longer rows would be skipped in any case.
    private static let lengthLimit = Int32(RowWriter.rowLimit)
    /// The limits of SQLite, which are far above what a table of books needs.
    private static let limits: [(limit: Int32, value: Int32)] = [
        (SQLITE_LIMIT_LENGTH, lengthLimit), (SQLITE_LIMIT_SQL_LENGTH, 1 << 20), (SQLITE_LIMIT_VDBE_OP, 1 << 20),
        (SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 1000), (SQLITE_LIMIT_ATTACHED, 0), (SQLITE_LIMIT_WORKER_THREADS, 0),
    ]

    /// Returns the configuration of a connection.
    ///
    /// - Parameter runsTriggers: Whether changes run the triggers of the database, which can be the user's own.
    static func configuration(runsTriggers: Bool) -> Configuration {
        var configuration = Configuration()
        configuration.label = "stacks-connect"
        configuration.prepareDatabase { database in
            let connection = database.sqliteConnection
            for (limit, value) in limits { sqlite3_limit(connection, limit, value) }
            setDefensive(true, database)
            if !runsTriggers { cq_set(connection, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0) }
            // Some versions of SQLite do not trust full-text tables, which the triggers of stacks use.
            try database.execute(
                sql: """
                    PRAGMA trusted_schema = \(runsTriggers ? "ON" : "OFF"); PRAGMA cell_size_check = ON;
                    PRAGMA temp_store = FILE; PRAGMA hard_heap_limit = \(memoryLimit)
                    """)
        }
        return configuration
    }

    /// Sets whether SQLite refuses statements that can damage the file. They include those that repair its schema and
    /// switch off its journal.
    static func setDefensive(_ isDefensive: Bool, _ database: Database) {
        cq_set(database.sqliteConnection, SQLITE_DBCONFIG_DEFENSIVE, isDefensive ? 1 : 0)
    }
}
