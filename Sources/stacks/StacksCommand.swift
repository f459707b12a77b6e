internal import ArgumentParser
internal import Glibc

/// The command line.
struct StacksCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "stacks",
        abstract: "Browse a catalog of books.",
        discussion: """
            Without CATALOG, $STACKS_CATALOG is opened, else the catalog opened last, else the one that comes with \
            stacks. Where standard output is not a terminal, the books are printed, one a line: title, a tab, authors.
            """,
        version: "0.1.0")

    @Argument(help: "A JSON file with an array of books.", completion: .file(extensions: ["json"]))
    var catalog: String?

    @Flag(help: "Start at the first book, not where you left off.")
    var noResume = false

    func run() throws {
        let code = BrowseSession(catalog: catalog, resumes: !noResume).run()
        if code != 0 { throw ExitCode(code) }
    }
}
