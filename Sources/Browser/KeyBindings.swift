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

    /// The keys that `text` names: one key by its name ("PgDn", "^d"), or characters one after another ("gg").
    public static func sequence(of text: String) -> [Key] {
        Key(name: text).map { [$0] } ?? text.map(Key.character)
    }

    /// The keys that `text` names, as a reader knows them.
    static func label(of text: String) -> String {
        sequence(of: text).map(\.label).joined()
    }
}
