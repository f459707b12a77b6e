import Glibc

/// A terminal that records the bytes sent to it without interpreting them.
final class PseudoTerminal {
    let process: ChildProcess
    /// All bytes sent to it so far.
    private(set) var output: [UInt8] = []
    /// The terminal modes before the program was started.
    let originalModes: termios
    private var master: Int32 = -1
    private var line: Int32 = -1

    /// Starts `command` on the terminal with this environment.
    init(
        columns: Int = 80, rows: Int = 24, running command: [String], environment: [String: String]
    ) throws {
        var size = winsize(ws_row: UInt16(rows), ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
        master = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK)
        // unlockpt() and ptsname() are declared only with _XOPEN_SOURCE; TIOCSPTLCK and TIOCGPTN do the same.
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
        // Kill at once: a program that ends gracefully would write to a sandbox that is being deleted.
        process.send(SIGKILL)
        hangUp()
    }

    /// Its current modes.
    var modes: termios {
        var modes = termios()
        tcgetattr(line, &modes)
        return modes
    }

    /// Sets its modes, as another program would.
    func setModes(_ modes: termios) {
        var modes = modes
        tcsetattr(line, TCSANOW, &modes)
    }

    /// Types text.
    func type(_ text: String) {
        type(bytes: Array(text.utf8))
    }

    /// Waits until the program has read what was typed.
    func waitUntilRead() throws {
        _ = try eventually(or: "the keys are not read") { () -> Bool? in
            var count: Int32 = 0
            return ioctl(line, UInt(FIONREAD), &count) == 0 && count == 0 ? true : nil
        }
    }

    /// Sends bytes, like a terminal that reports a key or answers a query.
    func type(bytes: [UInt8]) {
        _ = write(master, bytes, bytes.count)
    }

    /// Changes its size and notifies the program.
    func resize(columns: Int, rows: Int) {
        var size = winsize(ws_row: UInt16(rows), ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
        _ = ioctl(master, UInt(TIOCSWINSZ), &size)
    }

    /// Stops output as with ^s; input still works.
    func stopOutput() {
        tcflow(line, TCOOFF)
    }

    /// Fills the output buffer, which nobody reads.
    func fillUp() throws {
        let other = open("/proc/self/fd/\(line)", O_WRONLY | O_NOCTTY | O_CLOEXEC | O_NONBLOCK)
        guard other >= 0 else { throw Failure("the terminal cannot be opened again") }
        defer { close(other) }
        let text = [UInt8](repeating: 0x2E, count: 4096)
        // The kernel moves some of the output a moment later, which makes room.
        while write(other, text, text.count) > 0 || write(other, text, 1) > 0 { usleep(20_000) }
    }

    /// Closes the terminal, like a window.
    func hangUp() {
        for descriptor in [line, master] where descriptor >= 0 { close(descriptor) }
        (line, master) = (-1, -1)
    }

    /// Reads the available output.
    ///
    /// - Returns: The number of bytes.
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

    /// Waits until `text` appears in the output after the first `start` bytes.
    func wait(for text: String, after start: Int = 0) throws {
        _ = try eventually(
            or: "waited for “\(text)”, and got \(String(decoding: output, as: UTF8.self).debugDescription)"
        ) {
            receive()
            return output.dropFirst(start).firstRange(of: text.utf8)
        }
    }

    /// Waits until there is no output for a while.
    func waitForSilence(of pause: Duration = .milliseconds(60)) throws {
        var last = ContinuousClock.now
        _ = try eventually(or: "the output does not end") {
            if receive() > 0 { last = .now }
            return ContinuousClock.now - last > pause ? true : nil
        }
    }

    /// Waits until the process has ended, reads the rest of its output, and returns how it ended.
    func waitForEnd(within limit: Duration = timeLimit) throws -> ChildProcess.Ending {
        let ending = try eventually(within: limit, or: "the process does not end") {
            if master >= 0 { receive() }
            return process.poll()
        }
        if master >= 0 { receive() }
        return ending
    }
}

extension Collection<UInt8> {
    /// Returns the offset of the first occurrence of `bytes`.
    func firstRange(of bytes: some Sequence<UInt8>) -> Int? {
        let (text, part) = (Array(self), Array(bytes))
        guard text.count >= part.count else { return nil }
        return (0...(text.count - part.count)).first { text[$0..<($0 + part.count)].elementsEqual(part) }
    }

    /// Returns the offset of the last occurrence of `bytes`.
    func lastRange(of bytes: some Sequence<UInt8>) -> Int? {
        let (text, part) = (Array(self), Array(bytes))
        guard text.count >= part.count else { return nil }
        return (0...(text.count - part.count)).last { text[$0..<($0 + part.count)].elementsEqual(part) }
    }
}

extension termios {
    /// All terminal modes in a comparable form.
    var values: [UInt8] {
        withUnsafeBytes(of: c_cc, Array.init)
            + [c_iflag, c_oflag, c_cflag, c_lflag].flatMap { flags in withUnsafeBytes(of: flags, Array.init) }
    }
}
