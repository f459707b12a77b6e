import Glibc
import Testing

@testable import Threading

@Suite("Threads: background threads") struct BackgroundThreadTests {
    /// Which of these signals the calling thread does not take.
    private static func blocked(of signals: [Int32]) -> [Int32] {
        var mask = sigset_t()
        pthread_sigmask(SIG_BLOCK, nil, &mask)
        return signals.filter { sigismember(&mask, $0) == 1 }
    }

    @Test("They take no signals from outside, but those of their own faults; who starts them takes what it took before")
    func signals() {
        let outside = [SIGTERM, SIGHUP, SIGINT, SIGQUIT, SIGTSTP, SIGWINCH]
        let faults = [SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP]
        let before = Self.blocked(of: outside + faults)
        let result = Locked<[Int32]?>(nil)
        #expect(BackgroundThread.start { result.change { $0 = Self.blocked(of: outside + faults) } })
        #expect(result.wait { $0 } == outside + before.filter { !outside.contains($0) })
        #expect(Self.blocked(of: outside + faults) == before)
    }
}
