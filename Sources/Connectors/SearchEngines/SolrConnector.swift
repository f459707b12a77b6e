internal import ConnectorProtocol
internal import JSON

/// A core or collection of Solr.
///
/// Rows are requested by their number up to `startLimit`; later ones follow a known mark (cursorMark), because the cost
/// of a number grows with it.
final class SolrConnector: PagedConnector {
    private let client: EngineClient
    private let address: EngineAddress
    private let schema: SolrSchema
    /// The paths of the chosen profile by the name of the field.
    private let paths: [String: [String]]?
    private let lists: RecentLists<SolrList>

    private static let pageSize = 100
    private static let attempts = 3
    private static let startLimit = 10_000
    /// The number of records on the way to a row that are requested at once.
    private static let step = 10_000

    /// Connects to the server and reads the fields of the core.
    ///
    /// - Throws: `ConnectorFailure` if the server does not answer, or has no such core.
    init(_ address: EngineAddress, _ context: RequestContext) throws(ConnectorFailure) {
        self.address = address
        client = EngineClient(server: address.server, context: context)
        (paths, lists) = (context.fieldPaths, RecentLists())
        do throws(EngineError) {
            let key = try client.answer(to: "/\(address.path)/schema/uniquekey?wt=json")["uniqueKey"]?.string ?? "id"
            let luke = try client.answer(to: "/\(address.path)/admin/luke?wt=json&numTerms=0")
            schema = SolrSchema(luke, uniqueKey: key)
        } catch {
            if error.status == 404 || error.failure.detail?.hasPrefix("404") == true {
                throw ConnectorFailure(.server, .noIndex, detail: percentDecoded(address.path))
            }
            throw error.failure
        }
    }

    private init(_ other: SolrConnector, _ context: RequestContext) {
        client = EngineClient(server: other.client.server, context: context)
        (address, schema, paths, lists) = (other.address, other.schema, other.paths, other.lists)
    }

    func connector(for context: RequestContext) -> (any PagedConnector)? { SolrConnector(self, context) }

    var opened: OpenedSource {
        OpenedSource(
            mode: .paged, kind: "solr",
            abilities: PagedAbilities(
                jump: .anywhere, sorts: EngineOrder.keys.filter { key(for: $0) != nil }, pageSize: Self.pageSize))
    }

    private func key(for name: String) -> SolrSchema.Field? {
        for field in EngineOrder.fields(for: name) {
            if let found = schema.fields(for: field, in: paths).first(where: \.sorts) { return found }
        }
        return nil
    }

    func page(_ request: PageRequest) throws(ConnectorFailure) -> BookPage {
        let query = SolrQuery(request.query ?? "") { [schema, paths] in schema.fields(for: $0, in: paths) }
        var keys: [(name: String, isDescending: Bool)] = []
        for sort in request.sort {
            guard let key = key(for: sort.field) else {
                throw ConnectorFailure(.unsupported, .cannotSort, detail: sort.field)
            }
            keys.append((key.name, sort.isDescending))
        }
        let search = query.part ?? "*:*"
        do throws(EngineError) {
            let first: Int
            switch request.position {
            case .row(let row): first = max(0, row)
            case .book(let id): first = try row(of: id, search, keys)
            case .value(let typed): first = try rowCount(before: typed, search, request.sort)
            }
            let page = try docs(search, keys, from: first, limit: request.limit)
            if page.rows.count < min(request.limit, page.count - first), !page.isPartial {
                throw EngineError(ConnectorFailure(.server, .incomplete, detail: "\(page.count)"))
            }
            return BookPage(
                rows: page.rows, first: first,
                end: PageEnd(
                    count: BookTotal(page.count, page.isPartial || !page.isExact ? .atLeast : .exact),
                    isPartial: page.isPartial, ignoredTerms: query.ignoredTerms))
        } catch {
            throw error.failure
        }
    }

    /// The answer to a search.
    private struct Docs {
        var rows: [JSONValue] = []
        var count = 0
        var isPartial = false
        var isExact = true
        var nextMark: String?
    }

    /// Returns the order: the keys with missing values last, then the unique key.
    private func order(_ keys: [(name: String, isDescending: Bool)], reversed isReversed: Bool = false) -> String {
        func way(_ isDescending: Bool) -> String { isDescending != isReversed ? "desc" : "asc" }
        // Whether values exist is the first key, since a schema may put missing ones first.
        var parts = keys.flatMap { key in
            ["exists(\(key.name)) \(isReversed ? "asc" : "desc")", "\(key.name) \(way(key.isDescending))"]
        }
        if !keys.contains(where: { $0.name == schema.uniqueKey }) { parts.append("\(schema.uniqueKey) \(way(false))") }
        return parts.joined(separator: ", ")
    }

    private func docs(
        _ search: String, _ keys: [(name: String, isDescending: Bool)], from first: Int, limit: Int, attempt: Int = 1
    ) throws(EngineError) -> Docs {
        let order = order(keys)
        // The start of a list shows its present state, for which other marks may hold.
        let list = lists.list("\(search)\u{0}\(order)", replacing: first == 0) { SolrList() }
        if first + limit <= Self.startLimit, first == 0 || list[first] == nil {
            let page = try select(search, order, ["offset": JSONValue(first), "limit": JSONValue(limit)])
            list.count = page.isPartial ? nil : page.count
            return page
        }
        let total: Int
        if let count = list.count {
            total = count
        } else {
            total = try select(search, order, ["offset": JSONValue(0), "limit": JSONValue(0)]).count
            list.count = total
        }
        guard first < total else { return Docs(count: total) }
        // Near the end, the reversed order has smaller numbers.
        if list[first] == nil, total - first <= Self.startLimit {
            let size = min(limit, total - first)
            var page = try select(
                search, self.order(keys, reversed: true),
                ["offset": JSONValue(total - first - size), "limit": JSONValue(size)])
            page.rows.reverse()
            list.count = page.isPartial ? nil : page.count
            // The rows are counted from the end, which is another one if books were added or deleted meanwhile.
            if page.isPartial || page.count == total || attempt == Self.attempts { return page }
            return try docs(search, keys, from: first, limit: limit, attempt: attempt + 1)
        }
        let mark = try mark(at: first, in: list, search, order)
        let page = try select(search, order, ["offset": JSONValue(0), "limit": JSONValue(limit)], mark: mark)
        if let next = page.nextMark { list[first + page.rows.count] = next }
        list.count = page.isPartial ? nil : page.count
        return page
    }

    /// Returns the mark before a row, in steps from the nearest known one.
    private func mark(
        at first: Int, in list: SolrList, _ search: String, _ order: String
    ) throws(EngineError) -> String {
        if let mark = list[first] { return mark }
        do throws(ConnectorFailure) {
            try list.walk.take(unless: client.context.isCancelled)
        } catch {
            throw EngineError(error)
        }
        defer { list.walk.end() }
        var (row, mark) = list.mark(upTo: first)
        while row < first {
            let size = min(Self.step, first - row)
            let page = try select(
                search, order, ["offset": JSONValue(0), "limit": JSONValue(size)], mark: mark, fields: schema.uniqueKey)
            guard page.rows.count == size, let next = page.nextMark, next != mark else {
                list.forgetMarks()
                throw EngineError(ConnectorFailure(.server, .incomplete, detail: "\(page.count)"))
            }
            (row, mark) = (row + size, next)
            list[row] = mark
        }
        return mark
    }

    private func select(
        _ search: String, _ order: String, _ members: KeyValuePairs<String, JSONValue>, mark: String? = nil,
        fields: String = "*"
    ) throws(EngineError) -> Docs {
        var body = [
            JSONValue.Member(key: "query", value: .string(search)), .init(key: "sort", value: .string(order)),
            .init(key: "fields", value: .string(fields)),
        ]
        body += members.map { JSONValue.Member(key: $0.key, value: $0.value) }
        // The standard parser, whatever the core is configured to use.
        var parameters = [
            JSONValue.Member(key: "defType", value: .string("lucene")), .init(key: "q.op", value: .string("OR")),
            .init(key: "wt", value: .string("json")), .init(key: "json.nl", value: .string("map")),
        ]
        if let mark { parameters.append(.init(key: "cursorMark", value: .string(mark))) }
        body.append(.init(key: "params", value: .object(parameters)))
        let answer = try client.answer(to: "/\(address.path)/select", .object(body))
        guard let response = answer["response"], let count = response["numFound"]?.asCount else {
            throw EngineError(ConnectorFailure(.server, .protocolMismatch, subject: address.host, detail: "Solr"))
        }
        return Docs(
            rows: (response["docs"]?.elements ?? []).map(row), count: count,
            isPartial: answer["responseHeader"]?["partialResults"]?.boolean ?? false,
            isExact: response["numFoundExact"]?.boolean ?? true, nextMark: answer["nextCursorMark"]?.string)
    }

    /// Returns a record with its id.
    private func row(_ document: JSONValue) -> JSONValue {
        if document["id"]?.string != nil { return document }
        let id = document[schema.uniqueKey]
        return document.withID(id?.string ?? id?.json ?? "")
    }

    private func idQuery(_ ids: some Sequence<String>) -> String {
        "\(schema.uniqueKey):(" + ids.map(SolrText.quoted).joined(separator: " ") + ")"
    }

    /// Returns the number of the row of a book, by counting the books before it.
    private func row(
        of id: String, _ search: String, _ keys: [(name: String, isDescending: Bool)]
    ) throws(EngineError) -> Int {
        let limits: KeyValuePairs<String, JSONValue> = ["offset": JSONValue(0), "limit": JSONValue(1)]
        let found = try select("+\(search) +\(idQuery([id]))", order([]), limits).rows.first
        guard let found else { throw EngineError(ConnectorFailure(.unsupported, .noBook, detail: id)) }
        // The books before it differ in one of the keys, and are equal in those before that one.
        var equal: [String] = []
        var before: [String] = []
        for key in keys + [(schema.uniqueKey, false)] {
            guard let value = found[key.name].flatMap({ $0.string ?? ($0 == .null ? nil : $0.json) }) else {
                // Books with a value come first.
                before.append((equal + ["+\(key.name):*"]).joined(separator: " "))
                equal.append("+(*:* -\(key.name):*)")
                continue
            }
            let text = SolrText.quoted(value)
            let range = key.isDescending ? "{\(text) TO *]" : "[* TO \(text)}"
            before.append((equal + ["+\(key.name):\(range)"]).joined(separator: " "))
            equal.append("+\(key.name):[\(text) TO \(text)]")
        }
        let preceding = before.map { "(\($0))" }.joined(separator: " ")
        return try select("+\(search) +(\(preceding))", order([]), ["offset": JSONValue(0), "limit": JSONValue(0)])
            .count
    }

    /// Returns the number of books whose first key comes before a letter or number, as typed.
    private func rowCount(
        before typed: String, _ search: String, _ sort: [PageRequest.SortKey]
    ) throws(EngineError) -> Int {
        guard let first = sort.first, let key = key(for: first.field),
            let bound = EngineBound(
                typed, isNumber: key.isNumber, isDate: key.isDate, isDescending: first.isDescending)
        else {
            throw EngineError(ConnectorFailure(.unsupported, detail: typed))
        }
        let range = first.isDescending ? "{\(bound.solrText) TO *]" : "[* TO \(bound.solrText)}"
        let limits: KeyValuePairs<String, JSONValue> = ["offset": JSONValue(0), "limit": JSONValue(0)]
        return try select("+\(search) +\(key.name):\(range)", order([]), limits).count
    }

    func books(withIDs ids: [String]) throws(ConnectorFailure) -> [JSONValue] {
        var rows: [String: JSONValue] = [:]
        var rest = ids[...]
        do throws(EngineError) {
            while !rest.isEmpty {
                let part = rest.prefix(Self.pageSize)
                rest = rest.dropFirst(part.count)
                let page = try select(
                    idQuery(part), order([]), ["offset": JSONValue(0), "limit": JSONValue(part.count)])
                if page.isPartial {
                    throw EngineError(ConnectorFailure(.server, .incomplete, detail: "\(part.count)"))
                }
                for row in page.rows { if let id = row["id"]?.string { rows[id] = row } }
            }
        } catch {
            throw error.failure
        }
        return ids.compactMap { rows[$0] }
    }
}
