internal import CSystem
internal import Glibc
internal import Storage
internal import Threading

/// Deletes a directory before a signal ends the program.
final class TerminationCleanup: Sendable {
    private let directory = Locked<String?>(nil)

    private static let signals = [SIGINT, SIGTERM, SIGHUP]

    /// Takes over the signals that end the program; call it before any thread is started, as they inherit this.
    init() {
        var signals = sigset_t()
        sigemptyset(&signals)
        // Signals that the program was started to ignore, as nohup does, stay ignored.
        for number in Self.signals where !cs_is_ignored(number) { sigaddset(&signals, number) }
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        let directory = directory
        BackgroundThread.start { [signals] in
            var (signals, number) = (signals, Int32(0))
            guard sigwait(&signals, &number) == 0 else { return }
            // Nobody makes another one after this.
            directory.withLock { path in
                if let path { try? deleteDirectory(path) }
                signal(number, SIG_DFL)
                pthread_sigmask(SIG_UNBLOCK, &signals, nil)
                raise(number)
            }
        }
    }

    /// Sets the directory to be deleted; nil if there is none any more.
    func delete(_ path: String?) { directory.withLock { $0 = path } }
}
