internal import Browser
internal import Library
internal import TerminalUI

/// The key bindings with the changes of the config file.
///
/// Keys set for a command replace its default keys. A key moves to the command that it is set for, and its previous
/// command keeps its other keys.
struct ConfigKeys {
    /// The keys set for a command.
    struct Wish {
        /// The command.
        var command: Command
        /// The names of its keys.
        var keys: [String]
        /// The line of the setting.
        var line: Int?
        /// Whether the keys follow those of a related command in another context, whose setting gets the warnings.
        var isImplied = false
    }

    /// The resulting bindings.
    private(set) var bindings = KeyBindings.standard
    /// The warnings about invalid settings; the others apply.
    private(set) var warnings: [ConfigWarning] = []
    /// The names of key sequences in the user's spelling.
    private(set) var names: [[Key]: String] = [:]
    private var lines: [Command: Int] = [:]
    private var granted: [[Key]: [Command]] = [:]

    /// Applies the settings; of two that conflict, the first applies.
    init(_ wishes: [Wish]) {
        let wishes = Self.withFollowers(wishes)
        for wish in wishes {
            lines[wish.command] = wish.line
            for keys in bindings.keys(of: wish.command) { bindings.unbind(keys, from: wish.command) }
        }
        for wish in wishes {
            for name in wish.keys { fulfil(wish, name) }
        }
        withdrawInterrupted(wishes)
        if bindings.command(of: [ConfigKeyText.interrupt]) != .interrupt {
            bindings.bind([ConfigKeyText.interrupt], to: .interrupt)
        }
    }

    /// Adds settings for related commands in other contexts that have the same keys, unless these are set themselves.
    private static func withFollowers(_ wishes: [Wish]) -> [Wish] {
        let followers = CommandInfo.all.compactMap { info -> Wish? in
            guard let leader = info.like, !wishes.contains(where: { $0.command == info.command }),
                let wish = wishes.first(where: { $0.command == leader })
            else { return nil }
            return Wish(command: info.command, keys: wish.keys, line: wish.line, isImplied: true)
        }
        return wishes + followers
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
            warn(wish, "^c cannot be bound to \(command.configName): it always interrupts")
        } else if let owner = granted[keys]?.first(where: { !$0.info.contexts.isDisjoint(with: command.info.contexts) })
        {
            // A repetition for the same command is harmless.
            guard owner != command else { return }
            warn(wish, "\(name) for \(command.configName) is ignored: it is already bound to \(described(owner))")
        } else {
            let excluded = bindings.sequences(excludedBy: keys)
            if let earlier = excluded.first(where: { granted[$0] != nil }), let owner = granted[earlier]?.first {
                let reason =
                    keys.starts(with: earlier)
                    ? "\(name) for \(command.configName) is ignored: \(self.name(of: earlier)) is already bound to \(described(owner))"
                    : "\(name) for \(command.configName) is ignored: it would disable \(self.name(of: earlier)) (\(described(owner)))"
                warn(wish, reason)
                return
            }
            withdraw(excluded, for: keys, name, wish)
            bindings.bind(keys, to: command)
            granted[keys, default: []].append(command)
            names[keys] = name
        }
    }

    /// Removes default keys of other commands that conflict with `keys`.
    private mutating func withdraw(_ excluded: [[Key]], for keys: [Key], _ name: String, _ wish: Wish) {
        guard let first = excluded.first, let owner = bindings.command(of: first) else { return }
        let others = excluded.count > 1 ? " and \((excluded.count - 1).of("other sequence"))" : ""
        warn(
            wish,
            "binding \(wish.command.configName) to \(name) disables \(self.name(of: first)) (\(owner.configName))\(others)"
                + (first.count > keys.count && excluded.count > 1 ? " starting with \(name)" : ""))
        for keys in excluded { bindings.unbind(keys) }
    }

    /// Unbinds sequences that contain the cancel key, since it cancels a sequence too.
    private mutating func withdrawInterrupted(_ wishes: [Wish]) {
        for wish in wishes {
            for keys in bindings.keys(of: wish.command) {
                guard let key = keys.dropFirst().first(where: { bindings.command(of: [$0]) == .cancel }) else {
                    continue
                }
                warn(wish, "\(name(of: keys)) can never be typed, as \(key.label) cancels")
                bindings.unbind(keys)
            }
        }
    }

    private mutating func warn(_ wish: Wish, _ sentence: String) {
        if wish.isImplied { return }
        warnings.append(ConfigWarning(line: wish.line, sentence: sentence))
    }

    private func described(_ command: Command) -> String {
        command.configName + (lines[command].map { " (line \($0))" } ?? "")
    }

    /// Returns the name of a key sequence in the user's spelling, or as the command declares it.
    func name(of keys: [Key]) -> String { names[keys] ?? Self.standardNames[keys] ?? "" }

    private static let standardNames = Dictionary(
        CommandInfo.all.flatMap(\.keys).map { (KeyBindings.sequence(of: $0), $0) },
        uniquingKeysWith: { first, _ in first })
}

extension Command {
    /// The name of the command in the config file, such as "sort-by-title".
    var configName: String { info.name }

    /// Creates the command with a name of the config file. Names of earlier versions are accepted too: other words,
    /// and other ways to write the words, such as "sortByTitle". Fails if the name is unknown.
    init?(configName: String) {
        guard let command = Self.commandsByName[Self.key(of: configName)] else { return nil }
        self = command
    }

    private static let commandsByName: [String: Command] = {
        var commands = Dictionary(uniqueKeysWithValues: allCases.map { (key(of: $0.configName), $0) })
        for (former, name) in formerNames { commands[key(of: former)] = commands[key(of: name)] }
        return commands
    }()

    private static let formerNames = [
        "mark": "select", "mark-range": "select-range", "mark-all": "select-all", "set-place": "set-bookmark",
        "go-to-place": "go-to-bookmark", "save-query": "save-search",
    ]

    /// Returns the letters of a name: earlier versions wrote "copyISBN", and "copy-i-s-b-n" in the listing.
    private static func key(of name: String) -> String { name.filter { $0 != "-" }.lowercased() }
}
