internal import ConnectorProtocol
internal import JSON
internal import Search

/// An index of OpenSearch or Elasticsearch.
final class OpenSearchConnector: PagedConnector {
    private let client: EngineClient
    private let address: EngineAddress
    private let version: String
    private let mapping: OpenSearchMapping
    /// The paths of the chosen profile by the name of the field.
    private let paths: [String: [String]]?
    private let index: OpenSearchIndex

    private static let pageSize = 100
    /// The number of steps of 10,000 books in which a book is looked for.
    private static let searchSteps = 20

    /// Connects to the server and reads the fields of the index.
    ///
    /// - Throws: `ConnectorFailure` if the server does not answer, or has no such index.
    init(_ address: EngineAddress, _ context: RequestContext) throws(ConnectorFailure) {
        self.address = address
        client = EngineClient(server: address.server, context: context)
        paths = context.fieldPaths
        let about: JSONValue?
        do throws(EngineError) {
            about = try client.answer(to: "/")["version"]
        } catch {
            // Some services of OpenSearch do not describe themselves.
            guard error.failure.kind == .server else { throw error.failure }
            about = json(["distribution": .string("opensearch")])
        }
        index = OpenSearchIndex(address.path, isOpenSearch: about?["distribution"]?.string == "opensearch")
        version = about?["number"]?.string ?? ""
        do throws(EngineError) {
            mapping = OpenSearchMapping(try client.answer(to: "/\(address.path)/_mapping"))
        } catch {
            throw error.failure
        }
    }

    private init(_ other: OpenSearchConnector, _ context: RequestContext) {
        client = EngineClient(server: other.client.server, context: context)
        (address, version, mapping) = (other.address, other.version, other.mapping)
        (paths, index) = (other.paths, other.index)
    }

    func connector(for context: RequestContext) -> (any PagedConnector)? { OpenSearchConnector(self, context) }

    var opened: OpenedSource {
        OpenedSource(
            mode: .paged, kind: "opensearch",
            facts: [
                "server": (index.isOpenSearch ? "OpenSearch" : "Elasticsearch") + (version.isEmpty ? "" : " \(version)")
            ],
            abilities: PagedAbilities(
                jump: .anywhere, sorts: EngineOrder.keys.filter { key(for: $0) != nil }, pageSize: Self.pageSize))
    }

    private func key(for name: String) -> (name: String, kind: OpenSearchMapping.Kind)? {
        // A catalog that stacks published has the sort keys of a local one.
        if let own = mapping.field("\(OpenSearchLayout.member).\(name)") { return (own.name, own.kind) }
        for field in EngineOrder.fields(for: name) {
            for found in mapping.fields(for: field, in: paths) {
                if let sortable = found.sortable { return (sortable, found.kind) }
            }
        }
        return nil
    }

    func page(_ request: PageRequest) throws(ConnectorFailure) -> BookPage {
        let query = OpenSearchQuery(request.query ?? "") { [mapping, paths] in mapping.fields(for: $0, in: paths) }
        var keys: [OpenSearchOrder.Key] = []
        for sort in request.sort {
            guard let key = key(for: sort.field) else {
                throw ConnectorFailure(.unsupported, .cannotSort, detail: sort.field)
            }
            keys.append(.init(name: key.name, isDescending: sort.isDescending, isDate: key.kind == .date))
        }
        if request.position == .row(0) { index.refresh(at: client.context.now) }
        var attempt = 0
        while true {
            attempt += 1
            let snapshot: OpenSearchSnapshot
            do throws(EngineError) {
                snapshot = try index.snapshot(by: client)
            } catch {
                throw error.failure
            }
            do {
                let order = OpenSearchOrder(keys: keys, tiebreaker: snapshot.tiebreaker)
                let list = OpenSearchList(query.part, order, in: snapshot, client)
                let first: Int
                switch request.position {
                case .row(let row): first = max(0, row)
                case .book(let id):
                    guard let row = try list.row(of: idQuery([id]), steps: Self.searchSteps) else {
                        throw ConnectorFailure(.unsupported, .noBook, detail: id)
                    }
                    first = row
                case .value(let typed):
                    guard let value = request.sort.first.flatMap({ bound(typed, in: $0) }) else {
                        throw ConnectorFailure(.unsupported, detail: typed)
                    }
                    first = try list.rowCount(before: value)
                }
                let rows = try list.hits(from: first, limit: request.limit).map(\.row)
                if let count = list.count, count.kind == .exact, rows.count < min(request.limit, count.value - first) {
                    // Books may have been deleted since they were counted.
                    if !snapshot.isFixed, attempt == 1 {
                        index.renew(after: snapshot)
                        continue
                    }
                    throw ConnectorFailure(.server, .incomplete, detail: "\(count.value)")
                }
                return BookPage(
                    rows: rows, first: first,
                    end: PageEnd(count: list.count, isPartial: list.isPartial, ignoredTerms: query.ignoredTerms))
            } catch let error as ConnectorFailure {
                throw error
            } catch let error as EngineError {
                throw error.failure
            } catch {
                // The state of the index has expired: everything is asked for again in a new one.
                index.renew(after: snapshot)
                guard attempt < 3 else { throw ConnectorFailure(.server, .incomplete) }
            }
        }
    }

    /// Returns the sort value of a letter or number, as typed.
    private func bound(_ typed: String, in sort: PageRequest.SortKey) -> JSONValue? {
        guard let key = key(for: sort.field) else { return nil }
        var typed = typed
        if key.name.hasPrefix(OpenSearchLayout.member + "."), key.kind == .keyword {
            guard case .text(let bytes)? = SortOrder.Key(rawValue: sort.field).flatMap({ SortTarget(typed, for: $0) })
            else { return nil }
            typed = OpenSearchLayout.hexadecimal(bytes)
        }
        return EngineBound(
            typed, isNumber: key.kind == .number, isDate: key.kind == .date, isDescending: sort.isDescending)?.json
    }

    /// Returns the query for the books with these ids, which are those of the records, or else those of the index.
    private func idQuery(_ ids: [String]) -> JSONValue {
        var parts = [json(["ids": json(["values": JSONValue(ids)])])]
        // Records are given the id of the index unless they have a member "id".
        if let field = mapping.field("id"), let name = field.sortable {
            let values = field.kind == .number ? ids.filter { Int($0) != nil } : ids
            if !values.isEmpty { parts.append(json(["terms": json([name: JSONValue(values)])])) }
        }
        return json(["bool": json(["should": .array(parts), "minimum_should_match": .number("1")])])
    }

    func books(withIDs ids: [String]) throws(ConnectorFailure) -> [JSONValue] {
        var rows: [String: JSONValue] = [:]
        var rest = ids[...]
        do throws(EngineError) {
            while !rest.isEmpty {
                let part = Array(rest.prefix(Self.pageSize))
                rest = rest.dropFirst(part.count)
                let body = json(["size": JSONValue(2 * part.count), "query": idQuery(part)])
                let answer = try client.answer(to: "/\(address.path)/_search", body)
                if (answer["_shards"]?["failed"]?.integer ?? 0) > 0 {
                    throw EngineError(ConnectorFailure(.server, .incomplete, detail: "\(part.count)"))
                }
                for hit in (answer["hits"]?["hits"]?.elements ?? []).compactMap(OpenSearchHit.init) {
                    if let id = hit.row["id"]?.string { rows[id] = hit.row }
                }
            }
        } catch {
            throw error.failure
        }
        return ids.compactMap { rows[$0] }
    }
}
