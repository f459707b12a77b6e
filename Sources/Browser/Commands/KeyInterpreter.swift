internal import TerminalUI

/// Turns keys, one after another, into commands with their counts and letters: "5j", "gg", "120G", "Ma".
struct KeyInterpreter {
    /// Which keys give which commands.
    let bindings: KeyBindings
    private var keys: [Key] = []
    private var count: Int?
    /// The command to which its argument is still missing.
    private(set) var commandAwaitingArgument: Command?

    /// An interpreter of these keys.
    init(_ bindings: KeyBindings = .standard) {
        self.bindings = bindings
    }

    /// What was typed that has not come to a command yet, for the status line; "" for nothing.
    var pendingText: String {
        (count.map(String.init) ?? "") + KeyBindings.label(of: keys)
    }

    /// Whether keys were typed to which others must come, a count aside.
    var isAwaitingMore: Bool { !keys.isEmpty || commandAwaitingArgument != nil }

    /// Returns the keys that may follow those typed so far, with their commands in `context`.
    func continuations(in context: CommandContext) -> [(key: Key, commands: [Command])] {
        bindings.continuations(of: keys, in: context)
    }

    /// What a key came to.
    enum Outcome: Hashable {
        /// A command, complete with its count.
        case request(CommandRequest)
        /// More must follow, or nothing was meant.
        case nothing
        /// Keys that no command has, as a reader knows them.
        case unbound(String)
        /// Keys whose commands do not apply in the context, as a reader knows them.
        case unavailable(String)
    }

    /// What `key`, after those before it, comes to in `context`.
    mutating func interpret(_ key: Key, in context: CommandContext) -> Outcome {
        if keys.isEmpty, commandAwaitingArgument == nil, case .character(let character) = key,
            let digit = character.asciiDigit, digit > 0 || count != nil
        {
            let (tenfold, overflow) = (count ?? 0).multipliedReportingOverflow(by: 10)
            let (sum, carry) = tenfold.addingReportingOverflow(digit)
            count = overflow || carry ? .max : sum
            return .nothing
        }
        if isPending, let cancelled = cancel(with: key, in: context) { return cancelled }
        if let command = commandAwaitingArgument { return finish(command, with: key) }
        keys.append(key)
        switch bindings.match(keys, in: context) {
        case .incomplete: return .nothing
        case .command(let command) where command.info.argument != nil:
            commandAwaitingArgument = command
            return .nothing
        case .command(let command):
            defer { forget() }
            return .request(CommandRequest(command: command, count: count))
        case .elsewhere:
            defer { forget() }
            return .unavailable(KeyBindings.label(of: keys))
        case .none:
            defer { forget() }
            return key == .unknown ? .nothing : .unbound(KeyBindings.label(of: keys))
        }
    }

    /// Waits for the argument of a command that was given without keys.
    mutating func awaitArgument(of command: Command) {
        forget()
        commandAwaitingArgument = command
    }

    private mutating func finish(_ command: Command, with key: Key) -> Outcome {
        defer { forget() }
        guard case .character(let character) = key, command.info.argument?.accepts(character) == true else {
            return key == .unknown ? .nothing : .unbound(KeyBindings.label(of: keys + [key]))
        }
        return .request(CommandRequest(command: command, count: count, argument: character))
    }

    private var isPending: Bool { isAwaitingMore || count != nil }

    /// The keys that cancel do so in the middle of others, too: Esc forgets them, ^c interrupts besides.
    private mutating func cancel(with key: Key, in context: CommandContext) -> Outcome? {
        guard case .command(let command) = bindings.match([key], in: context),
            command == .cancel || command == .interrupt
        else {
            return nil
        }
        forget()
        return command == .cancel ? .nothing : .request(CommandRequest(command: command, count: nil))
    }

    /// Forgets what was typed so far.
    mutating func forget() {
        keys = []
        count = nil
        commandAwaitingArgument = nil
    }
}

extension Character {
    fileprivate var asciiDigit: Int? {
        isASCII ? wholeNumberValue : nil
    }
}
