internal import ConnectorProtocol
internal import Search

/// The tables of one version of a catalog, whose name is part of theirs.
///
/// The version is a hash of the books. A publication fills the tables of a new version beside those of the current one,
/// and makes it the current one only when all books are in them. So a reader never sees a part of a catalog, the same
/// books have the same tables, and an interrupted publication finds what it has stored already. Renaming tables would
/// not do: it is atomic on one server, but not on all of a cluster.
struct CatalogTables: Hashable, Sendable {
    /// The name of the database.
    let database: String
    /// The name of the cluster, if any.
    let cluster: String?
    /// The version: the name of the layout and hexadecimal digits.
    let version: String

    /// The layout of the tables, of which the version tells.
    var layout: CatalogLayout { CatalogLayout(ofVersion: version) }

    /// A table of the catalog.
    struct Table: Hashable, Sendable {
        /// The start of its name.
        let name: String
        /// The columns.
        let columns: [(name: String, type: ColumnType)]
        /// The sorting key.
        let key: String
        /// The number of rows in each unit of reading.
        let granularity: Int

        static func == (left: Table, right: Table) -> Bool { left.name == right.name }

        func hash(into hasher: inout Hasher) { hasher.combine(name) }
    }

    /// The number of the row in the catalog and its data: the record, the sort keys, and the texts and numbers that
    /// queries compare, normalized like those of a local catalog. Texts of several values have a line for each.
    static let books = Table(
        name: "books",
        columns: [
            ("n", .uint64), ("batch", .uint32), ("id", .text), ("record", .text), ("title_key", .text),
            ("author_key", .text), ("series_key", .text), ("year", .int16), ("pages", .uint16), ("rating", .uint8),
            ("added", .uint32), ("title", .text), ("authors", .text), ("series", .text), ("subjects", .text),
            ("publisher", .text), ("languages", .text), ("isbn", .text), ("fiction", .uint8), ("traits", .uint8),
        ], key: "n", granularity: 256)
    /// The words of the books, each with the bits of the fields in which it occurs.
    static let tokens = Table(
        name: "tokens", columns: [("token", .text), ("fields", .uint8), ("n", .uint64), ("batch", .uint32)],
        key: "token, n", granularity: 1024)
    /// The number of the row by the id.
    static let ids = Table(name: "ids", columns: [("id", .text), ("n", .uint64)], key: "id", granularity: 1024)
    /// The sort keys of some rows of each order, at regular distances: the rows between two of them can be read without
    /// the rows before them. Each server has all of them.
    static let anchors = Table(
        name: "anchors",
        columns: [
            ("ord", .text), ("step", .uint64), ("unknown", .uint8), ("text", .text), ("number", .int64), ("n", .uint64),
        ], key: "ord, step", granularity: 256)
    /// The current and earlier versions, of which the one with the highest number counts. Its name has no version.
    static let versions = Table(
        name: "catalog",
        columns: [("number", .uint64), ("version", .text), ("rows", .uint64), ("published", .uint32)], key: "number",
        granularity: 256)

    /// Returns the table of an order.
    static func order(by key: OrderKey) -> Table {
        Table(
            name: "by_\(key.rawValue)",
            columns: [("unknown", .uint8), ("key", key.column.type), ("n", .uint64), ("record", .text)],
            key: "unknown, key, n", granularity: 512)
    }

    /// The tables of the orders.
    private var orders: [Table] { layout == .tables ? OrderKey.allCases.map(Self.order) : [] }
    /// The tables that are filled from those of the books on the same server.
    var derived: [Table] { [Self.ids] + orders }
    /// All tables with a version.
    private var all: [Table] { [Self.books, Self.tokens, Self.anchors] + derived }
    /// The tables that are read through a distributed one.
    var distributed: [Table] { [Self.books, Self.tokens] + orders }

    /// Where the rows of an order by one key are.
    struct OrderedRows {
        /// The name of the table with the rows of all servers.
        var table: String
        /// The name of the table with the rows of a server.
        var localTable: String
        /// The columns of the order.
        var columns: [PageOrder.Column]
        /// The keyword before conditions on these columns.
        var filter: String
    }

    /// Returns where the rows of an order are; nil for one by several keys.
    func rows(by order: PageOrder) -> OrderedRows? {
        guard let key = order.onlyKey else { return nil }
        switch layout {
        case .tables:
            let table = Self.order(by: key.key)
            return OrderedRows(
                table: whole(table), localTable: local(table), columns: order.tableColumns, filter: "PREWHERE")
        case .projections:
            // The server chooses a projection by the conditions of WHERE.
            return OrderedRows(
                table: whole(Self.books), localTable: local(Self.books), columns: order.bookColumns, filter: "WHERE")
        }
    }

    /// Returns the name of a table on a server.
    func local(_ table: Table) -> String { qualified("\(table.name)_\(version)") }

    /// Returns the name of a table with the rows of all servers.
    func whole(_ table: Table) -> String {
        cluster == nil ? local(table) : qualified("all_\(table.name)_\(version)")
    }

    /// The name of the table of versions in a database.
    static func versions(in database: String) -> String {
        SQLText.identifier(database) + "." + SQLText.identifier(versions.name)
    }

    private func qualified(_ name: String) -> String {
        SQLText.identifier(database) + "." + SQLText.identifier(name)
    }

    // MARK: - Statements

    /// The statements that make the database and the tables on a server. What exists is kept.
    var creation: [String] {
        var statements = [
            "CREATE DATABASE IF NOT EXISTS \(SQLText.identifier(database))",
            Self.creation(of: Self.versions, as: Self.versions(in: database)),
        ]
        statements += all.map { table in
            Self.creation(of: table, as: local(table), with: table == Self.books ? layout.clauses : [])
        }
        if let cluster {
            statements += distributed.map { table in
                "CREATE TABLE IF NOT EXISTS \(whole(table)) AS \(local(table)) ENGINE = Distributed("
                    + "\(SQLText.identifier(cluster)), \(SQLText.identifier(database)), "
                    + "\(SQLText.identifier("\(table.name)_\(version)")))"
            }
        }
        return statements
    }

    private static func creation(of table: Table, as name: String, with clauses: [String] = []) -> String {
        let columns = (table.columns.map { "\($0.name) \($0.type.rawValue)" } + clauses).joined(separator: ", ")
        return "CREATE TABLE IF NOT EXISTS \(name) (\(columns)) ENGINE = MergeTree PARTITION BY tuple() "
            + "ORDER BY (\(table.key)) SETTINGS index_granularity = \(table.granularity)"
    }

    /// Returns the statement that fills a table from the books on the same server.
    func filling(_ table: Table) -> String {
        if table == Self.ids { return "INSERT INTO \(local(table)) SELECT id, n FROM \(local(Self.books))" }
        let key = OrderKey.allCases.first { Self.order(by: $0) == table } ?? .title
        return "INSERT INTO \(local(table)) SELECT \(key.unknown), \(key.column.name), n, record "
            + "FROM \(local(Self.books))"
    }

    /// The statements that drop the tables on a server.
    var deletion: [String] {
        distributed.filter { _ in cluster != nil }.map { "DROP TABLE IF EXISTS \(whole($0))" }
            + all.map { "DROP TABLE IF EXISTS \(local($0))" }
    }
}

/// A sort key with a table of its own.
enum OrderKey: String, CaseIterable, Sendable {
    case title, author, series, year, pages, rating, added

    /// The column of the books with the sort key. Texts are compared by bytes.
    var column: (name: String, type: ColumnType) {
        switch self {
        case .title: ("title_key", .text)
        case .author: ("author_key", .text)
        case .series: ("series_key", .text)
        case .year: ("year", .int16)
        case .pages: ("pages", .uint16)
        case .rating: ("rating", .uint8)
        case .added: ("added", .uint32)
        }
    }

    /// The expression over the columns of the books that is 1 if the key is unknown, and otherwise 0.
    var unknown: String { "toUInt8(\(column.name) = \(unknownValue.literal))" }

    /// The value of the column if the key is unknown.
    var unknownValue: SQLValue {
        switch self {
        case .title, .author, .series: .text([])
        case .year: .number(Int(Int16.min))
        case .pages, .rating, .added: .number(0)
        }
    }

    /// Whether books are compared by text.
    var isText: Bool { column.type == .text }

    /// Interprets what was typed as a place in this order; nil if it has none.
    func target(_ typed: String) -> SortTarget? {
        SortOrder.Key(rawValue: rawValue).flatMap { SortTarget(typed, for: $0) }
    }
}
