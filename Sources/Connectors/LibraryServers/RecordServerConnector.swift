internal import ConnectorProtocol
internal import JSON
internal import Threading

/// The catalog of a library server.
final class RecordServerConnector: PagedConnector {
    private let server: any RecordServer
    /// The indexes that the server has said not to have. All threads share them, and the records.
    private let missing: Locked<Set<LibraryIndex>>
    private let kept: Locked<RecentRecords>

    /// The number of hits above which a list is not sorted: some servers, such as Zebra, then sort only the first ones,
    /// without saying so.
    static let sortLimit = 1000
    /// The maximum number of rows in which a book is looked for.
    private static let scanLimit = 1000
    private static let pageSize = 50
    private static let idIndex = LibraryIndex(field: .id, form: .word)
    /// The number of ids in a query.
    private static let batchSize = 20

    /// Creates the connector for an open server.
    init(_ server: any RecordServer) { (self.server, missing, kept) = (server, Locked([]), Locked(RecentRecords())) }

    private init(_ other: RecordServerConnector, _ server: any RecordServer) {
        (self.server, missing, kept) = (server, other.missing, other.kept)
    }

    func connector(for context: RequestContext) -> (any PagedConnector)? {
        server.server(for: context).map { RecordServerConnector(self, $0) }
    }

    var opened: OpenedSource {
        OpenedSource(
            mode: .paged, kind: server.kind, profile: "native", facts: server.facts,
            abilities: PagedAbilities(jump: .anywhere, sorts: server.sortKeys, pageSize: Self.pageSize))
    }

    func page(_ request: PageRequest) throws(ConnectorFailure) -> BookPage {
        if let key = request.sort.first(where: { !server.sortKeys.contains($0.field) }) {
            throw ConnectorFailure(.unsupported, .cannotSort, detail: key.field)
        }
        let list = "\(request.query ?? "")\u{0}\(request.sort)"
        switch request.position {
        case .row(let row): return try page(request, from: max(0, row), list)
        case .value(let typed): throw ConnectorFailure(.unsupported, detail: typed)
        case .book(let id):
            if let row = kept.withLock({ $0.place(of: id, in: list) }) {
                let page = try page(request, from: row, list)
                if page.rows.first?["id"]?.string == id { return page }
            }
            return try page(request, from: try row(of: id, request, list), list)
        }
    }

    private func page(_ request: PageRequest, from first: Int, _ list: String) throws(ConnectorFailure) -> BookPage {
        var page = BookPage(rows: [], first: first, end: PageEnd(count: nil))
        repeat {
            let (batch, ignored) = try batch(
                request, from: first + page.rows.count, limit: request.limit - page.rows.count)
            page.rows += batch.rows
            page.end = PageEnd(
                count: batch.count, isPartial: page.end.isPartial || batch.isPartial, ignoredTerms: ignored)
            let end = first + page.rows.count
            if let total = batch.count, total.kind == .exact {
                if end >= total.value { break }
                if batch.rows.isEmpty { throw ConnectorFailure(.server, .incomplete, detail: "\(total.value)") }
            }
            if batch.rows.isEmpty { break }
        } while page.rows.count < request.limit
        kept.withLock { $0.keep(page.rows, from: first, of: list) }
        return page
    }

    /// Returns some rows of a list, and the terms that were ignored.
    private func batch(
        _ request: PageRequest, from first: Int, limit: Int
    ) throws(ConnectorFailure) -> (RecordBatch, [String]) {
        while true {
            let query = RecordServerQuery(request.query ?? "", for: server, without: missing.withLock { $0 })
            do throws(RecordServerError) {
                let batch = try server.records(
                    query.expression ?? server.syntax.everything, request.sort, from: first, limit: limit)
                if !request.sort.isEmpty, let count = batch.count?.value, count > Self.sortLimit {
                    throw .failed(ConnectorFailure(.refused, .tooManyToSort, detail: "\(Self.sortLimit)"))
                }
                return (batch, query.ignoredTerms)
            } catch {
                switch error {
                case .failed(let failure): throw failure
                case .refused(let diagnostic):
                    let indexes = query.missingIndexes(in: diagnostic)
                    if indexes.isEmpty {
                        if query.expression == nil, request.sort.isEmpty {
                            throw ConnectorFailure(.refused, .needsQuery, detail: diagnostic.message)
                        }
                        throw diagnostic.failure
                    }
                    missing.withLock { $0.formUnion(indexes) }
                }
            }
        }
    }

    /// Looks for the row of a book among the first rows of a list.
    private func row(of id: String, _ request: PageRequest, _ list: String) throws(ConnectorFailure) -> Int {
        var first = 0
        while first < Self.scanLimit {
            var part = request
            part.limit = Self.pageSize
            let page = try page(part, from: first, list)
            if let offset = page.rows.firstIndex(where: { $0["id"]?.string == id }) { return first + offset }
            if page.rows.count < part.limit { break }
            first += page.rows.count
        }
        throw ConnectorFailure(.unsupported, .noBook, detail: id)
    }

    func books(withIDs ids: [String]) throws(ConnectorFailure) -> [JSONValue] {
        var found: [String: JSONValue] = [:]
        var rest = ids.filter { !$0.hasPrefix(LibraryRecord.hashPrefix) }
        var unanswered = ids.filter { $0.hasPrefix(LibraryRecord.hashPrefix) }
        while !rest.isEmpty, !missing.withLock({ $0.contains(Self.idIndex) }) {
            let part = rest.prefix(Self.batchSize)
            let terms = part.compactMap { id in
                server.expression(for: .word(LibraryRecord.controlNumber(ofID: id)), in: .id)
            }
            if terms.isEmpty { break }
            let query = RecordSet.any(terms.map { RecordSet(text: $0) }, in: server.syntax)
            do throws(RecordServerError) {
                var count = 0
                repeat {
                    let batch = try server.records(
                        query.expression(in: server.syntax), [], from: count, limit: Self.pageSize)
                    for row in batch.rows { if let id = row["id"]?.string { found[id] = row } }
                    count += batch.rows.count
                    if batch.rows.isEmpty || count >= batch.count?.value ?? 0 { break }
                } while count < 4 * Self.pageSize
                rest.removeFirst(part.count)
            } catch {
                switch error {
                case .refused(let diagnostic) where diagnostic.meaning == .index:
                    _ = missing.withLock { $0.insert(Self.idIndex) }
                case .refused(let diagnostic): throw diagnostic.failure
                case .failed(let failure): throw failure
                }
            }
        }
        // Without an index of control numbers, only the records that were sent are known.
        unanswered += rest
        kept.withLock { kept in for id in unanswered { found[id] = kept[id] } }
        if let id = unanswered.first(where: { found[$0] == nil }) {
            throw ConnectorFailure(.unsupported, .noBook, detail: id)
        }
        return ids.compactMap { found[$0] }
    }
}
