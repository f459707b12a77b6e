internal import Glibc

/// Threads for work that the screen does not wait for.
public enum BackgroundThread {
    /// How many share a work that can be shared: one for each processor, up to four.
    public static let workerCount = min(max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))), 4)

    private final class Work: Sendable {
        let run: @Sendable () -> Void
        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }

    /// Runs `work` on a thread of its own.
    ///
    /// - Returns: Whether there can be one more; where not, `work` is not done.
    @discardableResult
    public static func start(_ work: @escaping @Sendable () -> Void) -> Bool {
        let boxed = Unmanaged.passRetained(Work(work))
        var thread = pthread_t()
        let code = pthread_create(
            &thread, nil,
            { argument in
                // On Linux this is of the thread alone: the screen, and who draws it, come first.
                setpriority(Int32(PRIO_PROCESS.rawValue), 0, 10)
                if let argument { Unmanaged<Work>.fromOpaque(argument).takeRetainedValue().run() }
                return nil
            }, boxed.toOpaque())
        if code == 0 { pthread_detach(thread) } else { boxed.release() }
        return code == 0
    }
}
