internal import Glibc
internal import Library
internal import Storage
internal import Text

/// The user's text editor, run in the terminal.
enum TextEditor {
    /// Returns the user's editor: a program, possibly with options.
    static func preferred() throws(CommandError) -> String {
        if let editor = environmentValue("VISUAL") ?? environmentValue("EDITOR") { return editor }
        guard isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1 else {
            throw CommandError(
                sentence: CommandMessage.noTerminalToEdit.text(),
                exitStatus: ExitStatus.usage)
        }
        guard let editor = ["editor", "vi"].first(where: isProgram) else {
            throw CommandError(
                sentence: CommandMessage.noEditor.text(), exitStatus: ExitStatus.noInput)
        }
        return editor
    }

    private static func isProgram(_ name: String) -> Bool {
        let directories = (environmentValue("PATH") ?? "/usr/bin:/bin").split(separator: ":")
        return directories.contains { access("\($0)/\(name)", X_OK) == 0 }
    }

    /// Runs the editor and waits for it. As in other programs, the shell splits the editor command; the path is a
    /// separate argument, which the shell does not interpret.
    static func edit(_ path: String, with editor: String) throws(CommandError) {
        let status = run("/bin/sh", ["sh", "-c", "\(editor) \"$@\"", editor, path])
        let isEnded = status & 0x7F == 0
        let code = status >> 8 & 0xFF
        if isEnded, code == 0 { return }
        let sentence =
            if !isEnded {
                CommandMessage.editorKilled.text(editor, String(status & 0x7F))
            } else if code == 126 || code == 127 {
                CommandMessage.editorNotStarted.text(editor)
            } else {
                CommandMessage.editorFailed.text(editor, String(code))
            }
        throw CommandError(sentence: sentence, exitStatus: ExitStatus.inputOutput)
    }

    /// Runs a program on the same terminal and waits for it.
    ///
    /// - Returns: The status as reported by waitpid().
    private static func run(_ program: String, _ arguments: [String]) -> Int32 {
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // The child must not inherit ignored signals.
        var ignored = sigset_t()
        sigemptyset(&ignored)
        for number in [SIGINT, SIGQUIT, SIGPIPE, SIGXFSZ] { sigaddset(&ignored, number) }
        posix_spawnattr_setsigdefault(&attributes, &ignored)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF))
        // While the editor runs, ^c belongs to it.
        let actions = [SIGINT, SIGQUIT].map { ($0, signal($0, SIG_IGN)) }
        defer { for (number, action) in actions { signal(number, action) } }

        let words = arguments.map { strdup($0) } + [nil]
        defer { words.forEach { free($0) } }
        var id = pid_t()
        guard posix_spawn(&id, program, nil, &attributes, words, environ) == 0 else { return 127 << 8 }
        var status: Int32 = 0
        while waitpid(id, &status, 0) < 0 { if errno != EINTR { return 127 << 8 } }
        return status
    }
}
