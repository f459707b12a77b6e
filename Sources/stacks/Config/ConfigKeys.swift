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
    struct Setting {
        /// The command.
        var command: Command
        /// The names of its keys.
        var keys: [String]
        /// The line of the setting.
        var line: Int?
        /// Whether the keys are implied by those of a related command in another context, which gets the warnings.
        var isImplied = false
    }

    /// The resulting bindings.
    private(set) var bindings = KeyBindings.standard
    /// The warnings about invalid settings; the others apply.
    private(set) var warnings: [ConfigWarning] = []
    /// The names of key sequences in the user's spelling.
    private(set) var names: [[Key]: String] = [:]
    private var lines: [Command: Int] = [:]
    private var bound: [[Key]: [Command]] = [:]

    /// Applies the settings; of two that conflict, the first applies.
    init(_ settings: [Setting]) {
        let settings = Self.withImpliedSettings(settings)
        for setting in settings {
            lines[setting.command] = setting.line
            for keys in bindings.keys(of: setting.command) { bindings.unbind(keys, from: setting.command) }
        }
        for setting in settings {
            for name in setting.keys { apply(setting, name) }
        }
        unbindCancelled(settings)
        if bindings.command(of: [ConfigKeyText.interrupt]) != .interrupt {
            bindings.bind([ConfigKeyText.interrupt], to: .interrupt)
        }
    }

    /// Adds settings for commands that have the same keys in other contexts, unless these are set themselves.
    private static func withImpliedSettings(_ settings: [Setting]) -> [Setting] {
        let implied = CommandInfo.all.compactMap { info -> Setting? in
            guard let main = info.like, !settings.contains(where: { $0.command == info.command }),
                let setting = settings.first(where: { $0.command == main })
            else { return nil }
            return Setting(command: info.command, keys: setting.keys, line: setting.line, isImplied: true)
        }
        return settings + implied
    }

    private mutating func apply(_ setting: Setting, _ name: String) {
        let command = setting.command
        let keys: [Key]
        do throws(ConfigKeyText.SyntaxError) {
            keys = try ConfigKeyText.sequence(name)
        } catch {
            warn(setting, "\(error.sentence)")
            return
        }
        if keys == [ConfigKeyText.interrupt], command != .interrupt {
            warn(setting, ConfigMessage.keyInterrupts.text(command.configName))
        } else if let owner = bound[keys]?.first(where: command.shares(aContextWith:)) {
            // A duplicate for the same command is harmless.
            guard owner != command else { return }
            warn(setting, ConfigMessage.keyBound.text(name, command.configName, described(owner)))
        } else {
            let excluded = bindings.sequences(excludedBy: keys, of: command)
            func rival(_ keys: [Key]) -> Command? { bound[keys]?.first(where: command.shares(aContextWith:)) }
            if let earlier = excluded.first(where: { rival($0) != nil }), let owner = rival(earlier) {
                let message: ConfigMessage = keys.starts(with: earlier) ? .keyBeginsBound : .keyWouldDisable
                warn(setting, message.text(name, command.configName, self.name(of: earlier), described(owner)))
                return
            }
            unbindConflicts(excluded, for: keys, name, setting)
            bindings.bind(keys, to: command)
            bound[keys, default: []].append(command)
            names[keys] = name
        }
    }

    /// Removes standard keys of other commands that conflict with `keys`.
    private mutating func unbindConflicts(_ excluded: [[Key]], for keys: [Key], _ name: String, _ setting: Setting) {
        func rivals(_ keys: [Key]) -> [Command] {
            bindings.commands(of: keys).filter(setting.command.shares(aContextWith:))
        }
        guard let first = excluded.first, let owner = rivals(first).first else { return }
        let (command, key, ownerName) = (setting.command.configName, self.name(of: first), owner.configName)
        let others = (excluded.count - 1).of("other sequence")
        if excluded.count == 1 {
            warn(setting, ConfigMessage.keyDisables.text(command, name, key, ownerName))
        } else if first.count > keys.count {
            warn(setting, ConfigMessage.keyDisablesStarting.text(command, name, key, ownerName, others, name))
        } else {
            warn(setting, ConfigMessage.keyDisablesOthers.text(command, name, key, ownerName, others))
        }
        for keys in excluded {
            for rival in rivals(keys) { bindings.unbind(keys, from: rival) }
        }
    }

    /// Unbinds sequences that contain the key of cancel, because it cancels a sequence too.
    private mutating func unbindCancelled(_ settings: [Setting]) {
        for setting in settings {
            for keys in bindings.keys(of: setting.command) {
                guard let key = keys.dropFirst().first(where: { bindings.command(of: [$0]) == .cancel }) else {
                    continue
                }
                warn(setting, ConfigMessage.keyCancels.text(name(of: keys), key.label))
                bindings.unbind(keys)
            }
        }
    }

    private mutating func warn(_ setting: Setting, _ sentence: String) {
        if setting.isImplied { return }
        warnings.append(ConfigWarning(line: setting.line, sentence: sentence))
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
        for (earlier, name) in earlierNames { commands[key(of: earlier)] = commands[key(of: name)] }
        return commands
    }()

    private static let earlierNames = [
        "mark": "select", "mark-range": "select-range", "mark-all": "select-all", "set-place": "set-bookmark",
        "go-to-place": "go-to-bookmark", "save-query": "save-search",
    ]

    /// Returns the letters of a name, because earlier versions wrote "copyISBN", and "copy-i-s-b-n" in the listing.
    private static func key(of name: String) -> String { name.filter { $0 != "-" }.lowercased() }
}
