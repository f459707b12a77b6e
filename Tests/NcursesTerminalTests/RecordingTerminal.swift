import Foundation

/// A pseudo-terminal that records what a program sends.
final class RecordingTerminal {
    private var master: Int32 = -1
    private var process: pid_t = 0
    /// The status of the process, once it has ended.
    private(set) var status: Int32 = -1

    /// Starts `command` on a terminal of this size.
    init(_ command: [String], environment: [String: String], rows: Int, columns: Int) throws {
        var line: Int32 = -1
        var size = winsize(ws_row: UInt16(rows), ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
        var name = [CChar](repeating: 0, count: 100)
        guard openpty(&master, &line, &name, nil, &size) == 0 else { throw POSIXError(.EIO) }
        defer { close(line) }
        _ = fcntl(master, F_SETFD, FD_CLOEXEC)
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, name, O_RDWR, 0)
        posix_spawn_file_actions_adddup2(&actions, 0, 1)
        posix_spawn_file_actions_adddup2(&actions, 0, 2)
        posix_spawn_file_actions_addclose(&actions, line)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // POSIX_SPAWN_SETSID is declared only with _GNU_SOURCE.
        posix_spawnattr_setflags(&attributes, 0x80)
        let arguments = command.map { strdup($0) } + [nil]
        let variables = environment.map { strdup($0.key + "=" + $0.value) } + [nil]
        defer { (arguments + variables).forEach { free($0) } }
        guard posix_spawn(&process, command[0], &actions, &attributes, arguments, variables) == 0 else {
            throw POSIXError(.ENOENT)
        }
    }

    deinit {
        if status < 0 {
            kill(process, SIGKILL)
            waitpid(process, nil, 0)
        }
        close(master)
    }

    /// Returns all output until the process ends.
    ///
    /// - Parameter answer: What the terminal answers to the first question for its attributes.
    func run(answering answer: String?) -> [UInt8] {
        var output: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        var isAnswered = false
        while case let count = read(master, &chunk, chunk.count), count > 0 {
            output += chunk.prefix(count)
            if let answer, !isAnswered, output.count < 1 << 16,
                String(decoding: output, as: UTF8.self).contains("\u{1B}[c")
            {
                isAnswered = true
                _ = write(master, answer, answer.utf8.count)
            }
        }
        var code: Int32 = 0
        waitpid(process, &code, 0)
        status = code & 0x7F == 0 ? code >> 8 & 0xFF : 128 + code & 0x7F
        return output
    }
}
