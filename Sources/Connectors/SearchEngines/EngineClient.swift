internal import ConnectorProtocol
internal import JSON

/// The reason why a search engine did not answer a request as wanted.
struct EngineError: Error {
    /// The failure of the request.
    var failure: ConnectorFailure
    /// The engine's name for the error, such as `index_not_found_exception`, if it has one.
    var type: String?
    /// The status code; zero without an answer.
    var status = 0

    /// Creates an error without an answer of the engine.
    init(_ failure: ConnectorFailure) { self.failure = failure }

    fileprivate init(_ failure: ConnectorFailure, _ type: String?, status: Int) {
        (self.failure, self.type, self.status) = (failure, type, status)
    }
}

/// Sends requests with JSON to a search engine.
struct EngineClient {
    /// The address of the server, without a trailing slash.
    let server: String
    /// The context of the requests.
    let context: RequestContext

    private static let limit = 1 << 26
    /// The time in seconds that a server may take to store rows.
    private static let patience = 600

    /// Sends a request and returns the answer.
    ///
    /// - Parameters:
    ///   - path: The path on the server, with its query.
    ///   - body: The JSON to post; nil for a request without one.
    ///   - method: Another method than POST for a request with a body.
    /// - Throws: `EngineError` with the message of the engine in words.
    func send(_ path: String, _ body: JSONValue? = nil, method: String? = nil) throws(EngineError) -> JSONValue {
        try send(HTTPRequest(url: server + path, body: body.map { Array($0.json.utf8) }, method: method))
    }

    /// Posts lines of JSON and returns the answer.
    func post(_ path: String, lines: [UInt8]) throws(EngineError) -> JSONValue {
        try Self.checked(try send(HTTPRequest(url: server + path, body: lines, patience: Self.patience)))
    }

    private func send(_ request: HTTPRequest) throws(EngineError) -> JSONValue {
        do throws(ConnectorFailure) {
            let (transfer, head) = try context.http.begin(request)
            let content = try ContentCoding.decoded(TransferBytes(transfer), by: head)
            let document = try content.read(upTo: Self.limit + 1)
            context.transferred.bytes += document.count
            if document.count > Self.limit { throw ConnectorFailure(.refused, .tooLarge) }
            if let failure = transfer.failure { throw failure }
            if content.isCut { throw ConnectorFailure(.offline, .brokenOff, detail: request.host) }
            return try Self.value(of: document, head, host: request.host)
        } catch {
            throw EngineError(error)
        }
    }

    /// Posts an empty request, which creates something on the server.
    func post(_ path: String) throws(EngineError) -> JSONValue { try send(path, .object([])) }

    private static func value(of document: [UInt8], _ head: HTTPHead, host: String) throws(ConnectorFailure)
        -> JSONValue
    {
        let value = JSONValue(parsing: document)
        guard let failure = ConnectorFailure(answer: head, host: host) else {
            if let value { return value }
            throw ConnectorFailure(.server, .protocolMismatch, subject: host, detail: "JSON")
        }
        // The caller distinguishes errors by their type.
        if failure.kind == .auth { throw failure }
        guard let error = value?["error"] else { throw failure }
        return .object([
            .init(key: "error", value: error), .init(key: "status", value: JSONValue(head.status)),
            .init(key: "retryAfter", value: head.retryAfter.map { JSONValue($0) } ?? .null),
        ])
    }
}

extension EngineClient {
    /// Sends a request, and throws the error of an answer that is one.
    ///
    /// - Throws: `EngineError` with the message of the engine in words.
    func answer(to path: String, _ body: JSONValue? = nil, method: String? = nil) throws(EngineError) -> JSONValue {
        try Self.checked(try send(path, body, method: method))
    }

    /// Returns an answer that is no error.
    private static func checked(_ answer: JSONValue) throws(EngineError) -> JSONValue {
        guard let error = answer["error"], let status = answer["status"]?.integer ?? error["code"]?.integer else {
            return answer
        }
        let cause = error["root_cause"]?.elements?.first ?? error
        let type = cause["type"]?.string ?? error["type"]?.string
        // OpenSearch has reasons, Solr messages; proxies send plain text.
        let shard = error["failed_shards"]?.elements?.first?["reason"]
        let message =
            shard?["reason"]?.string ?? cause["reason"]?.string ?? error["reason"]?.string ?? error["msg"]?.string
            ?? error.string ?? type ?? "\(status)"
        if type == "index_not_found_exception" {
            throw EngineError(
                ConnectorFailure(.server, .noIndex, detail: cause["index"]?.string ?? ""), type, status: status)
        }
        let isBusy = status == 429 || status == 503
        throw EngineError(
            ConnectorFailure(
                isBusy ? .busy : .server, .diagnostic, detail: message,
                retryAfter: answer["retryAfter"]?.integer?.clampedDelay),
            type, status: status)
    }
}

/// Creates a JSON object.
func json(_ members: KeyValuePairs<String, JSONValue>) -> JSONValue {
    .object(members.map { JSONValue.Member(key: $0.key, value: $0.value) })
}
