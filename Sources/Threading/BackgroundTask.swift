internal import Synchronization

/// Something that a thread in the background makes.
public final class BackgroundTask<Value: Sendable>: Sendable {
    private let made = Locked<Value?>(nil)
    private let cancelled = Atomic(false)
    private let latch = Latch()

    /// Begins to make it: `make` is called on another thread, and asks now and then whether it is still wanted; it gives nil
    /// where it is not. Then `notify` is called.
    public init(
        notifying notify: @escaping @Sendable () -> Void = {},
        _ make: @escaping @Sendable (_ isCancelled: @escaping @Sendable () -> Bool) -> Value?
    ) {
        let work: @Sendable () -> Void = { [self] in
            let value = make { [self] in cancelled.load(ordering: .relaxed) }
            made.withLock { $0 = value }
            latch.open()
            notify()
        }
        // Without a thread there is no background.
        if !BackgroundThread.start(work) { work() }
    }

    /// Whether the work is done, whatever came of it.
    public var isMade: Bool { latch.wait(milliseconds: 0) }

    /// What was made; nil as long as it was not.
    public var value: Value? { made.withLock { $0 } }

    /// Says that it is no longer wanted.
    public func cancel() { cancelled.store(true, ordering: .relaxed) }

    /// Waits until it was made, at most so many milliseconds.
    ///
    /// - Returns: What was made; nil where it was not yet.
    public func wait(milliseconds: Int) -> Value? {
        _ = latch.wait(milliseconds: milliseconds)
        return value
    }

    /// Waits until it was made, and takes it out of here, so that its new owner can change it without a copy.
    ///
    /// - Returns: What was made; nil where nothing was, or it was taken before.
    public func taken() -> Value? {
        while !latch.wait(milliseconds: 1000) {}
        return made.withLock { value in
            defer { value = nil }
            return value
        }
    }
}
