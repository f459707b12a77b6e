internal import ConnectorProtocol
internal import JSON

/// Stores the rows of a catalog in the tables of a version, without those that are there already.
struct ClickHouseLoader {
    private let tables: CatalogTables
    /// The numbers of the hosts of each part of the cluster.
    private let shards: [[Int]]
    private let client: ClickHouseClient
    private let batchSize: Int
    private let patience: Int

    /// The number of times that a running statement of an interrupted publication is waited for, a second each.
    private static let waits = 3600

    /// The batches of which a host has rows, with the number of these rows in the tables of the books and tokens.
    private struct Stored {
        var books: [Int: Int] = [:]
        var tokens: [Int: Int] = [:]
    }

    /// Creates a loader.
    init(_ tables: CatalogTables, _ shards: [[Int]], _ client: ClickHouseClient, batchSize: Int, patience: Int) {
        (self.tables, self.shards, self.client) = (tables, shards, client)
        (self.batchSize, self.patience) = (batchSize, patience)
    }

    // MARK: - Books and tokens

    /// Loads the rows of a file of JSON Lines.
    ///
    /// - Parameter report: A function that receives the number of rows so far.
    /// - Returns: The number of rows that were sent.
    func load(_ path: String, _ report: (Int) -> Void) throws(ConnectorFailure) -> Int {
        var reader = try RowReader(path)
        var stored: [Int: Stored] = [:]
        for host in shards.joined() { stored[host] = try self.stored(on: host) }
        var sent = 0
        var running: [ClickHouseClient.Running] = []
        var (batch, first) = (0, 0)
        while true {
            var records: [JSONValue] = []
            while records.count < batchSize, let row = try reader.next() { records.append(row) }
            if records.isEmpty { break }
            let missing = try incompleteHosts(batch, first: first, count: records.count, stored)
            if !missing.isEmpty {
                // The servers store the previous batch meanwhile.
                let rows = try PublishedRows(records, from: first)
                try finish(running)
                running = try send(rows, first, batch, to: missing, stored)
                sent += records.count
            }
            first += records.count
            batch += 1
            report(first)
        }
        try finish(running)
        return sent
    }

    private func stored(on host: Int) throws(ConnectorFailure) -> Stored {
        var stored = Stored()
        for (table, path) in [
            (CatalogTables.books, \Stored.books), (CatalogTables.tokens, \Stored.tokens),
        ] {
            let rows = try client.rows(
                on: host, "SELECT batch, count() FROM \(tables.local(table)) GROUP BY batch", .uint32, .uint64)
            for row in rows {
                if let batch = row[0].number { stored[keyPath: path][batch] = row[1].number }
            }
        }
        return stored
    }

    /// Returns the hosts that lack the rows of a batch.
    ///
    /// - Throws: `ConnectorFailure` if a host has another number of these rows, which a server that works does not.
    private func incompleteHosts(
        _ batch: Int, first: Int, count: Int, _ stored: [Int: Stored]
    ) throws(ConnectorFailure) -> Set<Int> {
        var hosts: Set<Int> = []
        for (shard, members) in shards.enumerated() {
            let expected = (first..<first + count).count { $0 % shards.count == shard }
            for host in members where expected > 0 {
                switch stored[host]?.books[batch] {
                case nil: hosts.insert(host)
                case expected?: break
                case let found?:
                    throw ConnectorFailure(.server, .booksMissing, detail: "\(found) of \(expected)")
                }
            }
        }
        return hosts
    }

    /// Starts to store a batch. The tokens come first: if the books are there, the tokens are there, too.
    private func send(
        _ rows: PublishedRows, _ first: Int, _ batch: Int, to hosts: Set<Int>, _ stored: [Int: Stored]
    ) throws(ConnectorFailure) -> [ClickHouseClient.Running] {
        var books = shards.map { _ in NativeBlock(CatalogTables.books.columns) }
        var tokens = shards.map { _ in NativeBlock(CatalogTables.tokens.columns) }
        for (index, row) in rows.rows.enumerated() {
            let number = first + index
            let shard = number % shards.count
            books[shard].add(row, number: number, batch: batch)
            tokens[shard].addWords(of: row, number: number, batch: batch)
        }
        var running: [ClickHouseClient.Running] = []
        for (shard, members) in shards.enumerated() {
            let bytes = tokens[shard].bytes
            for host in members where hosts.contains(host) && stored[host]?.tokens[batch] == nil {
                if tokens[shard].count == 0 { continue }
                running.append(try insert(bytes, into: CatalogTables.tokens, batch, on: host))
            }
        }
        try finish(running)
        running = []
        for (shard, members) in shards.enumerated() {
            let bytes = books[shard].bytes
            for host in members where hosts.contains(host) && books[shard].count > 0 {
                running.append(try insert(bytes, into: CatalogTables.books, batch, on: host))
            }
        }
        return running
    }

    /// The name of the query keeps two publications from storing the same batch: a server runs a name only once.
    private func insert(
        _ bytes: [UInt8], into table: CatalogTables.Table, _ batch: Int, on host: Int
    ) throws(ConnectorFailure) -> ClickHouseClient.Running {
        try client.start(
            .init(
                text: "INSERT INTO \(tables.local(table)) FORMAT Native", rows: bytes,
                id: "stacks-\(tables.version)-\(table.name)-\(batch)-\(host)", patience: patience), on: host)
    }

    private func finish(_ running: [ClickHouseClient.Running]) throws(ConnectorFailure) {
        for statement in running { _ = try client.finish(statement) }
    }

    // MARK: - Derived tables

    /// Fills the tables of the orders and ids on all hosts at the same time.
    func fillDerivedTables() throws(ConnectorFailure) {
        for table in tables.derived {
            var running: [ClickHouseClient.Running] = []
            for host in shards.joined() {
                let isFilled = try client.rows(
                    on: host,
                    "SELECT toUInt8((SELECT count() FROM \(tables.local(table))) = "
                        + "(SELECT count() FROM \(tables.local(CatalogTables.books))))", .uint8)
                if isFilled.first?[0] == .number(1) { continue }
                try client.execute("TRUNCATE TABLE \(tables.local(table))", on: host)
                running.append(
                    try client.start(
                        .init(
                            text: tables.filling(table), id: "stacks-\(tables.version)-\(table.name)-\(host)",
                            patience: patience), on: host))
            }
            try finish(running)
        }
    }

    /// Waits until no statement of an earlier publication of these rows runs.
    func waitForEarlierStatements(_ context: RequestContext) throws(ConnectorFailure) {
        for host in shards.joined() {
            for _ in 0..<Self.waits {
                let count = try client.rows(
                    on: host,
                    "SELECT count() FROM system.processes WHERE startsWith(query_id, "
                        + "\(SQLText.literal("stacks-\(tables.version)-")))", .uint64)
                if count.first?[0] == .number(0) { break }
                try context.wait(milliseconds: 1000)
            }
        }
    }
}
