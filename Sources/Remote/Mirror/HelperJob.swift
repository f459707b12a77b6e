internal import ConnectorProtocol
internal import Glibc
internal import Threading

/// Repeated starts of the connector program because the source was replaced before it was read: the program can read only
/// the files that were there at its start.
private enum Restart {
    /// The maximum number of starts.
    static let limit = 5
    /// The time between two of them, in microseconds.
    static let pause: UInt32 = 30_000
}

/// Work that the connector program does in the background, and that can be stopped on any thread, even before it starts.
final class HelperJob<Outcome: Sendable>: Sendable {
    private let state = Locked(State())

    private struct State {
        var conversation: ConnectorConversation?
        var isStopped = false
        var task: BackgroundTask<Result<Outcome, ConnectorFailure>>?
    }

    /// Starts the program and the work.
    ///
    /// - Parameters:
    ///   - notify: Called on any thread at the end.
    ///   - open: Starts the program; called again if the source is replaced before it is read.
    ///   - finish: Called at the end of the work, also if the program cannot be started.
    func start(
        notifying notify: @escaping @Sendable () -> Void,
        opening open: @escaping @Sendable () throws(ConnectorFailure) -> ConnectorConversation,
        atEnd finish: @escaping @Sendable () -> Void = {},
        _ work: @escaping @Sendable (ConnectorConversation) throws(ConnectorFailure) -> Outcome
    ) {
        let task = BackgroundTask(notifying: notify) { [state] _ in
            defer {
                state.withLock { $0.conversation }?.end()
                finish()
            }
            var attempts = Restart.limit
            while true {
                attempts -= 1
                do throws(ConnectorFailure) {
                    let conversation = try open()
                    let isStopped = state.withLock { state in
                        state.conversation = conversation
                        return state.isStopped
                    }
                    if isStopped { throw ConnectorFailure(.cancelled) }
                    return Result<Outcome, ConnectorFailure>.success(try work(conversation))
                } catch {
                    guard error.reason == .replaced, attempts > 0 else { return .failure(error) }
                    state.withLock { $0.conversation }?.end()
                    // Until the other program has saved.
                    usleep(Restart.pause)
                }
            }
        }
        state.withLock { $0.task = task }
    }

    private var task: BackgroundTask<Result<Outcome, ConnectorFailure>>? { state.withLock { $0.task } }

    /// What came of it; nil while it is going on.
    var outcome: Result<Outcome, ConnectorFailure>? { task?.value }

    /// Whether the work has ended.
    var isDone: Bool { task?.isMade ?? false }

    /// Whether it was stopped.
    var isStopped: Bool { state.withLock { $0.isStopped } }

    /// Waits for the end.
    func wait() {
        guard let task else { return }
        while !task.isMade { _ = task.wait(milliseconds: 1000) }
    }

    /// Asks the program to stop; it still replies to the last request.
    func cancel() { stop()?.cancel() }

    /// Ends the program at once.
    func end() { stop()?.end() }

    private func stop() -> ConnectorConversation? {
        state.withLock { state in
            state.isStopped = true
            return state.conversation
        }
    }
}
