import Glibc
import Testing

@testable import Storage

@Suite("Programs in a separate session") struct ProgramsTests {
    private let temporary = TemporaryDirectory()

    @Test(arguments: [("true", 0), ("false", 1)])
    func howAProgramEndedIsKnown(program: String, status: Int32) {
        #expect(runApart(program, with: "x", waiting: 10_000) == .exited(status))
    }

    @Test func aProgramThatASignalEndedIsNoSuccess() {
        temporary.put("kill -KILL $$\n", at: "script")
        #expect(runApart("sh", with: temporary("script"), waiting: 10_000) == .killed(SIGKILL))
    }

    @Test func aProgramThatIsNotThereIsNotStarted() {
        #expect(runApart("no-such-program", with: "x", waiting: 10_000) == .notStarted(ENOENT))
    }

    @Test func aProgramThatGoesOnIsNotWaitedFor() {
        #expect(runApart("sleep", with: "2", waiting: 30) == .running)
    }

    @Test func theArgumentIsOneWhateverIsInIt() {
        temporary.put("", at: "a b;c")
        #expect(runApart("ls", with: temporary("a b;c"), waiting: 10_000) == .exited(0))
    }
}
