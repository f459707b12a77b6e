internal import CSystem
internal import Glibc

/// Threads for work that the screen does not wait for.
public enum BackgroundThread {
    /// How many share a work that can be shared: one for each processor, up to four.
    public static let workerCount = min(max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))), 4)

    /// Once, before the first of them.
    private static let sharesMemory: Void = cs_share_memory()

    private final class Work: Sendable {
        let niceness: Int32
        let run: @Sendable () -> Void

        init(_ niceness: Int32, _ run: @escaping @Sendable () -> Void) {
            self.niceness = niceness
            self.run = run
        }
    }

    /// Runs `work` on a thread of its own.
    ///
    /// - Parameter niceness: How much it gives way to others, from 0 on. As much as it can without being starved by default:
    ///   the screen, and who draws it, come first.
    /// - Returns: Whether there can be one more; where not, `work` is not done.
    @discardableResult
    public static func start(niceness: Int = 10, _ work: @escaping @Sendable () -> Void) -> Bool {
        sharesMemory
        let boxed = Unmanaged.passRetained(Work(Int32(niceness), work))
        var thread = pthread_t()
        let code = pthread_create(
            &thread, nil,
            { argument in
                if let argument {
                    let work = Unmanaged<Work>.fromOpaque(argument).takeRetainedValue()
                    // On Linux this is of the thread alone.
                    if work.niceness > 0 { setpriority(Int32(PRIO_PROCESS.rawValue), 0, work.niceness) }
                    work.run()
                }
                return nil
            }, boxed.toOpaque())
        if code == 0 { pthread_detach(thread) } else { boxed.release() }
        return code == 0
    }
}
