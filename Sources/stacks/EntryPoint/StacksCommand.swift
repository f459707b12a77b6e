internal import ArgumentParser
internal import Books
internal import Browser
internal import ConnectorProtocol
internal import Glibc
internal import Search
internal import Storage
internal import TerminalUI

/// The root command.
struct StacksCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "stacks",
        abstract: "Browse, search and edit a catalog of books.",
        usage: """
            stacks [<catalog>] [<option> ...]  the options: stacks help browse
            stacks <subcommand> ...            its options: stacks help <subcommand>
            """,
        discussion: """
            stacks                       browse the last catalog, at first a sample
            stacks books.json            browse a catalog: JSON, CSV, calibre, MARC ...
            stacks search austen         print the books that match
            stacks show 9780141439587    print all details of a book
            stacks import goodreads.csv  import your shelves, ratings and readings
            stacks export --format csv   print the books for other programs

            In the browser, ? shows all keys, / searches, :guide explains, and q quits.
            The manual: man stacks

            Without a catalog, stacks opens $STACKS_CATALOG, else standard input if it is a pipe or a file, else the last \
            catalog opened, else the bundled sample; "-" is standard input. The config file can name catalogs: "stacks home".
            """,
        version: StacksVersion.number,
        subcommands: [
            BrowseCommand.self, SearchCommand.self, ShowCommand.self, ListsCommand.self, LogCommand.self,
            FavouritesCommand.self, ExportCommand.self, PublishCommand.self, ImportCommand.self, AddCommand.self,
            SetCommand.self,
            DeleteCommand.self,
            MoveCommand.self, MergeCommand.self, SortCommand.self, StatisticsCommand.self, CheckCommand.self,
            DuplicatesCommand.self,
            ValuesCommand.self, LookupCommand.self, ScanCommand.self,
            ProfilesCommand.self, SourcesCommand.self, ConfigCommand.self,
        ],
        defaultSubcommand: BrowseCommand.self)
}

/// The command `stacks [CATALOG]`.
struct BrowseCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "browse",
        abstract: "Browse a catalog of books (the default command).",
        discussion: """
            Without a catalog, stacks opens $STACKS_CATALOG, else standard input if it is a pipe or a file, else the last \
            catalog opened, else the bundled one; "-" is standard input. If standard output is not a terminal, the books are printed, one per \
            line: title, tab, authors.

            --query and --sort replace the query and order in which you left the catalog; the book you left is current \
            if it is listed. For the query syntax, see "stacks help search".
            """)

    @Argument(
        help: """
            A JSON file of books (an array, at any depth, or one book per line), a catalog in another format, an \
            address, or a name from the config file.
            """,
        completion: CatalogOptions.completion)
    var catalog: String?

    @Option(help: ProfilesCommand.optionHelp, completion: ProfilesCommand.optionCompletion)
    var profile: String?

    // Accept values that begin with a hyphen.
    @Option(parsing: .unconditional, help: "Show only books that match this query.")
    var query: String?

    @Option(parsing: .unconditional, help: sortHelp, completion: sortCompletion)
    var sort: String?

    @Option(
        help: ArgumentHelp("Open this list: All books, Favourites, a shelf …", valueName: "name"),
        completion: ListsCommand.nameCompletion)
    var list: String?

    @Option(
        help: ArgumentHelp(
            "The columns of the list, separated by commas, each with an optional width (title:40): \(columnNames), or a field of the catalog.",
            valueName: "list"), transform: columns(named:))
    var columns: ListColumns?

    @Flag(help: "Start at the first book instead of where you left off.")
    var noResume = false

    @Flag(help: "Reload the catalog whenever it changes on disk.")
    var follow = false

    @Option(
        help: ArgumentHelp("Colour theme: \(themeNames) (default: \(ConfigTheme.names[0])).", valueName: "name"),
        completion: .list(Theme.all.map(\.name)), transform: theme(named:))
    var theme: Theme?

    @Flag(help: "Leave the mouse to the terminal, for selecting text.")
    var noMouse = false

    @Flag(help: "Show no covers, and ask the terminal nothing about pictures.")
    var noCovers = false

    @Flag(
        help: """
            Print the current row line by line, for screen readers and Braille displays: no panes, nothing is \
            redrawn.
            """)
    var linear = false

    @OptionGroup var copy: CopyOptions

    /// The session for the arguments.
    var session: BrowseSession {
        BrowseSession(
            catalog: CatalogRequest(name: catalog, profile: profile, copying: copy.choice), resumes: !noResume,
            follows: follow, query: query,
            sort: sort,
            theme: theme, usesMouse: noMouse ? false : nil, showsCovers: noCovers ? false : nil, isLinear: linear,
            list: list, columns: columns)
    }

    func run() throws {
        try exit(with: session.run())
    }

    private static let columnNames = columnNames(of: .ofEveryBook)

    /// Returns the names of the columns of a catalog for a sentence.
    static func columnNames(of schema: Schema) -> String { ListColumn.names(of: schema).joined(separator: ", ") }

    private static func columns(named names: String) throws -> ListColumns {
        let names = names.split(separator: ",").map(String.init)
        guard let columns = ListColumns(names: names), columns.names == names else {
            throw ValidationError("Columns: \(columnNames); each at most once, with an optional width from 3 to 200.")
        }
        return columns
    }

    private static let themeNames = Theme.all.map(\.name).joined(separator: ", ")

    private static func theme(named name: String) throws -> Theme {
        guard let theme = Theme(named: name) else { throw ValidationError("Themes: \(themeNames).") }
        return theme
    }

    /// The help of `--sort`.
    static let sortHelp = ArgumentHelp(
        "Sort by title, author, series, year, pages, rating, added, your mine, read (the day) or status, random, or a "
            + "field of the catalog; prefix - to reverse, separate several with commas; or list, for catalog order.",
        valueName: "key")

    /// Shell completion of `--sort`.
    static let sortCompletion = CompletionKind.list(
        (SortOrder.Key.ofEveryBook + SortOrder.Key.ofReader).flatMap { [$0.name, "-" + $0.name] } + ["random", "list"])
}

/// The command `stacks check CATALOG`.
struct CheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Check a catalog: its fields and its errors.",
        discussion: """
            Reports the format and the profile in use, how many records have each field, and with their places in the \
            file: invalid JSON, items that are not books, rows that were skipped, values that a field cannot hold, \
            duplicate books, and invalid ISBNs.

            Exit status: 0 if the catalog is valid and every item is a book, even if titles are missing, values are \
            unusable, or books are duplicated; 65 if it is not valid, or items or rows were skipped; 74 if the file \
            cannot be read to its end.
            """)

    /// The output format.
    enum Format: String, ExpressibleByArgument, CaseIterable {
        case text, json
    }

    @Argument(
        help: "The catalog; \"-\" is standard input.", completion: CatalogOptions.completion)
    var catalog: String

    @Option(help: ProfilesCommand.optionHelp, completion: ProfilesCommand.optionCompletion)
    var profile: String?

    @Option(help: "Output format of the report: text or json.")
    var format = Format.text

    @OptionGroup var copy: CopyOptions

    func run() throws {
        let config = ConfigFile(in: Directories.ofEnvironment())
        let check = CatalogCheck(
            name: CatalogName(named: catalog, in: config.read()), profile: profile, copying: copy.choice,
            isJSON: format == .json)
        try exit(with: check.run())
    }
}

extension ParsableCommand {
    /// Ends the program with `code` unless it is 0.
    func exit(with code: Int32) throws {
        if code != 0 { throw ExitCode(code) }
    }
}
