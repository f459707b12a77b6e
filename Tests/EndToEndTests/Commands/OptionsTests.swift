import Testing

/// Options of the browser that affect the screen.
@Suite("Options of the browser") struct BrowserOptions {
    let sandbox: Sandbox
    let catalog: String

    init() throws {
        sandbox = try Sandbox()
        catalog = try sandbox.write(Novels.catalog, to: "novels.json")
    }

    private func open(_ options: String..., size: (columns: Int, rows: Int) = (120, 24)) throws -> Tmux {
        try Tmux(
            in: sandbox, columns: size.columns, rows: size.rows, running: [Programs.stacks] + options + [catalog])
    }

    @Test func aListIsOpenedByItsName() throws {
        let first = try open()
        try first.wait(forPosition: "1/7")
        try first.type("3jt")
        try first.wait(for: "★ Favourite: The Hobbit")
        try first.type("q")
        #expect(try first.waitForEnd() == .exit(0))
        let terminal = try open("--list", "favourites")
        let screen = try terminal.wait(for: "the favourites") { $0.hasTitle(" Favourites (1)") }
        #expect(screen.selection.hasPrefix("▌★ The Hobbit"))
    }

    @Test func theRequestedColumnsAreShown() throws {
        let terminal = try open("--columns", "isbn:16,title,rating")
        let screen = try terminal.wait(forPosition: "1/7")
        #expect(screen.body[0].prefix { $0 != "│" }.split(separator: " ") == ["ISBN", "Title", "Rating"])
        #expect(screen.selection.hasPrefix("▌978-0553293364   Second Foundation"))
    }

    @Test func unknownColumnNamesAreReported() throws {
        let result = try sandbox.run([Programs.stacks, "--columns", "title,colour", catalog])
        #expect(result.ending == .exit(64))
        #expect(result.error.contains("Columns: title, author, series, year"))
    }

    @Test(arguments: ["terminal", "light", "dark", "contrast"])
    func theTextIsTheSameInAllThemes(theme: String) throws {
        let terminal = try open("--no-resume")
        // The years and the related books appear with later frames.
        try terminal.wait(for: "1815")
        let plain = try terminal.wait(for: "as: show series")
        try terminal.run([Programs.stacks, "--no-resume", "--theme", theme, catalog])
        try terminal.wait(for: "the same text") { $0 == plain }
    }

    @Test func withoutTheMouseNoReportsAreRequested() throws {
        let terminal = try PseudoTerminal(
            running: [Programs.stacks, "--no-mouse", catalog],
            environment: sandbox.environment(changing: ["TERM": "xterm-256color"]))
        try terminal.wait(for: "1/7")
        // A report that arrives nevertheless is not a key.
        terminal.type("\u{1B}[<0;5;6M")
        terminal.type("\u{1B}[<0;5;6m")
        terminal.type("q")
        #expect(try terminal.waitForEnd() == .exit(0))
        #expect(!TerminalStream(terminal.output).sequences.contains { $0.hasPrefix("\u{1B}[?100") })
    }
}

/// Line mode for screen readers and Braille displays: the output consists of lines only.
@Suite("Line mode") struct LinearMode {
    let sandbox: Sandbox
    let terminal: PseudoTerminal

    init() throws {
        sandbox = try Sandbox()
        let catalog = try sandbox.write(Novels.catalog, to: "novels.json")
        terminal = try PseudoTerminal(
            running: [Programs.stacks, "--linear", catalog],
            environment: sandbox.environment(changing: ["TERM": "xterm-256color"]))
        try terminal.wait(for: "Second Foundation, Isaac Asimov, 1 of 7")
    }

    @Test(arguments: [
        ("j", "Emma, Jane Austen, 2 of 7"), ("\u{1B}[B", "Emma, Jane Austen, 2 of 7"),
        ("\u{1B}OB", "Emma, Jane Austen, 2 of 7"), ("G", "Persuasion, Jane Austen, 7 of 7"),
        ("\u{1B}[F", "Persuasion, Jane Austen, 7 of 7"), ("t", "★ Favourite: Second Foundation"),
        ("L", "Lists"), ("?", "Help"), ("/emma", "Emma, Jane Austen, 1 of 1"), ("s", "t: Sort by title"),
        (":favour", "Favourite, Add to or remove from favourites., t *, 1 of "),
        ("\r", "Detail"), ("F", "Facets of All books (7)"), ("|", "shown, Favourite"),
        ("Sd", "Grouped by decade"),
    ])
    func aKeyIsAnsweredWithALine(key: String, line: String) throws {
        let start = terminal.output.count
        terminal.type(key)
        try terminal.wait(for: line, after: start)
    }

    @Test func noSequenceMovesTheCursorOrErases() throws {
        for key in [
            "j", "\u{1B}[B", "\u{1B}[A", "\r", "J", "h", "t", "L", "l", "?", "q", "/emma", "\r", "\u{1B}", "F", "q",
        ] {
            terminal.type(key)
            try terminal.waitForSilence()
        }
        terminal.type("q")
        #expect(try terminal.waitForEnd() == .exit(0))
        let stream = TerminalStream(terminal.output)
        #expect(stream.defects.isEmpty)
        // Only these modes may be set: the keypad's and bracketed paste.
        let modes: Set = ["\u{1B}[?1h", "\u{1B}=", "\u{1B}[?2004h", "\u{1B}[?1l", "\u{1B}>", "\u{1B}[?2004l"]
        #expect(stream.sequences.subtracting(modes).isEmpty)
        #expect(!terminal.output.contains(0x08))
    }

    @Test func theShellsOutputStaysAboveTheLines() throws {
        let other = try Sandbox()
        let catalog = try other.write(Novels.catalog, to: "novels.json")
        // Wide enough for the command in one row, whose length depends on where the program is.
        let shell = try Tmux(
            in: other, columns: 200, rows: 40, running: ["/bin/bash", "--norc", "--noprofile", "-i"],
            changing: ["PS1": "ready> "])
        try shell.wait(for: "ready>")
        try shell.type("echo 'before' it; \(Programs.stacks) --linear \(catalog)\n")
        try shell.wait(for: "Second Foundation, Isaac Asimov, 1 of 7")
        for line in ["Emma, Jane Austen, 2 of 7", "Foundation, Isaac Asimov, 3 of 7"] {
            try shell.press("Down")
            try shell.wait(for: line)
        }
        try shell.resize(columns: 190, rows: 30)
        try shell.type("G")
        try shell.wait(for: "Persuasion, Jane Austen, 7 of 7")
        #expect(try !shell.isAlternateScreenShown)
        try shell.type("q")
        try shell.wait(for: "all lines, and the shell below them") { screen in
            let rows = screen.rows.filter { !$0.isEmpty }.suffix(7)
            return rows.first == "before it"
                && rows.dropFirst() == [
                    "All books (7)", "read, Second Foundation, Isaac Asimov, 1 of 7", "Emma, Jane Austen, 2 of 7",
                    "read, Foundation, Isaac Asimov, 3 of 7", "Persuasion, Jane Austen, 7 of 7", "ready>",
                ]
        }
    }
}
