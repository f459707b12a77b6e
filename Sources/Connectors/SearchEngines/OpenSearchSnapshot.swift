internal import ConnectorProtocol
internal import JSON

/// The searches of an index in an unchanging state of it (a point in time), so that the pages of a list fit together
/// while books are added. Servers without points in time search the index itself.
final class OpenSearchSnapshot {
    private let client: EngineClient
    /// The name of the index, percent-encoded.
    private let index: String
    /// Whether the server is OpenSearch and not Elasticsearch, whose requests differ.
    private let isOpenSearch: Bool
    /// The id of the point in time, if one is open.
    private var id: String?
    /// Whether the server has points in time.
    private(set) var isSupported = true
    private var isOpen = false
    private var opened: Int64 = 0
    /// The number of points in time so far; what is known of a list is valid in one of them.
    private(set) var generation = 0

    /// The time that the server keeps the state after a search.
    private static let keepAlive = "5m"
    /// The age in milliseconds after which the start of a list shows a new state.
    private static let refreshAge: Int64 = 30_000

    /// Creates the searches of an index.
    init(of index: String, _ client: EngineClient, isOpenSearch: Bool) {
        (self.index, self.client, self.isOpenSearch) = (index, client, isOpenSearch)
    }

    /// The field that breaks ties.
    var tiebreaker: String { isOpenSearch || !isSupported ? "_id" : "_shard_doc" }

    /// Shows the present state of the index from the next search on, if the last one is old.
    func refresh() {
        if client.context.now - opened > Self.refreshAge { renew() }
    }

    /// Shows the present state of the index from the next search on.
    func renew() { (id, isOpen) = (nil, false) }

    /// Opens a point in time unless one is open.
    func open() throws(EngineError) {
        guard !isOpen else { return }
        isOpen = true
        opened = client.context.now
        generation += 1
        guard isSupported else { return }
        let path = isOpenSearch ? "/\(index)/_search/point_in_time" : "/\(index)/_pit"
        do throws(EngineError) {
            let answer = try client.answer(to: "\(path)?keep_alive=\(Self.keepAlive)", .object([]))
            id = answer["pit_id"]?.string ?? answer["id"]?.string
            isSupported = id != nil
        } catch {
            // Old versions do not know the request, and some users may not open one.
            guard [400, 403, 404, 405].contains(error.status), error.type != "index_not_found_exception" else {
                renew()
                throw error
            }
            isSupported = false
        }
    }

    /// Searches.
    ///
    /// - Parameter body: The members of the request except for the state.
    /// - Returns: The answer; nil if the state has expired, so that the caller must start again in another one.
    func search(_ body: [JSONValue.Member]) throws(EngineError) -> JSONValue? {
        try open()
        guard let id else { return try client.answer(to: "/\(index)/_search", .object(body)) }
        let state = json(["id": .string(id), "keep_alive": .string(Self.keepAlive)])
        do throws(EngineError) {
            let answer = try client.answer(to: "/_search", .object(body + [.init(key: "pit", value: state)]))
            if let next = answer["pit_id"]?.string { self.id = next }
            return answer
        } catch {
            guard error.status == 404 || error.type == "search_context_missing_exception" else { throw error }
            renew()
            return nil
        }
    }
}
