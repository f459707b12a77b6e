internal import ConnectorProtocol
internal import Threading

/// Keeps the requests to a server apart, those of all threads together.
final class RequestPace: Sendable {
    /// The earliest time of the next request, by the clock of `MonotonicTime`.
    private let next = Locked(Int.min)
    private let interval: Int

    /// Creates a pace with at least `interval` milliseconds from one request to the next.
    init(milliseconds interval: Int) { self.interval = interval }

    /// Waits until a request may be sent.
    ///
    /// - Throws: `ConnectorFailure` if the request was cancelled meanwhile.
    func wait(in context: RequestContext) throws(ConnectorFailure) {
        let now = MonotonicTime.milliseconds
        // Each thread takes a time of its own, since they wait without the lock.
        let start = next.withLock { next in
            let start = max(now, next)
            next = start + interval
            return start
        }
        if start > now { try context.wait(milliseconds: start - now) }
    }
}
