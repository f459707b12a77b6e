internal import ConnectorProtocol
internal import JSON
internal import Threading

/// A database on a Z39.50 server (ISO 23950), over a connection for one thread at a time.
///
/// A server handles the requests of a connection one after another, and a result set belongs to its connection. Therefore
/// requests at the same time have a connection each, with result sets of its own. A server that refuses further
/// connections, as some do after the first or second one of a computer, gets the requests one after another.
final class Z3950Server: RecordServer {
    private let address: Z3950Address
    private let context: RequestContext
    private var connection: Z3950Connection
    private let shared: Locked<Shared>
    /// The lists of recent queries, the latest last. The server keeps them, so that a part needs no search.
    private var lists: [(key: String, set: Z3950Connection.ResultSet)] = []
    private lazy var reader = MARCReader()

    /// The facts that all connections share.
    private struct Shared {
        var credential: Credential?
        /// The record syntaxes to request, the best first.
        var syntaxes = ["usmarc", "unimarc", "xml", "sutrs"]
        /// Whether the server has refused a further connection.
        var isFull = false
    }

    let kind = "z3950"
    let syntax = PQFText.syntax

    /// The number of lists that are kept on the server, if it can keep several.
    private static let listLimit = 4
    /// The maximum number of password prompts.
    private static let attempts = 3
    /// The maximum number of records in a response, which servers must hold in memory.
    private static let batchLimit = 50

    /// Connects to the server.
    ///
    /// - Throws: `ConnectorFailure` if the server does not answer, or refuses the user.
    init(_ address: Z3950Address, _ context: RequestContext) throws(ConnectorFailure) {
        (self.address, self.context) = (address, context)
        var facts = Shared()
        var attempt = 0
        while true {
            do throws(RecordServerError) {
                connection = try Z3950Connection(to: address, facts.credential, context)
                shared = Locked(facts)
                return
            } catch {
                var failure = error.failure
                if case .refused(let diagnostic) = error, diagnostic.meaning == .access {
                    failure = ConnectorFailure(.auth, .password, detail: address.host)
                }
                guard failure.kind == .auth, attempt < Self.attempts else { throw failure }
                guard let origin = ServerOrigin(of: "z3950://" + address.host),
                    let answer = context.ask(
                        CredentialQuestion(realm: nil, origin: origin, isRepeated: attempt > 0))
                else { throw failure }
                facts.credential = answer
                attempt += 1
            }
        }
    }

    /// Connects once more to the server of `other`; fails if the server does not accept the connection.
    private init?(beside other: Z3950Server, _ context: RequestContext) {
        let (credential, isFull) = other.shared.withLock { ($0.credential, $0.isFull) }
        if isFull { return nil }
        do throws(RecordServerError) {
            connection = try Z3950Connection(to: other.address, credential, context)
        } catch {
            // A request that was cancelled meanwhile says nothing about the server.
            if !context.isCancelled() { other.shared.withLock { $0.isFull = true } }
            return nil
        }
        (address, shared, self.context) = (other.address, other.shared, context)
    }

    func server(for context: RequestContext) -> (any RecordServer)? { Z3950Server(beside: self, context) }

    var facts: [String: String] {
        var facts = ["protocol": "Z39.50", "schema": syntax(after: nil) ?? ""]
        facts["server"] = connection.serverName
        return facts
    }

    var sortKeys: [String] { connection.supports("sort") ? LibraryField.sortKeys : [] }

    func expression(for value: LibraryValue, in field: LibraryField) -> String? {
        let use = "@attr 1=\(field.useAttribute)"
        switch value {
        case .word(let text) where field == .isbn || field == .language || field == .id:
            return "\(use) \(PQFText.quoted(text))"
        case .word(let text): return "\(use) @attr 4=2 \(PQFText.quoted(text))"
        case .phrase(let text): return "\(use) @attr 4=1 \(PQFText.quoted(text))"
        // A phrase that is the complete field.
        case .whole(let text): return "\(use) @attr 4=1 @attr 6=3 \(PQFText.quoted(text))"
        case .years(let first, let last):
            func year(_ relation: Int, _ number: Int) -> String {
                let digits = String(number)
                let text = String(repeating: "0", count: max(0, 4 - digits.count)) + digits
                return "\(use) @attr 2=\(relation) @attr 4=4 \(text)"
            }
            if let first, first == last { return year(3, first) }
            let bounds = [first.map { year(4, $0) }, last.map { year(2, $0) }].compactMap(\.self)
            return bounds.count > 1 ? syntax.and(bounds) : bounds.first
        }
    }

    func records(
        _ query: String, _ sort: [PageRequest.SortKey], from first: Int, limit: Int
    ) throws(RecordServerError) -> RecordBatch {
        do throws(RecordServerError) {
            return try batch(query, sort, from: first, limit: limit)
        } catch {
            guard case .failed(let failure) = error, failure.kind == .offline, failure.reason != .timeOut else {
                // A request that was stopped in the middle leaves its answer in the connection.
                if case .failed = error { reconnectLater() }
                throw error
            }
            // The server, or a firewall, has closed the connection since the last request.
            try reconnect()
            return try batch(query, sort, from: first, limit: limit)
        }
    }

    /// Whether the connection must be made again before the next request.
    private var isBroken = false

    private func reconnectLater() { (lists, isBroken) = ([], true) }

    private func reconnect() throws(RecordServerError) {
        lists = []
        isBroken = true
        connection = try Z3950Connection(to: address, shared.withLock { $0.credential }, context)
        isBroken = false
    }

    private func batch(
        _ query: String, _ sort: [PageRequest.SortKey], from first: Int, limit: Int
    ) throws(RecordServerError) -> RecordBatch {
        if isBroken { try reconnect() }
        let list = try list(query, order(sort))
        var batch = RecordBatch(count: BookTotal(list.count, .exact))
        // Sorting was refused above if the list is too long for it.
        guard first < list.count else { return batch }
        let count = min(limit, list.count - first, Self.batchLimit)
        let answers = try answers(of: list, from: first, count: count)
        for (offset, answer) in answers.enumerated() {
            switch answer {
            case .record(let record): batch.rows.append(try row(of: record))
            case .diagnostic(let diagnostic):
                batch.rows.append(.unavailable(diagnostic, at: "\(first + offset + 1)"))
                batch.isPartial = true
            }
        }
        return batch
    }

    /// Fetches records in the first syntax that the server has.
    private func answers(
        of list: Z3950Connection.ResultSet, from first: Int, count: Int
    ) throws(RecordServerError) -> [Z3950Connection.Answer] {
        var refused: String?
        var refusal: ServerDiagnostic?
        while let syntax = syntax(after: refused) {
            do throws(RecordServerError) {
                let answers = try connection.records(of: list, from: first, count: count, syntax: syntax)
                guard case .diagnostic(let diagnostic)? = answers.first, diagnostic.meaning == .schema else {
                    return answers
                }
                refusal = diagnostic
            } catch {
                guard case .refused(let diagnostic) = error, diagnostic.meaning == .schema else { throw error }
                refusal = diagnostic
            }
            refused = syntax
        }
        guard let refusal else { return [] }
        throw .refused(refusal)
    }

    /// Returns the record syntax to request; nil if the server has refused all. The last one is asked for again in
    /// further requests.
    private func syntax(after refused: String?) -> String? {
        shared.withLock { shared in
            guard let refused else { return shared.syntaxes.first }
            if shared.syntaxes.count == 1, shared.syntaxes.first == refused { return nil }
            // Another thread may have noticed it, too.
            shared.syntaxes.removeAll { $0 == refused }
            return shared.syntaxes.first
        }
    }

    /// Returns the list for a query, which the server may still have.
    private func list(_ query: String, _ order: String?) throws(RecordServerError) -> Z3950Connection.ResultSet {
        let key = "\(query)\u{0}\(order ?? "")"
        if let index = lists.firstIndex(where: { $0.key == key }) {
            let list = lists.remove(at: index)
            lists.append(list)
            return list.set
        }
        let limit = connection.supports("namedResultSets") ? Self.listLimit : 1
        if lists.count >= limit { lists.removeFirst(lists.count - limit + 1) }
        let set = try connection.search(query, order: order)
        lists.append((key, set))
        return set
    }

    /// Returns the sort keys in the syntax of libyaz: "1=4 ia" is the title, ascending, regardless of case.
    private func order(_ sort: [PageRequest.SortKey]) -> String? {
        let keys = sort.compactMap { key in
            LibraryField(sortKey: key.field).map { "1=\($0.useAttribute) \(key.isDescending ? "id" : "ia")" }
        }
        return keys.isEmpty ? nil : keys.joined(separator: " ")
    }

    private func row(of record: Z3950Connection.Record) throws(RecordServerError) -> JSONValue {
        do throws(ConnectorFailure) {
            switch record.syntax.lowercased() {
            case "xml", "text-xml", "application-xml":
                guard let root = try XMLTree.root(of: record.bytes) else { throw ConnectorFailure(.format, .damaged) }
                return try LibraryRecord.row(of: root)
            case "sutrs": return LibraryRecord.row(ofText: record.bytes)
            default:
                guard let reader, reader.read(record.bytes[...]) else {
                    throw ConnectorFailure(.format, .recordFormat, detail: record.syntax)
                }
                return LibraryRecord.row(of: reader.record)
            }
        } catch {
            throw .failed(error)
        }
    }
}

extension RecordServerError {
    /// The failure of the request.
    var failure: ConnectorFailure {
        switch self {
        case .refused(let diagnostic): diagnostic.failure
        case .failed(let failure): failure
        }
    }
}
