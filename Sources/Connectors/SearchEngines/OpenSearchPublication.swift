internal import ConnectorProtocol
internal import Glibc
internal import JSON

/// Loads a catalog into an index of OpenSearch or Elasticsearch.
///
/// The rows are stored in a new index, whose name ends with a hash of them. When all of them are counted, the name of the
/// address, an alias, is moved to that index, and the one before it is deleted: readers never see a part of a catalog. A
/// row has the id of its book, so that it can be sent twice; an interrupted publication goes on with the rows that are
/// missing.
struct OpenSearchPublication {
    private let publication: Publication
    private let address: EngineAddress
    private let client: EngineClient
    private let context: RequestContext
    private let send: (ConnectorReply.Content) -> Void

    /// The number of rows that are sent together.
    private static let batchSize = 1000
    /// The number of times that a busy server is asked again, and the time before each in milliseconds.
    private static let (attempts, pause) = (60, 1000)
    /// The number of digits after the name of the alias.
    private static let digitCount = 16

    /// Prepares a publication that reports its progress to `send`.
    ///
    /// - Throws: `ConnectorFailure` if the address is not that of an index.
    init(
        _ publication: Publication, _ context: RequestContext, _ send: @escaping (ConnectorReply.Content) -> Void
    ) throws(ConnectorFailure) {
        guard let address = EngineAddress(publication.target), address.engine == .opensearch,
            !address.path.contains("/"), !address.path.contains(",")
        else {
            throw ConnectorFailure(.refused, .address)
        }
        (self.publication, self.address, self.context, self.send) = (publication, address, context, send)
        client = EngineClient(server: address.server, context: context)
    }

    /// Publishes the catalog, unless the server already has it.
    func run() throws(ConnectorFailure) -> ConnectorReply.End {
        do throws(EngineError) {
            return try publish()
        } catch {
            throw error.failure
        }
    }

    private func publish() throws(EngineError) -> ConnectorReply.End {
        let count = publication.rows
        let index = try name()
        let current = try indexes()
        if current == [index], try self.count(index) == count {
            return .published(sent: 0, counted: count, statements: [])
        }
        if publication.isDryRun {
            let statements = [
                "PUT /\(index) \(OpenSearchLayout.settings.json)", "POST /\(index)/_bulk",
                "POST /_aliases \(swap(from: current, to: index).json)",
            ]
            return .published(sent: count, counted: nil, statements: statements)
        }
        let isNew = try create(index)
        let sent = try load(into: index, isNew: isNew)
        _ = try client.post("/\(index)/_refresh")
        let counted = try self.count(index) ?? 0
        guard counted == count else {
            throw EngineError(ConnectorFailure(.server, .booksMissing, detail: "\(counted) of \(count)"))
        }
        _ = try client.answer(to: "/_aliases", swap(from: current, to: index))
        return .published(sent: sent, counted: counted, statements: [])
    }

    // MARK: - Indexes

    private func name() throws(EngineError) -> String {
        do throws(ConnectorFailure) {
            let digits = try RowsVersion.digits(
                ofRowsAt: publication.path, layout: OpenSearchLayout.version, context)
            return "\(address.path)-\(digits)"
        } catch {
            throw EngineError(error)
        }
    }

    /// Returns the indexes that the address names.
    ///
    /// - Throws: `EngineError` if one of them was not made by a publication.
    private func indexes() throws(EngineError) -> [String] {
        let found: JSONValue
        do throws(EngineError) {
            found = try client.answer(to: "/\(address.path)/_mapping")
        } catch {
            guard error.status == 404 || error.failure.reason == .noIndex else { throw error }
            return []
        }
        let names = (found.members ?? []).map(\.key)
        if let other = names.first(where: { !isOwn($0) }) {
            throw EngineError(ConnectorFailure(.refused, .otherIndex, detail: other))
        }
        return names
    }

    /// Whether an index has the name of one of a publication.
    private func isOwn(_ index: String) -> Bool {
        guard index.hasPrefix(address.path + "-") else { return false }
        let digits = index.dropFirst(address.path.count + 1)
        return digits.count == Self.digitCount && digits.allSatisfy { $0.isHexDigit }
    }

    /// Creates an index, unless it exists.
    ///
    /// - Returns: Whether it is new.
    private func create(_ index: String) throws(EngineError) -> Bool {
        do throws(EngineError) {
            _ = try client.answer(to: "/\(index)", OpenSearchLayout.settings, method: "PUT")
            return true
        } catch {
            guard error.type == "resource_already_exists_exception" else { throw error }
            return false
        }
    }

    /// The number of books in an index; nil if there is none.
    private func count(_ index: String) throws(EngineError) -> Int? {
        try client.answer(to: "/\(index)/_count")["count"]?.integer
    }

    /// Returns the request that makes the address name one index in place of others, which are deleted.
    private func swap(from current: [String], to index: String) -> JSONValue {
        let deletions = current.filter { $0 != index }.map { json(["remove_index": json(["index": .string($0)])]) }
        let addition = json(["add": json(["index": .string(index), "alias": .string(address.path)])])
        return json(["actions": .array([addition] + deletions)])
    }

    // MARK: - Rows

    /// Sends the rows that an index lacks.
    ///
    /// - Returns: The number of rows that were sent.
    private func load(into index: String, isNew: Bool) throws(EngineError) -> Int {
        var sent = 0
        var first = 0
        do throws(ConnectorFailure) {
            var reader = try RowReader(publication.path)
            while true {
                var records: [JSONValue] = []
                while records.count < Self.batchSize, let record = try reader.next() { records.append(record) }
                if records.isEmpty { return sent }
                if context.isCancelled() { throw ConnectorFailure(.cancelled) }
                let rows = try PublishedRows(records, from: first).rows
                do throws(EngineError) {
                    let isThere = isNew ? false : try hasAll(rows, index)
                    if !isThere {
                        try store(zip(records, rows).flatMap { OpenSearchLayout.lines($0, $1) }, index, first: first)
                        sent += records.count
                    }
                } catch {
                    throw error.failure
                }
                first += records.count
                send(.progress(CopyProgress(rows: first, total: publication.rows, bytes: 0)))
            }
        } catch {
            throw EngineError(error)
        }
    }

    /// Whether an index has all these rows.
    private func hasAll(_ rows: [PublishedRow], _ index: String) throws(EngineError) -> Bool {
        let ids = rows.map { JSONValue.string(String(decoding: $0.id, as: UTF8.self)) }
        let answer = try client.answer(to: "/\(index)/_mget?_source=false", json(["ids": .array(ids)]))
        return answer["docs"]?.elements?.count { $0["found"] == .boolean(true) } == rows.count
    }

    /// Stores rows, again if the server is busy.
    private func store(_ lines: [UInt8], _ index: String, first: Int) throws(EngineError) {
        var attempt = 0
        while true {
            attempt += 1
            do throws(EngineError) {
                let answer = try client.post("/\(index)/_bulk", lines: lines)
                let failed = (answer["items"]?.elements ?? []).enumerated().first { $1["index"]?["error"] != nil }
                guard let (place, item) = failed else { return }
                let status = item["index"]?["status"]?.integer ?? 0
                let reason = item["index"]?["error"]?["reason"]?.string ?? "\(status)"
                throw EngineError(
                    ConnectorFailure(
                        status == 429 ? .busy : .server, .diagnostic, detail: reason, at: .record(first + place + 1)))
            } catch {
                guard error.failure.kind == .busy, attempt < Self.attempts else { throw error }
                do throws(ConnectorFailure) {
                    try context.wait(milliseconds: Self.pause)
                } catch {
                    throw EngineError(error)
                }
            }
        }
    }
}
