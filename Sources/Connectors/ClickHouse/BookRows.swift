internal import ConnectorProtocol
internal import Search

/// The rows of a list: the books that match a condition, in an order.
struct BookRows {
    private let order: PageOrder
    /// The condition over the columns of the books; nil for all.
    private let condition: BookCondition?
    private let version: ClickHouseCatalog.Version
    private let catalog: ClickHouseCatalog
    private let client: ClickHouseClient

    /// A part of a list.
    struct Part {
        /// The records as JSON.
        let records: [[UInt8]]
        /// The number of the first row.
        let first: Int
        /// The number of rows of the list.
        let count: Int
    }

    /// Creates a list.
    init(
        order: PageOrder, condition: BookCondition?, _ version: ClickHouseCatalog.Version, _ catalog: ClickHouseCatalog,
        _ client: ClickHouseClient
    ) {
        (self.order, self.condition, self.version) = (order, condition, version)
        (self.catalog, self.client) = (catalog, client)
    }

    private var tables: CatalogTables { version.tables }
    private var books: String { tables.whole(CatalogTables.books) }

    /// Returns the rows from `first` on.
    ///
    /// - Throws: `ConnectorFailure` if the servers return fewer rows than the list has.
    func part(at first: Int, limit: Int) throws(ConnectorFailure) -> Part {
        let part: Part
        if let condition {
            part = try matches(of: condition, at: first, limit: limit)
        } else {
            part = Part(records: try allRows(at: first, limit: limit), first: first, count: version.rows)
        }
        let expected = max(0, min(limit, part.count - first))
        guard part.records.count == expected else {
            throw ConnectorFailure(.server, .booksMissing, detail: "\(first + part.records.count) of \(part.count)")
        }
        return part
    }

    // MARK: - All books

    /// Reads the rows of the whole catalog between the two nearest anchors, in which an offset is cheap.
    private func allRows(at first: Int, limit: Int) throws(ConnectorFailure) -> [[UInt8]] {
        let last = min(first + limit, version.rows)
        if first >= last { return [] }
        if order.keys.isEmpty {
            return try records(
                "SELECT record FROM \(books) PREWHERE n >= \(first) AND n < \(last) ORDER BY n")
        }
        let step = ClickHouseCatalog.step
        let number = first / step
        let (start, end) = try catalog.anchors(
            of: order, from: number, to: (last + step - 1) / step, in: version, client)
        guard let pages = tables.rows(by: order) else {
            let columns = order.bookColumns
            let numbers = try numbers(
                "SELECT n FROM \(books) WHERE \(columns.isBetween(start, end)) ORDER BY \(columns.order()) "
                    + "LIMIT \(first - number * step), \(last - first)")
            return try records(ofRows: numbers)
        }
        return try records(
            "SELECT record FROM \(pages.table) WHERE \(pages.columns.isBetween(start, end)) "
                + "ORDER BY \(pages.columns.order()) "
                + "LIMIT \(first - number * step), \(last - first) SETTINGS \(Self.fewRows)")
    }

    /// The settings for a query whose conditions on the primary key leave about a thousand rows: reading them at once is
    /// faster than reading their keys first, and faster than sharing them among threads.
    private static let fewRows = "max_threads = 1, optimize_move_to_prewhere = 0"

    // MARK: - Matches

    /// Reads the rows that match the condition, and counts all of them unless that is known.
    private func matches(of condition: BookCondition, at first: Int, limit: Int) throws(ConnectorFailure) -> Part {
        var known = catalog.count(of: condition.sql, in: version)
        if known == nil, condition.usesOnlyNumbers, order.onlyKey != nil {
            // The number decides how the rows are read.
            known = Self.total(try client.rows(counting(condition), .uint64))
        }
        let list = Window(first: first, limit: limit, count: known)
        if let known {
            catalog.keep(known, of: condition.sql, in: version)
            if list.limit == 0 { return Part(records: [], first: first, count: known) }
            if var records = try edge(of: condition, list, of: known) {
                if list.isReversed { records.reverse() }
                return Part(records: records, first: first, count: known)
            }
        }
        var queries: [(String, [ColumnType])] = [(listing(condition, list), [.uint64])]
        if known == nil { queries.append((counting(condition), [.uint64])) }
        let results = try client.rows(of: queries)
        let count = known ?? Self.total(results.last ?? [])
        if known == nil { catalog.keep(count, of: condition.sql, in: version) }
        var numbers = results[0].compactMap { $0[0].number }
        if list.isReversed { numbers.reverse() }
        return Part(records: try records(ofRows: numbers), first: first, count: count)
    }

    /// Rows of a list, counted from the nearer end.
    private struct Window {
        /// The number of rows before them.
        var offset: Int
        var limit: Int
        /// Whether they are counted from the end: then fewer rows are sorted in the reversed order.
        var isReversed = false

        /// Creates the window of the rows from `first` on, of a list with `count` rows if that is known.
        init(first: Int, limit: Int, count: Int?) {
            (offset, self.limit) = (first, limit)
            guard let count else { return }
            let last = min(first + limit, count)
            self.limit = max(0, last - first)
            isReversed = count - last < first
            if isReversed { offset = count - last }
        }
    }

    /// Returns the query for the numbers of the books in some rows.
    private func listing(_ condition: BookCondition, _ list: Window) -> String {
        let limit = "LIMIT \(list.offset), \(list.limit)"
        let order = order.bookColumns.order(isReversed: list.isReversed)
        // The books with a word are distinct numbers in its tokens: in the order of the catalog, nothing else need be read.
        if self.order.keys.isEmpty, let tokens = condition.tokens {
            let words = tables.whole(CatalogTables.tokens)
            return "SELECT n FROM \(words) WHERE \(tokens) ORDER BY \(order) LIMIT 1 BY n \(limit)"
        }
        return "SELECT n FROM \(books) WHERE \(condition.sql) ORDER BY \(order) \(limit)"
    }

    /// Returns the query for the number of books that match, which may have a row for each part of the cluster.
    private func counting(_ condition: BookCondition) -> String {
        guard let tokens = condition.tokens else { return "SELECT count() FROM \(books) WHERE \(condition.sql)" }
        let number = version.rows <= Int(UInt32.max) ? "toUInt32(n)" : "n"
        // The parts have different books, so that each can count its own.
        return "SELECT uniqExact(\(number)) FROM \(tables.whole(CatalogTables.tokens)) WHERE \(tokens)"
            + " SETTINGS distributed_group_by_no_merge = 1"
    }

    /// Returns the sum of the numbers of all parts of the cluster.
    private static func total(_ rows: [[SQLValue]]) -> Int {
        rows.reduce(0) { ($0 + ($1[0].number ?? 0)).clampedCount }
    }

    /// Reads rows of a search by one key from the beginning of that order, or its end, without the other books.
    ///
    /// - Parameter count: The number of books that match.
    /// - Returns: The records; nil if it is as well to read the keys of all books that match.
    private func edge(
        of condition: BookCondition, _ list: Window, of count: Int
    ) throws(ConnectorFailure) -> [[UInt8]]? {
        guard condition.usesOnlyNumbers, let pages = tables.rows(by: order), count > 0 else { return nil }
        let step = ClickHouseCatalog.step
        let needed = list.offset + list.limit
        var expected = needed * Self.surplus * (version.rows / count + 1)
        while expected < version.rows / Self.edgePart {
            let number = list.isReversed ? (version.rows - expected) / step : (expected + step - 1) / step
            let anchor = try catalog.anchors(of: order, from: number, to: number, in: version, client).start
            let range = list.isReversed ? pages.columns.isBetween(anchor, nil) : pages.columns.isBetween(nil, anchor)
            var matches = condition.sql
            if let tokens = condition.tokens {
                // Of many books with a word, few are in the range.
                matches =
                    "n IN (SELECT n FROM \(tables.local(CatalogTables.tokens)) WHERE \(tokens) AND n IN "
                    + "(SELECT n FROM \(pages.localTable) \(pages.filter) \(range)))"
            }
            let records = try records(
                "SELECT record FROM \(pages.table) \(pages.filter) (\(range)) AND (\(matches)) ORDER BY "
                    + "\(pages.columns.order(isReversed: list.isReversed)) LIMIT \(list.offset), \(list.limit)")
            if records.count == list.limit { return records }
            // Matches are rarer here than elsewhere.
            expected *= Self.growth
        }
        return nil
    }

    /// The number of rows that are read at first for each one that is needed, at the average frequency.
    private static let surplus = 4
    /// The factor by which more rows are read if these were too few.
    private static let growth = 5
    /// The part of the catalog up to which reading an edge of an order is faster than reading all its keys.
    private static let edgePart = 8

    // MARK: - The row of a book

    /// Returns the row of a book, or the one at which it would be if it does not match; nil if the catalog does not have
    /// it.
    func row(ofBookWithID id: String) throws(ConnectorFailure) -> Int? {
        let columns = order.bookColumns
        let found = try client.rows(of: [
            (
                "SELECT \(columns.list) FROM \(books) WHERE n IN (SELECT n FROM "
                    + "\(tables.local(CatalogTables.ids)) WHERE id = \(SQLText.literal(id))) LIMIT 1",
                columns.map(\.type)
            )
        ])[0]
        guard let values = found.first else { return nil }
        if let condition {
            return try count("\(books) WHERE (\(condition.sql)) AND \(columns.isBefore(values))")
        }
        if order.keys.isEmpty { return values[0].number }
        return try rowCount(before: values)
    }

    /// Returns the first row at a letter or number, as typed, or after it, in the order of the first key.
    ///
    /// - Throws: `ConnectorFailure` if the order has no such values.
    func row(at typed: String) throws(ConnectorFailure) -> Int {
        guard let key = order.keys.first, let target = key.key.target(typed) else {
            throw ConnectorFailure(.unsupported, detail: typed)
        }
        let value: SQLValue
        switch target {
        case .number(let number): value = .number(number)
        // In descending order, the texts that begin so come after all texts that are greater.
        case .text(let bytes): value = .text(key.isDescending ? bytes + Self.greatest : bytes)
        }
        // Number 0 is before the first book with this value.
        let values = [.number(0), value] + (order.onlyKey == nil ? [] : [.number(0)])
        guard let condition else { return try rowCount(before: values) }
        return try count("\(books) WHERE (\(condition.sql)) AND \(order.bookColumns.isBefore(values))")
    }

    /// Bytes that are greater than what follows the beginning of a sort key.
    private static let greatest = [UInt8](repeating: 0xFF, count: 8)

    /// Returns the number of books before these values of the columns of the order, which has at least one key.
    private func rowCount(before values: [SQLValue]) throws(ConnectorFailure) -> Int {
        guard let key = order.onlyKey, let pages = tables.rows(by: order) else {
            return try count("\(books) WHERE \(order.bookColumns.isBefore(values))")
        }
        // Only the rows after the last anchor before the values are counted.
        let anchorColumns = [
            order.tableColumns[0],
            PageOrder.Column(
                expression: key.key.isText ? "text" : "number", type: key.key.column.type,
                isDescending: key.isDescending), order.tableColumns[2],
        ]
        let anchor = try client.rows(
            "SELECT max(step) FROM \(tables.local(CatalogTables.anchors)) WHERE ord = \(SQLText.literal(order.name)) "
                + "AND \(anchorColumns.isBefore(values))", .uint64)
        let number = anchor.first?[0].number ?? 0
        let start = try catalog.anchors(of: order, from: number, to: 0, in: version, client).start
        return number * ClickHouseCatalog.step
            + (try count("\(pages.table) WHERE \(pages.columns.isBetween(start, values))"))
    }

    // MARK: - Queries

    private func count(_ source: String) throws(ConnectorFailure) -> Int {
        try client.rows("SELECT count() FROM \(source)", .uint64).first?[0].number ?? 0
    }

    private func numbers(_ query: String) throws(ConnectorFailure) -> [Int] {
        try client.rows(query, .uint64).compactMap { $0[0].number }
    }

    private func records(_ query: String) throws(ConnectorFailure) -> [[UInt8]] {
        try client.rows(query, .text).compactMap { $0[0].bytes }
    }

    /// Returns the records of the rows of the catalog with these numbers, in their order.
    private func records(ofRows numbers: [Int]) throws(ConnectorFailure) -> [[UInt8]] {
        if numbers.isEmpty { return [] }
        let list = numbers.map(String.init).joined(separator: ", ")
        let rows = try client.rows("SELECT n, record FROM \(books) WHERE n IN (\(list))", .uint64, .text)
        var records: [Int: [UInt8]] = [:]
        for row in rows {
            if let number = row[0].number { records[number] = row[1].bytes }
        }
        return numbers.compactMap { records[$0] }
    }
}
