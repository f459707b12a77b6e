internal import ConnectorProtocol
internal import JSON
internal import Threading

/// An index of OpenSearch or Elasticsearch with its present snapshot, which all threads share.
final class OpenSearchIndex: Sendable {
    /// The name, percent-encoded.
    let path: String
    /// Whether the server is OpenSearch and not Elasticsearch, whose requests differ.
    let isOpenSearch: Bool
    private let state = Locked(State())
    private let opening = Turn()

    private struct State {
        var snapshot: OpenSearchSnapshot?
        /// Whether the server has points in time, as far as is known.
        var isSupported = true
    }

    /// Creates the shared state of an index.
    init(_ path: String, isOpenSearch: Bool) { (self.path, self.isOpenSearch) = (path, isOpenSearch) }

    /// Returns the present snapshot. If there is none, one request opens it, and others wait for it.
    func snapshot(by client: EngineClient) throws(EngineError) -> OpenSearchSnapshot {
        if let snapshot = state.withLock({ $0.snapshot }) { return snapshot }
        do throws(ConnectorFailure) {
            try opening.take(unless: client.context.isCancelled)
        } catch {
            throw EngineError(error)
        }
        defer { opening.end() }
        if let snapshot = state.withLock({ $0.snapshot }) { return snapshot }
        let snapshot = try open(by: client)
        state.withLock { $0.snapshot = snapshot }
        return snapshot
    }

    /// Opens another snapshot for the next request, unless another request has done so since it got this one.
    func renew(after snapshot: OpenSearchSnapshot) {
        state.withLock { if $0.snapshot === snapshot { $0.snapshot = nil } }
    }

    /// Opens another snapshot for the next request if the present one is old.
    func refresh(at now: Int64) {
        state.withLock { if $0.snapshot?.isOld(at: now) == true { $0.snapshot = nil } }
    }

    private func open(by client: EngineClient) throws(EngineError) -> OpenSearchSnapshot {
        let now = client.context.now
        var id: String?
        if state.withLock({ $0.isSupported }) {
            let request = isOpenSearch ? "/\(path)/_search/point_in_time" : "/\(path)/_pit"
            do throws(EngineError) {
                let answer = try client.answer(
                    to: "\(request)?keep_alive=\(OpenSearchSnapshot.keepAlive)", .object([]))
                id = answer["pit_id"]?.string ?? answer["id"]?.string
            } catch {
                // Old versions do not know the request, and some users may not open one.
                guard [400, 403, 404, 405].contains(error.status), error.type != "index_not_found_exception" else {
                    throw error
                }
            }
            if id == nil { state.withLock { $0.isSupported = false } }
        }
        return OpenSearchSnapshot(
            of: path, id: id, tiebreaker: isOpenSearch || id == nil ? "_id" : "_shard_doc", now: now)
    }
}
