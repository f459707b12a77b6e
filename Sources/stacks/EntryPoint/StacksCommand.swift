internal import ArgumentParser
internal import Browser
internal import Glibc
internal import Search
internal import Storage
internal import TerminalUI

/// The root command.
struct StacksCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "stacks",
        abstract: "Browse a catalog of books.",
        usage: """
            stacks [CATALOG] [--query QUERY] [--sort KEY] [--profile NAME]
                   [--no-resume] [--follow] [--list NAME] [--columns LIST]
                   [--theme NAME] [--no-mouse] [--linear]
            stacks search QUERY [CATALOG] [--limit NUMBER] [--sort KEY]
                   [--format table|json|jsonl|csv|goodreads|bibtex|csl]
                   [--without-user-data]
            stacks show ID-OR-ISBN [CATALOG] [--format text|json]
                   [--without-user-data]
            stacks lists [CATALOG] [--format table|json]
            stacks favourites list|add|remove [ID-OR-ISBN ...] [--catalog CATALOG]
            stacks export [CATALOG] [--list NAME] [--query QUERY] [--sort KEY]
                   [--format json|jsonl|csv|goodreads|bibtex|csl]
                   [--without-user-data]
            stacks import FILE [--catalog CATALOG] [--list NAME] [--replace]
                   [--dry-run]
            stacks stats [CATALOG] [--list NAME] [--query QUERY] [--profile NAME]
                   [--format text|json] [--svg FILE]
            stacks check CATALOG [--profile NAME] [--format text|json]
            stacks profiles [show NAME | new CATALOG]
            stacks config [--edit]
            """,
        discussion: """
            Without CATALOG, $STACKS_CATALOG is opened, else the catalog opened last, else the one that comes with \
            stacks; "-" is standard input. The config file can give catalogs names: "stacks home".
            """,
        version: "0.1.0",
        subcommands: [
            BrowseCommand.self, SearchCommand.self, ShowCommand.self, ListsCommand.self, FavouritesCommand.self,
            ExportCommand.self, ImportCommand.self, StatisticsCommand.self, CheckCommand.self, ProfilesCommand.self,
            ConfigCommand.self,
        ],
        defaultSubcommand: BrowseCommand.self)
}

/// The command `stacks [CATALOG]`.
struct BrowseCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "browse",
        abstract: "Browse a catalog of books; the word may be left out.",
        discussion: """
            Without CATALOG, $STACKS_CATALOG is opened, else the catalog opened last, else the one that comes with \
            stacks; "-" is standard input. Where standard output is not a terminal, the books are printed, one a \
            line: title, a tab, authors.

            --query and --sort are for what was looked for, and how it was sorted, when you left; the book where you left \
            off is selected where it is found. "stacks help search" has the queries.
            """)

    @Argument(
        help: "A JSON file of books: an array, alone or within objects, or one book a line; or its name in the config.",
        completion: .file(extensions: ["json", "jsonl", "ndjson"]))
    var catalog: String?

    @Option(help: ProfilesCommand.optionHelp, completion: ProfilesCommand.optionCompletion)
    var profile: String?

    // Accept values that begin with a hyphen.
    @Option(parsing: .unconditional, help: "Show the books that a query finds.")
    var query: String?

    @Option(parsing: .unconditional, help: sortHelp, completion: sortCompletion)
    var sort: String?

    @Option(
        help: ArgumentHelp("Open the list of this name: All books, Favourites, a shelf ...", valueName: "name"),
        completion: ListsCommand.nameCompletion)
    var list: String?

    @Option(
        help: ArgumentHelp(
            "The columns of the list, commas between them, and the width behind a colon: \(columnNames).",
            valueName: "list"), transform: columns(named:))
    var columns: ListColumns?

    @Flag(help: "Start at the first book, not where you left off.")
    var noResume = false

    @Flag(help: "Read the catalog again whenever it changes on disk.")
    var follow = false

    @Option(
        help: ArgumentHelp("How it looks: \(themeNames); the first without this option.", valueName: "name"),
        completion: .list(Theme.all.map(\.name)), transform: theme(named:))
    var theme: Theme?

    @Flag(help: "Leave the mouse to the terminal, to select text with it.")
    var noMouse = false

    @Flag(
        help: """
            Print line by line what is selected, for screen readers and Braille displays: no panes, nothing is drawn \
            anew.
            """)
    var linear = false

    /// The session that the arguments describe.
    var session: BrowseSession {
        BrowseSession(
            catalog: catalog, profile: profile, resumes: !noResume, follows: follow, query: query, sort: sort,
            theme: theme, usesMouse: noMouse ? false : nil, isLinear: linear, list: list, columns: columns)
    }

    func run() throws {
        try exit(with: session.run())
    }

    private static let columnNames = ListColumn.allCases.map(\.rawValue).joined(separator: ", ")

    private static func columns(named names: String) throws -> ListColumns {
        let names = names.split(separator: ",").map(String.init)
        guard let columns = ListColumns(names: names), columns.names == names else {
            throw ValidationError("the columns are \(columnNames), each once, with a width of 3 to 200 or without.")
        }
        return columns
    }

    private static let themeNames = Theme.all.map(\.name).joined(separator: ", ")

    private static func theme(named name: String) throws -> Theme {
        guard let theme = Theme(named: name) else { throw ValidationError("the themes are \(themeNames).") }
        return theme
    }

    /// The help of `--sort`.
    static let sortHelp = ArgumentHelp(
        "Sort by title, author, series, year, pages, rating or added, \"-\" before it the other way round, commas between several; "
            + "or list, as the catalog has them.",
        valueName: "key")

    /// Shell completion of `--sort`.
    static let sortCompletion = CompletionKind.list(
        SortOrder.Key.allCases.flatMap { [$0.rawValue, "-" + $0.rawValue] } + ["list"])
}

/// The command `stacks check CATALOG`.
struct CheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Say what a catalog has, and what is wrong with it.",
        discussion: """
            Tells the profile by which the catalog is read, how many records have each field, and with line, column and \
            byte: what is no JSON, what is no book, values that a field can make nothing of, books that are there \
            twice, and numbers that are no ISBNs.

            Ends with 0 where every value of the catalog is JSON and a book; with 65 where it is not valid JSON or \
            something was left out; with 74 where the file cannot be read to its end. A missing title, a value that \
            cannot be read, a double or an invalid ISBN is told, but the catalog is whole: it ends with 0.
            """)

    /// The output format.
    enum Format: String, ExpressibleByArgument, CaseIterable {
        case text, json
    }

    @Argument(
        help: "The catalog; \"-\" is standard input.", completion: .file(extensions: ["json", "jsonl", "ndjson"]))
    var catalog: String

    @Option(help: ProfilesCommand.optionHelp, completion: ProfilesCommand.optionCompletion)
    var profile: String?

    @Option(help: "The form of the verdict: text or json.")
    var format = Format.text

    func run() throws {
        let config = ConfigFile(in: Directories.ofEnvironment())
        let path = OpenedCatalog.path(named: catalog, in: config.read()) ?? catalog
        try exit(with: CatalogCheck(path: path, profile: profile, isJSON: format == .json).run())
    }
}

extension ParsableCommand {
    /// Ends the program with `code` unless it is 0.
    func exit(with code: Int32) throws {
        if code != 0 { throw ExitCode(code) }
    }
}
