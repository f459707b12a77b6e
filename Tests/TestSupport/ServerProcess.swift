private import Glibc

/// A server process for tests, which prints a line when it is ready and ends at the end of its input.
public final class ServerProcess: Sendable {
    private let id: pid_t
    private let input: Int32
    private let output: Int32
    /// The words of the line that it printed.
    public let words: [String]

    /// Starts the script with this name in Tests/Servers.
    ///
    /// - Parameter python: The path of Python.
    /// - Throws: `ServerFailure` if it does not report that it is ready.
    public init(script: String, arguments: [String] = [], python: String = "/usr/bin/python3") throws {
        let tests = #filePath.split(separator: "/").dropLast(2).map { "/" + $0 }.joined()
        let (inputs, outputs) = (try PipeEnds(), try PipeEnds())
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, inputs.reading, 0)
        posix_spawn_file_actions_adddup2(&actions, outputs.writing, 1)
        let command = [python, "\(tests)/Servers/\(script)"] + arguments
        let words = command.map { strdup($0) } + [nil]
        let variables = [strdup("PATH=/usr/bin:/bin"), nil]
        defer { (words + variables).forEach { free($0) } }
        var child = pid_t()
        let code = posix_spawn(&child, command[0], &actions, nil, words, variables)
        close(inputs.reading)
        close(outputs.writing)
        (id, input, output) = (child, inputs.writing, outputs.reading)
        self.words = Self.line(from: outputs.reading).split(separator: " ").map(String.init)
        if code != 0 || self.words.isEmpty { throw ServerFailure() }
    }

    /// Sends a line and returns the line of the reply.
    public func ask(_ request: String) -> String {
        let bytes = Array((request + "\n").utf8)
        _ = write(input, bytes, bytes.count)
        return Self.line(from: output)
    }

    private static func line(from descriptor: Int32) -> String {
        var line: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 1 << 16)
        while line.last != 0x0A {
            let count = read(descriptor, &part, part.count)
            if count <= 0 { break }
            line += part[..<count]
        }
        return String(decoding: line.last == 0x0A ? line.dropLast() : line[...], as: UTF8.self)
    }

    deinit {
        close(input)
        close(output)
        // The script may have to stop a server of its own.
        for _ in 0..<500 {
            if waitpid(id, nil, WNOHANG) != 0 { return }
            usleep(20_000)
        }
        kill(id, SIGKILL)
        waitpid(id, nil, 0)
    }
}

/// A server did not start.
public struct ServerFailure: Error {}
