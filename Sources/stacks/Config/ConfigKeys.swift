internal import Browser
internal import Library
internal import TerminalUI

/// The keys that the commands have where the reader asks for others.
///
/// What is set for a command takes the place of its own keys. A key goes to the command that it is set for, and the one that
/// had it keeps its others.
struct ConfigKeys {
    /// The keys that a command is to have.
    struct Wish {
        /// The command.
        var command: Command
        /// The names of its keys.
        var keys: [String]
        /// The line on which they are set.
        var line: Int?
    }

    /// Which keys give which commands.
    private(set) var bindings = KeyBindings.standard
    /// What is wrong with the wishes; the rest of them is fulfilled.
    private(set) var warnings: [ConfigWarning] = []
    /// The names of keys, as the reader has them.
    private(set) var names: [[Key]: String] = [:]
    private var lines: [Command: Int] = [:]
    private var granted: [[Key]: Command] = [:]

    /// The keys with these wishes fulfilled: of two that cannot both be, the first.
    init(_ wishes: [Wish]) {
        for wish in wishes {
            lines[wish.command] = wish.line
            for keys in bindings.keys(of: wish.command) { bindings.unbind(keys) }
        }
        for wish in wishes {
            for name in wish.keys { fulfil(wish, name) }
        }
        withdrawInterrupted(wishes)
        if bindings.command(of: [ConfigKeyText.interrupt]) != .interrupt {
            bindings.bind([ConfigKeyText.interrupt], to: .interrupt)
        }
    }

    private mutating func fulfil(_ wish: Wish, _ name: String) {
        let command = wish.command
        let keys: [Key]
        do throws(ConfigKeyText.Fault) {
            keys = try ConfigKeyText.sequence(name)
        } catch {
            warn(wish, "\(error.sentence)")
            return
        }
        if keys == [ConfigKeyText.interrupt], command != .interrupt {
            warn(wish, "\"\(name)\" is not \(command.configName)'s, as ^c always interrupts")
        } else if let owner = granted[keys] {
            // Twice for one command is no harm.
            guard owner != command else { return }
            warn(wish, "\"\(name)\" is not \(command.configName)'s, as it is \(described(owner)) already")
        } else {
            let excluded = bindings.sequences(excludedBy: keys)
            if let earlier = excluded.first(where: { granted[$0] != nil }), let owner = granted[earlier] {
                let reason =
                    keys.starts(with: earlier)
                    ? "can never be typed, as \"\(self.name(of: earlier))\" is \(described(owner))"
                    : "would keep \"\(self.name(of: earlier))\" from being typed, which is \(described(owner))"
                warn(wish, "\"\(name)\" for \(command.configName) \(reason)")
                return
            }
            withdraw(excluded, for: keys, name, wish)
            bindings.bind(keys, to: command)
            granted[keys] = command
            names[keys] = name
        }
    }

    /// Takes keys from the commands that have them of themselves, as they cannot be with `keys`.
    private mutating func withdraw(_ excluded: [[Key]], for keys: [Key], _ name: String, _ wish: Wish) {
        guard let first = excluded.first, let owner = bindings.command(of: first) else { return }
        let others = excluded.count > 1 ? " and \((excluded.count - 1).of("other key"))" : ""
        warn(
            wish,
            "\"\(name)\" for \(wish.command.configName) takes \"\(self.name(of: first))\" from \(owner.configName)\(others), as "
                + (first.count > keys.count ? "those begin with it" : "it begins so"))
        for keys in excluded { bindings.unbind(keys) }
    }

    /// What cancels does so in the middle of other keys, too.
    private mutating func withdrawInterrupted(_ wishes: [Wish]) {
        for wish in wishes {
            for keys in bindings.keys(of: wish.command) {
                guard let key = keys.dropFirst().first(where: { bindings.command(of: [$0]) == .cancel }) else {
                    continue
                }
                warn(wish, "\"\(name(of: keys))\" can never be typed, as \(key.label) cancels")
                bindings.unbind(keys)
            }
        }
    }

    private mutating func warn(_ wish: Wish, _ sentence: String) {
        warnings.append(ConfigWarning(line: wish.line, sentence: sentence))
    }

    private func described(_ command: Command) -> String {
        command.configName + "'s" + (lines[command].map { " (line \($0))" } ?? "")
    }

    /// The name of keys: as the reader has them, else as the commands declare them.
    func name(of keys: [Key]) -> String { names[keys] ?? Self.standardNames[keys] ?? "" }

    private static let standardNames = Dictionary(
        CommandInfo.all.flatMap(\.keys).map { (KeyBindings.sequence(of: $0), $0) },
        uniquingKeysWith: { first, _ in first })
}

extension Command {
    /// What a config file calls it: "sort-by-title".
    var configName: String {
        info.name.reduce(into: "") { name, character in
            if character.isUppercase { name.append("-") }
            name += character.lowercased()
        }
    }

    /// The command that a config file calls so; nil where there is none. The names of the source are known, too:
    /// "sortByTitle".
    init?(configName: String) {
        guard let command = Self.allCases.first(where: { $0.configName == configName || $0.info.name == configName })
        else {
            return nil
        }
        self = command
    }
}
