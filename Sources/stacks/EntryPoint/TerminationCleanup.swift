internal import CSystem
internal import Glibc
internal import Threading

/// Cleans up before a signal ends the program.
final class TerminationCleanup: Sendable {
    private let cleanUp = Locked<(@Sendable () -> Void)?>(nil)

    private static let signals = [SIGINT, SIGTERM, SIGHUP]

    /// Handles the signals that end the program. Must be created before any thread is started, because threads inherit
    /// the signal mask.
    init() {
        var signals = sigset_t()
        sigemptyset(&signals)
        // Signals that the program was started to ignore, as nohup does, stay ignored.
        for number in Self.signals where !cs_is_ignored(number) { sigaddset(&signals, number) }
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        let cleanUp = cleanUp
        BackgroundThread.start { [signals] in
            var (signals, number) = (signals, Int32(0))
            guard sigwait(&signals, &number) == 0 else { return }
            // While the lock is held, no new work can start that would need to be cleaned up.
            cleanUp.withLock { cleanUp in
                cleanUp?()
                signal(number, SIG_DFL)
                pthread_sigmask(SIG_UNBLOCK, &signals, nil)
                raise(number)
            }
        }
    }

    /// Sets the cleanup; nil for none.
    func set(_ cleanUp: (@Sendable () -> Void)?) { self.cleanUp.withLock { $0 = cleanUp } }

    /// Calls `body`, which returns the cleanup; the program does not end meanwhile.
    func begin<Result, Failure: Error>(
        _ body: () throws(Failure) -> (Result, @Sendable () -> Void)
    ) throws(Failure) -> Result {
        try cleanUp.withLock { cleanUp throws(Failure) in
            let (result, new) = try body()
            cleanUp = new
            return result
        }
    }
}
