import Glibc
import Testing

@testable import NcursesTerminal

@Suite("Terminal: standard error while the screen is up") struct StandardErrorCaptureTests {
    @Test func capturedOutputAppearsAfterwards() async {
        await #expect(processExitsWith: .exitCode(7)) {
            var ends: [Int32] = [0, 0]
            pipe(&ends)
            dup2(ends[1], STDERR_FILENO)
            _ = fcntl(ends[0], F_SETFL, O_NONBLOCK)
            var buffer = [UInt8](repeating: 0, count: 16)
            do {
                let capture = StandardErrorCapture()
                _ = write(STDERR_FILENO, "later", 5)
                if read(ends[0], &buffer, buffer.count) != -1 { exit(1) }
                _ = consume capture
            }
            let count = read(ends[0], &buffer, buffer.count)
            exit(count == 5 && String(decoding: buffer.prefix(5), as: UTF8.self) == "later" ? 7 : 2)
        }
    }

    /// Writing to a terminal that accepts no output would block forever.
    @Test func discardedOutputNeverAppears() async {
        await #expect(processExitsWith: .exitCode(7)) {
            var ends: (master: Int32, line: Int32) = (-1, -1)
            openpty(&ends.master, &ends.line, nil, nil, nil)
            dup2(ends.line, STDERR_FILENO)
            tcflow(STDERR_FILENO, TCOOFF)
            do {
                let capture = StandardErrorCapture()
                _ = write(STDERR_FILENO, "never", 5)
                capture?.discard()
                _ = consume capture
            }
            _ = write(STDERR_FILENO, "never", 5)
            tcflow(ends.line, TCOON)
            _ = fcntl(ends.master, F_SETFL, O_NONBLOCK)
            var byte: UInt8 = 0
            exit(read(ends.master, &byte, 1) == -1 ? 7 : 1)
        }
    }

    @Test func withoutATerminalNothingIsDiscarded() async {
        await #expect(processExitsWith: .exitCode(7)) {
            var ends: [Int32] = [0, 0]
            pipe(&ends)
            dup2(ends[1], STDERR_FILENO)
            do {
                let capture = StandardErrorCapture()
                _ = write(STDERR_FILENO, "later", 5)
                capture?.discard()
                _ = consume capture
            }
            var buffer = [UInt8](repeating: 0, count: 16)
            exit(read(ends[0], &buffer, buffer.count) == 5 ? 7 : 2)
        }
    }
}
