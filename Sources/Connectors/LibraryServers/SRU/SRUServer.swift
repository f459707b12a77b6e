internal import ConnectorProtocol
internal import JSON
internal import Threading

/// A database on an SRU server (Search/Retrieve via URL, versions 1.1, 1.2 and 2.0).
final class SRUServer: RecordServer {
    private let address: SRUAddress
    private let context: RequestContext
    private let description: SRUDescription
    /// How to request records, which all threads share.
    private let dialect: Locked<Dialect>

    private struct Dialect {
        var version: String
        /// The record schemas to request, the best first; empty for the one that the server chooses.
        var schemas: [String]

        init(_ address: SRUAddress, _ description: SRUDescription) {
            version = address.version ?? description.version ?? "1.2"
            schemas = address.schema.map { [$0] } ?? description.wantedSchemas
        }
    }

    let kind = "sru"
    let syntax = CQLText.syntax

    private static let limit = 1 << 25
    /// The versions, the one that most servers know first.
    private static let versions = ["1.2", "1.1", "2.0"]

    /// Connects to the server and reads its description.
    ///
    /// - Throws: `ConnectorFailure` if the server does not answer, or is not an SRU server.
    init(_ address: SRUAddress, _ context: RequestContext) throws(ConnectorFailure) {
        (self.address, self.context) = (address, context)
        let request = address.request([("operation", "explain"), ("version", address.version ?? "1.2")])
        let document: [UInt8]
        do throws(ConnectorFailure) {
            (_, document) = try context.http.fetch(request, limit: Self.limit)
        } catch {
            // A server without a description answers with an error; searches tell more.
            guard error.kind == .server, error.reason == .status, error.retryAfter == nil else { throw error }
            description = SRUDescription()
            dialect = Locked(Dialect(address, description))
            return
        }
        let root = try XMLTree.root(of: document)
        guard let root, root.name.lowercased().contains("response") || root.name == "explain" else {
            throw ConnectorFailure(.server, .protocolMismatch, subject: address.host, detail: "SRU")
        }
        description = Self.explanation(in: root).map(SRUDescription.init) ?? SRUDescription()
        dialect = Locked(Dialect(address, description))
    }

    private init(_ other: SRUServer, _ context: RequestContext) {
        self.context = context
        (address, description, dialect) = (other.address, other.description, other.dialect)
    }

    func server(for context: RequestContext) -> (any RecordServer)? { SRUServer(self, context) }

    private static func explanation(in element: XMLElement) -> XMLElement? {
        if element.name == "explain" { return element }
        return element.children.lazy.compactMap(explanation).first
    }

    var facts: [String: String] {
        let dialect = dialect.withLock { $0 }
        var facts = ["protocol": "SRU \(dialect.version)"]
        facts["database"] = description.title
        facts["schema"] = dialect.schemas.first
        return facts
    }

    var sortKeys: [String] {
        LibraryField.sortKeys.filter { LibraryField(sortKey: $0).flatMap { index(for: $0) }?.sorts ?? false }
    }

    private func index(for field: LibraryField) -> SRUDescription.Index? {
        if var given = address.indexes[field] {
            let described = description.indexes[given.name.lowercased()]
            given.sorts = described?.sorts ?? false
            if given.relations.isEmpty { given.relations = described?.relations ?? [] }
            return given
        }
        return field.cqlNames.lazy.compactMap { self.description.indexes[$0] }.first
    }

    func expression(for value: LibraryValue, in field: LibraryField) -> String? {
        let index = index(for: field)
        if index == nil, field == .anywhere {
            // A term without an index is searched in the one that the server chooses.
            switch value {
            case .word(let text), .phrase(let text), .whole(let text): return CQLText.quoted(text)
            case .years: return nil
            }
        }
        guard let name = index?.name ?? standardName(of: field) else { return nil }
        let known = index?.relations ?? []
        func relation(_ names: [String]) -> String { names.first(where: known.contains) ?? names[0] }
        switch value {
        case .word(let text): return "\(name) \(relation(["=", "all", "any"])) \(CQLText.quoted(text))"
        case .phrase(let text): return "\(name) \(relation(["=", "adj"])) \(CQLText.quoted(text))"
        case .whole(let text):
            return "\(name) \(dialect.withLock { $0.version } == "1.1" ? "exact" : "==") \(CQLText.quoted(text))"
        case .years(let first, let last):
            func year(_ relation: String, _ number: Int) -> String {
                let digits = String(number)
                return "\(name) \(relation) " + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
            }
            if let first, first == last { return year("=", first) }
            let bounds = [first.map { year(">=", $0) }, last.map { year("<=", $0) }].compactMap(\.self)
            return bounds.count > 1 ? syntax.and(bounds) : bounds.first
        }
    }

    /// The name of the index of a server that lists no indexes: that of the standard sets.
    private func standardName(of field: LibraryField) -> String? {
        guard description.indexes.isEmpty else { return nil }
        return field.cqlNames.first { $0.hasPrefix("dc.") || $0.hasPrefix("bath.") || $0.hasPrefix("rec.") }
    }

    func records(
        _ query: String, _ sort: [PageRequest.SortKey], from first: Int, limit: Int
    ) throws(RecordServerError) -> RecordBatch {
        var triedVersions: Set<String> = []
        while true {
            let used = dialect.withLock { $0 }
            triedVersions.insert(used.version)
            let response = try send(query + sortClause(sort), from: first, limit: limit, used)
            if !response.batch.rows.isEmpty, response.schemaDiagnostic == nil { return response.batch }
            if let diagnostic = response.schemaDiagnostic
                ?? response.diagnostics.first(where: { $0.meaning == .schema }),
                let schema = used.schemas.first
            {
                if address.schema != nil { throw .refused(diagnostic) }
                // Another thread may have noticed it, too.
                dialect.withLock { $0.schemas.removeAll { $0 == schema } }
                continue
            }
            guard let diagnostic = response.diagnostics.first else { return response.batch }
            switch diagnostic.meaning {
            case .range where first > 0:
                var batch = response.batch
                batch.isPartial = false
                return batch
            case .version where address.version == nil:
                let known = Self.versions.first { diagnostic.details.contains($0) && !triedVersions.contains($0) }
                guard let next = known ?? Self.versions.first(where: { !triedVersions.contains($0) }) else {
                    throw .refused(diagnostic)
                }
                dialect.withLock { if $0.version == used.version { $0.version = next } }
            default: throw .refused(diagnostic)
            }
        }
    }

    private func sortClause(_ sort: [PageRequest.SortKey]) -> String {
        let keys = sort.compactMap { key -> String? in
            guard let index = LibraryField(sortKey: key.field).flatMap({ index(for: $0) }) else { return nil }
            return "\(index.name)/sort.\(key.isDescending ? "descending" : "ascending")"
        }
        return keys.isEmpty ? "" : " sortBy " + keys.joined(separator: " ")
    }

    private func send(
        _ query: String, from first: Int, limit: Int, _ dialect: Dialect
    ) throws(RecordServerError) -> SRUResponse {
        let count = min(limit, description.maximumRecords ?? limit)
        var pairs = [("version", dialect.version), ("query", query), ("startRecord", "\(first + 1)")]
        pairs.append(("maximumRecords", "\(max(1, count))"))
        if dialect.version != "2.0" { pairs.insert(("operation", "searchRetrieve"), at: 0) }
        if let schema = dialect.schemas.first { pairs.append(("recordSchema", schema)) }
        do throws(ConnectorFailure) {
            let (_, document) = try context.http.fetch(address.request(pairs), limit: Self.limit)
            return try SRUResponse(try XMLTree.root(of: document), from: address.host)
        } catch {
            throw .failed(error)
        }
    }
}
