internal import Synchronization

/// A result that is computed in the background, on its own thread or by the threads of a pool.
public final class BackgroundTask<Value: Sendable>: Sendable {
    private struct State {
        var value: Value?
        var isMade = false
    }

    private let state = Locked(State())
    private let cancelled = Atomic(false)
    /// The number of finished parts and the total.
    private let doneCount = Atomic(0)
    private let partCount: Int
    /// Called on cancellation; nil for a task on its own thread, which polls `isCancelled`.
    private let stop: (@Sendable () -> Void)?

    /// Starts computing the result on a separate thread: `make` polls `isCancelled` and returns nil once the task is
    /// cancelled. `notify` is called afterwards.
    ///
    /// - Parameter thread: The thread that performs the task after others; a new one if nil.
    public init(
        on thread: SerialThread? = nil, notifying notify: @escaping @Sendable () -> Void = {},
        _ make: @escaping @Sendable (_ isCancelled: @escaping @Sendable () -> Bool) -> Value?
    ) {
        partCount = 1
        stop = nil
        let work: @Sendable () -> Void = { [self] in
            finish(make { [self] in isCancelled })
            notify()
        }
        // If no thread can be created, the work runs on the calling thread.
        if !(thread?.perform(work) ?? BackgroundThread.start(work)) { work() }
    }

    /// Creates a finished task with the result `value`.
    public convenience init(made value: Value?) {
        self.init(partCount: 1, stop: {})
        finish(value)
    }

    /// Creates a task that a pool performs in parts; `stop` is called on cancellation.
    init(partCount: Int, stop: @escaping @Sendable () -> Void) {
        self.partCount = max(1, partCount)
        self.stop = stop
    }

    /// Whether the task was cancelled.
    var isCancelled: Bool { cancelled.load(ordering: .relaxed) }

    /// Counts a finished part.
    ///
    /// - Returns: Whether it was the last one.
    func countPart() -> Bool {
        // Acquire and release: the thread that combines the parts must see the writes of all of them.
        doneCount.wrappingAdd(1, ordering: .acquiringAndReleasing).newValue == partCount
    }

    /// Finishes the task with a result, or with nil if there is none.
    func finish(_ value: Value?) {
        state.change { state in
            // A cancelled task delivers no result.
            if !state.isMade { state = State(value: value, isMade: true) }
        }
        doneCount.store(partCount, ordering: .relaxed)
    }

    /// Whether the task has finished, with or without a result, or was cancelled.
    public var isMade: Bool { state.withLock { $0.isMade } }

    /// The result, if the task has delivered one.
    public var value: Value? { state.withLock { $0.value } }

    /// The finished fraction of the work, from 0 to 1.
    public var fraction: Double { Double(min(partCount, doneCount.load(ordering: .relaxed))) / Double(partCount) }

    /// Cancels the task. A pool's task ends at once, without a result; a task on its own thread is asked to stop.
    public func cancel() {
        cancelled.store(true, ordering: .relaxed)
        guard let stop else { return }
        stop()
        state.change { $0.isMade = true }
    }

    /// Waits until the task finishes, at most `milliseconds`.
    ///
    /// - Returns: The result, if there is one by then.
    @discardableResult
    public func wait(milliseconds: Int) -> Value? {
        state.wait(milliseconds: milliseconds) { $0.isMade }
        return value
    }

    /// Waits until the task finishes, and cancels it as soon as `isUnwanted` returns true.
    ///
    /// - Returns: The result, or nil if the task was cancelled.
    public func wait(unless isUnwanted: () -> Bool) -> Value? {
        while !state.wait(milliseconds: 20, until: { $0.isMade }) {
            if isUnwanted() {
                cancel()
                return nil
            }
        }
        return value
    }

    /// Waits until the task finishes.
    ///
    /// - Parameter notice: Called if the user notices the wait: after 100 ms.
    /// - Returns: The result, if there is one.
    public func wait(noticing notice: () -> Void) -> Value? {
        wait(milliseconds: 100)
        if !isMade { notice() }
        state.wait { $0.isMade ? () : nil }
        return value
    }

    /// Waits until the task finishes, and moves the result out of it, so that the caller can change it without a copy.
    ///
    /// - Returns: The result, or nil if there is none or it was moved out before.
    public func taken() -> Value? {
        state.wait { state -> Value?? in
            guard state.isMade else { return nil }
            defer { state.value = nil }
            return .some(state.value)
        }
    }
}
