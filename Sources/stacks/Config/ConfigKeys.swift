internal import Browser
internal import Library
internal import TerminalUI
internal import Text

/// The key bindings with the changes of the config file.
///
/// Keys set for a command replace its standard keys. A key that is set for a command is taken from other commands,
/// which keep their other keys.
struct ConfigKeys {
    /// The keys set for a command.
    struct Wish {
        /// The command.
        var command: Command
        /// The names of its keys.
        var keys: [String]
        /// The line of the setting.
        var line: Int?
        /// Whether the keys are implied by those of the same command in another context, which gets the warnings.
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

    /// Adds settings for commands that have the same keys in other contexts, unless these are set themselves.
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
            warn(wish, ConfigMessage.keyInterrupts.text(command.configName))
        } else if let owner = granted[keys]?.first(where: command.shares(aContextWith:)) {
            // A duplicate for the same command is harmless.
            guard owner != command else { return }
            warn(wish, ConfigMessage.keyBound.text(name, command.configName, described(owner)))
        } else {
            let excluded = bindings.sequences(excludedBy: keys, of: command)
            func rival(_ keys: [Key]) -> Command? { granted[keys]?.first(where: command.shares(aContextWith:)) }
            if let earlier = excluded.first(where: { rival($0) != nil }), let owner = rival(earlier) {
                let message: ConfigMessage = keys.starts(with: earlier) ? .keyBeginsBound : .keyWouldDisable
                warn(wish, message.text(name, command.configName, self.name(of: earlier), described(owner)))
                return
            }
            withdraw(excluded, for: keys, name, wish)
            bindings.bind(keys, to: command)
            granted[keys, default: []].append(command)
            names[keys] = name
        }
    }

    /// Removes standard keys of other commands that conflict with `keys`.
    private mutating func withdraw(_ excluded: [[Key]], for keys: [Key], _ name: String, _ wish: Wish) {
        func rivals(_ keys: [Key]) -> [Command] {
            bindings.commands(of: keys).filter(wish.command.shares(aContextWith:))
        }
        guard let first = excluded.first, let owner = rivals(first).first else { return }
        let values = [wish.command.configName, name, self.name(of: first), owner.configName]
        let others = (excluded.count - 1).of("other sequence")
        if excluded.count == 1 {
            warn(wish, ConfigMessage.keyDisables.text(values))
        } else if first.count > keys.count {
            warn(wish, ConfigMessage.keyDisablesStarting.text(values + [others, name]))
        } else {
            warn(wish, ConfigMessage.keyDisablesOthers.text(values + [others]))
        }
        for keys in excluded {
            for rival in rivals(keys) { bindings.unbind(keys, from: rival) }
        }
    }

    /// Unbinds sequences that contain the key of cancel, because it cancels a sequence too.
    private mutating func withdrawInterrupted(_ wishes: [Wish]) {
        for wish in wishes {
            for keys in bindings.keys(of: wish.command) {
                guard let key = keys.dropFirst().first(where: { bindings.command(of: [$0]) == .cancel }) else {
                    continue
                }
                warn(wish, ConfigMessage.keyCancels.text(name(of: keys), key.label))
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

    /// Returns the name of a key sequence in the user's spelling, or in that of the command table.
    func name(of keys: [Key]) -> String { names[keys] ?? Self.standardNames[keys] ?? "" }

    private static let standardNames = Dictionary(
        CommandInfo.all.flatMap(\.keys).map { (KeyBindings.sequence(of: $0), $0) },
        uniquingKeysWith: { first, _ in first })
}

extension Command {
    /// The name of the command in the config file, such as "sort-by-title".
    var configName: String { info.name }

    /// Creates the command with a name of the config file. Accepts names of earlier versions too: other words, and
    /// other separators, such as "sortByTitle". Fails if the name is unknown.
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

    /// Returns the letters of a name, because earlier versions wrote "copyISBN", and "copy-i-s-b-n" in the listing.
    private static func key(of name: String) -> String { name.filter { $0 != "-" }.lowercased() }
}
