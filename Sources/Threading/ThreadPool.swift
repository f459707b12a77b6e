internal import CSystem
internal import Glibc
internal import Synchronization

/// A work in parts that a team does: the parts in any order and side by side, and then, once, what makes a whole of them.
public protocol ParallelJob: AnyObject, Sendable {
    /// How many parts there are.
    var partCount: Int { get }
    /// Does a part, from 0 to below the count.
    func perform(part: Int)
    /// Called on the thread that did the last part, unless the work was stopped before.
    func complete()
}

/// Threads that wait for work. Only the last work that was given counts: one before it is stopped.
public final class ThreadPool: Sendable {
    /// A work that was given to a team.
    public final class Task: Sendable {
        fileprivate let work: any ParallelJob
        private let partCount: Int
        private let next = Atomic(0)
        private let doneCount = Atomic(0)
        private let isStopped = Atomic(false)
        private let latch = Latch()

        fileprivate init(_ work: any ParallelJob) {
            self.work = work
            partCount = work.partCount
        }

        /// Stops the work as soon as the parts that were begun are done.
        public func stop() {
            isStopped.store(true, ordering: .relaxed)
            latch.open()
        }

        /// Waits until the work is complete or was stopped, at most so many milliseconds.
        ///
        /// - Returns: Whether it is.
        public func wait(milliseconds: Int) -> Bool { latch.wait(milliseconds: milliseconds) }

        fileprivate var hasParts: Bool {
            !isStopped.load(ordering: .relaxed) && next.load(ordering: .relaxed) < max(1, partCount)
        }

        /// Does parts until none is left to begin.
        fileprivate func run() {
            while !isStopped.load(ordering: .relaxed) {
                let part = next.wrappingAdd(1, ordering: .relaxed).oldValue
                if part >= max(1, partCount) { return }
                if part < partCount { work.perform(part: part) }
                // What the others did must be seen by who makes a whole of it.
                let done = doneCount.wrappingAdd(1, ordering: .acquiringAndReleasing).newValue
                if done == max(1, partCount) {
                    if !isStopped.load(ordering: .relaxed) { work.complete() }
                    latch.open()
                }
            }
        }
    }

    private struct State {
        var task: Task?
        var threadCount = 0
    }

    private let state = Locked(State())
    private let wakeUp = Latch()
    private let threadCount: Int
    private let scheduling: BackgroundThread.Scheduling

    /// A team of so many threads, which begin with the first work, by default one for each processor, up to four.
    ///
    /// - Parameter scheduling: How they share the processors.
    public init(
        threadCount: Int = BackgroundThread.workerCount, scheduling: BackgroundThread.Scheduling = .interactive
    ) {
        self.threadCount = threadCount
        self.scheduling = scheduling
    }

    /// Begins a work, and stops the one before.
    public func start(_ work: any ParallelJob) -> Task {
        let task = Task(work)
        let missingCount = state.withLock { state in
            state.task?.stop()
            state.task = task
            defer { state.threadCount = threadCount }
            return threadCount - state.threadCount
        }
        for _ in 0..<missingCount {
            let isStarted = BackgroundThread.start(as: scheduling) { [state, wakeUp] in Self.serve(state, wakeUp) }
            if !isStarted { state.withLock { $0.threadCount -= 1 } }
        }
        // Without a thread there is nobody else.
        if state.withLock({ $0.threadCount }) == 0 { task.run() }
        wakeUp.pulse()
        return task
    }

    private static func serve(_ state: Locked<State>, _ wakeUp: Latch) {
        while true {
            let seen = wakeUp.pulseCount
            let task = state.withLock { $0.task }
            if let task, task.hasParts {
                task.run()
            } else {
                wakeUp.waitForPulse(after: seen)
            }
        }
    }
}

// Unchecked, as the compiler cannot know that the values are only touched with the lock.
/// What threads wait at until another opens it.
package final class Latch: @unchecked Sendable {
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private var isOpen = false
    private var pulses = 0

    /// A latch that is closed.
    package init() {
        mutex.initialize(to: pthread_mutex_t())
        condition.initialize(to: pthread_cond_t())
        pthread_mutex_init(mutex, nil)
        cs_make_condition(condition)
    }

    deinit {
        pthread_cond_destroy(condition)
        pthread_mutex_destroy(mutex)
        condition.deallocate()
        mutex.deallocate()
    }

    /// Lets all go on who wait, now and later.
    package func open() {
        pthread_mutex_lock(mutex)
        isOpen = true
        pthread_cond_broadcast(condition)
        pthread_mutex_unlock(mutex)
    }

    /// Waits until it is open, at most so many milliseconds.
    ///
    /// - Returns: Whether it is.
    package func wait(milliseconds: Int) -> Bool {
        let end = cs_now() + Int64(milliseconds)
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        while !isOpen {
            if cs_wait_until(condition, mutex, end) == ETIMEDOUT { return isOpen }
        }
        return true
    }

    /// How often `pulse()` was called.
    package var pulseCount: Int {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return pulses
    }

    /// Lets all go on who wait for a pulse.
    package func pulse() {
        pthread_mutex_lock(mutex)
        pulses += 1
        pthread_cond_broadcast(condition)
        pthread_mutex_unlock(mutex)
    }

    /// Waits until there were more pulses than `count`.
    package func waitForPulse(after count: Int) {
        pthread_mutex_lock(mutex)
        while pulses == count { pthread_cond_wait(condition, mutex) }
        pthread_mutex_unlock(mutex)
    }
}
