internal import Synchronization

/// Something that is made in the background: on a thread of its own, or by the threads of a pool.
public final class BackgroundTask<Value: Sendable>: Sendable {
    private struct State {
        var value: Value?
        var isMade = false
    }

    private let state = Locked(State())
    private let cancelled = Atomic(false)
    /// How many of its parts are done, and how many there are.
    private let doneCount = Atomic(0)
    private let partCount: Int
    /// Called when it is cancelled; nil for a task on a thread of its own, which asks.
    private let stop: (@Sendable () -> Void)?

    /// Begins to make it on a thread of its own: `make` asks now and then whether it is still wanted, and gives nil if it is
    /// not. Then `notify` is called.
    public init(
        notifying notify: @escaping @Sendable () -> Void = {},
        _ make: @escaping @Sendable (_ isCancelled: @escaping @Sendable () -> Bool) -> Value?
    ) {
        partCount = 1
        stop = nil
        let work: @Sendable () -> Void = { [self] in
            finish(make { [self] in isCancelled })
            notify()
        }
        // Without a thread there is no background.
        if !BackgroundThread.start(work) { work() }
    }

    /// Creates a task that ended with `value`.
    public convenience init(made value: Value?) {
        self.init(partCount: 1, stop: {})
        finish(value)
    }

    /// A task that a pool makes in parts; `stop` is called when it is cancelled.
    init(partCount: Int, stop: @escaping @Sendable () -> Void) {
        self.partCount = max(1, partCount)
        self.stop = stop
    }

    /// Whether it was cancelled.
    var isCancelled: Bool { cancelled.load(ordering: .relaxed) }

    /// Counts a part that is done.
    ///
    /// - Returns: Whether it was the last.
    func countPart() -> Bool {
        // What the others did must be seen by who makes a whole of it.
        doneCount.wrappingAdd(1, ordering: .acquiringAndReleasing).newValue == partCount
    }

    /// Ends it with what was made; with nil nothing was.
    func finish(_ value: Value?) {
        state.change { state in
            // Who cancelled it does not expect anything any more.
            if !state.isMade { state = State(value: value, isMade: true) }
        }
        doneCount.store(partCount, ordering: .relaxed)
    }

    /// Whether it ended, whatever came of it.
    public var isMade: Bool { state.withLock { $0.isMade } }

    /// What was made, if anything was.
    public var value: Value? { state.withLock { $0.value } }

    /// How much of it is done, from 0 to 1.
    public var fraction: Double { Double(min(partCount, doneCount.load(ordering: .relaxed))) / Double(partCount) }

    /// Says that it is no longer wanted. What a pool makes ends now, without a value; a thread of its own is asked to.
    public func cancel() {
        cancelled.store(true, ordering: .relaxed)
        guard let stop else { return }
        stop()
        state.change { $0.isMade = true }
    }

    /// Waits until it ended, at most so many milliseconds.
    ///
    /// - Returns: What was made, if anything was by then.
    @discardableResult
    public func wait(milliseconds: Int) -> Value? {
        state.wait(milliseconds: milliseconds) { $0.isMade }
        return value
    }

    /// Waits until it ended, and cancels it when nobody wants it any more.
    ///
    /// - Returns: What was made; nil if it was cancelled.
    public func wait(unless isUnwanted: () -> Bool) -> Value? {
        while !state.wait(milliseconds: 20, until: { $0.isMade }) {
            if isUnwanted() {
                cancel()
                return nil
            }
        }
        return value
    }

    /// Waits until it ended, and takes what was made out of here, so that its new owner can change it without a copy.
    ///
    /// - Returns: What was made; nil if nothing was, or it was taken before.
    public func taken() -> Value? {
        state.wait { state -> Value?? in
            guard state.isMade else { return nil }
            defer { state.value = nil }
            return .some(state.value)
        }
    }
}
