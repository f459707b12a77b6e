internal import CSystem
internal import ConnectorProtocol
internal import GRDB
internal import GRDBSQLite
internal import Glibc
internal import JSON

/// A SQLite database, opened read-only.
final class DatabaseFile {
    /// The path given by the user.
    let path: String
    /// The version of the database, which changes with its content.
    let version: SourceVersion
    private let queue: DatabaseQueue
    /// Whether the copied file was too short; nil if the database was not copied.
    private let isCopyCut: Bool?

    /// The maximum wait for another program that writes, in seconds.
    private static let busyTimeout = 5.0
    /// The maximum number of attempts to copy a database that changes during the copy.
    private static let copyAttempts = 5
    /// The maximum time to count rows, in milliseconds: a view can have rows without end.
    private static let countTime: Int64 = 2000

    /// Opens the database at `path`.
    ///
    /// A database in WAL mode cannot be read without writing beside it, and opening it as immutable would lose rows;
    /// therefore the database and its log are copied into the directory `scratch`, and the copy is opened.
    ///
    /// - Parameters:
    ///   - content: The database, if the file contains it compressed or it comes over the network; it is copied too.
    ///   - version: The version of the database, if it is not a file.
    ///   - limit: The limits for a copied database.
    init(
        path: String, content: (any ByteSource)? = nil, version: SourceVersion? = nil, scratch: String,
        limit: DiskLimit = DiskLimit()
    ) throws(ConnectorFailure) {
        self.path = path
        if let version { self.version = version } else { self.version = SourceVersion(etag: try Self.state(of: path)) }
        if content == nil { try Self.checkLogs(of: path) }
        let copy: String? =
            if let content {
                try Self.written(content, to: scratch, limit)
            } else {
                try Self.usesLog(path) ? Self.copied(path, to: scratch, limit) : nil
            }
        isCopyCut = try copy.map { path throws(ConnectorFailure) in try Self.isCut(path) || content?.isCut == true }
        // An open file stays readable without its name, so that a crash leaves nothing behind.
        defer { if let copy { Self.remove(copy) } }
        var configuration = DatabaseSettings.configuration(runsTriggers: false)
        // A copy may be changed: SQLite needs to, for the log to be read.
        configuration.readonly = copy == nil
        configuration.busyMode = .timeout(Self.busyTimeout)
        do {
            queue = try Self.open(copy ?? path, configuration)
        } catch {
            throw ConnectorFailure(error, path)
        }
    }

    /// Opens a database and its log.
    private static func open(_ path: String, _ configuration: Configuration) throws -> DatabaseQueue {
        func open(_ configuration: Configuration) throws -> DatabaseQueue {
            let queue = try DatabaseQueue(path: path, configuration: configuration)
            _ = try queue.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM sqlite_master") }
            return queue
        }
        do {
            return try open(configuration)
        } catch let error as DatabaseError where error.resultCode == .SQLITE_CORRUPT {
            guard try isCut(path) else { throw error }
            // To repair it, SQLite reads a truncated file only if its schema may be written.
            var configuration = configuration
            configuration.prepareDatabase { database in
                DatabaseSettings.setDefensive(false, database)
                try database.execute(sql: "PRAGMA writable_schema = ON")
            }
            return try open(configuration)
        }
    }

    /// Calls `body` within one read transaction; `isCancelled` stops long statements.
    func read<Result>(
        isCancelled: @escaping () -> Bool = { false }, _ body: (Database) throws -> Result
    ) throws(ConnectorFailure) -> Result {
        var result: Result?
        do {
            try queue.read { database in
                result = try Self.stopping(if: isCancelled, database) { try body(database) }
            }
        } catch let failure as ConnectorFailure {
            throw failure
        } catch {
            // A truncated database can fail at the end of the transaction, after everything was read.
            if result == nil { throw ConnectorFailure(error, path) }
        }
        guard let result else { throw ConnectorFailure(.helper, subject: path) }
        return result
    }

    /// Returns the number of rows of a table or view that fulfil a condition; nil if they cannot be counted, or not in
    /// time.
    func count(of table: String, where condition: String? = nil, isCancelled: @escaping () -> Bool) -> Int? {
        let deadline = cs_now() + Self.countTime
        return try? read(isCancelled: { isCancelled() || cs_now() >= deadline }) { database in
            try Int.fetchOne(
                database, sql: "SELECT count(*) FROM \(table.sqlName)" + (condition.map { " WHERE \($0)" } ?? ""))
        }
    }

    /// Calls `body`, during which `isCancelled` stops long statements.
    static func stopping<Result>(
        if isCancelled: @escaping () -> Bool, _ database: Database, _ body: () throws -> Result
    ) rethrows -> Result {
        let check = Unmanaged.passRetained(CancellationCheck(isCancelled))
        defer {
            sqlite3_progress_handler(database.sqliteConnection, 0, nil, nil)
            check.release()
        }
        sqlite3_progress_handler(
            database.sqliteConnection, 100_000,
            { context in
                guard let context else { return 0 }
                let check = Unmanaged<CancellationCheck>.fromOpaque(context).takeUnretainedValue()
                return check.isCancelled() ? 1 : 0
            }, check.toOpaque())
        return try body()
    }

    /// Copies the database into another one, as it is at one moment.
    func backUp(to other: DatabaseQueue) throws { try queue.backup(to: other) }

    /// Whether the file has changed since it was opened.
    var hasChanged: Bool { get throws(ConnectorFailure) { try Self.state(of: path) != version.etag } }

    /// Whether another program is reading or writing the database, according to the locks on it or the files beside it.
    ///
    /// Closing the file releases all locks of this program on it; therefore it must not be open.
    static func isInUse(_ path: String) -> Bool {
        // These files disappear when no program has the database open. Left by a crash, they must be read first.
        if ["-wal", "-journal"].contains(where: { (FileState(path: path + $0)?.size ?? 0) > 0 }) { return true }
        let file = Glibc.open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard file >= 0 else { return false }
        defer { close(file) }
        // The byte range that SQLite locks.
        var lock = flock()
        lock.l_type = Int16(F_WRLCK)
        lock.l_whence = Int16(SEEK_SET)
        lock.l_start = 0x4000_0000
        lock.l_len = 512
        return fcntl(file, F_GETLK, &lock) == 0 && lock.l_type != Int16(F_UNLCK)
    }

    /// Whether a file is shorter than its header says; SQLite reads missing pages as blank. Call it within a read
    /// transaction, while no other program writes.
    private static func isCut(_ path: String) throws(ConnectorFailure) -> Bool {
        let header = try FileBytes(path).read(upTo: 100)
        guard header.count == 100, let size = FileState(path: path)?.size else { return true }
        func number(_ range: Range<Int>) -> Int { header[range].reduce(0) { $0 << 8 | Int($1) } }
        // Older versions of SQLite do not update the number of pages.
        guard number(24..<28) == number(92..<96) else { return false }
        let pageSize = number(16..<18) == 1 ? 65536 : number(16..<18)
        return number(28..<32) * pageSize > size
    }

    /// Copies rows within a read transaction, up to the first damaged page.
    ///
    /// - Returns: Whether the database is complete.
    func copy(to rows: RowWriter, _ body: (Database) throws -> Void) throws(ConnectorFailure) -> Bool {
        try read(isCancelled: { rows.isCancelled() }) { database in
            do {
                try body(database)
            } catch let error as DatabaseError
                where [.SQLITE_CORRUPT, .SQLITE_IOERR, .SQLITE_TOOBIG].contains(error.resultCode)
            {
                rows.note(.cut, at: .record(rows.count + 1), detail: error.message)
                return false
            }
            if try isCopyCut ?? Self.isCut(path) {
                rows.note(.cut, at: .record(rows.count + 1))
                return false
            }
            return true
        }
    }

    private final class CancellationCheck {
        let isCancelled: () -> Bool

        init(_ isCancelled: @escaping () -> Bool) { self.isCancelled = isCancelled }
    }

    // MARK: The log

    /// The paths of the files that SQLite has beside a database while it is written.
    static func logs(of path: String) -> [String] { ["-wal", "-shm", "-journal"].map { path + $0 } }

    /// Checks that the files beside a database which SQLite would read are regular: a FIFO would have no end.
    private static func checkLogs(of path: String) throws(ConnectorFailure) {
        for log in logs(of: path) {
            if let state = FileState(path: log), !state.isRegular {
                throw ConnectorFailure(.unsupported, .notAFile, subject: log)
            }
        }
    }

    /// Returns whether the header of the database shows WAL mode.
    private static func usesLog(_ path: String) throws(ConnectorFailure) -> Bool {
        let header = try FileBytes(path).read(upTo: 20)
        return header.count == 20 && header[18] == 2 && header[19] == 2
    }

    /// Returns a text that changes with the database and its log.
    private static func state(of path: String) throws(ConnectorFailure) -> String {
        guard let state = FileState(path: path) else { throw .cannotRead(path) }
        return FileState(path: path + "-wal").map { state.tag + "+" + $0.tag } ?? state.tag
    }

    /// Writes a database into a file.
    ///
    /// - Returns: The path of the file.
    private static func written(
        _ content: any ByteSource, to scratch: String, _ limit: DiskLimit
    ) throws(ConnectorFailure) -> String {
        let copy = "\(scratch)/database-\(getpid()).db"
        remove(copy)
        let target = try open(copy)
        defer { close(target) }
        var size = 0
        while true {
            let part = try content.read(upTo: 1 << 18)
            if part.isEmpty { return copy }
            size += part.count
            do throws(ConnectorFailure) {
                try limit.check(size, of: target)
            } catch {
                remove(copy)
                throw error
            }
            let count = part.withUnsafeBytes { Glibc.write(target, $0.baseAddress, $0.count) }
            // A short write means that the disk is full.
            guard count == part.count else {
                remove(copy)
                throw .cannotWrite(copy, count < 0 ? errno : ENOSPC)
            }
        }
    }

    private static func open(_ copy: String) throws(ConnectorFailure) -> Int32 {
        let target = Glibc.open(copy, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard target >= 0 else { throw .cannotWrite(copy) }
        return target
    }

    private static func copied(
        _ path: String, to scratch: String, _ limit: DiskLimit
    ) throws(ConnectorFailure) -> String {
        let copy = "\(scratch)/database-\(getpid()).db"
        for _ in 0..<copyAttempts {
            let before = try state(of: path)
            remove(copy)
            do throws(ConnectorFailure) {
                try copyFile(path, to: copy, limit)
                if access(path + "-wal", F_OK) == 0 { try copyFile(path + "-wal", to: copy + "-wal", limit) }
            } catch {
                remove(copy)
                throw error
            }
            if try state(of: path) == before { return copy }
        }
        remove(copy)
        throw ConnectorFailure(.busy, subject: path)
    }

    private static func copyFile(_ path: String, to copy: String, _ limit: DiskLimit) throws(ConnectorFailure) {
        let source = try FileBytes(path)
        let target = try open(copy)
        defer { close(target) }
        guard let state = FileState(descriptor: source.descriptor) else { throw .cannotRead(path) }
        try limit.check(state.size, of: target)
        let code = cs_copy_bytes(source.descriptor, 0, Int64(state.size), target)
        guard code == 0 || code == ESTALE else { throw .cannotWrite(copy, code) }
    }

    private static func remove(_ copy: String) {
        for suffix in ["", "-wal", "-shm", "-journal"] { unlink(copy + suffix) }
    }
}

extension ConnectorFailure {
    /// Creates the failure for an error of SQLite.
    init(_ error: any Error, _ path: String) {
        guard let error = error as? DatabaseError else {
            self.init(.helper, subject: path, detail: "\(error)")
            return
        }
        switch error.resultCode {
        case .SQLITE_BUSY, .SQLITE_LOCKED: self.init(.busy, subject: path)
        case .SQLITE_INTERRUPT: self.init(.cancelled)
        case .SQLITE_NOTADB: self.init(.format, .noDatabase, subject: path)
        case .SQLITE_CORRUPT: self.init(.format, .damaged, subject: path, detail: error.message)
        case .SQLITE_TOOBIG: self.init(.refused, .tooLarge, subject: path)
        case .SQLITE_CANTOPEN: self.init(.offline, subject: path, detail: error.message)
        default: self.init(.format, subject: path, detail: error.message)
        }
    }
}

/// The rows of a statement, whose columns are read in place.
struct DatabaseRows {
    private let cursor: RowCursor
    private let statement: OpaquePointer?

    /// Prepares the statement `sql`.
    init(_ database: Database, sql: String) throws {
        let prepared = try database.makeStatement(sql: sql)
        cursor = try Row.fetchCursor(prepared)
        statement = prepared.sqliteStatement
    }

    /// The number of columns.
    var columnCount: Int { Int(sqlite3_column_count(statement)) }

    /// Moves to the next row.
    ///
    /// - Returns: Whether there is a row.
    func next() throws -> Bool { try cursor.next() != nil }

    /// Whether the value of a column is NULL.
    func isNull(_ column: Int32) -> Bool { sqlite3_column_type(statement, column) == SQLITE_NULL }

    /// The value of a column as an integer.
    func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(statement, column) }

    /// The value of a column as text; empty for NULL. It is valid until the next row.
    func text(_ column: Int32) -> UnsafeBufferPointer<UInt8> {
        let start = sqlite3_column_text(statement, column)
        return UnsafeBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, column)))
    }

    /// The value of a column as a string.
    func string(_ column: Int32) -> String { String(decoding: text(column), as: UTF8.self) }

    /// Appends the value of a column as JSON: numbers as numbers, text as a string.
    ///
    /// - Returns: Whether the text was valid UTF-8.
    func append(_ column: Int32, to json: inout [UInt8]) -> Bool {
        switch sqlite3_column_type(statement, column) {
        case SQLITE_INTEGER: json.append(contentsOf: text(column))
        case SQLITE_FLOAT:
            let number = sqlite3_column_double(statement, column)
            json.append(contentsOf: (number.isFinite ? number.description : "null").utf8)
        default: return JSONText.append(text(column), to: &json) == .valid
        }
        return true
    }

    /// Whether the value of a column is calibre's placeholder for a missing date.
    func isEmptyDate(_ column: Int32) -> Bool {
        // Reading a number as text would change its type.
        sqlite3_column_type(statement, column) == SQLITE_TEXT && text(column).starts(with: "0101-01-01".utf8)
    }

    /// Whether the value of a column can be written as JSON; BLOBs cannot.
    func isWritable(_ column: Int32) -> Bool {
        let type = sqlite3_column_type(statement, column)
        return type != SQLITE_NULL && type != SQLITE_BLOB
    }
}
