internal import ConnectorProtocol
internal import Threading

/// The right to do work that requests do one after another, because those that wait need its result.
final class Turn: Sendable {
    private let isTaken = Locked(false)

    /// The maximum wait in milliseconds before checking for cancellation.
    private static let pause = 50

    /// Waits until no other request has the turn, and takes it. The caller must end it.
    ///
    /// - Throws: `ConnectorFailure` of the kind `cancelled`, without taking the turn.
    func take(unless isCancelled: () -> Bool) throws(ConnectorFailure) {
        while !isTaken.withLock({ taken in
            defer { taken = true }
            return !taken
        }) {
            if isCancelled() { throw ConnectorFailure(.cancelled) }
            isTaken.wait(milliseconds: Self.pause) { !$0 }
        }
    }

    /// Leaves the turn to another request.
    func end() { isTaken.change { $0 = false } }
}
