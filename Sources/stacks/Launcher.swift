internal import ArgumentParser
internal import Glibc
internal import TerminalUI

/// The way from the process's arguments to what it does.
enum Launcher {
    /// Words that are no catalogs.
    static let commands = [
        "browse", "search", "show", "lists", "favourites", "export", "import", "check", "profiles", "config", "help",
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
            do {
                var command = try StacksCommand.parseAsRoot(SearchCommand.arrangedArguments(Array(arguments)))
                try command.run()
            } catch {
                end(by: error)
            }
            exit(0)
        }
        exit(BrowseSession(catalog: arguments.first, resumes: true, follows: false).run())
    }
    /// Ends the process as the parser would, but for what stands in the arguments: it may have come from a catalog, and
    /// the parser repeats it as it is.
    private static func end(by error: any Error) -> Never {
        let code = StacksCommand.exitCode(for: error)
        if code == .success { StacksCommand.exit(withError: error) }
        let lines = StacksCommand.fullMessage(for: error).split(separator: "\n", omittingEmptySubsequences: false)
        var text = lines.map { String($0).harmless }.joined(separator: "\n")
        if !text.isEmpty { text += "\n" }
        text.withUTF8 { _ = write(STDERR_FILENO, $0.baseAddress, $0.count) }
        exit(code.rawValue)
    }
}
