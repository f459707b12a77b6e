internal import ArgumentParser
internal import Glibc
internal import Graphemes
internal import Storage

/// The entry point: runs the command that the arguments name.
enum Launcher {
    /// The command names, which cannot name a catalog.
    static let commands = StacksCommand.configuration.subcommands.compactMap { $0.configuration.commandName } + ["help"]

    /// Runs the command of the arguments and ends the process.
    static func main() -> Never {
        protectMemory()
        openMissingStreams()
        // Before anything is printed: in the C locale, all but ASCII would be replaced.
        useUTF8Locale()
        // A file that exceeds the size limit is an error to report, not a reason to crash.
        signal(SIGXFSZ, SIG_IGN)
        // A closed pipe is not an error: its reader does not need more output.
        signal(SIGPIPE, SIG_IGN)
        let arguments = Array(CommandLine.arguments.dropFirst())
        // The name of a missing file may be a misspelled command.
        if let error = CommandSuggestion.error(for: arguments) {
            exit(error.report())
        }
        if arguments == ["--version"] { exit(ProgramVersion.run()) }
        if let session = BrowseSession(simpleArguments: arguments) { exit(session.run()) }
        if let table = GuideTable(arguments: arguments) { exit(table.run()) }
        let code = run(SearchCommand.arrangedArguments(arguments))
        // Exports, publications and lookups start the connector program, too. `stacks config` has said it.
        if arguments.first != "config", let notice = UnconfinedNotice.text(in: .ofEnvironment()) { printError(notice) }
        exit(code)
    }

    /// Runs the command of the arguments.
    ///
    /// - Returns: The exit status. The parser's own `main()` would ignore that the help text could not be written.
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
            // The arguments may come from a catalog, and the parser's message repeats them unsanitized.
            let lines = message.split(separator: "\n", omittingEmptySubsequences: false)
            var text = lines.map { String($0).sanitized }.joined(separator: "\n") + "\n"
            text.withUTF8 { _ = write(STDERR_FILENO, $0.baseAddress, $0.count) }
            return code
        }
    }

    /// Opens standard streams that the process was started without: otherwise the first file opened would become
    /// standard output, and messages would be written to it.
    private static func openMissingStreams() {
        for stream in STDIN_FILENO...STDERR_FILENO where fcntl(stream, F_GETFD) < 0 {
            // Open standard output read-only, so that lost output is noticed; errors on standard error cannot be
            // reported anyway.
            _ = open("/dev/null", stream == STDERR_FILENO ? O_WRONLY : O_RDONLY)
        }
    }
}
