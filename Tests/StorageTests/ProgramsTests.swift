import Glibc
import Testing

@testable import Storage

@Suite("Programs in a separate session") struct ProgramsTests {
    private let temporary = TemporaryDirectory()

    @Test(arguments: [("true", 0), ("false", 1)])
    func theExitStatusOfAProgramIsReported(program: String, status: Int32) {
        #expect(runApart(program, with: "x", waiting: 10_000) == .exited(status))
    }

    @Test func aKilledProgramIsNotASuccess() {
        temporary.put("kill -KILL $$\n", at: "script")
        #expect(runApart("sh", with: temporary("script"), waiting: 10_000) == .killed(SIGKILL))
    }

    @Test func aMissingProgramIsReported() {
        #expect(runApart("no-such-program", with: "x", waiting: 10_000) == .notStarted(ENOENT))
    }

    @Test func aLongRunningProgramIsNotWaitedFor() {
        #expect(runApart("sleep", with: "2", waiting: 30) == .running)
    }

    @Test func theArgumentStaysOneWhateverItContains() {
        temporary.put("", at: "a b;c")
        #expect(runApart("ls", with: temporary("a b;c"), waiting: 10_000) == .exited(0))
    }
}
