internal import ArgumentParser
internal import Glibc

/// The command line.
struct StacksCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "stacks",
        abstract: "Browse a catalog of books.",
        usage: """
            stacks [CATALOG] [--no-resume] [--follow]
            stacks check CATALOG [--format text|json]
            """,
        discussion: """
            Without CATALOG, $STACKS_CATALOG is opened, else the catalog opened last, else the one that comes with \
            stacks; "-" is standard input.
            """,
        version: "0.1.0",
        subcommands: [BrowseCommand.self, CheckCommand.self],
        defaultSubcommand: BrowseCommand.self)
}

/// `stacks [CATALOG]`.
struct BrowseCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "browse",
        abstract: "Browse a catalog of books; the word may be left out.",
        discussion: """
            Without CATALOG, $STACKS_CATALOG is opened, else the catalog opened last, else the one that comes with \
            stacks; "-" is standard input. Where standard output is not a terminal, the books are printed, one a \
            line: title, a tab, authors.
            """)

    @Argument(
        help: "A JSON file of books: an array, alone or within objects, or one book a line.",
        completion: .file(extensions: ["json", "jsonl", "ndjson"]))
    var catalog: String?

    @Flag(help: "Start at the first book, not where you left off.")
    var noResume = false

    @Flag(help: "Read the catalog again whenever it changes on disk.")
    var follow = false

    func run() throws {
        try exit(with: BrowseSession(catalog: catalog, resumes: !noResume, follows: follow).run())
    }
}

/// `stacks check CATALOG`.
struct CheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Say whether a catalog is valid JSON, and what in it is no book.",
        discussion: "Ends with 0 where all is well, with 65 where something is wrong.")

    /// The form of the verdict.
    enum Format: String, ExpressibleByArgument, CaseIterable {
        case text, json
    }

    @Argument(
        help: "The catalog; \"-\" is standard input.", completion: .file(extensions: ["json", "jsonl", "ndjson"]))
    var catalog: String

    @Option(help: "The form of the verdict: text or json.")
    var format = Format.text

    func run() throws {
        try exit(with: CatalogCheck(catalog, asJSON: format == .json).run())
    }
}

extension ParsableCommand {
    fileprivate func exit(with code: Int32) throws {
        if code != 0 { throw ExitCode(code) }
    }
}
