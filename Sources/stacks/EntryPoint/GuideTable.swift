internal import Browser

/// The hidden option with which `make guide` gets the tables that the program knows, as rows of Markdown.
enum GuideTable: String {
    case keys
    case settings
    case exitCodes = "exit-codes"

    /// The option, like the one of the parser that prints all commands and options.
    private static let option = "--experimental-dump-table"

    /// Creates the table that the arguments name; fails for all other arguments.
    init?(arguments: [String]) {
        guard arguments.count == 2, arguments[0] == Self.option else { return nil }
        self.init(rawValue: arguments[1])
    }

    /// Prints the table.
    ///
    /// - Returns: The exit status.
    func run() -> Int32 {
        return PlainList.write(rows.map { $0 + "\n" }.joined())
    }

    /// The rows, with that of the headings.
    var rows: [String] {
        switch self {
        case .keys: Self.table(["keys", "command", "what it does"]) + CommandInfo.all.map(\.markdownRow)
        case .settings:
            Self.table(["setting", "default", "meaning"])
                + ConfigSetting.all.map { setting in
                    let standard = setting.standard.isEmpty ? "" : "`\(setting.standard)`"
                    return "| `\(setting.name)` | \(standard) | \(setting.meaning) |"
                }
        case .exitCodes:
            Self.table(["exit code", "meaning"]) + ExitStatus.meanings.map { "| \($0.status) | \($0.meaning) |" }
        }
    }

    private static func table(_ names: [String]) -> [String] {
        ["| " + names.joined(separator: " | ") + " |", "|" + names.map { _ in "---|" }.joined()]
    }
}
