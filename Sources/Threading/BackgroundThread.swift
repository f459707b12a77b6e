internal import CSystem
internal import Glibc

/// Threads for work that the screen does not wait for.
public enum BackgroundThread {
    /// How many share a work that can be shared: one for each processor, up to four.
    public static let workerCount = min(max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))), 4)

    /// Once, before the first of them.
    private static let sharesMemory: Void = cs_share_memory()

    /// How a thread shares the processors.
    public enum Scheduling: Sendable {
        /// As the screen's own thread, for work that the reader waits for.
        case interactive
        /// It gets its share beside other programs, but gives way to a thread that wakes up, such as the screen's:
        /// `SCHED_BATCH` of sched(7). A niceness would give way to all other programs, too.
        case batch
    }

    /// The signals that come from outside, which no background thread takes.
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

    /// Keeps a value for so long, so that it is freed on another thread when all others have forgotten it.
    public static func keep(_ value: some Sendable, milliseconds: UInt32) {
        start {
            usleep(milliseconds * 1000)
            withExtendedLifetime(value) {}
        }
    }

    /// Runs `work` on a thread of its own.
    ///
    /// - Returns: Whether there can be one more; where not, `work` is not done.
    @discardableResult
    public static func start(as scheduling: Scheduling = .batch, _ work: @escaping @Sendable () -> Void) -> Bool {
        sharesMemory
        let boxed = Unmanaged.passRetained(Work(scheduling, work))
        var thread = pthread_t()
        // A thread that starts before the terminal is open would take a signal that the screen's thread waits for.
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
