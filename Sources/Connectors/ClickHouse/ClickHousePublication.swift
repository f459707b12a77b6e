internal import ConnectorProtocol
internal import Glibc
internal import JSON

/// Loads a catalog into the servers of an address: one table for each order, and one for the words.
///
/// In a cluster, the rows are spread over its parts, each of which may have several hosts with the same rows. Each batch
/// of rows is stored in a table completely or not at all (`NativeBlock`) and has its number beside its rows; therefore
/// an interrupted publication goes on where it stopped. Old releases of ClickHouse recognize repeated inserts only in
/// replicated tables. The tables of the orders are filled from those of the books by the servers themselves. When all
/// rows are counted, the new version becomes the current one, and the tables of other versions are dropped. Of two
/// publications at the same time, the first to finish wins; the other fails.
struct ClickHousePublication {
    private let publication: Publication
    private let client: ClickHouseClient
    private let context: RequestContext
    private let send: (ConnectorReply.Content) -> Void
    private let batchSize: Int
    private var address: ClickHouseAddress { client.address }

    /// The usual number of rows in a batch, of which the parts of a cluster share the rows.
    static let usualBatchSize = 1 << 15
    /// The minimum time between progress reports, in milliseconds.
    private static let reportInterval: Int64 = 100
    /// The time in seconds that a server may take to fill a table.
    private static let patience = 24 * 3600
    /// A change of the tables needs another number, which makes new ones of the same books.
    private static let schemaVersion = 2
    /// The memory in bytes that a server takes for sorting before it sorts in files.
    private static let sortingMemory = 2_000_000_000

    /// Prepares a publication that reports its progress to `send`.
    ///
    /// - Throws: `ConnectorFailure` if the address is invalid.
    init(
        _ publication: Publication, _ context: RequestContext, batchSize: Int = usualBatchSize,
        _ send: @escaping (ConnectorReply.Content) -> Void
    ) throws(ConnectorFailure) {
        (self.publication, self.context, self.batchSize, self.send) = (publication, context, batchSize, send)
        client = ClickHouseClient(ClickHouseServers(try ClickHouseAddress(publication.target)), context)
    }

    /// Publishes the catalog, unless the servers already have it.
    func run() throws(ConnectorFailure) -> ConnectorReply.End {
        let shards = try ClickHouseHosts(client).shards
        let count = publication.rows
        let storage = (Self.schemaVersion * 1000 + shards.count) << 32 + batchSize
        let version = try layout(shards).version(
            try RowsVersion.digits(ofRowsAt: publication.path, layout: storage, context))
        let tables = CatalogTables(database: address.database, cluster: address.cluster, version: version)
        let current = try shards.joined().map { host throws(ConnectorFailure) in try currentVersion(of: host) }
        if current.allSatisfy({ $0.version == version && $0.rows == count }), try isComplete(tables, count) {
            return .published(sent: 0, counted: count, statements: [])
        }
        if publication.isDryRun { return .published(sent: count, counted: nil, statements: tables.creation) }
        for host in shards.joined() {
            for statement in tables.creation { try client.execute(statement, on: host) }
        }
        let loader = ClickHouseLoader(tables, shards, client, batchSize: batchSize, patience: Self.patience)
        try loader.waitForEarlierStatements(context)
        let sent = try loader.load(publication.path) { rows in report(rows, of: count) }
        try loader.fillDerivedTables()
        try storeAnchors(tables, shards, count)
        guard try isComplete(tables, count) else { throw ConnectorFailure(.server, .booksMissing) }
        let number = (current.map(\.number).max() ?? 0) + 1
        for host in shards.joined() { try makeCurrent(tables, number, count, on: host) }
        for host in shards.joined() { try dropOthers(than: tables, on: host) }
        return .published(sent: sent, counted: count, statements: [])
    }

    private func report(_ rows: Int, of count: Int) {
        send(.progress(CopyProgress(rows: rows, total: count, bytes: 0)))
    }

    // MARK: - Versions

    /// Returns the layout that all hosts have.
    private func layout(_ shards: [[Int]]) throws(ConnectorFailure) -> CatalogLayout {
        let layouts = try shards.joined().map { host throws(ConnectorFailure) in
            let release = try client.rows(on: host, "SELECT version()", .text).first?[0].bytes ?? []
            return CatalogLayout(forRelease: String(decoding: release, as: UTF8.self))
        }
        return layouts.allSatisfy { $0 == .projections } ? .projections : .tables
    }

    /// Returns the current version on a host; one with number 0 if there is none.
    private func currentVersion(of host: Int) throws(ConnectorFailure) -> (version: String, number: Int, rows: Int) {
        do throws(ConnectorFailure) {
            let rows = try client.rows(
                on: host,
                "SELECT version, number, rows FROM \(CatalogTables.versions(in: address.database)) "
                    + "ORDER BY number DESC LIMIT 1", .text, .uint64, .uint64)
            guard let row = rows.first else { return ("", 0, 0) }
            return (String(decoding: row[0].bytes ?? [], as: UTF8.self), row[1].number ?? 0, row[2].number ?? 0)
        } catch {
            guard error.reason == .noTable || error.reason == .noCatalog else { throw error }
            return ("", 0, 0)
        }
    }

    /// Counts the books through each host.
    private func isComplete(_ tables: CatalogTables, _ count: Int) throws(ConnectorFailure) -> Bool {
        for host in address.hosts.indices {
            for table in tables.distributed where table != CatalogTables.tokens {
                do throws(ConnectorFailure) {
                    let rows = try client.rows(on: host, "SELECT count() FROM \(tables.whole(table))", .uint64)
                    if rows.first?[0].number != count { return false }
                } catch {
                    guard error.reason == .noTable else { throw error }
                    return false
                }
            }
        }
        return true
    }

    private func makeCurrent(
        _ tables: CatalogTables, _ number: Int, _ count: Int, on host: Int
    ) throws(ConnectorFailure) {
        try client.execute(
            "INSERT INTO \(CatalogTables.versions(in: address.database)) SELECT toUInt64(\(number)), "
                + "\(SQLText.literal(tables.version)), toUInt64(\(count)), toUInt32(\(time(nil)))", on: host)
    }

    /// Drops the tables of all versions but one.
    private func dropOthers(than tables: CatalogTables, on host: Int) throws(ConnectorFailure) {
        let names = try client.rows(
            on: host,
            "SELECT name FROM system.tables WHERE database = \(SQLText.literal(address.database))", .text)
        let versions = names.compactMap { row -> String? in
            let name = String(decoding: row[0].bytes ?? [], as: UTF8.self)
            guard name.hasPrefix("books_") else { return nil }
            return String(name.dropFirst("books_".count))
        }
        for version in Set(versions) where version != tables.version {
            let others = CatalogTables(database: address.database, cluster: address.cluster, version: version)
            for statement in others.deletion { try client.execute(statement, on: host) }
        }
    }

    // MARK: - Anchors

    /// Computes the anchors of all orders on one host, and stores them on each.
    private func storeAnchors(
        _ tables: CatalogTables, _ shards: [[Int]], _ count: Int
    ) throws(ConnectorFailure) {
        let expected = PageOrder.stored.count * ((count + ClickHouseCatalog.step - 1) / ClickHouseCatalog.step)
        let table = tables.local(CatalogTables.anchors)
        var incomplete: [Int] = []
        for host in shards.joined() {
            let rows = try client.rows(on: host, "SELECT count() FROM \(table)", .uint64)
            if rows.first?[0].number != expected { incomplete.append(host) }
        }
        guard let first = shards.first?.first, !incomplete.isEmpty else { return }
        for host in incomplete { try client.execute("TRUNCATE TABLE \(table)", on: host) }
        for order in PageOrder.stored {
            let block = try anchors(of: order, tables, on: first)
            for host in incomplete {
                try client.execute(
                    .init(text: "INSERT INTO \(table) FORMAT Native", rows: block, patience: Self.patience), on: host)
            }
        }
    }

    private func anchors(of order: PageOrder, _ tables: CatalogTables, on host: Int) throws(ConnectorFailure) -> [UInt8]
    {
        guard let pages = tables.rows(by: order) else { return [] }
        let query = ClickHouseCatalog.anchorQuery(of: pages.columns, in: pages.table) + " FORMAT RowBinary"
        let result = try client.finish(
            try client.start(
                .init(
                    text: query,
                    settings: [("max_bytes_before_external_sort", "\(Self.sortingMemory)")], patience: Self.patience),
                on: host))
        guard let rows = BinaryRows.rows(in: result, of: pages.columns.map(\.type)) else {
            throw ConnectorFailure(.server, .notHTTP, detail: client.name(of: host))
        }
        var block = NativeBlock(CatalogTables.anchors.columns)
        for (step, row) in rows.enumerated() {
            block.add(Array(order.name.utf8), to: 0)
            block.add(step, to: 1)
            block.add(row[0].number ?? 0, to: 2)
            block.add(row[1].bytes ?? [], to: 3)
            block.add(row[1].number ?? 0, to: 4)
            block.add(row[2].number ?? 0, to: 5)
            block.endRow()
        }
        return block.bytes
    }
}
