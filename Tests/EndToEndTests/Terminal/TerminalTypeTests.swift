import Testing

/// Terminals of all types, and output that is not a terminal.
@Suite("On a terminal: terminal types") struct TerminalTypes {
    let sandbox: Sandbox

    init() throws {
        sandbox = try Sandbox()
    }

    @Test(arguments: ["nonsense", "dumb", "", nil])
    func anUnusableTerminalIsReported(type: String?) throws {
        let terminal = try PseudoTerminal(
            columns: 200, running: [Programs.stacks, Programs.bundledCatalog],
            environment: sandbox.environment(changing: ["TERM": type]))
        #expect(try terminal.waitForEnd() == .exit(64))
        let reason =
            (type ?? "").isEmpty
            ? "TERM is not set. Set it to the type of your terminal: TERM=xterm-256color"
            : "TERM=\(type ?? "") cannot show full screens. Set TERM to your terminal, or pipe the list to a file"
        // ncurses moves to the start of the line before it detects the error.
        let text = String(decoding: terminal.output.drop { $0 == 0x0D }, as: UTF8.self)
        #expect(text == "stacks: \(reason).\r\n")
        #expect(terminal.modes.values == terminal.originalModes.values)
    }

    @Test(arguments: [
        "xterm", "xterm-256color", "xterm-16color", "xterm-direct", "xterm-mono", "screen", "screen-256color", "linux",
        "vt100", "ansi",
    ])
    func commonTypesWork(type: String) throws {
        let terminal = try PseudoTerminal(
            running: [Programs.stacks, Programs.bundledCatalog],
            environment: sandbox.environment(changing: ["TERM": type]))
        try terminal.wait(for: "1/11")
        // ^z, a function key on the Linux console: the terminal is released and opened again.
        terminal.type("\u{1A}")
        try terminal.wait(for: "\u{1B}[?2004l")
        terminal.type("q")
        #expect(try terminal.waitForEnd() == .exit(0))
        #expect(terminal.modes.values == terminal.originalModes.values)
    }

    @Test(arguments: ["C", "POSIX", "nonsense"])
    func withoutALocaleOfUTF8TextIsTheSame(locale: String) throws {
        let terminal = try Tmux(
            in: sandbox, opening: Programs.bundledCatalog, changing: ["LANG": nil, "LC_ALL": locale])
        let screen = try terminal.wait(forPosition: "1/11")
        #expect(screen.body.allSatisfy { $0.contains("│") })
        #expect(screen.selection.hasPrefix("▌"))
    }

    @Test func theListIsPrintedIfOutputIsNotATerminal() throws {
        let result = try sandbox.run([Programs.stacks, Programs.bundledCatalog], changing: ["TERM": nil])
        #expect(result.ending == .exit(0))
        #expect(result.error.isEmpty)
        let lines = result.output.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.count == 12)
        #expect(lines.first == "Fight Club\tChuck Palahniuk")
        #expect(lines.dropLast().last == "Dragons Love Tacos\tAdam Rubin, Daniel Salmieri")
        #expect(lines.last == "")
        #expect(!result.output.contains("\u{1B}"))
        // A program ran stacks, not a user: no position is saved.
        #expect(sandbox.text(of: sandbox.preferencesPath).isEmpty)
    }

    @Test func aFullDiskIsAnError() throws {
        let result = try sandbox.run(
            ["/bin/sh", "-c", "exec '\(Programs.stacks)' '\(Programs.bundledCatalog)' >/dev/full"])
        #expect(result.ending == .exit(74))
        #expect(
            result.error == """
                stacks: cannot write standard output: no space left on device. Write to another file or pipe.\n
                """)
    }

    /// Frames are collected in a memory file, to which the file size limit applies too.
    @Test(arguments: [0, 4096])
    func aFileSizeLimitDoesNotAffectTheScreen(limit: Int) throws {
        let terminal = try Tmux(
            in: sandbox, running: ["/usr/bin/prlimit", "--fsize=\(limit)", Programs.stacks, Programs.bundledCatalog])
        try terminal.wait(forPosition: "1/11")
        try terminal.type("q")
        // If no file can be written, failing to save the position is an error.
        #expect(try terminal.waitForEnd() == .exit(limit == 0 ? 74 : 0))
    }

    @Test func aClosedOutputIsAnError() throws {
        let result = try sandbox.run(
            ["/bin/sh", "-c", "exec '\(Programs.stacks)' '\(Programs.bundledCatalog)' >&-"])
        #expect(result.ending == .exit(74))
        #expect(result.error.hasPrefix("stacks: cannot write standard output: "))
    }

    @Test func aClosedPipeIsNotAnError() throws {
        // More than a pipe can hold.
        let catalog = try sandbox.writeCatalog(books: 20_000)
        let result = try sandbox.run(
            ["/bin/bash", "-c", "'\(Programs.stacks)' '\(catalog)' | head -n 1; echo ${PIPESTATUS[0]}"])
        #expect(result.ending == .exit(0))
        #expect(result.output == "Book 001\tAuthor 001\n0\n")
        #expect(result.error.isEmpty)
    }

    @Test func keysComeFromTheTerminalIfInputIsAPipe() throws {
        let terminal = try Tmux(
            in: sandbox,
            running: ["/bin/sh", "-c", "exec '\(Programs.stacks)' '\(Programs.bundledCatalog)' </dev/null"])
        try terminal.wait(forPosition: "1/11")
        try terminal.type("j")
        try terminal.wait(forPosition: "2/11")
        try terminal.type("q")
        #expect(try terminal.waitForEnd() == .exit(0))
    }
}
