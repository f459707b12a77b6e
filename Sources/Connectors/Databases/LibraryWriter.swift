internal import Books
internal import ConnectorProtocol
internal import GRDB
internal import GRDBSQLite
internal import Glibc
internal import JSON

/// Writes books into a database with the schema of stacks: a new one, or a copy of an existing one, in which only the
/// rows of changed books change.
final class LibraryWriter {
    private let path: String
    private let existing: ExistingLibrary?
    private let queue: DatabaseQueue
    private var books: LibraryBooks?
    private let isCancelled: () -> Bool

    /// Creates the database at `path`, as a copy of the database at `existing`, if any.
    init(_ path: String, replacing existing: String?, isCancelled: @escaping () -> Bool) throws(ConnectorFailure) {
        self.path = path
        self.isCancelled = isCancelled
        unlink(path)
        let scratch = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
        self.existing = try existing.map { existing throws(ConnectorFailure) in
            try ExistingLibrary(existing, scratch: scratch)
        }
        // The triggers of an existing database are the user's own.
        var configuration = DatabaseSettings.configuration(runsTriggers: true)
        configuration.foreignKeysEnabled = true
        // One transaction for all books.
        configuration.allowsUnsafeTransactions = true
        configuration.prepareDatabase { database in
            // An incomplete file is deleted, so it needs no journal.
            DatabaseSettings.setDefensive(false, database)
            try database.execute(
                sql: "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -16000")
        }
        do {
            queue = try DatabaseQueue(path: path, configuration: configuration)
            try self.existing?.file.backUp(to: queue)
            let hasExisting = existing != nil
            books = try queue.writeWithoutTransaction { database in
                try database.execute(sql: "PRAGMA journal_mode = OFF; BEGIN")
                DatabaseSettings.setDefensive(true, database)
                if !hasExisting {
                    try database.execute(sql: LibrarySchema.tables)
                } else if let version = try LibrarySchema.version(of: database), version < LibrarySchema.version {
                    let columns = try String.fetchSet(database, sql: "SELECT name FROM pragma_table_info('books')")
                    try database.execute(sql: LibrarySchema.upgrade(from: version, withColumns: columns))
                }
                return try LibraryBooks(database, isNew: !hasExisting)
            }
        } catch let failure as ConnectorFailure {
            throw failure
        } catch {
            throw ConnectorFailure(error, existing ?? path)
        }
    }

    /// Writes a book.
    func add(_ book: ExportedBook) throws(ConnectorFailure) {
        try write { _ in try self.books?.write(book) }
    }

    /// Completes the file.
    func finish() throws(ConnectorFailure) {
        try write { [existing] database in
            try self.books?.finish()
            self.books = nil
            try database.execute(sql: "COMMIT")
            if existing?.usesLog == true { try database.execute(sql: "PRAGMA journal_mode = WAL") }
        }
        do {
            try queue.close()
        } catch {
            throw ConnectorFailure(error, path)
        }
        // Changes that another program has made in the meantime would be lost.
        try existing?.checkUnchanged()
    }

    private func write(_ body: (Database) throws -> Void) throws(ConnectorFailure) {
        do {
            // A trigger of the user can take long.
            try queue.writeWithoutTransaction { database in
                try DatabaseFile.stopping(if: isCancelled, database) { try body(database) }
            }
        } catch let failure as ConnectorFailure {
            throw failure
        } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
            throw ConnectorFailure(.refused, .constraint, detail: error.message)
        } catch let error as DatabaseError where error.resultCode == .SQLITE_FULL {
            throw ConnectorFailure(.helper, .cannotWrite, detail: error.message)
        } catch {
            throw ConnectorFailure(error, path)
        }
    }
}

/// A database to update.
private struct ExistingLibrary {
    let file: DatabaseFile
    let usesLog: Bool

    /// Opens a database; it must have the schema of stacks, and no other program may be using it.
    init(_ path: String, scratch: String) throws(ConnectorFailure) {
        let start = try FileBytes(path).read(upTo: 100)
        guard start.starts(with: SQLiteConnector.mark) else {
            throw ConnectorFailure(.refused, .foreignFile, subject: path)
        }
        if DatabaseFile.isInUse(path) { throw ConnectorFailure(.busy, subject: path) }
        usesLog = start[18] == 2
        file = try DatabaseFile(path: path, scratch: scratch)
        let version = try file.read { try LibrarySchema.version(of: $0) }
        guard let version else { throw ConnectorFailure(.refused, .foreignFile, subject: path) }
        guard 1...LibrarySchema.version ~= version else {
            throw ConnectorFailure(.unsupported, .schemaVersion, subject: path, detail: "\(version)")
        }
    }

    func checkUnchanged() throws(ConnectorFailure) {
        if try file.hasChanged || DatabaseFile.isInUse(file.path) { throw ConnectorFailure(.busy, subject: file.path) }
    }
}

/// The books of a database that is being written.
private final class LibraryBooks {
    private let database: Database
    private let isNew: Bool
    private let find: PreparedStatement
    private let insert: PreparedStatement
    private let update: PreparedStatement
    private let lists: [LibraryList]
    private let readings: LibraryReadings
    /// The books found in the new export; nil in a new database.
    private let kept: ExportedIDs?
    /// The keys of the catalog's own fields.
    private var others = OwnKeys()

    init(_ database: Database, isNew: Bool) throws {
        (self.database, self.isNew) = (database, isNew)
        kept = isNew ? nil : try ExportedIDs(database)
        let names = LibrarySchema.columns.map(\.name)
        let values = names.map { _ in "?" }.joined(separator: ", ")
        find = try PreparedStatement(
            database, "SELECT id, \(names.joined(separator: ", ")) FROM books WHERE identity = ?")
        insert = try PreparedStatement(
            database, "INSERT INTO books (\(names.joined(separator: ", "))) VALUES (\(values))")
        update = try PreparedStatement(
            database, "UPDATE books SET \(names.map { "\($0) = ?" }.joined(separator: ", ")) WHERE id = ?")
        let people = try NameTable(database, "people")
        let roles = try NameTable(database, "roles")
        let subjects = try NameTable(database, "subjects")
        let shelves = try NameTable(database, "shelves")
        lists = [
            try LibraryList(database, "book_people", ["person_id", "role_id"]) { book in
                try (book.authors.map { ($0, LibrarySchema.author) } + book.contributors.map { ($0.name, $0.role) }).map
                {
                    [try people.id(of: $0.0), try $0.1.map { try roles.id(of: $0) } ?? .null]
                }
            },
            try LibraryList(database, "book_subjects", ["subject_id"]) {
                try $0.subjects.map { [try subjects.id(of: $0)] }
            },
            try LibraryList(database, "languages", ["language"]) { $0.languages.map { [.text($0)] } },
            try LibraryList(database, "identifiers", ["scheme", "value"]) { book in
                book.identifiers.map { [.text($0.scheme), .text($0.value)] }
            },
            try LibraryList(database, "reading_log", LibrarySchema.logColumns.map(\.name)) { $0.readings },
            try LibraryList(database, "book_shelves", ["shelf_id"]) { book in
                try (book.row["userData"]?["shelves"]?.elements ?? []).compactMap(\.string).map {
                    [try shelves.id(of: $0)]
                }
            },
        ]
        readings = try LibraryReadings(database)
    }

    /// Writes the changed parts of a book.
    func write(_ book: ExportedBook) throws {
        let values = LibrarySchema.columns.map { column -> ColumnValue in
            let value = column.value(in: book.row)
            switch (column.key, value) {
            case ("title", .null): return .text("")
            case ("inCatalog", .null): return .integer(1)
            default: return value
            }
        }
        try find.bind([.text(book.identity)])
        let number: Int64
        var isNewBook = false
        if try find.next() {
            number = find.integer(0)
            let isSame = values.indices.allSatisfy { find.value($0 + 1) == values[$0] }
            find.reset()
            if !isSame { try update.run(values + [.integer(number)]) }
        } else if let known = try kept?.id(withKeyOf: book) {
            find.reset()
            number = known
            try update.run(values + [.integer(number)])
        } else {
            find.reset()
            try insert.run(values)
            number = sqlite3_last_insert_rowid(database.sqliteConnection)
            isNewBook = true
        }
        for list in lists { try list.write(book, number, isNew: isNewBook) }
        try readings.write(book, number, isNew: isNewBook)
        for member in book.row.members ?? [] where !LibrarySchema.keys.contains(member.key) { others.add(member.key) }
        try kept?.add(number)
    }

    /// Deletes the books that are not in the export, and creates the indexes of a new database.
    func finish() throws {
        try database.execute(sql: LibrarySchema.view(of: others.keys))
        guard let kept else { return try database.execute(sql: LibrarySchema.indexes) }
        try kept.deleteOthers()
    }
}

/// The first keys of the catalog's own fields, each in one spelling, as SQL ignores case.
private struct OwnKeys {
    private(set) var keys: [String] = []
    private var known = Set((LibrarySchema.columns.map(\.name) + ["id", "authors"]))

    /// The greatest number of columns that are made of keys, because SQLite limits that of a view.
    private static let limit = 1000

    mutating func add(_ key: String) {
        if keys.count < Self.limit, known.insert(key.lowercased()).inserted { keys.append(key) }
    }
}

extension ExportedBook {
    /// The rows of the readings of the book.
    fileprivate var readings: [[ColumnValue]] {
        let data = row["userData"]
        let log = ReadingLog(
            dates: data?["statusDates"], readings: data?["readings"],
            status: data?["status"]?.string.flatMap(Book.ReadingStatus.init(rawValue:)))
        return (log.readings.json.elements ?? []).map { reading in
            LibrarySchema.logColumns.map { column in
                guard let value = reading[column.key] else { return .null }
                if let text = value.string { return .text(text) }
                var json: [UInt8] = []
                value.write(to: &json)
                return .text(String(decoding: json, as: UTF8.self))
            }
        }
    }
}

extension LibrarySchema.Column {
    /// The value of this column in a row.
    fileprivate func value(in row: JSONValue) -> ColumnValue {
        if type == .rest {
            let others = (row.members ?? []).filter { !LibrarySchema.keys.contains($0.key) }
            if others.isEmpty { return .null }
            var json: [UInt8] = []
            JSONValue.object(others).write(to: &json)
            return .text(String(decoding: json, as: UTF8.self))
        }
        return switch (type, row[key]) {
        case (.text, .string(let text)?): .text(text)
        case (.integer, .number(let text)?): Int64(text).map { .integer($0) } ?? .null
        case (.real, .number(let text)?): Double(text).map { .real($0) } ?? .null
        case (.numeric, .number(let text)?):
            Int64(text).map { .integer($0) } ?? Double(text).map { .real($0) } ?? .null
        case (.boolean, .boolean(let boolean)?): .integer(boolean ? 1 : 0)
        default: .null
        }
    }
}

/// A table of unique names.
private final class NameTable {
    private let find: PreparedStatement
    private let insert: PreparedStatement
    private let database: Database
    /// The ids of recently used names.
    private var recent: [String: Int64] = [:]

    private static let recentLimit = 20_000

    init(_ database: Database, _ name: String) throws {
        self.database = database
        find = try PreparedStatement(database, "SELECT id FROM \(name) WHERE name = ?")
        insert = try PreparedStatement(database, "INSERT INTO \(name) (name) VALUES (?)")
    }

    /// Returns the id of a name, and adds a new name.
    func id(of name: String) throws -> ColumnValue {
        if let number = recent[name] { return .integer(number) }
        try find.bind([.text(name)])
        var number = try find.next() ? find.integer(0) : nil
        find.reset()
        if number == nil {
            try insert.run([.text(name)])
            number = sqlite3_last_insert_rowid(database.sqliteConnection)
        }
        if recent.count >= Self.recentLimit { recent.removeAll(keepingCapacity: true) }
        recent[name] = number
        return number.map { .integer($0) } ?? .null
    }
}

/// A table of lists of values that books have.
private final class LibraryList {
    private let values: (ExportedBook) throws -> [[ColumnValue]]
    private let find: PreparedStatement
    private let insert: PreparedStatement
    private let update: PreparedStatement
    private let delete: PreparedStatement

    init(
        _ database: Database, _ table: String, _ columns: [String],
        _ values: @escaping (ExportedBook) throws -> [[ColumnValue]]
    ) throws {
        self.values = values
        let names = columns.joined(separator: ", ")
        let places = columns.map { _ in "?" }.joined(separator: ", ")
        let changes = columns.map { "\($0) = ?" }.joined(separator: ", ")
        let key = "WHERE book_id = ? AND position = ?"
        find = try PreparedStatement(
            database, "SELECT position, \(names) FROM \(table) WHERE book_id = ? ORDER BY position")
        insert = try PreparedStatement(
            database, "INSERT INTO \(table) (\(names), book_id, position) VALUES (\(places), ?, ?)")
        update = try PreparedStatement(database, "UPDATE \(table) SET \(changes) \(key)")
        delete = try PreparedStatement(database, "DELETE FROM \(table) \(key)")
    }

    /// Writes the list of a book, if it has changed.
    func write(_ book: ExportedBook, _ number: Int64, isNew: Bool) throws {
        let new = try values(book)
        var old: [(position: Int64, values: [ColumnValue])] = []
        if !isNew {
            try find.bind([.integer(number)])
            while try find.next() { old.append((find.integer(0), (1..<find.columnCount).map(find.value))) }
            find.reset()
        }
        for (index, item) in new.enumerated() {
            if index >= old.count {
                // The database may have any position.
                let position = (old.last?.position).map { $0 &+ Int64(index - old.count + 1) } ?? Int64(index + 1)
                try insert.run(item + [.integer(number), .integer(position)])
            } else if old[index].values != item {
                try update.run(item + [.integer(number), .integer(old[index].position)])
            }
        }
        for item in old.dropFirst(new.count) { try delete.run([.integer(number), .integer(item.position)]) }
    }
}

/// The table of user data.
private final class LibraryReadings {
    private let find: PreparedStatement
    private let insert: PreparedStatement
    private let update: PreparedStatement
    private let delete: PreparedStatement

    init(_ database: Database) throws {
        let columns = LibrarySchema.readingColumns.map(\.name)
        let names = columns.joined(separator: ", ")
        find = try PreparedStatement(database, "SELECT \(names) FROM readings WHERE book_id = ?")
        insert = try PreparedStatement(
            database,
            "INSERT INTO readings (\(names), book_id) VALUES (\(columns.map { _ in "?" }.joined(separator: ", ")), ?)")
        update = try PreparedStatement(
            database, "UPDATE readings SET \(columns.map { "\($0) = ?" }.joined(separator: ", ")) WHERE book_id = ?")
        delete = try PreparedStatement(database, "DELETE FROM readings WHERE book_id = ?")
    }

    /// Writes the user data of a book, if they have changed.
    func write(_ book: ExportedBook, _ number: Int64, isNew: Bool) throws {
        var new: [ColumnValue]?
        if let data = book.row["userData"], let members = data.members {
            let dates = data["statusDates"]?.members ?? []
            new = LibrarySchema.readingColumns.map { $0.value(in: .object(members + dates)) }
        }
        var old: [ColumnValue]?
        if !isNew {
            try find.bind([.integer(number)])
            if try find.next() { old = (0..<find.columnCount).map(find.value) }
            find.reset()
        }
        switch (old, new) {
        case (let old?, let new?): if old != new { try update.run(new + [.integer(number)]) }
        case (nil, let new?): try insert.run(new + [.integer(number)])
        case (_?, nil): try delete.run([.integer(number)])
        case (nil, nil): break
        }
    }
}
