/// Where threads leave what they found for the one that the screen belongs to.
public final class Channel<Item: Sendable>: Sendable {
    private struct State {
        var items: [Item] = []
        var lastNotice: ContinuousClock.Instant?
    }

    private let state = Locked(State())
    private let notify: @Sendable () -> Void

    /// A mailbox that calls `notify`, on the thread that posts, when there is something to take.
    public init(_ notify: @escaping @Sendable () -> Void) {
        self.notify = notify
    }

    /// Leaves an item. The other thread is woken now and then: nobody can follow more than some changes a second. So
    /// who posts must `flush()` before a pause and at the end.
    public func post(_ item: Item) {
        let isDue = state.withLock { state in
            state.items.append(item)
            let now = ContinuousClock.now
            if let last = state.lastNotice, last.duration(to: now) < Self.pause { return false }
            state.lastNotice = now
            return true
        }
        if isDue { notify() }
    }

    /// Wakes the other thread where there is something to take.
    public func flush() {
        if state.withLock({ !$0.items.isEmpty }) { notify() }
    }

    private static var pause: Duration { .milliseconds(50) }

    /// All that was left since the last call.
    public func takeAll() -> [Item] {
        state.withLock { state in
            defer { state.items = [] }
            return state.items
        }
    }
}
