internal import ArgumentParser
internal import Glibc
internal import Graphemes

/// The way from the process's arguments to what it does.
enum Launcher {
    /// Words that name a command, and no catalog.
    static let commands = StacksCommand.configuration.subcommands.compactMap { $0.configuration.commandName } + ["help"]

    /// Does what the arguments say, and ends the process.
    static func main() -> Never {
        openMissingStreams()
        // A file that may not grow further is an error that is told, not a death.
        signal(SIGXFSZ, SIG_IGN)
        // A reader of the list who has seen enough is no error.
        signal(SIGPIPE, SIG_IGN)
        let arguments = Array(CommandLine.arguments.dropFirst())
        if let session = BrowseSession(plainly: arguments) { exit(session.run()) }
        exit(run(SearchCommand.arrangedArguments(arguments)))
    }

    /// Does what the arguments of a command say.
    ///
    /// - Returns: The exit code. The parser's own `main()` would not notice that help could not be written.
    private static func run(_ arguments: [String]) -> Int32 {
        do {
            var command = try StacksCommand.parseAsRoot(arguments)
            try command.run()
            return 0
        } catch {
            let code = StacksCommand.exitCode(for: error).rawValue
            let message = StacksCommand.fullMessage(for: error)
            if message.isEmpty { return code }
            if code == 0 { return PlainList.write(message + "\n") }
            // What stands in the arguments may have come from a catalog, and the parser repeats it as it is.
            let lines = message.split(separator: "\n", omittingEmptySubsequences: false)
            var text = lines.map { String($0).sanitized }.joined(separator: "\n") + "\n"
            text.withUTF8 { _ = write(STDERR_FILENO, $0.baseAddress, $0.count) }
            return code
        }
    }

    /// Opens what the process was started without: else the first file of the reader's that is opened would be standard
    /// output, and a message would be written into it.
    private static func openMissingStreams() {
        for stream in STDIN_FILENO...STDERR_FILENO where fcntl(stream, F_GETFD) < 0 {
            // That output is lost has to be noticed; where messages are, nobody could be told.
            _ = open("/dev/null", stream == STDERR_FILENO ? O_WRONLY : O_RDONLY)
        }
    }
}
