internal import Glibc

/// A pipe that takes the place of the terminal as input until what was written into it has been read.
struct InputSubstitute {
    private let input: Int32
    private let terminal: Int32
    private let writing: Int32
    private let flags: Int32

    /// Replaces the terminal that is open as `input`; nil if the system has no descriptors left.
    init?(for input: Int32) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return nil }
        _ = fcntl(ends[1], F_SETFD, FD_CLOEXEC)
        // A system may give a pipe less room, and nobody else would empty it.
        _ = fcntl(ends[1], F_SETFL, O_NONBLOCK)
        let terminal = fcntl(input, F_DUPFD_CLOEXEC, 0)
        defer { Glibc.close(ends[0]) }
        flags = fcntl(input, F_GETFD)
        guard terminal >= 0, dup2(ends[0], input) >= 0 else {
            for descriptor in [ends[1], terminal] where descriptor >= 0 { Glibc.close(descriptor) }
            return nil
        }
        (self.input, self.terminal, writing) = (input, terminal, ends[1])
    }

    /// Adds bytes to the input, at most what a pipe holds.
    func write(_ bytes: [UInt8]) {
        _ = bytes.withUnsafeBytes { Glibc.write(writing, $0.baseAddress, $0.count) }
    }

    /// Makes the terminal the input again.
    func end() {
        dup2(terminal, input)
        _ = fcntl(input, F_SETFD, flags)
        Glibc.close(terminal)
        Glibc.close(writing)
    }
}
