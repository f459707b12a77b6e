import Testing

/// Terminals of all types, and what is none.
@Suite("On a terminal: types of terminals") struct TerminalTypes {
    let sandbox: Sandbox

    init() throws {
        sandbox = try Sandbox()
    }

    @Test(arguments: ["nonsense", "dumb", "", nil])
    func aTerminalThatCannotBeDrawnOnIsToldInASentence(type: String?) throws {
        let terminal = try PseudoTerminal(
            columns: 200, running: [Programs.stacks, Programs.bundledCatalog],
            environment: sandbox.environment(changing: ["TERM": type]))
        #expect(try terminal.waitForEnd() == .exit(64))
        let reason =
            (type ?? "").isEmpty
            ? "TERM is not set. Set it to the type of your terminal: TERM=xterm-256color"
            : "TERM=\(type ?? "") cannot show full screens. Set TERM to your terminal, or pipe the list to a file"
        // ncurses goes to the beginning of the line before it finds out.
        let text = String(decoding: terminal.output.drop { $0 == 0x0D }, as: UTF8.self)
        #expect(text == "stacks: \(reason).\r\n")
        #expect(terminal.modes.values == terminal.originalModes.values)
    }

    @Test(arguments: [
        "xterm", "xterm-256color", "xterm-16color", "xterm-direct", "xterm-mono", "screen", "screen-256color", "linux",
        "vt100", "ansi",
    ])
    func theUsualTypesAreDrawnOn(type: String) throws {
        let terminal = try PseudoTerminal(
            running: [Programs.stacks, Programs.bundledCatalog],
            environment: sandbox.environment(changing: ["TERM": type]))
        try terminal.wait(for: "1/11")
        // ^z, which is a function key to the Linux console: the terminal is given back, and taken again.
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

    @Test func theListIsPrintedWhereOutputIsNoTerminal() throws {
        let result = try sandbox.run([Programs.stacks, Programs.bundledCatalog], changing: ["TERM": nil])
        #expect(result.ending == .exit(0))
        #expect(result.error.isEmpty)
        let lines = result.output.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.count == 12)
        #expect(lines.first == "Fight Club\tChuck Palahniuk")
        #expect(lines.dropLast().last == "Dragons Love Tacos\tAdam Rubin, Daniel Salmieri")
        #expect(lines.last == "")
        #expect(!result.output.contains("\u{1B}"))
        // It was looked at by a program, not by the reader: nothing is remembered.
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

    /// What is sent to the terminal is kept in memory first, in a file that such a limit holds for as well.
    @Test(arguments: [0, 4096])
    func aLimitOnTheSizeOfFilesIsNoneOnTheScreen(limit: Int) throws {
        let terminal = try Tmux(
            in: sandbox, running: ["/usr/bin/prlimit", "--fsize=\(limit)", Programs.stacks, Programs.bundledCatalog])
        try terminal.wait(forPosition: "1/11")
        try terminal.type("q")
        // Where nothing can be written, it is an error that the place is not remembered.
        #expect(try terminal.waitForEnd() == .exit(limit == 0 ? 74 : 0))
    }

    @Test func aClosedOutputIsAnError() throws {
        let result = try sandbox.run(
            ["/bin/sh", "-c", "exec '\(Programs.stacks)' '\(Programs.bundledCatalog)' >&-"])
        #expect(result.ending == .exit(74))
        #expect(result.error.hasPrefix("stacks: cannot write standard output: "))
    }

    @Test func aReaderOfTheListWhoHasSeenEnoughIsNoError() throws {
        // More than a pipe holds.
        let catalog = try sandbox.writeCatalog(books: 20_000)
        let result = try sandbox.run(
            ["/bin/bash", "-c", "'\(Programs.stacks)' '\(catalog)' | head -n 1; echo ${PIPESTATUS[0]}"])
        #expect(result.ending == .exit(0))
        #expect(result.output == "Book 001\tAuthor 001\n0\n")
        #expect(result.error.isEmpty)
    }

    @Test func keysComeFromTheTerminalWhereInputIsNone() throws {
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
