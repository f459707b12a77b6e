internal import ConnectorProtocol

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
        guard let key = order.onlyKey else {
            let columns = order.bookColumns
            let numbers = try numbers(
                "SELECT n FROM \(books) WHERE \(columns.isBetween(start, end)) ORDER BY \(columns.order()) "
                    + "LIMIT \(first - number * step), \(last - first)")
            return try records(ofRows: numbers)
        }
        let columns = order.tableColumns
        return try records(
            "SELECT record FROM \(tables.whole(CatalogTables.order(by: key.key))) "
                + "PREWHERE \(columns.isBetween(start, end)) ORDER BY \(columns.order()) "
                + "LIMIT \(first - number * step), \(last - first)")
    }

    // MARK: - Matches

    /// Reads the rows that match the condition, and counts all of them at the same time unless that is known.
    private func matches(of condition: BookCondition, at first: Int, limit: Int) throws(ConnectorFailure) -> Part {
        let columns = order.bookColumns
        let known = catalog.count(of: condition.sql, in: version)
        // Near the end fewer rows are sorted in the reversed order.
        let last = known.map { min(first + limit, $0) }
        let isReversed = last.map { last in known.map { $0 - last < first } ?? false } ?? false
        var (offset, rowCount) = (first, limit)
        if isReversed, let known, let last { (offset, rowCount) = (known - last, max(0, last - first)) }
        let (source, counted) = source(of: condition)
        var queries: [(String, [ColumnType])] = []
        if rowCount > 0 {
            let list =
                "SELECT \(source) ORDER BY \(columns.order(isReversed: isReversed)) LIMIT \(offset), \(rowCount)"
            queries.append((list, [.uint64]))
        }
        if known == nil { queries.append(("SELECT \(counted)", [.uint64])) }
        let results = queries.isEmpty ? [] : try client.rows(of: queries)
        let count = known ?? results.last?.first?[0].number ?? 0
        if known == nil { catalog.keep(count, of: condition.sql, in: version) }
        var numbers = rowCount > 0 ? results[0].compactMap { $0[0].number } : []
        if isReversed { numbers.reverse() }
        return Part(records: try records(ofRows: numbers), first: first, count: count)
    }

    /// Returns the part of a query that selects the numbers of the matching books, and of one that counts them.
    ///
    /// The books with a word are distinct numbers in its tokens: in the order of the catalog, nothing else need be read.
    private func source(of condition: BookCondition) -> (numbers: String, count: String) {
        let words = tables.whole(CatalogTables.tokens)
        let books = "\(books) WHERE \(condition.sql)"
        guard let tokens = condition.tokens else { return ("n FROM \(books)", "count() FROM \(books)") }
        return (
            order.keys.isEmpty ? "DISTINCT n FROM \(words) WHERE \(tokens)" : "n FROM \(books)",
            "uniqExact(n) FROM \(words) WHERE \(tokens)"
        )
    }

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
        guard let key = order.onlyKey else { return try count("\(books) WHERE \(columns.isBefore(values))") }
        // Only the rows after the last anchor before the book are counted.
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
        let table = tables.whole(CatalogTables.order(by: key.key))
        return number * ClickHouseCatalog.step
            + (try count("\(table) WHERE \(order.tableColumns.isBetween(start, values))"))
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
