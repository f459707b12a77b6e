import Glibc
import Testing

@testable import NcursesTerminal

struct StandardErrorCaptureTests {
    @Test func whatIsWrittenMeanwhileComesAfterwards() async {
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
}
