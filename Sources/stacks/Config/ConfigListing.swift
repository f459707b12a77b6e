internal import Browser
internal import Catalog
internal import Graphemes
internal import Remote
internal import Storage

/// The output of `stacks config`: all settings in effect, as a valid config file, each with its origin in a comment.
struct ConfigListing {
    /// The config.
    let config: Config
    /// The sentence about the connector program, which follows the settings as a comment; nil for none.
    var connector: String?
    /// The sentence about pictures in this terminal, which follows it; nil if that is unknown.
    var pictures: String?

    /// The default values.
    enum Standard {
        static let listsPaneWidth = Settings.standardListsPaneWidth
        static let tabsWidth = Settings.standardTabsWidth
        static let listShare = 60
    }

    /// The listing, one line per setting.
    var text: String {
        var lines = ["# " + place, ""]
        lines.append(line("theme", quoted(config.theme ?? ConfigTheme.names[0]), at: ["theme"]))
        lines.append(line("mouse", String(config.mouse ?? true), at: ["mouse"]))
        if let columns = config.columns {
            lines.append(line("columns", list(columns.names), at: ["columns"]))
        } else {
            let example = list(ListColumn.ofEveryBook.prefix(4).map(\.rawValue))
            lines.append("# columns = \(example)  # default: as many as fit")
        }
        lines.append(line("cards", String(config.cards ?? false), at: ["cards"]))
        lines += ["", "[display]"]
        lines.append(
            line("original-script", String(config.originalScript ?? false), at: ["display", "original-script"]))
        lines += ["", "[panes]"]
        lines.append(
            line("lists", width(config.listsPaneWidth, Standard.listsPaneWidth), at: ["panes", "lists"]))
        lines.append(line("tabs", width(config.tabsWidth, Standard.tabsWidth), at: ["panes", "tabs"]))
        lines.append(line("list", String(config.listShare ?? Standard.listShare), at: ["panes", "list"]))
        lines += ["", "[lists]"]
        lines.append(line("tidy-up", String(config.tidyUp ?? true), at: ["lists", "tidy-up"]))
        lines += ["", "[reading]"]
        if let goal = config.readingGoal {
            lines.append(line("goal", String(goal), at: ["reading", "goal"]))
        } else {
            lines.append("# goal = 30  # default: no goal")
        }
        lines += ["", "[covers]"]
        lines.append(line("show", String(config.showsCovers ?? true), at: ["covers", "show"]))
        lines.append(line("remote", String(config.fetchesCovers ?? false), at: ["covers", "remote"]))
        if let servers = config.coverServers {
            lines.append(line("servers", list(servers), at: ["covers", "servers"]))
        } else {
            lines.append("# servers = [\"covers.openlibrary.org\"]  # default: those of catalogs")
        }
        lines += ["", "[copies]"]
        lines.append(line("limit", String(config.copyLimit ?? CopyLimits.standardCopy >> 20), at: ["copies", "limit"]))
        lines += ["", "[lookup]"]
        if let sources = config.lookupSources {
            lines.append(line("sources", list(sources), at: ["lookup", "sources"]))
        } else {
            lines.append("# sources = [\"loc\", \"dnb\"]  # default: all, and servers once you agree")
        }
        lines += ["", "[keys]"] + keys
        lines += ["", "[catalogs]"] + catalogs
        let remarks = [connector, pictures].compactMap(\.self)
        if !remarks.isEmpty { lines += [""] + remarks.map { "# \($0)" } }
        return lines.map { $0.sanitized + "\n" }.joined()
    }

    private var place: String {
        guard let path = config.path else { return "no config file: HOME is not set" }
        return config.isPresent
            ? shownPath(path) : "\(shownPath(path)) does not exist; create it with: stacks config --edit"
    }

    /// Returns a width from which on a part of the screen is shown, which is `standard` if unset.
    private func width(_ width: Int?, _ standard: Int) -> String {
        width == .max ? "false" : String(width ?? standard)
    }

    private var keys: [String] {
        let keys = config.keys ?? ConfigKeys([])
        return Command.allCases.map { command in
            let names = keys.bindings.keys(of: command).map(keys.name(of:))
            let isDefault = names == command.info.keys
            let place = ["keys", command.info.name]
            // Another command is bound to one of the standard keys.
            let origin = config.lines[place] == nil && !isDefault ? "default, without the keys bound above" : nil
            return line(command.configName, list(names), at: place, origin)
        }
    }

    private var catalogs: [String] {
        if config.catalogs.isEmpty { return ["# home = \"~/books.json\"  # so that \"stacks home\" opens it"] }
        return config.catalogs.sorted { $0.key < $1.key }.map { name, path in
            let isBare = name.utf8.allSatisfy { byte in
                byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_") || (0x30...0x39).contains(byte)
                    || (0x61...0x7A).contains(byte | 0x20)
            }
            return line(isBare ? name : quoted(name), quoted(abbreviatedPath(path)), at: ["catalogs", name])
        }
    }

    private func line(_ name: String, _ value: String, at path: [String], _ origin: String? = nil) -> String {
        var place = origin ?? "default"
        if let number = config.lines[path], let file = config.path { place = "\(shownPath(file)), line \(number)" }
        return "\(name) = \(value)  # \(place)"
    }

    private func shownPath(_ path: String) -> String { abbreviatedPath(path) }

    private func list(_ texts: [String]) -> String { "[" + texts.map(quoted).joined(separator: ", ") + "]" }

    /// Returns a text as a TOML string; characters that could control a terminal are escaped.
    private func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": result += "\\\(scalar)"
            default:
                if String(scalar).sanitized == String(scalar) {
                    result.unicodeScalars.append(scalar)
                } else {
                    let digits = String(scalar.value, radix: 16, uppercase: true)
                    let width = digits.count > 4 ? 8 : 4
                    result +=
                        (width == 4 ? "\\u" : "\\U") + String(repeating: "0", count: width - digits.count) + digits
                }
            }
        }
        return result + "\""
    }
}
