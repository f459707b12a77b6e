/// Passes items from worker threads to the thread that owns the screen.
public final class Channel<Item: Sendable>: Sendable {
    private struct State {
        var items: [Item] = []
        var lastNotice: ContinuousClock.Instant?
    }

    private let state = Locked(State())
    private let notify: @Sendable () -> Void

    /// Creates a channel that calls `notify`, on the posting thread, when items can be taken.
    public init(_ notify: @escaping @Sendable () -> Void) {
        self.notify = notify
    }

    /// Posts an item. Notifications are limited to twenty a second, since nobody can follow more changes; therefore the
    /// posting thread must call `flush()` before a pause and at the end.
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

    /// Notifies the other thread if items can be taken.
    public func flush() {
        if state.withLock({ !$0.items.isEmpty }) { notify() }
    }

    private static var pause: Duration { .milliseconds(50) }

    /// Returns and removes all items posted since the last call.
    public func takeAll() -> [Item] {
        state.withLock { state in
            defer { state.items = [] }
            return state.items
        }
    }
}
