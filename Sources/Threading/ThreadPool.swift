internal import Synchronization

/// A work in parts that the threads of a pool do: the parts in any order and side by side, and then, once, what makes a whole
/// of them.
public protocol ParallelJob: AnyObject, Sendable {
    /// What it makes.
    associatedtype Outcome: Sendable

    /// How many parts there are.
    var partCount: Int { get }
    /// Does a part, from 0 to below the count.
    func perform(part: Int)
    /// Called on the thread that did the last part, unless the job was cancelled before.
    ///
    /// - Returns: What was made, if anything was.
    func complete() -> Outcome?
    /// Called when it is cancelled: parts that were begun may end early.
    func stop()
}

extension ParallelJob {
    /// Lets parts that were begun go on to their end.
    public func stop() {}
}

/// Threads that wait for jobs, and do the parts of several at once. The newest job comes first: it is what the reader waits
/// for.
///
/// Jobs of the two kinds of scheduling have threads of their own, so that what the reader waits for never waits for what they
/// do not.
public final class ThreadPool: Sendable {
    /// The threads that all share.
    public static let shared = ThreadPool()

    /// What a thread is to do.
    private enum Order {
        case work(Run)
        case end
    }

    /// The jobs of one kind of scheduling, and their threads.
    private struct Lane {
        var runs: [Run] = []
        var threadCount = 0
        var isClosed = false

        /// What a thread does next: the newest job that has parts to begin, or to end; nil to wait.
        mutating func nextOrder() -> Order? {
            runs.removeAll { !$0.hasParts }
            return runs.last.map(Order.work) ?? (isClosed ? .end : nil)
        }
    }

    private let interactive = Locked(Lane())
    private let batch = Locked(Lane())
    private let threadCount: Int

    /// A pool of so many threads for each kind of scheduling, which begin with the first job; by default one for each
    /// processor, up to four. Without any, who gives a job does it.
    public init(threadCount: Int = BackgroundThread.workerCount) { self.threadCount = threadCount }

    deinit { for lane in [interactive, batch] { lane.change { $0.isClosed = true } } }

    /// Begins a job; `notify` is called on any thread when it is complete.
    public func start<Job: ParallelJob>(
        _ job: Job, as scheduling: BackgroundThread.Scheduling = .interactive,
        notifying notify: @escaping @Sendable () -> Void = {}
    ) -> BackgroundTask<Job.Outcome> {
        let task = BackgroundTask<Job.Outcome>(partCount: job.partCount) { job.stop() }
        let run = Run(
            partCount: job.partCount, isCancelled: { task.isCancelled },
            perform: { part in
                if part < job.partCount { job.perform(part: part) }
                guard task.countPart(), !task.isCancelled else { return }
                task.finish(job.complete())
                notify()
            })
        add(run, as: scheduling)
        return task
    }

    /// Calls `body` with each number below `count`, on the caller's thread and on others, and returns when all are done.
    ///
    /// - Parameters:
    ///   - threadCount: How many threads share the work at most.
    ///   - makeState: What a thread needs for it; each makes its own.
    public func forEach<State: ~Copyable>(
        _ count: Int, threadCount: Int, as scheduling: BackgroundThread.Scheduling = .batch,
        with makeState: @escaping @Sendable () -> State, _ body: @escaping @Sendable (inout State, Int) -> Void
    ) {
        let job = Iteration(count, threadCount: threadCount, makeState, body)
        let task = BackgroundTask<Bool>(partCount: job.partCount) {}
        let run = Run(partCount: job.partCount, isCancelled: { false }) { part in
            job.perform(part: part)
            if task.countPart() { task.finish(true) }
        }
        if job.partCount > 1 { add(run, as: scheduling) }
        run.work()
        _ = task.taken()
    }

    /// The same without anything that a thread needs.
    public func forEach(
        _ count: Int, threadCount: Int, as scheduling: BackgroundThread.Scheduling = .batch,
        _ body: @escaping @Sendable (Int) -> Void
    ) {
        forEach(count, threadCount: threadCount, as: scheduling, with: {}) { _, number in body(number) }
    }

    /// Returns what `body` makes of each part of the numbers below `count`, in order. Each part has `size` numbers, the last
    /// one perhaps fewer; they are made side by side on the caller's thread and on others.
    public func map<Result: Sendable>(
        _ count: Int, by size: Int, as scheduling: BackgroundThread.Scheduling = .interactive,
        _ body: @escaping @Sendable (Range<Int>) -> Result
    ) -> [Result] {
        let parts = stride(from: 0, to: count, by: size).map { $0..<min($0 + size, count) }
        if parts.count < 2 { return parts.map(body) }
        let results = Locked([Result?](repeating: nil, count: parts.count))
        forEach(parts.count, threadCount: threadCount, as: scheduling) { number in
            let result = body(parts[number])
            results.withLock { $0[number] = result }
        }
        return results.withLock { $0.compactMap(\.self) }
    }

    private func add(_ run: Run, as scheduling: BackgroundThread.Scheduling) {
        let lane = scheduling == .batch ? batch : interactive
        let missingCount = lane.change { lane in
            lane.runs.append(run)
            defer { lane.threadCount = threadCount }
            return threadCount - lane.threadCount
        }
        for _ in 0..<missingCount {
            let isStarted = BackgroundThread.start(as: scheduling) {
                while case .work(let run) = lane.wait(for: { $0.nextOrder() }) { run.work() }
            }
            if !isStarted { lane.withLock { $0.threadCount -= 1 } }
        }
        // Without a thread there is nobody else.
        if lane.withLock({ $0.threadCount }) == 0 { run.work() }
    }
}

/// A job while its parts are done.
private final class Run: Sendable {
    private let partCount: Int
    private let isCancelled: @Sendable () -> Bool
    private let perform: @Sendable (Int) -> Void
    private let next = Atomic(0)

    /// There is a part that does nothing if there are none, so that somebody comes to the end.
    init(partCount: Int, isCancelled: @escaping @Sendable () -> Bool, perform: @escaping @Sendable (Int) -> Void) {
        self.partCount = max(1, partCount)
        self.isCancelled = isCancelled
        self.perform = perform
    }

    /// Whether a part is left to begin.
    var hasParts: Bool { !isCancelled() && next.load(ordering: .relaxed) < partCount }

    /// Does parts until none is left to begin.
    func work() {
        while !isCancelled() {
            let part = next.wrappingAdd(1, ordering: .relaxed).oldValue
            if part >= partCount { return }
            perform(part)
        }
    }
}

/// Numbers that threads take one by one, each with a state of its own.
private final class Iteration<State: ~Copyable>: Sendable {
    /// One for each thread.
    let partCount: Int
    private let count: Int
    private let next = Atomic(0)
    private let makeState: @Sendable () -> State
    private let body: @Sendable (inout State, Int) -> Void

    init(
        _ count: Int, threadCount: Int, _ makeState: @escaping @Sendable () -> State,
        _ body: @escaping @Sendable (inout State, Int) -> Void
    ) {
        self.count = count
        self.makeState = makeState
        self.body = body
        partCount = max(1, min(threadCount, count))
    }

    func perform(part: Int) {
        var state = makeState()
        while true {
            let number = next.wrappingAdd(1, ordering: .relaxed).oldValue
            if number >= count { return }
            body(&state, number)
        }
    }
}
