internal import Glibc
internal import Synchronization

/// Threads for work that the screen does not wait for.
enum BackgroundThread {
    /// How many share a work that can be shared: one for each processor, up to four.
    static let workerCount = min(max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))), 4)

    private final class Work: Sendable {
        let run: @Sendable () -> Void
        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }

    /// Runs `work` on a thread of its own; on this one where there can be no other.
    static func start(_ work: @escaping @Sendable () -> Void) {
        let boxed = Unmanaged.passRetained(Work(work))
        var thread = pthread_t()
        let code = pthread_create(
            &thread, nil,
            { argument in
                if let argument { Unmanaged<Work>.fromOpaque(argument).takeRetainedValue().run() }
                return nil
            }, boxed.toOpaque())
        if code == 0 {
            pthread_detach(thread)
        } else {
            boxed.release()
            work()
        }
    }
}

/// Where threads leave what they found for the one that the screen belongs to.
final class Mailbox<Item: Sendable>: Sendable {
    private struct State {
        var items: [Item] = []
        var lastNotice: ContinuousClock.Instant?
    }

    private let state = Mutex(State())
    private let notify: @Sendable () -> Void

    /// A mailbox that calls `notify`, on the thread that posts, when there is something to take.
    init(_ notify: @escaping @Sendable () -> Void) {
        self.notify = notify
    }

    /// Leaves an item. The other thread is woken at once where it is urgent, and else now and then: nobody can follow
    /// more than some changes a second.
    func post(_ item: Item, isUrgent: Bool) {
        let isDue = state.withLock { state in
            state.items.append(item)
            let now = ContinuousClock.now
            if !isUrgent, let last = state.lastNotice, last.duration(to: now) < Self.pause { return false }
            state.lastNotice = now
            return true
        }
        if isDue { notify() }
    }

    private static var pause: Duration { .milliseconds(50) }

    /// All that was left since the last call.
    func takeAll() -> [Item] {
        state.withLock { state in
            defer { state.items = [] }
            return state.items
        }
    }
}
