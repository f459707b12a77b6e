import Glibc
import Testing

@testable import Threading

@Suite("Threads: background threads") struct BackgroundThreadTests {
    /// Returns the signals that the calling thread blocks.
    private static func blocked(of signals: [Int32]) -> [Int32] {
        var mask = sigset_t()
        pthread_sigmask(SIG_BLOCK, nil, &mask)
        return signals.filter { sigismember(&mask, $0) == 1 }
    }

    @Test("They block signals from outside but not those of their own faults; the starting thread keeps its mask")
    func signals() {
        let outside = [SIGTERM, SIGHUP, SIGINT, SIGQUIT, SIGTSTP, SIGWINCH]
        let defects = [SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP]
        let before = Self.blocked(of: outside + defects)
        let result = Locked<[Int32]?>(nil)
        #expect(BackgroundThread.start { result.change { $0 = Self.blocked(of: outside + defects) } })
        #expect(result.wait { $0 } == outside + before.filter { !outside.contains($0) })
        #expect(Self.blocked(of: outside + defects) == before)
    }
}
