internal import CSystem
internal import Glibc
internal import Threading

/// A running program whose standard input and output are pipes to this one.
public final class PipedProgram: Sendable {
    private let process: pid_t
    private let input: FileDescriptor
    private let output: FileDescriptor
    private let state = Locked(State())

    private struct State {
        var isInputOpen = true
        var isEnded = false
    }

    /// Starts the program at `path`. Its standard error is discarded.
    ///
    /// - Throws: `FileError` with the path if it cannot be started.
    public init(_ path: String) throws(FileError) {
        var (process, ourInput, ourOutput) = (pid_t(), Int32(), Int32())
        let code = cs_start_between_pipes(path, &ourInput, &ourOutput, &process)
        guard code == 0 else { throw FileError(path: path, operation: .open, code: code) }
        self.process = process
        input = FileDescriptor(owning: ourInput, path: path)
        output = FileDescriptor(owning: ourOutput, path: path)
    }

    deinit { end() }

    /// Writes to the standard input of the program.
    ///
    /// - Throws: `FileError` if the program has ended.
    public func write(_ bytes: [UInt8]) throws(FileError) {
        try state.withLock { state throws(FileError) in
            if !state.isInputOpen { throw FileError(path: input.path, operation: .write, code: EPIPE) }
            try input.write(bytes)
        }
    }

    /// Returns the available output of the program after waiting for at most `milliseconds`: nil if there is none yet,
    /// or an empty array if the program has closed its standard output.
    ///
    /// - Throws: `FileError` if reading fails.
    public func read(waiting milliseconds: Int) throws(FileError) -> [UInt8]? {
        var descriptor = pollfd(fd: output.number, events: Int16(POLLIN), revents: 0)
        let count = poll(&descriptor, 1, Int32(clamping: milliseconds))
        if count == 0 || count < 0 && errno == EINTR { return nil }
        return try output.readAvailable(upTo: 1 << 16)
    }

    /// Whether a signal has ended the program, after it has closed its output; false if it is still running after a
    /// moment.
    public var isKilled: Bool {
        state.withLock { state in
            if state.isEnded { return false }
            var status = siginfo_t()
            for _ in 0..<50 {
                let code = waitid(P_PID, id_t(process), &status, WEXITED | WNOHANG | WNOWAIT)
                if code != 0 || status.si_signo != 0 { break }
                usleep(2000)
            }
            return status.si_signo != 0 && status.si_code != Int32(CLD_EXITED)
        }
    }

    /// Closes the program's input and kills it, with the programs that it has started, if it does not exit soon.
    public func end() {
        let isFirst = state.withLock { state in
            defer { (state.isInputOpen, state.isEnded) = (false, true) }
            return !state.isEnded
        }
        guard isFirst else { return }
        kill(-process, SIGTERM)
        for _ in 0..<50 {
            if waitpid(process, nil, WNOHANG) != 0 { return }
            usleep(2000)
        }
        kill(-process, SIGKILL)
        waitpid(process, nil, 0)
    }
}
