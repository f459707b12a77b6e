public import TerminalUI

/// Which keys give which command.
public struct KeyBindings: Sendable {
    private var commands: [[Key]: Command] = [:]
    /// The keys that begin a longer sequence.
    private var prefixes: Set<[Key]> = []

    /// What a sequence of keys comes to.
    enum Match: Sendable {
        case command(Command)
        /// More keys must follow.
        case incomplete
        case none
    }

    /// The keys of the commands' own declarations.
    public static let standard: KeyBindings = {
        var bindings = KeyBindings()
        for command in Command.allCases {
            for keys in command.declaration.keys { bindings.bind(sequence(of: keys), to: command) }
        }
        return bindings
    }()

    /// Makes `keys` give `command`; an empty sequence is none.
    public mutating func bind(_ keys: [Key], to command: Command) {
        if keys.isEmpty { return }
        commands[keys] = command
        for count in keys.indices.dropFirst() { prefixes.insert(Array(keys.prefix(count))) }
    }

    /// What `keys` come to.
    func match(_ keys: [Key]) -> Match {
        if let command = commands[keys] { return .command(command) }
        return prefixes.contains(keys) ? .incomplete : .none
    }

    /// The keys that may follow `keys`, in order, and what they come to: a command, or more keys, of which the commands
    /// are told.
    func continuations(of keys: [Key]) -> [(key: Key, commands: [Command])] {
        var found: [Key: [Command]] = [:]
        for (sequence, command) in commands where sequence.count > keys.count && sequence.starts(with: keys) {
            found[sequence[keys.count], default: []].append(command)
        }
        let order = Dictionary(uniqueKeysWithValues: Command.allCases.enumerated().map { ($1, $0) })
        func place(_ command: Command) -> Int { order[command] ?? 0 }
        return found.map { (key: $0.key, commands: $0.value.sorted { place($0) < place($1) }) }
            .sorted { (place($0.commands[0]), $0.key.label) < (place($1.commands[0]), $1.key.label) }
    }

    /// The keys that give `command`, the shortest first, as a reader knows them.
    func labels(of command: Command) -> [String] {
        let declared = command.declaration.keys.map(Self.sequence(of:))
        return commands.filter { $0.value == command }.map(\.key)
            .sorted { first, second in
                // Those that the command declares, in its order, and then others.
                let places = [first, second].map { declared.firstIndex(of: $0) ?? declared.count }
                return places[0] != places[1] ? places[0] < places[1] : first.count < second.count
            }
            .map { $0.map(\.label).joined() }
    }

    /// The keys that `text` names: one key by its name ("PgDn", "^d"), or characters one after another ("gg").
    public static func sequence(of text: String) -> [Key] {
        Key(name: text).map { [$0] } ?? text.map(Key.character)
    }

    /// The keys that `text` names, as a reader knows them.
    static func label(of text: String) -> String {
        sequence(of: text).map(\.label).joined()
    }
}
