internal import Books
internal import ConnectorProtocol
internal import GRDB
internal import JSON

/// A database written by stacks. Its tables are joined into one record for each book, in the native fields.
final class LibraryConnector: Connector {
    private let file: DatabaseFile
    private let schemaVersion: Int
    let opened = OpenedSource(kind: "sqlite", profile: "library", table: "books")
    var version: SourceVersion { file.version }

    /// Opens a database. Fails if stacks did not create it, or if the schema has a later version; then its tables can
    /// be read individually.
    init?(_ file: DatabaseFile) throws(ConnectorFailure) {
        self.file = file
        let version = try file.read { try LibrarySchema.version(of: $0) }
        guard let version, 1...LibrarySchema.version ~= version else { return nil }
        schemaVersion = version
    }

    func copy(to rows: RowWriter) throws(ConnectorFailure) -> Bool {
        try file.copy(to: rows) { try copy($0, to: rows) }
    }

    private func copy(_ database: Database, to rows: RowWriter) throws {
        rows.total = try? Int.fetchOne(database, sql: "SELECT count(*) FROM books")
        let columns = LibrarySchema.columns.filter {
            schemaVersion >= 3 || !LibrarySchema.laterColumns.contains($0.name)
        }
        let books = try DatabaseRows(
            database, sql: "SELECT \(columns.map(\.name).joined(separator: ", ")), id FROM books ORDER BY id")
        let people = try LibraryRows(
            database,
            """
            SELECT book_id, people.name, roles.name FROM book_people JOIN people ON people.id = person_id
            LEFT JOIN roles ON roles.id = role_id ORDER BY book_id, position
            """)
        let subjects = try LibraryRows(
            database,
            """
            SELECT book_id, name FROM book_subjects JOIN subjects ON subjects.id = subject_id
            ORDER BY book_id, position
            """)
        let languages = try LibraryRows(database, "SELECT book_id, language FROM languages ORDER BY book_id, position")
        let identifiers = try LibraryRows(
            database, "SELECT book_id, scheme, value FROM identifiers ORDER BY book_id, position")
        let readings = try LibraryRows(
            database,
            """
            SELECT book_id, \(LibrarySchema.readingColumns.map(\.name).joined(separator: ", ")) FROM readings
            ORDER BY book_id
            """)
        let shelves = try LibraryRows(
            database,
            """
            SELECT book_id, name FROM book_shelves JOIN shelves ON shelves.id = shelf_id ORDER BY book_id, position
            """)
        let logs =
            try schemaVersion == 1
            ? nil
            : LibraryRows(
                database,
                """
                SELECT book_id, \(LibrarySchema.logColumns.map(\.name).joined(separator: ", ")) FROM reading_log
                ORDER BY book_id, position
                """)
        while try books.next() {
            let book = books.integer(Int32(columns.count))
            let (people, subjects) = (try people.values(of: book), try subjects.values(of: book))
            let (languages, identifiers) = (try languages.values(of: book), try identifiers.values(of: book))
            let (reading, shelves) = (try readings.values(of: book).first, try shelves.values(of: book))
            let log = try logs?.values(of: book) ?? []
            try rows.add { row in
                _ = RecordJSON.append(to: &row) { json in
                    for (index, column) in columns.enumerated() where !books.isNull(Int32(index)) {
                        json.add(column, books, Int32(index))
                    }
                    json.add("authors", people.filter { $0[1] == LibrarySchema.author }.compactMap { $0[0] })
                    json.add(
                        "contributors",
                        objects: people.filter { $0[1] != LibrarySchema.author }.map {
                            [("name", $0[0]), ("role", $0[1])]
                        })
                    json.add("language", languages.compactMap { $0[0] })
                    json.add("subjects", subjects.compactMap { $0[0] })
                    json.add("identifiers", objects: identifiers.map { [("scheme", $0[0]), ("value", $0[1])] })
                    json.add(reading: reading, log: log, shelves: shelves.compactMap { $0[0] })
                }
            }
        }
    }
}

/// The rows of a table of values, in the order of the books.
private final class LibraryRows {
    private let rows: DatabaseRows
    private var hasRow = false
    private var hasStarted = false

    init(_ database: Database, _ sql: String) throws { rows = try DatabaseRows(database, sql: sql) }

    /// Returns the columns after the first one of the rows of a book; the ids of the books ascend.
    func values(of book: Int64) throws -> [[String?]] {
        if !hasStarted {
            hasStarted = true
            hasRow = try rows.next()
        }
        while hasRow, rows.integer(0) < book { hasRow = try rows.next() }
        var values: [[String?]] = []
        while hasRow, rows.integer(0) == book {
            values.append((1..<Int32(rows.columnCount)).map { rows.isNull($0) ? nil : rows.string($0) })
            hasRow = try rows.next()
        }
        return values
    }
}

extension RecordJSON {
    /// Adds the value of a column of the table of books.
    fileprivate mutating func add(_ column: LibrarySchema.Column, _ books: DatabaseRows, _ index: Int32) {
        // A book is in the catalog by default.
        if column.key == "inCatalog", books.integer(index) != 0 { return }
        if column.type == .rest { return add(others: books.string(index)) }
        key(column.key)
        add(value: books.string(index), of: column.type)
    }

    /// Adds the members of an object that have no other place. What is not an object counts as missing.
    private mutating func add(others text: String) {
        for member in JSONValue(parsing: Array(text.utf8))?.members ?? []
        where !LibrarySchema.keys.contains(member.key) {
            var json: [UInt8] = []
            member.value.write(to: &json)
            key(member.key)
            add(raw: String(decoding: json, as: UTF8.self))
        }
    }

    /// Adds the user data of a book, if any.
    fileprivate mutating func add(reading values: [String?]?, log: [[String?]], shelves: [String]) {
        guard values != nil || !log.isEmpty || !shelves.isEmpty else { return }
        addKey("userData")
        open("{")
        var dates: [(key: String, value: String)] = []
        var status: String?
        for (column, value) in zip(LibrarySchema.readingColumns, values ?? []) {
            guard let value else { continue }
            if column.name.hasSuffix("_on") {
                dates.append((column.key, value))
            } else {
                if column.key == "status" { status = value }
                key(column.key)
                add(value: value, of: column.type)
            }
        }
        add("statusDates", dates)
        add(log: log, dates: dates, status: status.flatMap(Book.ReadingStatus.init(rawValue:)))
        add("shelves", shelves)
        close("}")
    }

    /// Adds the readings, unless they follow from the status and its dates. Rows that are damaged count as missing.
    private mutating func add(
        log rows: [[String?]], dates: [(key: String, value: String)], status: Book.ReadingStatus?
    ) {
        let readings = JSONValue.array(
            rows.map { row in
                .object(
                    zip(LibrarySchema.logColumns, row).compactMap { column, text in
                        let value = text.flatMap {
                            column.key == "progress" ? JSONValue(parsing: Array($0.utf8)) : .string($0)
                        }
                        return value.map { JSONValue.Member(key: column.key, value: $0) }
                    })
            })
        let known = JSONValue.object(dates.map { .init(key: $0.key, value: .string($0.value)) })
        let log = ReadingLog(dates: known, readings: readings, status: status)
        guard !rows.isEmpty, log != ReadingLog(dates: known, readings: nil, status: status) else { return }
        var json: [UInt8] = []
        log.readings.json.write(to: &json)
        addKey("readings")
        add(raw: String(decoding: json, as: UTF8.self))
    }

    private mutating func add(value: String, of type: LibrarySchema.ColumnType) {
        switch type {
        case .text, .rest: self.value(value)
        case .boolean: add(raw: value == "0" ? "false" : "true")
        case .integer, .real, .numeric:
            // The user may have written text into the column.
            guard let number = Double(value), number.isFinite else { return self.value(value) }
            add(raw: value.hasSuffix(".0") ? String(value.dropLast(2)) : value)
        }
    }
}
