internal import TerminalUI

/// Interprets a sequence of keys as commands with counts and arguments: "5j", "gg", "120G", "Ma".
struct KeyInterpreter {
    /// The key bindings.
    let bindings: KeyBindings
    private var keys: [Key] = []
    private var count: Int?
    /// The command whose argument has not been typed yet.
    private(set) var commandAwaitingArgument: Command?

    /// Creates an interpreter for `bindings`.
    init(_ bindings: KeyBindings = .standard) {
        self.bindings = bindings
    }

    /// The keys typed so far of an incomplete command, for the status line; "" for none.
    var pendingText: String {
        (count.map(String.init) ?? "") + KeyBindings.label(of: keys)
    }

    /// Whether an incomplete command was typed; a count alone is none.
    var isAwaitingMore: Bool { !keys.isEmpty || commandAwaitingArgument != nil }

    /// Returns the keys that may follow those typed so far, with their commands in `context`.
    func continuations(in context: CommandContext) -> [(key: Key, commands: [Command])] {
        bindings.continuations(of: keys, in: context)
    }

    /// Returns the number of the list that `key` goes to after those typed so far, if they belong to `command`.
    func listNumber(of key: Key, for command: Command) -> Character? {
        bindings.listNumber(of: keys + [key], for: command)
    }

    /// The result of a key.
    enum Outcome: Hashable {
        /// A complete command with its count.
        case request(CommandRequest)
        /// An incomplete command, or a key without meaning.
        case nothing
        /// Keys without a command, as shown on the screen.
        case unbound(String)
        /// Keys whose commands do not apply in the context, as shown on the screen.
        case unavailable(String)
    }

    /// Returns the result of `key`, after those before it, in `context`.
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
        case .command(let command) where command.awaitsArgument(after: count):
            commandAwaitingArgument = command
            return .nothing
        case .command(let command):
            defer { forget() }
            let argument = bindings.listNumber(of: keys, for: command)
            return .request(CommandRequest(command: command, count: count, argument: argument))
        case .elsewhere:
            defer { forget() }
            return .unavailable(KeyBindings.label(of: keys))
        case .none:
            defer { forget() }
            return key == .unknown ? .nothing : .unbound(KeyBindings.label(of: keys))
        }
    }

    /// Waits for the argument of a command that was not started by its keys.
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

    /// Esc and ^c work within a sequence too: Esc discards the keys, ^c interrupts as well.
    private mutating func cancel(with key: Key, in context: CommandContext) -> Outcome? {
        guard case .command(let command) = bindings.match([key], in: context),
            command == .cancel || command == .interrupt
        else {
            return nil
        }
        forget()
        return command == .cancel ? .nothing : .request(CommandRequest(command: command, count: nil))
    }

    /// Discards the keys typed so far.
    mutating func forget() {
        keys = []
        count = nil
        commandAwaitingArgument = nil
    }
}

extension Command {
    /// Whether a further key is the argument of the command, if `count` was typed before it.
    fileprivate func awaitsArgument(after count: Int?) -> Bool {
        guard let argument = info.argument, argument != .listNumber else { return false }
        return count == nil || !argument.mayBeNumber
    }
}

extension Character {
    fileprivate var asciiDigit: Int? {
        isASCII ? wholeNumberValue : nil
    }
}
