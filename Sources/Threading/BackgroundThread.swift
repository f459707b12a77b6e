internal import CSystem
internal import Glibc

/// Threads for work that the screen does not wait for.
public enum BackgroundThread {
    /// The number of threads that share divisible work: one for each processor, at most four.
    public static let workerCount = min(max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))), 4)

    /// Limits the memory arenas once, before the first thread starts.
    private static let sharesMemory: Void = cs_share_memory()

    /// The scheduling policy of a thread.
    public enum Scheduling: Sendable {
        /// The policy of the main thread, for work that the user waits for.
        case interactive
        /// A fair share beside other programs, but threads that wake up, such as the main thread, come first:
        /// `SCHED_BATCH` of sched(7). A nice value would yield to all other programs too.
        case batch
    }

    /// Signals from outside the process, which background threads block.
    private static let signals: sigset_t = {
        var set = sigset_t()
        sigemptyset(&set)
        for signal in [SIGTERM, SIGHUP, SIGINT, SIGQUIT, SIGTSTP, SIGTTOU, SIGWINCH, SIGCONT] {
            sigaddset(&set, signal)
        }
        return set
    }()

    private final class Work: Sendable {
        let scheduling: Scheduling
        let run: @Sendable () -> Void

        init(_ scheduling: Scheduling, _ run: @escaping @Sendable () -> Void) {
            self.scheduling = scheduling
            self.run = run
        }
    }

    /// Keeps a reference to `value` for `milliseconds`, so that it is freed on another thread once all other references
    /// are gone.
    public static func keep(_ value: some Sendable, milliseconds: UInt32) {
        start {
            usleep(milliseconds * 1000)
            withExtendedLifetime(value) {}
        }
    }

    /// Runs `work` on a new thread.
    ///
    /// - Returns: Whether the thread could be created; if not, `work` does not run.
    @discardableResult
    public static func start(as scheduling: Scheduling = .batch, _ work: @escaping @Sendable () -> Void) -> Bool {
        sharesMemory
        let boxed = Unmanaged.passRetained(Work(scheduling, work))
        var thread = pthread_t()
        // A thread that starts before the terminal is open would take a signal that the main thread waits for.
        var (signals, mask) = (Self.signals, sigset_t())
        pthread_sigmask(SIG_BLOCK, &signals, &mask)
        defer { pthread_sigmask(SIG_SETMASK, &mask, nil) }
        let code = pthread_create(
            &thread, nil,
            { argument in
                if let argument {
                    let work = Unmanaged<Work>.fromOpaque(argument).takeRetainedValue()
                    if work.scheduling == .batch { cs_schedule_as_batch() }
                    work.run()
                }
                return nil
            }, boxed.toOpaque())
        if code == 0 { pthread_detach(thread) } else { boxed.release() }
        return code == 0
    }
}
