public import TerminalUI

/// Which keys give which command. Commands that apply in different contexts can have the same keys.
public struct KeyBindings: Sendable {
    private var commands: [[Key]: [Command]] = [:]
    /// The keys of each command, in the order in which it got them.
    private var sequences: [Command: [[Key]]] = [:]
    /// The keys that begin a longer sequence.
    private var prefixes: Set<[Key]> = []

    /// What a sequence of keys comes to.
    enum Match: Sendable {
        case command(Command)
        /// More keys must follow.
        case incomplete
        /// The keys have commands, none of which applies in the context.
        case elsewhere
        case none
    }

    /// The keys of the commands' own declarations.
    public static let standard: KeyBindings = {
        var bindings = KeyBindings()
        for command in Command.allCases {
            for keys in command.info.keys { bindings.bind(sequence(of: keys), to: command) }
        }
        return bindings
    }()

    /// Makes `keys` give `command`, and no other where it applies; an empty sequence is none.
    public mutating func bind(_ keys: [Key], to command: Command) {
        if keys.isEmpty { return }
        for other in self.commands(of: keys) where other == command || other.shares(aContextWith: command) {
            unbind(keys, from: other)
        }
        commands[keys, default: []].append(command)
        sequences[command, default: []].append(keys)
        prefixes.formUnion(Self.beginnings(of: keys))
    }

    /// Makes `keys` give no command.
    public mutating func unbind(_ keys: [Key]) {
        for command in commands(of: keys) { unbind(keys, from: command) }
    }

    /// Makes `keys` not give `command`.
    public mutating func unbind(_ keys: [Key], from command: Command) {
        commands[keys]?.removeAll { $0 == command }
        if commands[keys]?.isEmpty == true { commands[keys] = nil }
        sequences[command]?.removeAll { $0 == keys }
        prefixes = Set(commands.keys.flatMap(Self.beginnings(of:)))
    }

    /// The keys that give `command`, those that hints show first.
    public func keys(of command: Command) -> [[Key]] { sequences[command] ?? [] }

    /// The commands that `keys` give, each in contexts of its own; none where others must follow.
    public func commands(of keys: [Key]) -> [Command] { commands[keys] ?? [] }

    /// The first command that `keys` give; nil where they give none, or others must follow.
    public func command(of keys: [Key]) -> Command? { commands[keys]?.first }

    /// The sequences that cannot be with `keys`, as one begins with the other: what is complete waits for nothing more. Those
    /// of one command together, in the order of the commands.
    ///
    /// - Parameter command: The command that gets the keys, to which those of commands elsewhere do nothing; nil for any.
    public func sequences(excludedBy keys: [Key], of command: Command? = nil) -> [[Key]] {
        var seen: Set<[Key]> = []
        let rivals = Command.allCases.filter { command?.shares(aContextWith: $0) ?? true }
        return rivals.flatMap { self.keys(of: $0) }.filter { other in
            other != keys && (other.starts(with: keys) || keys.starts(with: other)) && seen.insert(other).inserted
        }
    }

    private static func beginnings(of keys: [Key]) -> [[Key]] {
        keys.indices.dropFirst().map { Array(keys.prefix($0)) }
    }

    /// Returns the meaning of `keys` in `context`.
    func match(_ keys: [Key], in context: CommandContext) -> Match {
        let commands = commands(of: keys)
        if let command = commands.first(where: { $0.info.contexts.contains(context) }) { return .command(command) }
        guard prefixes.contains(keys) else { return commands.isEmpty ? .none : .elsewhere }
        let isBeginning = self.commands.contains { sequence, commands in
            sequence.count > keys.count && sequence.starts(with: keys)
                && commands.contains { $0.info.contexts.contains(context) }
        }
        return isBeginning ? .incomplete : .elsewhere
    }

    /// Returns the keys that may follow `keys` in `context`, in order, each with the command that it completes or the
    /// commands that it leads to.
    func continuations(of keys: [Key], in context: CommandContext) -> [(key: Key, commands: [Command])] {
        var found: [Key: [Command]] = [:]
        for (sequence, commands) in commands where sequence.count > keys.count && sequence.starts(with: keys) {
            let applicable = commands.filter { $0.info.contexts.contains(context) }
            if !applicable.isEmpty { found[sequence[keys.count], default: []] += applicable }
        }
        let order = Dictionary(uniqueKeysWithValues: Command.allCases.enumerated().map { ($1, $0) })
        func place(_ command: Command) -> Int { order[command] ?? 0 }
        return found.map { (key: $0.key, commands: $0.value.sorted { place($0) < place($1) }) }
            .sorted { (place($0.commands[0]), $0.key.label) < (place($1.commands[0]), $1.key.label) }
    }

    /// The keys that give `command`, those that hints show first, as a reader knows them.
    func labels(of command: Command) -> [String] { keys(of: command).map(Self.label(of:)) }

    /// The first key of `command`, as a reader knows it.
    func firstLabel(of command: Command) -> String { labels(of: command).first ?? "–" }

    /// The keys that `text` names, set apart by blanks: each by its name ("PgDn", "^x ^e"), or characters one after
    /// another ("gg").
    public static func sequence(of text: String) -> [Key] {
        text.split(separator: " ").flatMap { part in
            Key(name: String(part)).map { [$0] } ?? part.map(Key.character)
        }
    }

    /// The keys that `text` names, as a reader knows them.
    static func label(of text: String) -> String {
        label(of: sequence(of: text))
    }

    /// A sequence of keys, as a reader knows it: "gg", "^d", "↓".
    static func label(of keys: [Key]) -> String {
        keys.map(\.label).joined()
    }
}

extension Command {
    /// Whether there is a context in which both apply.
    public func shares(aContextWith other: Command) -> Bool {
        !info.contexts.isDisjoint(with: other.info.contexts)
    }
}
