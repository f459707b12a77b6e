internal import CNcurses
internal import CSystem
internal import Glibc

/// Sends the output of ncurses to the terminal one frame at a time.
///
/// ncurses 6.4 calls write() in the middle of a frame, often at each cursor movement, and each call wakes the
/// terminal. It also retries until the terminal has accepted everything, possibly forever. Therefore ncurses writes to
/// a memory file, whose contents are sent once per frame, until a termination signal arrives.
struct FrameOutput: ~Copyable {
    /// The stream that ncurses writes to.
    let file: UnsafeMutablePointer<FILE>
    private let streamDescriptor: Int32
    private let memory: Int32
    private let terminal: Int32
    private var buffer: [UInt8] = []
    /// How fast the terminal takes output.
    var speed = OutputSpeed()

    /// Creates an output to the terminal of standard output. If the system has no memory files, ncurses writes to the
    /// terminal directly.
    init() throws(TerminalError) {
        streamDescriptor = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3)
        guard streamDescriptor >= 0, let stream = fdopen(streamDescriptor, "w") else { throw .system(errno) }
        file = stream
        memory = cs_memory_file("stacks-frame")
        // Open the terminal again: the descriptor of standard output shares O_NONBLOCK with other processes, above all
        // the shell. /dev/tty can be opened even if the terminal's device cannot, as after su.
        let path = tcgetpgrp(STDOUT_FILENO) >= 0 ? "/dev/tty" : "/proc/self/fd/1"
        let opened = open(path, O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
        terminal = opened >= 0 ? opened : STDOUT_FILENO
    }

    deinit {
        fclose(file)
        if memory >= 0 { _ = close(memory) }
        if terminal != STDOUT_FILENO { _ = close(terminal) }
    }

    /// Starts to buffer output until `send`; before this call ncurses needs the terminal itself to set its modes.
    func hold() {
        if memory >= 0 { _ = cs_redirect(streamDescriptor, memory) }
    }

    /// Appends a control sequence to the buffered output.
    func write(_ sequence: String) {
        var sequence = sequence
        sequence.withUTF8 { _ = Glibc.write(streamDescriptor, $0.baseAddress, $0.count) }
    }

    /// Appends bytes to the buffered output.
    func write(_ bytes: [UInt8]) {
        _ = bytes.withUnsafeBytes { Glibc.write(streamDescriptor, $0.baseAddress, $0.count) }
    }

    /// The length of the buffered output in bytes.
    var length: Int { memory >= 0 ? max(0, Int(lseek(memory, 0, SEEK_CUR))) : 0 }

    /// Returns whether the buffered output after the first `length` bytes moves lines or characters of the screen: it
    /// inserts, deletes or scrolls them (ECMA-48, sections 8.3.26, 8.3.32, 8.3.64, 8.3.67, 8.3.104, 8.3.113, 8.3.147).
    func movesLines(after length: Int) -> Bool {
        let count = self.length - length
        guard count > 0 else { return false }
        var bytes = [UInt8](repeating: 0, count: count)
        let end = max(0, pread(memory, &bytes, count, off_t(length)))
        var rest = bytes[..<end]
        while let escape = rest.firstIndex(of: 0x1B) {
            rest = rest[(escape + 1)...]
            if rest.first == UInt8(ascii: "M") { return true }
            guard rest.first == UInt8(ascii: "["),
                let final = rest.dropFirst().first(where: { (0x40...0x7E).contains($0) })
            else { continue }
            if "@LMPSTr".utf8.contains(final) { return true }
        }
        return false
    }

    /// Discards the buffered output.
    func discard() {
        if memory >= 0 { lseek(memory, 0, SEEK_SET) }
    }

    /// Sends the buffered output and waits until the terminal has accepted it.
    ///
    /// Output to a terminal that is gone is lost. Once `signals` ask the program to end, a stopped terminal gets 200 ms
    /// to accept the output; the rest is lost.
    ///
    /// - Returns: Whether the terminal accepted all output.
    @discardableResult
    mutating func send(watching signals: borrowing SignalQueue) -> Bool {
        guard memory >= 0, case let count = Int(lseek(memory, 0, SEEK_CUR)), count > 0 else { return true }
        if buffer.count < count { buffer = [UInt8](repeating: 0, count: count) }
        let end = pread(memory, &buffer, count, 0)
        lseek(memory, 0, SEEK_SET)
        var sent = 0
        var frame: OutputSpeed.Frame?
        while sent < end {
            let count = buffer.withUnsafeBytes { Glibc.write(terminal, $0.baseAddress.map { $0 + sent }, end - sent) }
            if count > 0 {
                sent += count
                frame?.add(count, at: MonotonicClock.now)
            } else if errno == EAGAIN {
                if frame == nil { frame = OutputSpeed.Frame(at: MonotonicClock.now) }
                guard waitForRoom(watching: signals) else { return false }
            } else if errno != EINTR {
                return false
            }
        }
        if let frame { speed.take(frame, at: MonotonicClock.now) }
        return true
    }

    /// The time limit in milliseconds after a termination signal: long enough to restore a slow terminal, short enough
    /// for the user who ends the program.
    private static let terminationTimeLimit: Int32 = 200

    /// Waits until the terminal accepts more output.
    ///
    /// - Returns: False if the program must end instead.
    private func waitForRoom(watching signals: borrowing SignalQueue) -> Bool {
        var descriptors = [
            pollfd(fd: terminal, events: Int16(POLLOUT), revents: 0),
            pollfd(fd: signals.terminationDescriptor, events: Int16(POLLIN), revents: 0),
        ]
        if !signals.isTerminationRequested { poll(&descriptors, 2, -1) }
        return !signals.isTerminationRequested || poll(&descriptors, 1, Self.terminationTimeLimit) > 0
    }
}
