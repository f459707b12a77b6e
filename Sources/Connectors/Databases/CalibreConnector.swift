internal import ConnectorProtocol
internal import GRDB
internal import JSON

/// A calibre library, whose database may be in use: records in the form of `calibredb list --for-machine`, with formats
/// and covers as paths.
///
/// Only base tables are read, because the views need functions of calibre.
final class CalibreConnector: Connector {
    private let file: DatabaseFile
    /// The directory of the library.
    private let directory: String
    let opened = OpenedSource(kind: "calibre", profile: "calibre")

    /// Opens the library in `directory` with the database `file`.
    init(_ file: DatabaseFile, directory: String) {
        self.file = file
        self.directory = directory
    }

    var version: SourceVersion { file.version }

    /// Returns whether the database has the tables of a calibre library.
    static func isLibrary(_ file: DatabaseFile) throws(ConnectorFailure) -> Bool {
        let count = try file.read { database in
            try Int.fetchOne(
                database,
                sql: """
                    SELECT count(*) FROM sqlite_master
                    WHERE type = 'table' AND name IN ('books', 'authors', 'books_authors_link', 'data', 'library_id')
                    """)
        }
        return count == 5
    }

    func copy(to rows: RowWriter) throws(ConnectorFailure) -> Bool {
        try file.copy(to: rows) { try copy($0, to: rows) }
    }

    private func copy(_ database: Database, to rows: RowWriter) throws {
        rows.total = try? Int.fetchOne(database, sql: "SELECT count(*) FROM books")
        let books = try DatabaseRows(
            database,
            sql: """
                SELECT id, title, sort, author_sort, timestamp, pubdate, last_modified, uuid, series_index, path,
                    has_cover
                FROM books ORDER BY id
                """)
        var fields = try links(database)
        while try books.next() {
            let book = books.integer(0)
            for index in fields.indices { try fields[index].move(to: book) }
            var isText = true
            try rows.add { json in
                json.append(contentsOf: "{\"id\":".utf8)
                json.append(contentsOf: books.text(0))
                for (column, key) in Self.columns where !books.isNull(column) && !books.text(column).isEmpty {
                    if books.isEmptyDate(column) { continue }
                    json.append(contentsOf: key)
                    if !books.append(column, to: &json) { isText = false }
                }
                let path = "\(directory)/\(books.string(9))"
                if books.integer(10) != 0 {
                    json.append(contentsOf: ",\"cover\":".utf8)
                    JSONText.append("\(path)/cover.jpg", to: &json)
                }
                for index in fields.indices { fields[index].append(to: &json, books, path) }
                json.append(UInt8(ascii: "}"))
            }
            if !isText { rows.note(.encoding, at: .record(rows.count)) }
        }
    }

    /// The columns of a book that are copied unchanged, each with the start of its member.
    private static let columns: [(Int32, [UInt8])] = [
        (1, "title"), (2, "sort"), (3, "author_sort"), (4, "timestamp"), (5, "pubdate"), (6, "last_modified"),
        (7, "uuid"),
    ].map { ($0, Array(",\"\($1)\":".utf8)) }

    // MARK: Tables of values

    /// Returns the tables of values that this version of calibre has.
    private func links(_ database: Database) throws -> [CalibreLink] {
        let tables = Set(
            try String.fetchAll(database, sql: "SELECT name FROM sqlite_master WHERE type = 'table'"))
        var links: [CalibreLink] = []
        func add(_ key: String, _ form: CalibreLink.Form, needs names: [String], _ sql: String) throws {
            guard tables.isSuperset(of: names) else { return }
            links.append(CalibreLink(key, form, try DatabaseRows(database, sql: sql)))
        }
        func linked(_ table: String, _ column: String, _ value: String, order: String = "l.id") -> String {
            """
            SELECT l.book, t.\(value) FROM books_\(table)_link l JOIN \(table) t ON t.id = l.\(column)
            ORDER BY l.book, \(order)
            """
        }
        try add(
            "authors", .joined, needs: ["books_authors_link", "authors"], linked("authors", "author", "name"))
        try add("tags", .list, needs: ["books_tags_link", "tags"], linked("tags", "tag", "name", order: "t.name"))
        try add("series", .series, needs: ["books_series_link", "series"], linked("series", "series", "name"))
        try add(
            "publisher", .single, needs: ["books_publishers_link", "publishers"],
            linked("publishers", "publisher", "name"))
        try add(
            "rating", .single, needs: ["books_ratings_link", "ratings"], linked("ratings", "rating", "rating"))
        try add(
            "languages", .list, needs: ["books_languages_link", "languages"],
            linked("languages", "lang_code", "lang_code", order: "l.item_order, l.id"))
        try add(
            "identifiers", .object, needs: ["identifiers"],
            "SELECT book, val, type FROM identifiers ORDER BY book, type")
        try add("comments", .single, needs: ["comments"], "SELECT book, text FROM comments ORDER BY book")
        try add(
            "formats", .paths, needs: ["data"], "SELECT book, name, lower(format) FROM data ORDER BY book, format")
        guard tables.contains("custom_columns") else { return links }
        let columns = try Row.fetchAll(
            database,
            sql: """
                SELECT id, label, name, datatype, is_multiple, normalized FROM custom_columns
                WHERE mark_for_delete = 0 AND datatype <> 'composite' ORDER BY id
                """)
        var keys = Set(links.map(\.key) + Self.ownKeys)
        for column in columns {
            guard let id = column["id"] as Int64?, let label = column["label"] as String? else { continue }
            let key = Self.key(label: label, heading: column["name"], besides: &keys)
            let table = "custom_column_\(id)"
            let link = "books_\(table)_link"
            let isMultiple = column["is_multiple"] as Bool? ?? false
            let datatype = column["datatype"] as String? ?? "text"
            let form: CalibreLink.Form =
                isMultiple ? .list : datatype == "bool" ? .boolean : datatype == "series" ? .customSeries : .single
            if column["normalized"] as Bool? ?? false {
                let extra = datatype == "series" ? ", l.extra" : ""
                try add(
                    key, form, needs: [table, link],
                    """
                    SELECT l.book, t.value\(extra) FROM \(link) l JOIN \(table) t ON t.id = l.value
                    ORDER BY l.book, l.id
                    """
                )
            } else {
                try add(key, form, needs: [table], "SELECT book, value FROM \(table) ORDER BY book")
            }
        }
        return links
    }

    /// The keys of a record that do not come from a table of values.
    private static let ownKeys = [
        "id", "title", "sort", "author_sort", "timestamp", "pubdate", "last_modified", "uuid", "cover", "series_index",
    ]

    /// Returns the key for a custom column: its heading in calibre, unless another value has this key; the number of
    /// pages is recognized by its label.
    private static func key(label: String, heading: String?, besides keys: inout Set<String>) -> String {
        if let heading, !heading.isEmpty, label != "pages", keys.insert(heading).inserted { return heading }
        return "*" + label
    }
}

/// One kind of value that books have in another table, in the order of the books.
private struct CalibreLink {
    /// The way in which values become one value of a record.
    enum Form {
        /// The first value.
        case single
        /// A Boolean.
        case boolean
        /// An array.
        case list
        /// One string, with " & " between the names; a "&" within a name is doubled.
        case joined
        /// An object with the third column as keys.
        case object
        /// The name of the series, and the position from the book's own row.
        case series
        /// The same with the position in the third column.
        case customSeries
        /// Paths of files of these names in the directory of the book, with the third column as their extension.
        case paths
    }

    /// The key of the values.
    let key: String
    private let form: Form
    private let rows: DatabaseRows
    /// Whether the statement is at a row.
    private var hasRow = false
    private var hasStarted = false
    /// The values of the current book, and those of the third column.
    private var values: [(json: [UInt8], other: String)] = []

    init(_ key: String, _ form: Form, _ rows: DatabaseRows) {
        self.key = key
        self.form = form
        self.rows = rows
    }

    /// Reads the values of a book; the ids of the books ascend.
    mutating func move(to book: Int64) throws {
        values.removeAll(keepingCapacity: true)
        if !hasStarted {
            hasStarted = true
            hasRow = try rows.next()
        }
        while hasRow, rows.integer(0) < book { hasRow = try rows.next() }
        while hasRow, rows.integer(0) == book {
            if rows.isWritable(1), !rows.isEmptyDate(1) {
                var json: [UInt8] = []
                switch form {
                case .joined: JSONText.append(author(rows.string(1)), to: &json)
                case .paths: JSONText.append(rows.string(1), to: &json)
                default: _ = rows.append(1, to: &json)
                }
                values.append((json, rows.columnCount > 2 ? rows.string(2) : ""))
            }
            hasRow = try rows.next()
        }
    }

    /// calibre writes a comma within a name as "|".
    private func author(_ name: String) -> String {
        guard name.utf8.contains(where: { $0 == UInt8(ascii: "|") || $0 == UInt8(ascii: "&") }) else { return name }
        return name.map { $0 == "|" ? "," : $0 == "&" ? "&&" : String($0) }.joined()
    }

    /// Appends the member with the values of the book, if it has any.
    func append(to json: inout [UInt8], _ book: DatabaseRows, _ path: String) {
        guard let first = values.first else { return }
        json.append(UInt8(ascii: ","))
        JSONText.append(key, to: &json)
        json.append(UInt8(ascii: ":"))
        switch form {
        case .single: json += first.json
        case .boolean: json.append(contentsOf: (first.json == [UInt8(ascii: "0")] ? "false" : "true").utf8)
        case .list: append(values.map(\.json), between: ("[", "]"), to: &json)
        case .joined:
            json.append(UInt8(ascii: "\""))
            for (index, value) in values.enumerated() {
                if index > 0 { json.append(contentsOf: " & ".utf8) }
                json.append(contentsOf: value.json.dropFirst().dropLast())
            }
            json.append(UInt8(ascii: "\""))
        case .object:
            let members = values.map { value -> [UInt8] in
                var member: [UInt8] = []
                JSONText.append(value.other, to: &member)
                return member + [UInt8(ascii: ":")] + value.json
            }
            append(members, between: ("{", "}"), to: &json)
        case .series:
            json += first.json
            json.append(contentsOf: ",\"series_index\":".utf8)
            _ = book.append(8, to: &json)
        case .customSeries:
            json += first.json
            if let place = Double(first.other) {
                json.append(UInt8(ascii: ","))
                JSONText.append(key + "_index", to: &json)
                json.append(contentsOf: ":\(place)".utf8)
            }
        case .paths:
            let paths = values.map { value -> [UInt8] in
                var text: [UInt8] = []
                JSONText.append(path + "/", to: &text)
                text.removeLast()
                text.append(contentsOf: value.json.dropFirst().dropLast())
                text.append(UInt8(ascii: "."))
                var end: [UInt8] = []
                JSONText.append(value.other, to: &end)
                return text + end.dropFirst()
            }
            append(paths, between: ("[", "]"), to: &json)
        }
    }

    private func append(_ items: [[UInt8]], between ends: (Unicode.Scalar, Unicode.Scalar), to json: inout [UInt8]) {
        json.append(UInt8(ascii: ends.0))
        for (index, item) in items.enumerated() {
            if index > 0 { json.append(UInt8(ascii: ",")) }
            json += item
        }
        json.append(UInt8(ascii: ends.1))
    }
}
