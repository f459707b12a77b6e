internal import CNcurses
internal import CSystem
internal import Glibc

/// Sends what ncurses writes to the terminal a frame at a time.
///
/// ncurses 6.4 calls write() in the middle of a frame, often at each move of the cursor, and each call wakes the terminal.
/// It also retries until the terminal has taken everything, for ever if need be. Therefore ncurses writes to a file in
/// memory, whose content is sent once per frame, and only as long as the program is not asked to end.
struct FrameOutput: ~Copyable {
    /// Where ncurses writes.
    let file: UnsafeMutablePointer<FILE>
    private let gate: Int32
    private let memory: Int32
    private let terminal: Int32
    private var buffer: [UInt8] = []

    /// An output to the terminal of standard output. Without a file in memory, ncurses writes as it likes.
    init() throws(TerminalError) {
        gate = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3)
        guard gate >= 0, let stream = fdopen(gate, "w") else { throw .system(errno) }
        file = stream
        memory = cs_memory_file("stacks-frame")
        // Opened anew, as whoever shares standard output with us, above all the shell, shares its O_NONBLOCK too. The
        // terminal that controls the process can be opened even where its device cannot, as after su.
        let path = tcgetpgrp(STDOUT_FILENO) >= 0 ? "/dev/tty" : "/proc/self/fd/1"
        let opened = open(path, O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
        terminal = opened >= 0 ? opened : STDOUT_FILENO
    }

    deinit {
        fclose(file)
        if memory >= 0 { _ = close(memory) }
        if terminal != STDOUT_FILENO { _ = close(terminal) }
    }

    /// From now on keeps what is written until it is sent. Before, ncurses finds the terminal there, for its modes.
    func hold() {
        if memory >= 0 { _ = cs_redirect(gate, memory) }
    }

    /// Adds a sequence to what ncurses wrote.
    func write(_ sequence: String) {
        var sequence = sequence
        sequence.withUTF8 { _ = Glibc.write(gate, $0.baseAddress, $0.count) }
    }

    /// Forgets what was written since the last time.
    func discard() {
        if memory >= 0 { lseek(memory, 0, SEEK_SET) }
    }

    /// Sends all that was written since the last time, and waits until the terminal has taken it.
    ///
    /// What a terminal that is gone does not take is lost; so is what one that is stopped does not take in a moment,
    /// once `signals` ask the program to end.
    ///
    /// - Returns: Whether all was taken.
    @discardableResult
    mutating func send(watching signals: borrowing SignalQueue) -> Bool {
        guard memory >= 0, case let count = Int(lseek(memory, 0, SEEK_CUR)), count > 0 else { return true }
        if buffer.count < count { buffer = [UInt8](repeating: 0, count: count) }
        let end = pread(memory, &buffer, count, 0)
        lseek(memory, 0, SEEK_SET)
        var sent = 0
        while sent < end {
            let count = buffer.withUnsafeBytes { Glibc.write(terminal, $0.baseAddress.map { $0 + sent }, end - sent) }
            if count > 0 {
                sent += count
            } else if errno == EAGAIN {
                guard waitForRoom(watching: signals) else { return false }
            } else if errno != EINTR {
                return false
            }
        }
        return true
    }

    /// In milliseconds: a terminal that is only slow is left in order, and who ends the program does not wait long.
    private static let lastPatience: Int32 = 200

    /// Waits until the terminal takes something.
    ///
    /// - Returns: False where the program has to end instead.
    private func waitForRoom(watching signals: borrowing SignalQueue) -> Bool {
        var descriptors = [
            pollfd(fd: terminal, events: Int16(POLLOUT), revents: 0),
            pollfd(fd: signals.terminationDescriptor, events: Int16(POLLIN), revents: 0),
        ]
        if !signals.isTerminationRequested { poll(&descriptors, 2, -1) }
        return !signals.isTerminationRequested || poll(&descriptors, 1, Self.lastPatience) > 0
    }
}
