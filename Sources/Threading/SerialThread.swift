/// A thread that performs works one after another, in the order in which they come. It starts with the first work and
/// ends once it is no longer referenced and all works are done.
public final class SerialThread: Sendable {
    private struct State {
        var works: [@Sendable () -> Void] = []
        var isStarted = false
        var isEnded = false
    }

    private let state = Locked(State())

    /// Creates a thread that has not started yet.
    public init() {}

    deinit { state.change { $0.isEnded = true } }

    /// Performs `work` after the previous works.
    ///
    /// - Returns: Whether the thread could be created; if not, `work` is not performed.
    package func perform(_ work: @escaping @Sendable () -> Void) -> Bool {
        let isStarted = state.withLock { $0.isStarted }
        if !isStarted {
            guard BackgroundThread.start({ [state] in Self.performWorks(of: state) }) else { return false }
            state.withLock { $0.isStarted = true }
        }
        state.change { $0.works.append(work) }
        return true
    }

    private static func performWorks(of state: Locked<State>) {
        while let works = nextWorks(of: state) {
            for work in works { work() }
        }
    }

    /// Waits for works.
    ///
    /// - Returns: The next works; nil at the end.
    private static func nextWorks(of state: Locked<State>) -> [@Sendable () -> Void]? {
        state.wait { state -> [@Sendable () -> Void]?? in
            if state.works.isEmpty { return state.isEnded ? .some(nil) : nil }
            defer { state.works = [] }
            return .some(state.works)
        }
    }
}
