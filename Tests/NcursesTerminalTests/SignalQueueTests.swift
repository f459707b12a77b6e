import Glibc
import Testing

@testable import NcursesTerminal

@Suite("Terminal: signals") struct SignalQueueTests {
    /// In a separate process, to its own thread: the test runner's threads accept signals.
    @Test func signalsWaitToBeRead() async {
        await #expect(processExitsWith: .exitCode(7)) {
            var queue = try SignalQueue()
            for number in [SIGWINCH, SIGTERM, SIGTSTP] { pthread_kill(pthread_self(), number) }
            var notices: [String] = []
            for notice in queue.takeAll() {
                switch notice {
                case .windowChanged: notices.append("window")
                case .stopRequested: notices.append("stop")
                case .continued: notices.append("continued")
                case .termination(let number): notices.append("end \(number)")
                }
            }
            exit(notices.sorted() == ["end 15", "stop", "window"] && queue.takeAll().isEmpty ? 7 : 1)
        }
    }

    @Test func signalsTakeTheirCourseAgainAfterwards() async {
        await #expect(processExitsWith: .signal(SIGTERM)) {
            // The runner's threads block all signals; a program's do not.
            var none = sigset_t()
            sigemptyset(&none)
            pthread_sigmask(SIG_SETMASK, &none, nil)
            let queue = try SignalQueue()
            queue.unblock()
            pthread_kill(pthread_self(), SIGTERM)
            sleep(5)
        }
    }

    @Test func anIgnoredSignalStaysIgnored() async {
        await #expect(processExitsWith: .exitCode(7)) {
            signal(SIGHUP, SIG_IGN)
            var queue = try SignalQueue()
            pthread_kill(pthread_self(), SIGHUP)
            exit(!queue.isTerminationRequested && queue.takeAll().isEmpty ? 7 : 1)
        }
    }

    @Test func aPendingEndIsKnownBeforeAndAfterReadingTheSignal() async {
        await #expect(processExitsWith: .exitCode(7)) {
            var queue = try SignalQueue()
            pthread_kill(pthread_self(), SIGWINCH)
            guard !queue.isTerminationRequested else { exit(1) }
            pthread_kill(pthread_self(), SIGTERM)
            guard queue.isTerminationRequested, queue.takeAll().count == 2, queue.isTerminationRequested else {
                exit(2)
            }
            exit(7)
        }
    }
}
