import Glibc
import Testing

@testable import Storage

@Suite("Programs between pipes") struct PipedProgramTests {
    private let temporary = TemporaryDirectory()

    /// Starts a script, and returns it with its output up to the end, or up to its first line.
    private func program(_ script: String, upToFirstLine: Bool = false) throws -> (PipedProgram, String) {
        temporary.put("#!/bin/sh\n" + script + "\n", at: "script", mode: 0o755)
        let program = try started(temporary("script"))
        var output: [UInt8] = []
        while !upToFirstLine || output.last != UInt8(ascii: "\n") {
            guard let part = try program.read(waiting: 10_000), !part.isEmpty else { break }
            output += part
        }
        return (program, output.text)
    }

    /// Starts a script that was just written. As long as a program that another test has started at that moment has it open
    /// for writing, too, it cannot be executed.
    private func started(_ path: String) throws -> PipedProgram {
        for _ in 0..<500 {
            do throws(FileError) {
                return try PipedProgram(path)
            } catch {
                guard error.code == ETXTBSY else { throw error }
                usleep(10_000)
            }
        }
        return try PipedProgram(path)
    }

    /// What a program with a terminal types into it is executed by the shell.
    @Test func aProgramHasASessionOfItsOwnWithoutATerminal() throws {
        let (_, stat) = try program("exec cat /proc/self/stat")
        // After the name: the state, parent, process group, session and terminal; see proc(5).
        let fields = stat[stat.index(after: try #require(stat.lastIndex(of: ")")))...].split(separator: " ")
        let process = stat.prefix { $0 != " " }
        #expect(fields[2] == process && fields[3] == process && fields[4] == "0")
    }

    @Test func aProgramEndsWithThoseThatItHasStarted() throws {
        let (piped, line) = try program("sleep 300 & echo $!; wait", upToFirstLine: true)
        let child = line.prefix { $0 != "\n" }
        piped.end()
        func isRunning() -> Bool {
            guard let file = fopen("/proc/\(child)/stat", "r") else { return false }
            defer { fclose(file) }
            var text = [CChar](repeating: 0, count: 256)
            guard fgets(&text, 256, file) != nil else { return false }
            let stat = String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
            return !stat.contains(") Z ")
        }
        for _ in 0..<500 where isRunning() { usleep(10_000) }
        #expect(!isRunning())
    }

    @Test func aProgramEndedByASignalIsDistinguishedFromOneThatExits() throws {
        #expect(try program("kill -SEGV $$").0.isKilled)
        #expect(try !program("exit 3").0.isKilled)
        // One that has only closed its output.
        let (running, _) = try program("exec >&-; sleep 300")
        #expect(!running.isKilled)
        running.end()
        #expect(!running.isKilled)
    }
}
