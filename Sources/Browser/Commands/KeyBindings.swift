public import TerminalUI

/// The commands of keys. Commands that apply in different contexts can have the same keys.
public struct KeyBindings: Sendable {
    /// The keys of each command, in the order in which they were bound. They are few enough to go through all of them
    /// for each key that is typed, whereas a table by keys would have to be made before the first screen.
    private var sequences: [Command: [[Key]]] = [:]

    /// The result of looking up a sequence of keys.
    enum Match: Sendable {
        case command(Command)
        /// More keys have to follow.
        case incomplete
        /// The keys are bound, but to no command that applies in the context.
        case elsewhere
        case none
    }

    /// The standard keys of the command table, in which no two commands of a context have the same.
    public static let standard: KeyBindings = {
        var bindings = KeyBindings()
        for command in Command.allCases { bindings.sequences[command] = command.info.keys.map(sequence(of:)) }
        return bindings
    }()

    /// Binds `keys` to `command`, and unbinds them from other commands in its contexts; does nothing for an empty
    /// sequence.
    public mutating func bind(_ keys: [Key], to command: Command) {
        if keys.isEmpty { return }
        for other in commands(of: keys) where other == command || other.shares(aContextWith: command) {
            unbind(keys, from: other)
        }
        sequences[command, default: []].append(keys)
    }

    /// Unbinds `keys` from all commands.
    public mutating func unbind(_ keys: [Key]) {
        for command in commands(of: keys) { unbind(keys, from: command) }
    }

    /// Unbinds `keys` from `command`.
    public mutating func unbind(_ keys: [Key], from command: Command) {
        sequences[command]?.removeAll { $0 == keys }
    }

    /// Returns the keys of `command`, in the order of binding; hints show the first.
    public func keys(of command: Command) -> [[Key]] { sequences[command] ?? [] }

    /// Returns the commands of `keys`, each in contexts of its own, in the order of the command table; none if more
    /// keys have to follow.
    public func commands(of keys: [Key]) -> [Command] {
        // Lazy, since every key comes here, and a dictionary of those found would be made.
        let commands = Array(sequences.lazy.filter { $0.value.contains(keys) }.map(\.key))
        return commands.count < 2 ? commands : Command.allCases.filter(commands.contains)
    }

    /// Returns the first command of `keys`; nil if they have none or more keys have to follow.
    public func command(of keys: [Key]) -> Command? { commands(of: keys).first }

    /// Returns the sequences that cannot be bound together with `keys`, because one is a prefix of the other and a
    /// complete sequence runs at once. Sequences of one command are together, in the order of the commands.
    ///
    /// - Parameter command: The command that gets the keys; sequences of commands in other contexts are left out. Nil
    ///   for all commands.
    public func sequences(excludedBy keys: [Key], of command: Command? = nil) -> [[Key]] {
        var seen: Set<[Key]> = []
        let rivals = Command.allCases.filter { command?.shares(aContextWith: $0) ?? true }
        return rivals.flatMap { self.keys(of: $0) }.filter { other in
            other != keys && (other.starts(with: keys) || keys.starts(with: other)) && seen.insert(other).inserted
        }
    }

    /// Returns the meaning of `keys` in `context`.
    func match(_ keys: [Key], in context: CommandContext) -> Match {
        let commands = commands(of: keys)
        if let command = commands.first(where: { $0.info.contexts.contains(context) }) { return .command(command) }
        let longer = sequences.filter { $0.value.contains { $0.isLonger(than: keys) } }
        if longer.contains(where: { $0.key.info.contexts.contains(context) }) { return .incomplete }
        return commands.isEmpty && longer.isEmpty ? .none : .elsewhere
    }

    /// Returns the keys that may follow `keys` in `context`, in order, each with the command that it completes or the
    /// commands that it leads to.
    func continuations(of keys: [Key], in context: CommandContext) -> [(key: Key, commands: [Command])] {
        var found: [Key: [Command]] = [:]
        for (command, sequences) in sequences where command.info.contexts.contains(context) {
            for sequence in sequences where sequence.isLonger(than: keys) {
                found[sequence[keys.count], default: []].append(command)
            }
        }
        let order = Dictionary(uniqueKeysWithValues: Command.allCases.enumerated().map { ($1, $0) })
        func position(_ command: Command) -> Int { order[command] ?? 0 }
        return found.map { (key: $0.key, commands: $0.value.sorted { position($0) < position($1) }) }
            .sorted { (position($0.commands[0]), $0.key.label) < (position($1.commands[0]), $1.key.label) }
    }

    /// Returns the keys of `command` as shown on the screen.
    func labels(of command: Command) -> [String] { keys(of: command).map(Self.label(of:)) }

    /// Returns the keys of `command` as listed on the screen: those that only differ in a number as "g1…g9".
    func listedLabels(of command: Command) -> String {
        let labels = labels(of: command)
        guard command.info.argument == .listNumber, labels.count > 2 else { return labels.joined(separator: " ") }
        return "\(labels[0])…\(labels[labels.count - 1])"
    }

    /// Returns the number of the list that `keys` go to, as the argument of their command; nil if the command has no
    /// such argument or more than nine keys are bound to it before these.
    func listNumber(of keys: [Key], for command: Command) -> Character? {
        guard command.info.argument == .listNumber, let index = self.keys(of: command).firstIndex(of: keys), index < 9
        else { return nil }
        return Character(String(index + 1))
    }

    /// Returns the first key of `command` as shown on the screen.
    public func firstLabel(of command: Command) -> String { labels(of: command).first ?? "–" }

    /// Parses a sequence of keys separated by spaces: each a key name ("PgDn", "^x ^e") or a run of characters ("gg").
    public static func sequence(of text: String) -> [Key] {
        // Most are a single character.
        if text.utf8.count == 1, let character = text.first, character != " " { return [.character(character)] }
        return text.split(separator: " ").flatMap { part in
            Key(name: String(part)).map { [$0] } ?? part.map(Key.character)
        }
    }

    /// Returns the keys that `text` names as shown on the screen.
    static func label(of text: String) -> String {
        label(of: sequence(of: text))
    }

    /// Returns a sequence of keys as shown on the screen: "gg", "^d", "↓".
    static func label(of keys: [Key]) -> String {
        keys.map(\.label).joined()
    }
}

extension Command {
    /// Whether there is a context in which both commands apply.
    public func shares(aContextWith other: Command) -> Bool {
        !info.contexts.isDisjoint(with: other.info.contexts)
    }
}

extension [Key] {
    /// Whether the sequence begins with `keys` and continues.
    fileprivate func isLonger(than keys: [Key]) -> Bool { count > keys.count && starts(with: keys) }
}
