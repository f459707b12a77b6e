internal import ConnectorProtocol
internal import JSON
internal import Search

/// A catalog that was published to ClickHouse, queried for the rows on the screen.
///
/// The queries run on the first host that answers. In a cluster they ask all parts of it, and a part that does not answer
/// is an error: `skip_unavailable_shards` is never set.
final class ClickHouseConnector: PagedConnector {
    private let client: ClickHouseClient
    private let catalog: ClickHouseCatalog
    let opened: OpenedSource

    /// The number of rows of a page that stacks should request, and the most that a page can have.
    private static let (pageSize, maximumPageSize) = (100, 1000)
    /// How often a page is tried again because another version of the catalog was published meanwhile.
    private static let attempts = 3

    /// Opens the catalog at an address.
    ///
    /// - Throws: `ConnectorFailure` if no server answers, or the catalog is missing or incomplete.
    init(at source: String, _ context: RequestContext) throws(ConnectorFailure) {
        client = ClickHouseClient(ClickHouseServers(try ClickHouseAddress(source)), context)
        catalog = ClickHouseCatalog()
        opened = OpenedSource(
            mode: .paged, kind: "clickhouse", profile: "native",
            abilities: PagedAbilities(
                jump: .anywhere, sorts: OrderKey.allCases.map(\.rawValue), pageSize: Self.pageSize))
        _ = try catalog.version(client)
    }

    private init(_ other: ClickHouseConnector, _ context: RequestContext) {
        client = ClickHouseClient(other.client.servers, context)
        (catalog, opened) = (other.catalog, other.opened)
    }

    func connector(for context: RequestContext) -> (any PagedConnector)? { ClickHouseConnector(self, context) }

    func page(_ request: PageRequest) throws(ConnectorFailure) -> BookPage {
        let order = try PageOrder(request.sort)
        return try inCurrentVersion { version throws(ConnectorFailure) in
            let limit = min(max(1, request.limit), Self.maximumPageSize)
            let query = Query(request.query ?? "")
            let translation = SearchCondition(in: version.tables).translation(of: query)
            let list = BookRows(order: order, condition: translation.part, version, catalog, client)
            let part: BookRows.Part
            switch request.position {
            case .row(let row): part = try list.part(at: max(0, row), limit: limit)
            case .book(let id):
                let row = try list.row(ofBookWithID: id) ?? 0
                part = try list.part(at: row - row % limit, limit: limit)
            case .value(let typed): part = try list.part(at: try list.row(at: typed), limit: limit)
            }
            let end = PageEnd(
                count: BookTotal(part.count, .exact), ignoredTerms: translation.ignoredTerms,
                version: version.tables.version)
            return BookPage(rows: try part.records.map(Self.record), first: part.first, end: end)
        }
    }

    func books(withIDs ids: [String]) throws(ConnectorFailure) -> [JSONValue] {
        if ids.isEmpty { return [] }
        return try inCurrentVersion { version throws(ConnectorFailure) in
            let list = ids.map { SQLText.literal($0) }.joined(separator: ", ")
            let rows = try client.rows(
                "SELECT record FROM \(version.tables.whole(CatalogTables.books)) WHERE n IN (SELECT n FROM "
                    + "\(version.tables.local(CatalogTables.ids)) WHERE id IN (\(list)))", .text)
            return try rows.map { row throws(ConnectorFailure) in try Self.record(row[0].bytes ?? []) }
        }
    }

    /// Calls `body` with the current version, and again if its tables have gone because another one was published.
    private func inCurrentVersion<Result>(
        _ body: (ClickHouseCatalog.Version) throws(ConnectorFailure) -> Result
    ) throws(ConnectorFailure) -> Result {
        var attempt = 1
        while true {
            let version = try catalog.version(client)
            do throws(ConnectorFailure) {
                return try body(version)
            } catch {
                guard error.reason == .noTable, attempt < Self.attempts else { throw error }
                catalog.forget(version)
                attempt += 1
            }
        }
    }

    private static func record(_ bytes: [UInt8]) throws(ConnectorFailure) -> JSONValue {
        guard let record = JSONValue(parsing: bytes) else { throw ConnectorFailure(.format, .damaged) }
        return record
    }
}
