import Glibc

/// A terminal that understands nothing: the bytes that a program sends to it are kept as they are.
final class PseudoTerminal {
    let process: ChildProcess
    /// All that was sent to it so far.
    private(set) var output: [UInt8] = []
    /// Its modes before a program was started on it.
    let originalModes: termios
    private var master: Int32 = -1
    private var line: Int32 = -1

    /// Starts `command` on a terminal, with this environment.
    init(
        columns: Int = 80, rows: Int = 24, running command: [String], environment: [String: String]
    ) throws {
        var size = winsize(ws_row: UInt16(rows), ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
        master = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK)
        // unlockpt() and ptsname() are hidden behind _XOPEN_SOURCE: TIOCSPTLCK, TIOCGPTN.
        var isLocked: Int32 = 0
        var number: UInt32 = 0
        guard master >= 0, ioctl(master, 0x4004_5431, &isLocked) == 0, ioctl(master, 0x8004_5430, &number) == 0 else {
            throw Failure("there is no pseudo-terminal: \(String(cString: strerror(errno)))")
        }
        let path = "/dev/pts/\(number)"
        line = open(path, O_RDWR | O_NOCTTY | O_CLOEXEC)
        _ = ioctl(master, UInt(TIOCSWINSZ), &size)
        var modes = termios()
        guard line >= 0, tcgetattr(line, &modes) == 0 else { throw Failure("\(path) is no terminal") }
        originalModes = modes
        process = try ChildProcess(command, environment: environment, streams: .terminal(path))
    }

    deinit {
        // At once: a program that is told to end would write into a sandbox that is being removed.
        process.send(SIGKILL)
        hangUp()
    }

    /// Its modes now.
    var modes: termios {
        var modes = termios()
        tcgetattr(line, &modes)
        return modes
    }

    /// Gives it other modes, as another program would.
    func setModes(_ modes: termios) {
        var modes = modes
        tcsetattr(line, TCSANOW, &modes)
    }

    /// Types text.
    func type(_ text: String) {
        type(bytes: Array(text.utf8))
    }

    /// Sends bytes, as a terminal does in answer to a key or a question.
    func type(bytes: [UInt8]) {
        _ = write(master, bytes, bytes.count)
    }

    /// Gets another size, which the program on it is told.
    func resize(columns: Int, rows: Int) {
        var size = winsize(ws_row: UInt16(rows), ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
        _ = ioctl(master, UInt(TIOCSWINSZ), &size)
    }

    /// Takes no more output, as after ^s; input still comes.
    func stopOutput() {
        tcflow(line, TCOOFF)
    }

    /// Fills up with output that nobody reads, until it takes no more.
    func fillUp() throws {
        let other = open("/proc/self/fd/\(line)", O_WRONLY | O_NOCTTY | O_CLOEXEC | O_NONBLOCK)
        guard other >= 0 else { throw Failure("the terminal cannot be opened again") }
        defer { close(other) }
        let text = [UInt8](repeating: 0x2E, count: 4096)
        // Some of it moves on, and makes room, a moment later.
        while write(other, text, text.count) > 0 || write(other, text, 1) > 0 { usleep(20_000) }
    }

    /// Goes away, as a window that is closed.
    func hangUp() {
        for descriptor in [line, master] where descriptor >= 0 { close(descriptor) }
        (line, master) = (-1, -1)
    }

    /// Takes in what was sent.
    ///
    /// - Returns: How many bytes that were.
    @discardableResult
    func receive() -> Int {
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        var received = 0
        while case let count = read(master, &chunk, chunk.count), count > 0 {
            output += chunk.prefix(count)
            received += count
        }
        return received
    }

    /// Waits until `text` was sent, after so many bytes.
    func wait(for text: String, after start: Int = 0) throws {
        _ = try eventually(
            or: "waited for “\(text)”, and got \(String(decoding: output, as: UTF8.self).debugDescription)"
        ) {
            receive()
            return output.dropFirst(start).firstRange(of: text.utf8)
        }
    }

    /// Waits until nothing was sent for a while.
    func waitForSilence(of pause: Duration = .milliseconds(60)) throws {
        var last = ContinuousClock.now
        _ = try eventually(or: "the output does not end") {
            if receive() > 0 { last = .now }
            return ContinuousClock.now - last > pause ? true : nil
        }
    }

    /// Waits until the process has ended, takes in the rest of its output, and says how it ended.
    func waitForEnd(within limit: Duration = patience) throws -> ChildProcess.Ending {
        let ending = try eventually(within: limit, or: "the process does not end") {
            if master >= 0 { receive() }
            return process.poll()
        }
        if master >= 0 { receive() }
        return ending
    }
}

extension Collection<UInt8> {
    /// Where `bytes` first stand.
    func firstRange(of bytes: some Sequence<UInt8>) -> Int? {
        let (text, part) = (Array(self), Array(bytes))
        guard text.count >= part.count else { return nil }
        return (0...(text.count - part.count)).first { text[$0..<($0 + part.count)].elementsEqual(part) }
    }

    /// Where `bytes` last stand, counted from the start.
    func lastRange(of bytes: some Sequence<UInt8>) -> Int? {
        let (text, part) = (Array(self), Array(bytes))
        guard text.count >= part.count else { return nil }
        return (0...(text.count - part.count)).last { text[$0..<($0 + part.count)].elementsEqual(part) }
    }
}

extension termios {
    /// All that a terminal's modes hold, in a form that can be compared.
    var values: [UInt8] {
        withUnsafeBytes(of: c_cc, Array.init)
            + [c_iflag, c_oflag, c_cflag, c_lflag].flatMap { flags in withUnsafeBytes(of: flags, Array.init) }
    }
}
