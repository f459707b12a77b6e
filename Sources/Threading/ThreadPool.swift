internal import Synchronization

/// A job in parts for the threads of a pool: the parts run in any order and in parallel, and then one thread combines
/// them.
public protocol ParallelJob: AnyObject, Sendable {
    /// The result of the job.
    associatedtype Outcome: Sendable

    /// The number of parts.
    var partCount: Int { get }
    /// Performs a part, numbered from 0 to below `partCount`.
    func perform(part: Int)
    /// Called on the thread that performed the last part, unless the job was cancelled.
    ///
    /// - Returns: The result, if there is one.
    func complete() -> Outcome?
    /// Called on cancellation: started parts may end early.
    func stop()
}

extension ParallelJob {
    /// Lets started parts run to their end.
    public func stop() {}
}

/// Threads that wait for jobs and perform the parts of several jobs at once. The newest job comes first, because the
/// user waits for that one.
///
/// Each scheduling policy has its own threads, so that interactive jobs never wait for batch jobs.
public final class ThreadPool: Sendable {
    /// The pool that the whole program shares.
    public static let shared = ThreadPool()

    /// An instruction to a thread.
    private enum Order {
        case work(Run)
        case end
    }

    /// The jobs with one scheduling policy, and their threads.
    private struct Lane {
        var runs: [Run] = []
        var threadCount = 0
        var isClosed = false

        /// Returns the newest job that has parts left to start, an order to end if the pool is closed, or nil if the
        /// thread must wait.
        mutating func nextOrder() -> Order? {
            runs.removeAll { !$0.hasParts }
            return runs.last.map(Order.work) ?? (isClosed ? .end : nil)
        }
    }

    private let interactive = Locked(Lane())
    private let batch = Locked(Lane())
    private let threadCount: Int

    /// Creates a pool with `threadCount` threads for each scheduling policy, by default one for each processor and at
    /// most four. They start with the first job. Without threads, the caller performs the job.
    public init(threadCount: Int = BackgroundThread.workerCount) { self.threadCount = threadCount }

    deinit { for lane in [interactive, batch] { lane.change { $0.isClosed = true } } }

    /// Starts a job; `notify` is called on any thread when it is complete.
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

    /// Calls `body` with each number below `count`, on the calling thread and on others, and returns when all calls
    /// have returned.
    ///
    /// - Parameters:
    ///   - threadCount: The maximum number of threads that share the work.
    ///   - makeState: Creates the state that one thread reuses for all its calls.
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

    /// Calls `body` in the same way, without a state per thread.
    public func forEach(
        _ count: Int, threadCount: Int, as scheduling: BackgroundThread.Scheduling = .batch,
        _ body: @escaping @Sendable (Int) -> Void
    ) {
        forEach(count, threadCount: threadCount, as: scheduling, with: {}) { _, number in body(number) }
    }

    /// Returns the results of `body` for consecutive ranges of the numbers below `count`, in order. Each range has
    /// `size` numbers, the last one perhaps fewer; the calls run in parallel on the calling thread and on others.
    ///
    /// - Parameter makeState: Creates the state that one thread reuses for all its calls.
    public func map<State: ~Copyable, Result: Sendable>(
        _ count: Int, by size: Int, as scheduling: BackgroundThread.Scheduling = .interactive,
        with makeState: @escaping @Sendable () -> State,
        _ body: @escaping @Sendable (inout State, Range<Int>) -> Result
    ) -> [Result] {
        let parts = stride(from: 0, to: count, by: size).map { $0..<min($0 + size, count) }
        let results = Locked([Result?](repeating: nil, count: parts.count))
        forEach(parts.count, threadCount: threadCount, as: scheduling, with: makeState) { state, number in
            let result = body(&state, parts[number])
            results.withLock { $0[number] = result }
        }
        return results.withLock { $0.compactMap(\.self) }
    }

    /// Returns the results of `body` in the same way, without a state per thread.
    public func map<Result: Sendable>(
        _ count: Int, by size: Int, as scheduling: BackgroundThread.Scheduling = .interactive,
        _ body: @escaping @Sendable (Range<Int>) -> Result
    ) -> [Result] {
        map(count, by: size, as: scheduling, with: {}) { _, numbers in body(numbers) }
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
                // Part by part, so that a newer job comes before the rest of this one.
                while case .work(let run) = lane.wait(for: { $0.nextOrder() }) { run.performNext() }
            }
            if !isStarted { lane.withLock { $0.threadCount -= 1 } }
        }
        // If no thread could be created, the calling thread does the work.
        if lane.withLock({ $0.threadCount }) == 0 { run.work() }
    }
}

/// A job with the number of its next part.
private final class Run: Sendable {
    private let partCount: Int
    private let isCancelled: @Sendable () -> Bool
    private let perform: @Sendable (Int) -> Void
    private let next = Atomic(0)

    /// An empty job has one part that does nothing, so that a thread completes the job.
    init(partCount: Int, isCancelled: @escaping @Sendable () -> Bool, perform: @escaping @Sendable (Int) -> Void) {
        self.partCount = max(1, partCount)
        self.isCancelled = isCancelled
        self.perform = perform
    }

    /// Whether a part is left to start.
    var hasParts: Bool { !isCancelled() && next.load(ordering: .relaxed) < partCount }

    /// Performs the next part, if one is left to start.
    ///
    /// - Returns: Whether there was one.
    @discardableResult
    func performNext() -> Bool {
        if isCancelled() { return false }
        let part = next.wrappingAdd(1, ordering: .relaxed).oldValue
        if part >= partCount { return false }
        perform(part)
        return true
    }

    /// Performs parts until none is left to start.
    func work() { while performNext() {} }
}

/// A range of numbers that threads take one by one, each with its own state.
private final class Iteration<State: ~Copyable>: Sendable {
    /// The number of threads that share the numbers, each of which performs one part.
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
