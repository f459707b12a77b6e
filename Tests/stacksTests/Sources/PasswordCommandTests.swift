import Foundation
import Glibc
import TestSupport
import Testing

@testable import stacks

@Suite("Commands that print a password") struct PasswordCommandTests {
    /// Runs a command, and measures the time.
    private func run(_ command: [String], patience: Int = 20_000) -> (password: String?, time: Duration) {
        var password: String?
        let time = ContinuousClock().measure { password = PasswordCommand.run(command, patience: patience) }
        return (password, time)
    }

    private func shell(_ script: String, patience: Int = 20_000) -> (password: String?, time: Duration) {
        run(["/bin/sh", "-c", script], patience: patience)
    }

    @Test func theFirstLineIsThePassword() {
        #expect(shell("echo 'secret 4711'; echo notes").password == "secret 4711")
        #expect(shell("printf 'secret\\r\\n'").password == "secret")
        #expect(shell("printf secret").password == "secret")
    }

    @Test func aCommandThatFailsOrPrintsNothingHasNone() {
        #expect(shell("echo secret; exit 1").password == nil)
        #expect(shell("echo; echo secret").password == nil)
        #expect(run([]).password == nil)
        #expect(run(["/nowhere/at/all"]).password == nil)
    }

    @Test func notesAfterThePasswordMayBeLong() {
        let found = shell("echo secret; head -c 200000 /dev/zero | tr '\\0' x")
        #expect(found.password == "secret")
        #expect(found.time < .seconds(10))
    }

    @Test func aCommandThatPrintsWithoutEndIsEnded() {
        let found = run(["yes"])
        #expect(found.password == nil)
        #expect(found.time < .seconds(10))
    }

    @Test(.thorough, arguments: ["", "trap '' TERM; ", "exec >&-; ", "echo secret; "])
    func aCommandThatDoesNotEndIsKilled(beginning: String) throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "stacks-\(UUID()).pid")
        defer { try? FileManager.default.removeItem(at: file) }
        let found = shell("echo $$ > '\(file.path)'; \(beginning)while :; do sleep 0.1; done", patience: 300)
        #expect(found.password == nil)
        #expect(found.time > .milliseconds(290) && found.time < .seconds(10))
        let id = try #require(pid_t(String(contentsOf: file, encoding: .utf8).prefix { $0 != "\n" }))
        #expect(kill(id, 0) != 0 && errno == ESRCH)
    }

    /// As password managers start their agents.
    @Test func aProgramThatStaysBehindIsNotWaitedFor() {
        let found = shell("sleep 15 & echo secret")
        #expect(found.password == "secret")
        #expect(found.time < .seconds(10))
    }

    @Test func theCommandDoesNotInheritIgnoredSignals() {
        signal(SIGPIPE, SIG_IGN)
        // Signal 13 is bit 12 of the mask.
        let ignored = shell("sed -n 's/^SigIgn:\t*//p' /proc/self/status").password.flatMap { UInt64($0, radix: 16) }
        #expect(ignored.map { $0 >> 12 & 1 } == 0)
    }
}
