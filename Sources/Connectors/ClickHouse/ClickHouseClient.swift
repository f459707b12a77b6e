internal import ConnectorProtocol
internal import Threading

/// The facts about the servers of an address that all threads share.
final class ClickHouseServers: Sendable {
    /// The address.
    let address: ClickHouseAddress
    private let state = Locked(State())
    /// The start of the names of queries, which no other program has.
    private let queryPrefix = "stacks-\(String(UInt64.random(in: 0...UInt64.max), radix: 36))-"

    private struct State {
        var credential: Credential?
        /// The user and password of ~/.netrc for each host, by its number, as long as the host accepts them.
        var netrc: [Int: Credential] = [:]
        /// The number of the host that answered last.
        var preferred = 0
        var lastQuery = 0
    }

    /// Creates the shared state for `address`.
    init(_ address: ClickHouseAddress) { self.address = address }

    /// The user and password that stacks gave for the address, if the servers require them.
    var credential: Credential? {
        get { state.withLock { $0.credential } }
        set { state.withLock { $0.credential = newValue } }
    }

    /// The user and password for the host with this number, if they are known.
    func credential(for host: Int) -> Credential? { state.withLock { $0.credential ?? $0.netrc[host] } }

    /// Stores what ~/.netrc has for the host with this number; nil if the host refuses it.
    func setNetrc(_ credential: Credential?, for host: Int) { state.withLock { $0.netrc[host] = credential } }

    /// The number of the host to ask first.
    var preferred: Int {
        get { state.withLock { $0.preferred } }
        set { state.withLock { $0.preferred = newValue } }
    }

    /// Returns a new name for a query.
    func nextQueryID() -> String {
        let number = state.withLock { state in
            state.lastQuery += 1
            return state.lastQuery
        }
        return queryPrefix + "\(number)"
    }
}

/// Sends statements to the servers of an address over HTTP, for one thread at a time.
struct ClickHouseClient {
    /// The facts that all threads share.
    let servers: ClickHouseServers
    private let context: RequestContext

    /// A statement.
    struct Statement {
        /// The text, in SQL.
        var text: String
        /// The rows that it inserts.
        var rows: [UInt8]?
        /// The name of the query; nil for a new one.
        var id: String?
        /// The settings for this statement.
        var settings: [(name: String, value: String)] = []
        /// The time in seconds that the server may take; nil for the usual one.
        var patience: Int?
    }

    /// A statement that a server is executing.
    struct Running {
        fileprivate let transfer: HTTPTransfer
        fileprivate let host: Int
        fileprivate let id: String
    }

    /// The maximum length of a result in bytes.
    private static let resultLimit = 1 << 28
    /// The maximum number of password prompts.
    private static let attempts = 3
    /// The time in seconds that a server may take to stop a query.
    private static let killPatience = 2

    /// Creates a client for the requests of `context`.
    init(_ servers: ClickHouseServers, _ context: RequestContext) { (self.servers, self.context) = (servers, context) }

    /// The address.
    var address: ClickHouseAddress { servers.address }

    // MARK: - Asking one of the hosts

    /// Executes queries at the same time on the first host that answers.
    ///
    /// - Returns: The rows of each.
    /// - Throws: `ConnectorFailure` if no host answers, or a query fails.
    func rows(of queries: [(text: String, columns: [ColumnType])]) throws(ConnectorFailure) -> [[[SQLValue]]] {
        let count = address.hosts.count
        let first = servers.preferred
        var failure: ConnectorFailure?
        for offset in 0..<count {
            let host = (first + offset) % count
            do throws(ConnectorFailure) {
                let results = try rowsNamingShard(of: queries, on: host)
                servers.preferred = host
                return results
            } catch {
                // Another host may answer.
                guard error.kind == .offline else { throw error }
                failure = failure ?? error
            }
        }
        throw failure ?? ConnectorFailure(.refused, .databaseAddress)
    }

    /// A part of the cluster that failed during a query is named only by the next one.
    private func rowsNamingShard(
        of queries: [(text: String, columns: [ColumnType])], on host: Int
    ) throws(ConnectorFailure) -> [[[SQLValue]]] {
        do throws(ConnectorFailure) {
            return try rows(of: queries, on: host)
        } catch {
            guard error.reason == .shard, error.subject == address.cluster else { throw error }
            return try rows(of: queries, on: host)
        }
    }

    /// Executes a query on the first host that answers.
    func rows(_ text: String, _ columns: ColumnType...) throws(ConnectorFailure) -> [[SQLValue]] {
        try rows(of: [(text, columns)])[0]
    }

    // MARK: - Asking a host

    /// Executes queries at the same time on the host with this number.
    func rows(
        of queries: [(text: String, columns: [ColumnType])], on host: Int
    ) throws(ConnectorFailure) -> [[[SQLValue]]] {
        var running: [Running] = []
        for query in queries {
            running.append(try start(Statement(text: query.text + " FORMAT RowBinary"), on: host))
        }
        var results: [[[SQLValue]]] = []
        do throws(ConnectorFailure) {
            for (index, query) in queries.enumerated() {
                let body: [UInt8]
                do throws(ConnectorFailure) {
                    body = try finish(running[index])
                } catch {
                    guard error.kind == .auth else { throw error }
                    body = try signIn(to: host, for: Statement(text: query.text + " FORMAT RowBinary"), after: error)
                }
                guard let rows = BinaryRows.rows(in: body, of: query.columns) else {
                    throw ConnectorFailure(.server, .notHTTP, detail: name(of: host))
                }
                results.append(rows)
            }
            return results
        } catch {
            // A server does not notice that nobody waits for the result.
            kill(running.dropFirst(results.count))
            throw error
        }
    }

    /// Executes a query on the host with this number.
    func rows(on host: Int, _ text: String, _ columns: ColumnType...) throws(ConnectorFailure) -> [[SQLValue]] {
        try rows(of: [(text, columns)], on: host)[0]
    }

    /// Executes a statement without a result on the host with this number.
    func execute(_ statement: Statement, on host: Int) throws(ConnectorFailure) {
        do throws(ConnectorFailure) {
            _ = try finish(try start(statement, on: host))
        } catch {
            guard error.kind == .auth else { throw error }
            _ = try signIn(to: host, for: statement, after: error)
        }
    }

    /// Executes a statement without a result on the host with this number.
    func execute(_ text: String, on host: Int) throws(ConnectorFailure) {
        try execute(Statement(text: text), on: host)
    }

    /// Repeats a statement with the password of ~/.netrc, or with that which the user gives.
    private func signIn(
        to host: Int, for statement: Statement, after failure: ConnectorFailure
    ) throws(ConnectorFailure) -> [UInt8] {
        var failure = failure
        guard let origin = ServerOrigin(of: address.hosts[host]) else { throw failure }
        if servers.credential(for: host) == nil, let found = NetrcFile.credential(for: origin) {
            servers.setNetrc(found, for: host)
            do throws(ConnectorFailure) {
                return try finish(try start(statement, on: host))
            } catch {
                servers.setNetrc(nil, for: host)
                guard error.kind == .auth else { throw error }
            }
        }
        for _ in 0..<Self.attempts {
            guard
                let credential = context.ask(
                    CredentialQuestion(
                        realm: nil, origin: origin, isRepeated: servers.credential != nil,
                        isNetrcIgnored: NetrcFile.isIgnored(for: origin)))
            else { break }
            servers.credential = credential
            do throws(ConnectorFailure) {
                return try finish(try start(statement, on: host))
            } catch {
                guard error.kind == .auth else { throw error }
                failure = error
            }
        }
        servers.credential = nil
        throw failure
    }

    // MARK: - Without waiting

    /// Sends a statement to the host with this number, without waiting for its end.
    func start(_ statement: Statement, on host: Int) throws(ConnectorFailure) -> Running {
        let id = statement.id ?? servers.nextQueryID()
        // The response is held back until the end, so that an error has a status of its own.
        var url = address.hosts[host] + "/?wait_end_of_query=1&query_id=" + WebAddress.escaped(id)
        for setting in statement.settings { url += "&\(setting.name)=" + WebAddress.escaped(setting.value) }
        if statement.rows != nil { url += "&query=" + WebAddress.escaped(statement.text) }
        var request = HTTPRequest(url: url, body: statement.rows ?? Array(statement.text.utf8))
        if let credential = servers.credential(for: host) {
            request.add("X-ClickHouse-User", credential.user)
            request.add("X-ClickHouse-Key", credential.secret)
        }
        request.patience = statement.patience
        let transfer = try context.http.start(request)
        context.http.advance()
        return Running(transfer: transfer, host: host, id: id)
    }

    /// Sends and receives pending bytes of all statements, without waiting.
    func advance() { context.http.advance() }

    /// Waits for the end of a statement.
    ///
    /// - Returns: Its result.
    func finish(_ running: Running) throws(ConnectorFailure) -> [UInt8] {
        let head = try running.transfer.waitForHead()
        let content = try ContentCoding.decoded(TransferBytes(running.transfer), by: head)
        let body = try content.read(upTo: Self.resultLimit + 1)
        context.transferred.bytes += body.count
        if let failure = running.transfer.failure { throw failure }
        if content.isCut { throw ConnectorFailure(.offline, .brokenOff, detail: running.transfer.host) }
        if body.count > Self.resultLimit { throw ConnectorFailure(.refused, .tooLarge) }
        if head.status == 200 { return body }
        let error = ClickHouseError(body)
        if error.code == 0 {
            throw ConnectorFailure(answer: head, host: running.transfer.host)
                ?? ConnectorFailure(.server, .notHTTP, detail: running.transfer.host)
        }
        throw error.failure(of: running.transfer.host, cluster: address.cluster)
    }

    /// Stops queries whose result is not needed.
    private func kill(_ queries: some Collection<Running>) {
        guard let host = queries.first?.host else { return }
        let ids = queries.map { SQLText.literal($0.id) }.joined(separator: ", ")
        try? context.ignoringCancellation { () throws(ConnectorFailure) in
            let statement = Statement(
                text: "KILL QUERY WHERE query_id IN (\(ids)) ASYNC", patience: Self.killPatience)
            _ = try finish(try start(statement, on: host))
        }
    }

    /// Returns the name of a host for messages.
    func name(of host: Int) -> String { HTTPRequest.host(of: address.hosts[host]) }
}
