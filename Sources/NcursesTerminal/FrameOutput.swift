internal import CNcurses
internal import CSystem
internal import Glibc

/// Sends what ncurses writes to the terminal a frame at a time.
///
/// ncurses 6.4 calls write() before each move of the cursor, ninety times for a screen of text, and each of them wakes
/// the terminal. So while a frame is drawn, the descriptor that ncurses writes to leads to a file in memory, whose
/// content is then sent at once. Between frames it leads to the terminal, as ncurses asks that for its modes.
struct FrameOutput: ~Copyable {
    /// Where ncurses writes.
    let file: UnsafeMutablePointer<FILE>
    private let gate: Int32
    private let memory: Int32
    private var buffer: [UInt8] = []

    /// An output to the terminal of standard output. Without a file in memory, ncurses writes as it likes.
    init() throws(TerminalError) {
        gate = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3)
        guard gate >= 0, let opened = fdopen(gate, "w") else { throw .system(errno) }
        file = opened
        memory = cs_memory_file("stacks-frame")
    }

    deinit {
        fclose(file)
        if memory >= 0 { _ = close(memory) }
    }

    /// Runs `draw`, and sends all that ncurses wrote in it.
    mutating func frame(_ draw: () -> Void) {
        guard memory >= 0, lseek(memory, 0, SEEK_SET) == 0, cs_redirect(gate, memory) >= 0 else {
            draw()
            return
        }
        draw()
        let count = Int(lseek(memory, 0, SEEK_CUR))
        _ = cs_redirect(gate, STDOUT_FILENO)
        if buffer.count < count { buffer = [UInt8](repeating: 0, count: count) }
        let read = pread(memory, &buffer, max(0, count), 0)
        Self.send(buffer.prefix(max(0, read)))
    }

    /// Writes `bytes` to the terminal; what a terminal that is gone does not take is lost.
    static func send(_ bytes: some Sequence<UInt8>) {
        _ = bytes.withContiguousStorageIfAvailable { bytes in
            var sent = 0
            while sent < bytes.count {
                let count = write(STDOUT_FILENO, bytes.baseAddress.map { $0 + sent }, bytes.count - sent)
                if count > 0 {
                    sent += count
                } else if errno == EAGAIN {
                    // Whoever started us left the terminal non-blocking.
                    var descriptor = pollfd(fd: STDOUT_FILENO, events: Int16(POLLOUT), revents: 0)
                    poll(&descriptor, 1, -1)
                } else if errno != EINTR {
                    return
                }
            }
        }
    }
}
