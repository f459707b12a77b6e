internal import ArgumentParser
internal import Glibc

/// The way from the process's arguments to what it does.
enum Launcher {
    /// Words that are no catalogs.
    static let commands = [
        "browse", "search", "show", "lists", "favourites", "export", "import", "stats", "check", "profiles", "config",
        "help",
    ]

    /// Does what the arguments say, and ends the process.
    static func main() -> Never {
        // A file that may not grow further is an error that is told, not a death.
        signal(SIGXFSZ, SIG_IGN)
        // A reader of the list who has seen enough is no error.
        signal(SIGPIPE, SIG_IGN)
        let arguments = CommandLine.arguments.dropFirst()
        // No option, nothing to parse: reading the parser's declarations takes as long as the whole rest of the start.
        let isPlain = arguments.first.map { !$0.hasPrefix("-") && !commands.contains($0) || $0 == "-" } ?? true
        guard arguments.count <= 1, isPlain else {
            StacksCommand.main(SearchCommand.arrangedArguments(Array(arguments)))
            exit(0)
        }
        exit(BrowseSession(catalog: arguments.first, resumes: true, follows: false).run())
    }
}
