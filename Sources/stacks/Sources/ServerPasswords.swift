internal import Catalog
internal import ConnectorProtocol
internal import Glibc
internal import Graphemes
internal import Library
internal import Remote
internal import Threading

/// The user and password for a server: those of its address, otherwise those that the command in the config prints,
/// otherwise those that the user types. They are kept in memory only.
final class ServerPasswords: Sendable {
    private let source: Config.RemoteSource?
    /// The servers that the address names; no other one gets a password.
    private let origins: Set<ServerOrigin>
    private let state: Locked<State>

    private struct State {
        var credential: SourceCredential?
        /// Whether the command in the config was started.
        var hasStartedCommand = false
        /// Whether the command is running.
        var isCommandRunning = false
        /// Whether the user can be asked in the terminal.
        var mayPrompt: Bool
    }

    /// Creates the passwords for the server at an address; `source` is its settings in the config.
    init(of address: SourceAddress?, _ source: Config.RemoteSource?) {
        self.source = source
        origins = Set(address.map { ServerOrigin.all(in: $0.url) } ?? [])
        let hasPassword = address?.credential?.secret.isEmpty == false
        let isTerminal = isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1
        state = Locked(State(credential: hasPassword ? address?.credential : nil, mayPrompt: isTerminal))
        user = source?.user ?? address?.credential?.user
    }

    /// The user that the address or the config names.
    let user: String?

    /// Whether the command in the config is running; it may ask the user in the terminal.
    var isCommandRunning: Bool { state.withLock { $0.isCommandRunning } }

    /// Disables questions, because the browser takes over the screen.
    func stopPrompting() { state.withLock { $0.mayPrompt = false } }

    /// The function that answers the authentication requests of servers.
    var answer: CredentialSource {
        { [self] question in
            guard origins.contains(question.origin) else { return nil }
            let known = state.withLock { question.isRepeated ? nil : $0.credential }
            if let known { return known }
            let asksCommand = state.withLock { state in
                defer { state.hasStartedCommand = true }
                return !state.hasStartedCommand
            }
            var found: SourceCredential?
            if asksCommand, let command = source?.passwordCommand {
                state.withLock { $0.isCommandRunning = true }
                found = PasswordCommand.run(command).map { SourceCredential(user: user ?? "", secret: $0) }
                state.withLock { $0.isCommandRunning = false }
            }
            if found == nil, state.withLock({ $0.mayPrompt }) {
                found = PasswordPrompt.ask(question, user: user)
            }
            state.withLock { $0.credential = found }
            return found
        }
    }
}

/// A command in the config that prints a password.
enum PasswordCommand {
    /// The maximum length of a password in bytes.
    private static let limit = 4096
    /// The maximum length of the output in bytes; password managers may print notes after the password.
    private static let outputLimit = 1 << 20
    /// The time that a command has, in milliseconds; a password manager may wait for a finger on a key.
    private static let patience = 60_000

    /// Runs a program without a shell and returns the first line of its output; nil if it fails, prints nothing or has
    /// not ended after `patience` milliseconds, when it is killed.
    static func run(_ command: [String], patience: Int = patience) -> String? {
        let deadline = MonotonicTime.milliseconds + patience
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { return nil }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        let id = start(command, output: ends[1])
        close(ends[1])
        guard let id else {
            close(ends[0])
            return nil
        }
        var status: Int32?
        let text = output(from: ends[0], of: id, until: deadline, &status)
        // Close the pipe first: a program that prints without end waits until somebody reads.
        close(ends[0])
        if status == nil { status = exitStatus(of: id, until: deadline) }
        if status == nil { end(id) }
        let line = text.prefix { $0 != 0x0A && $0 != 0x0D }
        return status == 0 && !line.isEmpty ? String(decoding: line, as: UTF8.self) : nil
    }

    private static func start(_ command: [String], output: Int32) -> pid_t? {
        guard let program = command.first else { return nil }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
        // Do not inherit blocked and ignored signals, or the program could not be ended by a closed pipe or by SIGTERM.
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        sigfillset(&signals)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        posix_spawnattr_setflags(&attributes, Int16(Int32(POSIX_SPAWN_SETSIGMASK) | Int32(POSIX_SPAWN_SETSIGDEF)))
        let words = command.map { strdup($0) } + [nil]
        defer { words.forEach { free($0) } }
        var id = pid_t()
        return posix_spawnp(&id, program, &actions, &attributes, words, environ) == 0 ? id : nil
    }

    /// Returns the beginning of the output. It ends when the program does, even if it leaves another program behind that
    /// keeps the pipe open.
    private static func output(
        from pipe: Int32, of id: pid_t, until deadline: Int, _ status: inout Int32?
    ) -> [UInt8] {
        var text: [UInt8] = []
        var size = 0
        var part = [UInt8](repeating: 0, count: limit)
        while size < outputLimit, MonotonicTime.milliseconds < deadline {
            var input = pollfd(fd: pipe, events: Int16(POLLIN), revents: 0)
            let ready = poll(&input, 1, status == nil ? 20 : 0)
            if ready > 0 {
                let count = read(pipe, &part, part.count)
                if count <= 0 { break }
                text += part.prefix(min(count, limit - text.count))
                size += count
            } else if status != nil {
                break
            } else if ready == 0 {
                status = exitStatus(of: id, until: 0)
            }
        }
        return text
    }

    /// Waits for the end of a program until a time, and returns its status; nil if it still runs.
    private static func exitStatus(of id: pid_t, until deadline: Int) -> Int32? {
        var status: Int32 = 0
        while true {
            let found = waitpid(id, &status, WNOHANG)
            if found == id { return status }
            if found < 0, errno != EINTR { return -1 }
            if MonotonicTime.milliseconds >= deadline { return nil }
            usleep(5_000)
        }
    }

    /// Ends a program. One of another user, such as sudo, may stay.
    private static func end(_ id: pid_t) {
        for signal in [SIGTERM, SIGKILL] {
            kill(id, signal)
            if exitStatus(of: id, until: MonotonicTime.milliseconds + 1_000) != nil { return }
        }
    }
}

/// A question for user and password in the terminal.
enum PasswordPrompt {
    /// Asks for the password, and for the user if unknown; returns nil if the user enters nothing or presses ^c.
    static func ask(_ question: CredentialQuestion, user: String?) -> SourceCredential? {
        let terminal = open("/dev/tty", O_RDWR | O_CLOEXEC)
        guard terminal >= 0 else { return nil }
        defer { close(terminal) }
        let place = question.place
        if question.isNetrcIgnored { put("\(Message.netrcIgnored.text())\n", terminal) }
        if question.isRepeated {
            put("\(Message.passwordRefused.text(place))\n", terminal)
        } else if let text = question.instructions?.description {
            put("\(text.sanitized)\n", terminal)
        }
        let known = user.flatMap { $0.isEmpty ? nil : $0 }
        guard let name = known ?? line(asking: "\(question.userLabel) for \(place): ", terminal, isShown: true),
            let secret = line(
                asking: "\(question.secretLabel) of \(name.sanitized) for \(place): ", terminal, isShown: false)
        else { return nil }
        return SourceCredential(user: name, secret: secret)
    }

    private static func put(_ text: String, _ terminal: Int32) {
        var text = text
        text.withUTF8 { _ = write(terminal, $0.baseAddress, $0.count) }
    }

    private static func line(asking question: String, _ terminal: Int32, isShown: Bool) -> String? {
        var original = termios()
        tcgetattr(terminal, &original)
        var quiet = original
        // ^c is read as a character, so that the terminal is never left without echo.
        quiet.c_lflag &= ~tcflag_t(isShown ? ISIG : ISIG | ECHO)
        tcsetattr(terminal, TCSAFLUSH, &quiet)
        // The question comes after the echo is off: who types at once would see the password, and lose it.
        put(question, terminal)
        defer {
            tcsetattr(terminal, TCSAFLUSH, &original)
            if !isShown { put("\n", terminal) }
        }
        var bytes: [UInt8] = []
        var byte: UInt8 = 0
        while read(terminal, &byte, 1) == 1, byte != 0x0A, bytes.count < 1024 {
            if byte == 0x03 { return nil }
            bytes.append(byte)
        }
        return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
    }
}
