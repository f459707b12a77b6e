internal import Browser
internal import Catalog
internal import Library
internal import Remote
internal import Storage
internal import Text

extension Config {
    /// Creates the settings from the text of the file at `path`.
    init(_ text: ConfigText, path: String?) {
        var reader = ConfigReader(text)
        reader.config.path = path
        reader.config.isPresent = true
        reader.read()
        self = reader.config
    }
}

/// Reads the settings from the values of a config file.
private struct ConfigReader {
    var config = Config()
    private let text: ConfigText

    init(_ text: ConfigText) { self.text = text }

    private static let names = [
        "theme", "mouse", "columns", "cards", "display", "keys", "panes", "lists", "reading", "covers", "copies",
        "lookup", "catalogs",
    ]
    private static let displayNames = ["original-script"]
    private static let paneNames = ["lists", "list", "tabs"]
    private static let listNames = ["tidy-up"]
    private static let readingNames = ["goal"]
    private static let coverNames = ["show", "remote", "servers"]
    private static let copyNames = ["limit"]
    private static let lookupNames = ["sources"]

    mutating func read() {
        for entry in text.entries {
            switch entry.name {
            case "theme": readTheme(entry.value, entry.line)
            case "mouse": config.mouse = readFlag(entry) ?? config.mouse
            case "columns": readColumns(entry.value, entry.line)
            case "cards": config.cards = readFlag(entry) ?? config.cards
            case "display": readTable(entry) { $0.readDisplay($1) }
            case "keys": readTable(entry) { $0.readKeys($1) }
            case "panes": readTable(entry) { $0.readPanes($1) }
            case "lists": readTable(entry) { $0.readLists($1) }
            case "reading": readTable(entry) { $0.readReading($1) }
            case "covers": readTable(entry) { $0.readCovers($1) }
            case "copies": readTable(entry) { $0.readCopies($1) }
            case "lookup": readTable(entry) { $0.readLookup($1) }
            case "catalogs": readTable(entry) { $0.readCatalogs($1) }
            default: warn(entry.line, .unknownSetting, entry.name, Self.hint(entry.name, Self.names))
            }
        }
        config.warnings += text.warnings
        // Warnings of the same line keep their order.
        config.warnings = config.warnings.enumerated()
            .sorted { ($0.element.line ?? 0, $0.offset) < ($1.element.line ?? 0, $1.offset) }.map(\.element)
    }

    // MARK: Settings

    private mutating func readTheme(_ value: ConfigValue, _ line: Int) {
        guard case .text(let name) = value else {
            return warnOfKind("theme", ConfigMessage.themeKind.text(), value, line)
        }
        guard ConfigTheme.names.contains(name) else {
            return warn(line, .unknownTheme, name, ConfigTheme.names.joined(separator: ", "))
        }
        config.theme = name
        config.lines[["theme"]] = line
    }

    /// Returns the value of a setting that is true or false; nil if it is neither.
    private mutating func readFlag(_ entry: ConfigEntry, in table: String? = nil) -> Bool? {
        guard case .flag(let flag) = entry.value else {
            warnOfKind(entry.name, ConfigMessage.flagKind.text(), entry.value, entry.line)
            return nil
        }
        config.lines[[table, entry.name].compactMap(\.self)] = entry.line
        return flag
    }

    private mutating func readColumns(_ value: ConfigValue, _ line: Int) {
        guard let names = Self.texts(value) else {
            return warnOfKind("columns", ConfigMessage.columnsKind.text(), value, line)
        }
        var (known, columns): ([ListColumn], [String]) = ([], [])
        for name in names {
            let word = String(name.prefix { $0 != ":" })
            let all = ListColumn.ofEveryBook.map(\.rawValue)
            // Another name may be that of a field that only some catalog has.
            if ListColumn(rawValue: word) == nil, word.count > 4, all.nearest(to: word).count < all.count {
                warn(line, .misspelledColumn, name, Self.hint(word, all))
                continue
            }
            if known.contains(ListColumn.named(word)) {
                warn(line, .columnTwice, name)
            } else {
                known.append(ListColumn.named(word))
                columns.append(name)
            }
        }
        if names.isEmpty { warn(line, .noColumns) }
        guard let columns = ListColumns(names: columns) else { return }
        config.columns = columns
        config.lines[["columns"]] = line
    }

    private mutating func readDisplay(_ entries: [ConfigEntry]) {
        for entry in entries {
            if entry.name == "original-script" {
                config.originalScript = readFlag(entry, in: "display") ?? config.originalScript
            } else {
                warn(entry.line, .unknownDisplaySetting, entry.name, hint(entry.name, Self.displayNames))
            }
        }
    }

    private mutating func readLists(_ entries: [ConfigEntry]) {
        for entry in entries {
            if entry.name == "tidy-up" {
                config.tidyUp = readFlag(entry, in: "lists") ?? config.tidyUp
            } else {
                warn(entry.line, .unknownListSetting, entry.name, hint(entry.name, Self.listNames))
            }
        }
    }

    private mutating func readCovers(_ entries: [ConfigEntry]) {
        for entry in entries {
            switch entry.name {
            case "show": config.showsCovers = readFlag(entry, in: "covers") ?? config.showsCovers
            case "remote": config.fetchesCovers = readFlag(entry, in: "covers") ?? config.fetchesCovers
            case "servers":
                guard let hosts = Self.texts(entry.value),
                    hosts.allSatisfy({ !Config.origins(ofServer: $0).isEmpty })
                else {
                    warnOfKind("servers", ConfigMessage.hostsKind.text(), entry.value, entry.line)
                    continue
                }
                config.coverServers = hosts
                config.lines[["covers", entry.name]] = entry.line
            default: warn(entry.line, .unknownCoverSetting, entry.name, hint(entry.name, Self.coverNames))
            }
        }
    }

    private mutating func readPanes(_ entries: [ConfigEntry]) {
        for entry in entries {
            let (name, value, line) = (entry.name, entry.value, entry.line)
            switch (name, value) {
            case ("lists", .flag(false)), ("lists", .integer(0)):
                config.listsPaneWidth = .max
                config.lines[["panes", name]] = line
            case ("lists", .integer(let width)) where width > 0:
                config.listsPaneWidth = width
                config.lines[["panes", name]] = line
            case ("tabs", .flag(false)), ("tabs", .integer(0)):
                config.tabsWidth = .max
                config.lines[["panes", name]] = line
            case ("tabs", .integer(let width)) where width > 0:
                config.tabsWidth = width
                config.lines[["panes", name]] = line
            case ("list", .integer(let share)) where (10...90).contains(share):
                config.listShare = share
                config.lines[["panes", name]] = line
            case ("lists", .integer(let number)), ("tabs", .integer(let number)):
                warn(line, .minimumWidth, name, String(number))
            case ("list", .integer(let number)):
                warn(line, .listShare, String(number))
            case ("lists", _), ("tabs", _): warnOfKind(name, ConfigMessage.minimumWidthKind.text(), value, line)
            case ("list", _): warnOfKind("list", ConfigMessage.listKind.text(), value, line)
            default: warn(line, .unknownPaneSetting, name, hint(name, Self.paneNames))
            }
        }
    }

    private mutating func readReading(_ entries: [ConfigEntry]) {
        for entry in entries {
            let (name, value, line) = (entry.name, entry.value, entry.line)
            switch (name, value) {
            case ("goal", .integer(let number)) where (1...ReadingGoal.maximumTarget).contains(number):
                config.readingGoal = number
                config.lines[["reading", name]] = line
            case ("goal", .integer(let number)):
                warn(line, .readingGoal, ReadingGoal.maximumTarget.grouped, String(number))
            case ("goal", _): warnOfKind("goal", ConfigMessage.goalKind.text(), value, line)
            default: warn(line, .unknownReadingSetting, name, hint(name, Self.readingNames))
            }
        }
    }

    private mutating func readCopies(_ entries: [ConfigEntry]) {
        for entry in entries {
            let (name, value, line) = (entry.name, entry.value, entry.line)
            switch (name, value) {
            case ("limit", .integer(let number)) where (1...Self.maximumCopyLimit).contains(number):
                config.copyLimit = number
                config.lines[["copies", name]] = line
            case ("limit", .integer(let number)):
                warn(line, .copyLimit, Self.maximumCopyLimit.grouped, String(number))
            case ("limit", _): warnOfKind("limit", ConfigMessage.copyLimitKind.text(), value, line)
            default: warn(line, .unknownCopySetting, name, hint(name, Self.copyNames))
            }
        }
    }

    /// The greatest limit for a copy in megabytes: more than fits on a disk.
    private static let maximumCopyLimit = 1_000_000_000

    private mutating func readLookup(_ entries: [ConfigEntry]) {
        for entry in entries {
            guard entry.name == "sources" else {
                warn(entry.line, .unknownLookupSetting, entry.name, hint(entry.name, Self.lookupNames))
                continue
            }
            guard let names = Self.texts(entry.value) else {
                warnOfKind("sources", ConfigMessage.lookupSourcesKind.text(), entry.value, entry.line)
                continue
            }
            config.lookupSources = names
            config.lines[["lookup", "sources"]] = entry.line
        }
    }

    private mutating func readCatalogs(_ entries: [ConfigEntry]) {
        for entry in entries {
            let (name, value, line) = (entry.name, entry.value, entry.line)
            guard let path = catalogPath(name, value, line) else { continue }
            if Launcher.commands.contains(name) {
                warn(line, .catalogIsCommand, name)
            } else if name.isEmpty || name.hasPrefix("-") || name.contains("/") {
                warn(line, .catalogNameInvalid, name)
            } else if let path = Self.absolute(path) {
                config.catalogs[name] = path
                config.catalogNames.append(name)
                config.lines[["catalogs", name]] = line
            } else {
                warn(line, .catalogPathRelative, name)
            }
        }
    }

    /// Returns the path or address of a catalog, which is a string or the "source" of a table.
    private mutating func catalogPath(_ name: String, _ value: ConfigValue, _ line: Int) -> String? {
        if case .text(let path) = value { return path }
        guard case .table(let entries) = value, let source = entries.first(where: { $0.name == "source" }),
            case .text(let path) = source.value
        else {
            warnOfKind(ConfigMessage.catalogName.text(name), ConfigMessage.catalogKind.text(name), value, line)
            return nil
        }
        var remote = Config.RemoteSource()
        for entry in entries where entry.name != "source" {
            switch (entry.name, entry.value) {
            case ("user", .text(let user)): remote.user = user
            case ("password-cmd", .list):
                remote.passwordCommand = Self.texts(entry.value)
                if remote.passwordCommand?.isEmpty ?? true { warn(entry.line, .passwordCommandKind, name) }
            case ("password-cmd", _): warn(entry.line, .passwordCommandKind, name)
            case ("encoding", .text(let encoding)) where CopyChoice.isEncoding(encoding):
                if let path = Self.absolute(path) { config.encodings[path] = encoding }
            case ("encoding", _): warn(entry.line, .encodingUnknown, name)
            default:
                let names = ["source", "user", "password-cmd", "encoding"]
                warn(entry.line, .unknownCatalogSetting, entry.name, hint(entry.name, names))
            }
        }
        if let address = SourceAddress(path) { config.remoteSources[address.url] = remote }
        return path
    }

    private static func absolute(_ path: String) -> String? {
        if path.hasPrefix("/") || SourceAddress.isAddress(path) { return path }
        guard path.hasPrefix("~/"), let home = environmentValue("HOME") else { return nil }
        return home + path.dropFirst()
    }

    // MARK: Keys

    private mutating func readKeys(_ entries: [ConfigEntry]) {
        var keySettings: [ConfigKeys.Setting] = []
        for entry in entries {
            let (name, value, line) = (entry.name, entry.value, entry.line)
            guard let command = Command(configName: name) else {
                warn(line, .unknownCommand, name, hint(name, Command.allCases.map(\.configName)))
                continue
            }
            if let first = keySettings.first(where: { $0.command == command }) {
                if let firstLine = first.line {
                    warn(line, .keysTwiceOnLine, command.configName, String(firstLine))
                } else {
                    warn(line, .keysTwice, command.configName)
                }
                continue
            }
            if case .text(let key) = value {
                keySettings.append(ConfigKeys.Setting(command: command, keys: [key], line: line))
            } else if case .list = value, let keys = Self.texts(value) {
                keySettings.append(ConfigKeys.Setting(command: command, keys: keys, line: line))
            } else {
                warnOfKind(name, ConfigMessage.keysKind.text(name), value, line)
                continue
            }
            config.lines[["keys", command.info.name]] = line
        }
        if keySettings.isEmpty { return }
        let keys = ConfigKeys(keySettings)
        config.keys = keys
        config.warnings += keys.warnings
    }

    // MARK: Values

    private mutating func readTable(_ entry: ConfigEntry, _ read: (inout ConfigReader, [ConfigEntry]) -> Void) {
        guard case .table(let entries) = entry.value else {
            let name = entry.name
            return warnOfKind(name, ConfigMessage.tableKind.text(name), entry.value, entry.line)
        }
        read(&self, entries)
    }

    /// Returns the strings of an array; nil if it contains anything else.
    private static func texts(_ value: ConfigValue) -> [String]? {
        guard case .list(let items) = value else { return nil }
        let texts = items.compactMap { item in
            if case .text(let text) = item { text } else { String?.none }
        }
        return texts.count == items.count ? texts : nil
    }

    // MARK: Warnings

    private mutating func warn(_ line: Int, _ message: ConfigMessage, _ values: String...) {
        config.warnings.append(ConfigWarning(line: line, sentence: message.text(values)))
    }

    private mutating func warnOfKind(_ name: String, _ kind: String, _ value: ConfigValue, _ line: Int) {
        var found = value.kind
        if case .list(let items) = value, let other = items.first(where: { if case .text = $0 { false } else { true } })
        {
            found = ConfigMessage.listContaining.text(other.kind)
        }
        warn(line, .wrongKind, name, kind, found)
    }

    /// Returns a hint for the unknown `name` in a table: a similar name, or the right position for a top-level setting.
    private func hint(_ name: String, _ names: [String]) -> String {
        Self.names.contains(name) ? ConfigMessage.belongsAbove.text() : Self.hint(name, names)
    }

    private static func hint(_ name: String, _ names: [String]) -> String {
        let near = names.nearest(to: name)
        return near.count < names.count ? ConfigMessage.didYouMean.text(near.asChoice) : ""
    }

    private static func choice(_ names: [String]) -> String {
        guard let last = names.last, names.count > 1 else { return names.first ?? "nothing" }
        return names.dropLast().joined(separator: ", ") + " or " + last
    }
}
