import Glibc
import Testing

/// When stacks requests mouse reports, and how it handles them.
@Suite("On a terminal: the mouse") struct MouseReports {
    let sandbox: Sandbox

    init() throws {
        sandbox = try Sandbox()
    }

    /// The sequences that enable and disable reports.
    private static let modes = ["\u{1B}[?1002", "\u{1B}[?1006"]

    private func open(
        _ command: [String]? = nil, on type: String = "xterm-256color"
    ) throws -> PseudoTerminal {
        try PseudoTerminal(
            running: command ?? [Programs.stacks, Programs.bundledCatalog],
            environment: sandbox.environment(changing: ["TERM": type, "PS1": "ready> "]))
    }

    /// Returns whether reports are enabled by the last sequence in the output; nil without one.
    private func asksForReports(_ output: some Collection<UInt8>) -> Bool? {
        let answers = Set(
            Self.modes.map { mode -> Bool? in
                let on = output.lastRange(of: (mode + "h").utf8)
                let off = output.lastRange(of: (mode + "l").utf8)
                guard on != nil || off != nil else { return nil }
                return (on ?? -1) > (off ?? -1)
            })
        #expect(answers.count == 1)
        return answers.first ?? nil
    }

    @Test(arguments: ["xterm-256color", "xterm", "screen", "screen-256color", "linux", "xterm-mono", "xterm-direct"])
    func mouseReportsAreEnabledUntilTheEnd(type: String) throws {
        let terminal = try open(on: type)
        try terminal.wait(for: "1/11")
        #expect(asksForReports(terminal.output) == true)
        terminal.type("q")
        #expect(try terminal.waitForEnd() == .exit(0))
        #expect(asksForReports(terminal.output) == false)
    }

    @Test(arguments: ["vt100", "ansi"])
    func mouseReportsAreNotRequestedWithoutAMouse(type: String) throws {
        let terminal = try open(on: type)
        try terminal.wait(for: "1/11")
        terminal.type("q")
        #expect(try terminal.waitForEnd() == .exit(0))
        #expect(asksForReports(terminal.output) == nil)
    }

    @Test func mouseReportsCanBeDisabled() throws {
        let terminal = try open([Programs.stacks, "--no-mouse", Programs.bundledCatalog])
        try terminal.wait(for: "1/11")
        terminal.type("q")
        #expect(try terminal.waitForEnd() == .exit(0))
        #expect(asksForReports(terminal.output) == nil)
    }

    @Test(arguments: [SIGTERM, SIGHUP, SIGSEGV])
    func aSignalThatEndsItEndsTheReports(signal: Int32) throws {
        let terminal = try open()
        try terminal.wait(for: "1/11")
        terminal.process.send(signal)
        let ending = try terminal.waitForEnd()
        #expect(ending == .signal(signal))
        #expect(asksForReports(terminal.output) == false)
    }

    @Test(arguments: ["index", "fatalError", "stack", "abort"])
    func aTrapEndsTheReports(way: String) throws {
        let terminal = try open([Programs.crashProbe, way])
        try terminal.wait(for: "READY")
        #expect(asksForReports(terminal.output) == true)
        terminal.type("x")
        _ = try terminal.waitForEnd()
        #expect(asksForReports(terminal.output) == false)
    }

    @Test func mouseReportsAreDisabledDuringSuspension() throws {
        let terminal = try open(["/bin/bash", "--norc", "--noprofile", "-i"])
        try terminal.wait(for: "ready>")
        terminal.type("\(try Programs.stacks) \(Programs.bundledCatalog)\n")
        try terminal.wait(for: "1/11")
        #expect(asksForReports(terminal.output) == true)
        terminal.type("\u{1A}")
        try terminal.wait(for: "Stopped")
        #expect(asksForReports(terminal.output) == false)
        let start = terminal.output.count
        terminal.type("fg\n")
        try terminal.wait(for: "1/11", after: start)
        #expect(asksForReports(terminal.output) == true)
        let left = terminal.output.count
        terminal.type("q")
        try terminal.wait(for: "ready>", after: left)
        #expect(asksForReports(terminal.output) == false)
    }

    /// A report contains letters and digits, and a click a position; neither is a key.
    @Test(arguments: [true, false])
    func aReportIsNotKeysEvenInPieces(usesMouse: Bool) throws {
        let terminal = try open([Programs.stacks] + (usesMouse ? [] : ["--no-mouse"]) + [Programs.bundledCatalog])
        try terminal.wait(for: "1/11")
        terminal.type("\u{1B}[<35;10;30M")
        for piece in ["\u{1B}[<35;", "10;3", "0", "M"] {
            terminal.type(piece)
            usleep(20_000)
        }
        try terminal.waitForSilence()
        let start = terminal.output.count
        terminal.type("3j")
        try terminal.wait(for: "Joseph Heller", after: start)
    }

    /// The end of a report may be lost, like that of a paste.
    @Test func aReportWithoutAnEndDoesNotSwallowTheKeysForEver() throws {
        let terminal = try open()
        try terminal.wait(for: "1/11")
        terminal.type("\u{1B}[<35;")
        usleep(300_000)
        let start = terminal.output.count
        terminal.type("3j")
        try terminal.wait(for: "Joseph Heller", after: start)
    }
}
