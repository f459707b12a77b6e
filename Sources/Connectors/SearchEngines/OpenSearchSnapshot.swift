internal import ConnectorProtocol
internal import JSON
internal import Threading

/// An unchanging state of an index (a point in time), so that the pages of a list fit together while books are added; on
/// servers without points in time, the index itself. All threads share it.
final class OpenSearchSnapshot: Sendable {
    /// The field that breaks ties.
    let tiebreaker: String
    /// Whether the state is unchanging.
    let isFixed: Bool
    /// The lists in this state.
    let lists = RecentLists<OpenSearchList.Known>()
    /// The name of the index, percent-encoded.
    private let index: String
    /// The id of the point in time, which each answer may replace; nil for the index itself.
    private let id: Locked<String?>
    /// When it was opened, in milliseconds of the monotonic clock.
    private let opened: Int64

    /// The time that the server keeps the state after a search.
    static let keepAlive = "5m"
    /// The age in milliseconds after which the start of a list shows a new state.
    private static let refreshAge: Int64 = 30_000

    /// Creates a state of an index.
    ///
    /// - Parameters:
    ///   - id: The id of the point in time; nil for the index itself.
    ///   - now: The time in milliseconds of the monotonic clock.
    init(of index: String, id: String?, tiebreaker: String, now: Int64) {
        (self.index, self.tiebreaker, isFixed, opened) = (index, tiebreaker, id != nil, now)
        self.id = Locked(id)
    }

    /// Returns whether the state is too old for the start of a list.
    func isOld(at now: Int64) -> Bool { now - opened > Self.refreshAge }

    /// Searches.
    ///
    /// - Parameter body: The members of the request except for the state.
    /// - Returns: The answer; nil if the state has expired, so that the caller must start again in another one.
    func search(_ body: [JSONValue.Member], by client: EngineClient) throws(EngineError) -> JSONValue? {
        guard let id = id.withLock({ $0 }) else { return try client.answer(to: "/\(index)/_search", .object(body)) }
        let state = json(["id": .string(id), "keep_alive": .string(Self.keepAlive)])
        do throws(EngineError) {
            let answer = try client.answer(to: "/_search", .object(body + [.init(key: "pit", value: state)]))
            if let next = answer["pit_id"]?.string { self.id.withLock { $0 = next } }
            return answer
        } catch {
            guard error.status == 404 || error.type == "search_context_missing_exception" else { throw error }
            return nil
        }
    }
}
