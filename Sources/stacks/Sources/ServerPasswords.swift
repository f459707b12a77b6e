internal import Catalog
internal import ConnectorProtocol
internal import Glibc
internal import Graphemes
internal import Library
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

    /// Runs a program without a shell and returns the first line of its output; nil if it fails or prints nothing.
    static func run(_ command: [String]) -> String? {
        var ends: [Int32] = [0, 0]
        guard let program = command.first, pipe(&ends) == 0 else { return nil }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        defer { close(ends[0]) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO)
        let words = command.map { strdup($0) } + [nil]
        defer { words.forEach { free($0) } }
        var id = pid_t()
        let code = posix_spawnp(&id, program, &actions, nil, words, environ)
        close(ends[1])
        guard code == 0 else { return nil }
        var text: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 1024)
        while text.count < limit {
            let count = read(ends[0], &part, part.count)
            if count < 0, errno == EINTR { continue }
            if count <= 0 { break }
            text += part[..<count]
        }
        var status: Int32 = 0
        while waitpid(id, &status, 0) < 0, errno == EINTR {}
        let line = text.prefix { $0 != 0x0A && $0 != 0x0D }
        return status == 0 && !line.isEmpty ? String(decoding: line, as: UTF8.self) : nil
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
        put(question, terminal)
        var original = termios()
        tcgetattr(terminal, &original)
        var quiet = original
        // ^c is read as a character, so that the terminal is never left without echo.
        quiet.c_lflag &= ~tcflag_t(isShown ? ISIG : ISIG | ECHO)
        tcsetattr(terminal, TCSAFLUSH, &quiet)
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
