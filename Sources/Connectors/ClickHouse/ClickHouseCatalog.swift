internal import ConnectorProtocol
internal import Threading

/// The facts about a catalog that the threads of a connector share: its current version, counts, and anchors.
final class ClickHouseCatalog: Sendable {
    /// A version of the catalog.
    struct Version: Hashable, Sendable {
        let tables: CatalogTables
        /// The number of books.
        let rows: Int
    }

    /// The number of rows between two anchors.
    static let step = 1024
    /// The number of anchors that are fetched together.
    private static let anchorsTogether = 512
    /// The maximum number of searches whose number of books is kept.
    private static let countLimit = 256

    private let state = Locked(State())

    private struct State {
        var version: Version?
        /// The numbers of books by condition.
        var counts: [String: Int] = [:]
        /// The sort keys at row `step * n`, by order and n.
        var anchors: [String: [Int: [SQLValue]]] = [:]
    }

    /// Returns the current version; asks a server if it is unknown.
    ///
    /// - Throws: `ConnectorFailure` if there is none, or the servers do not have all of its books.
    func version(_ client: ClickHouseClient) throws(ConnectorFailure) -> Version {
        if let version = state.withLock({ $0.version }) { return version }
        let version = try Self.currentVersion(client)
        let first = try Self.firstAnchors(of: version, client)
        state.withLock { state in
            if state.version == version { return }
            state = State(version: version, anchors: first)
        }
        return version
    }

    /// Forgets a version whose tables are gone, because another one has been published.
    func forget(_ version: Version) {
        state.withLock { if $0.version == version { $0 = State() } }
    }

    private static func currentVersion(_ client: ClickHouseClient) throws(ConnectorFailure) -> Version {
        let address = client.address
        let rows: [[SQLValue]]
        do throws(ConnectorFailure) {
            rows = try client.rows(
                "SELECT version, rows FROM \(CatalogTables.versions(in: address.database)) "
                    + "ORDER BY number DESC LIMIT 1", .text, .uint64)
        } catch {
            throw error.reason == .noTable ? ConnectorFailure(.format, .noCatalog) : error
        }
        guard let row = rows.first, let name = row[0].bytes, let count = row[1].number else {
            throw ConnectorFailure(.format, .noCatalog)
        }
        let tables = CatalogTables(
            database: address.database, cluster: address.cluster, version: String(decoding: name, as: UTF8.self))
        let found = try client.rows("SELECT count() FROM \(tables.whole(CatalogTables.books))", .uint64)
        let present = found.first?[0].number ?? 0
        // The cluster of the address may be another one, or a table may have been lost.
        guard present == count else {
            throw ConnectorFailure(.server, .booksMissing, detail: "\(present) of \(count)")
        }
        return Version(tables: tables, rows: count)
    }

    // MARK: - Counts

    /// The number of books that match a condition, if it is known.
    func count(of condition: String, in version: Version) -> Int? {
        state.withLock { $0.version == version ? $0.counts[condition] : nil }
    }

    /// Keeps the number of books that match a condition.
    func keep(_ count: Int, of condition: String, in version: Version) {
        state.withLock { state in
            guard state.version == version else { return }
            if state.counts.count >= Self.countLimit { state.counts = [:] }
            state.counts[condition] = count
        }
    }

    // MARK: - Anchors

    /// Returns the sort keys at the rows of two anchors, so that the rows between them can be read without those before.
    /// The second is nil if the catalog ends before it.
    func anchors(
        of order: PageOrder, from first: Int, to last: Int, in version: Version, _ client: ClickHouseClient
    ) throws(ConnectorFailure) -> (start: [SQLValue]?, end: [SQLValue]?) {
        func isWithin(_ number: Int) -> Bool { number > 0 && number * Self.step < version.rows }
        for number in [first, last] where isWithin(number) {
            if anchor(number, of: order, in: version) == nil {
                try fetchAnchors(of: order, around: number, in: version, client)
            }
            guard anchor(number, of: order, in: version) != nil else {
                throw ConnectorFailure(.server, .booksMissing, detail: "\(number * Self.step) of \(version.rows)")
            }
        }
        return (anchor(first, of: order, in: version), anchor(last, of: order, in: version))
    }

    private func anchor(_ number: Int, of order: PageOrder, in version: Version) -> [SQLValue]? {
        // Every row comes after the beginning.
        if number <= 0 { return nil }
        return state.withLock { $0.version == version ? $0.anchors[order.name]?[number] : nil }
    }

    private func fetchAnchors(
        of order: PageOrder, around number: Int, in version: Version, _ client: ClickHouseClient
    ) throws(ConnectorFailure) {
        var found: [Int: [SQLValue]] = [:]
        if order.onlyKey != nil {
            let start = number / Self.anchorsTogether * Self.anchorsTogether
            found =
                try Self.storedAnchors(
                    where: "ord = \(SQLText.literal(order.name)) AND step >= \(start) "
                        + "AND step <= \(start + Self.anchorsTogether)", of: version, client)[order.name] ?? [:]
        } else {
            for (index, values) in try Self.computedAnchors(
                of: order.bookColumns, in: version.tables.whole(CatalogTables.books), client
            ).enumerated() {
                found[index] = values
            }
        }
        state.withLock { state in
            guard state.version == version else { return }
            state.anchors[order.name, default: [:]].merge(found) { $1 }
        }
    }

    /// Fetches the second anchors of all stored orders, so that their first page takes one request.
    private static func firstAnchors(
        of version: Version, _ client: ClickHouseClient
    ) throws(ConnectorFailure) -> [String: [Int: [SQLValue]]] {
        let orders = PageOrder.stored.map { SQLText.literal($0.name) }.joined(separator: ", ")
        return try storedAnchors(where: "ord IN (\(orders)) AND step <= 1", of: version, client)
    }

    private static func storedAnchors(
        where condition: String, of version: Version, _ client: ClickHouseClient
    ) throws(ConnectorFailure) -> [String: [Int: [SQLValue]]] {
        let rows = try client.rows(
            "SELECT ord, step, unknown, text, number, n FROM \(version.tables.local(CatalogTables.anchors)) "
                + "WHERE \(condition)", .text, .uint64, .uint8, .text, .int64, .uint64)
        var anchors: [String: [Int: [SQLValue]]] = [:]
        for row in rows {
            guard let name = row[0].bytes.map({ String(decoding: $0, as: UTF8.self) }), let number = row[1].number,
                let key = OrderKey(rawValue: name.hasPrefix("-") ? String(name.dropFirst()) : name)
            else { continue }
            anchors[name, default: [:]][number] = [row[2], key.isText ? row[3] : row[4], row[5]]
        }
        return anchors
    }

    private static func computedAnchors(
        of columns: [PageOrder.Column], in table: String, _ client: ClickHouseClient
    ) throws(ConnectorFailure) -> [[SQLValue]] {
        try client.rows(of: [(anchorQuery(of: columns, in: table), columns.map(\.type))])[0]
    }

    /// Returns the query for the sort keys of every row whose number is a multiple of `step`, of a table sorted by these
    /// columns.
    static func anchorQuery(of columns: [PageOrder.Column], in table: String) -> String {
        let names = columns.indices.map { "c\($0)" }
        let named = zip(columns, names).map { "\($0.expression) AS \($1)" }.joined(separator: ", ")
        let order = zip(columns, names).map { $1 + ($0.isDescending ? " DESC" : "") }.joined(separator: ", ")
        let list = names.joined(separator: ", ")
        return "SELECT \(list) FROM (SELECT \(list), rowNumberInAllBlocks() AS place FROM (SELECT \(named) FROM "
            + "\(table) ORDER BY \(order))) WHERE place % \(step) = 0"
    }
}
