internal import Glibc

/// Threads for work that the screen does not wait for.
public enum BackgroundThread {
    /// How many share a work that can be shared: one for each processor, up to four.
    public static let workerCount = min(max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))), 4)

    private final class Work: Sendable {
        let run: @Sendable () -> Void
        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }

    /// Runs `work` on a thread of its own; on this one where there can be no other.
    public static func start(_ work: @escaping @Sendable () -> Void) {
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
