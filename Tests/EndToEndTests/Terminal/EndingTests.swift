import Glibc
import Testing

/// stacks restores the terminal, however it ends.
@Suite("On a terminal: every way to end") struct Endings {
    let sandbox: Sandbox

    init() throws {
        sandbox = try Sandbox()
    }

    private func open(_ command: [String]) throws -> PseudoTerminal {
        try PseudoTerminal(
            running: command, environment: sandbox.environment(changing: ["TERM": "xterm-256color"]))
    }

    /// Opens the bundled catalog and goes to its fourth book.
    private func openAtTheFourthBook(_ command: [String]? = nil) throws -> PseudoTerminal {
        let terminal = try open(command ?? [Programs.stacks, Programs.bundledCatalog])
        try terminal.wait(for: "1/11")
        #expect(terminal.modes.values != terminal.originalModes.values)
        terminal.type("3j")
        try terminal.wait(for: "Joseph Heller", after: terminal.output.count)
        return terminal
    }

    /// Expects a terminal whose program has ended to be in its original state.
    private func expectLeftAsFound(_ terminal: PseudoTerminal, sourceLocation: SourceLocation = #_sourceLocation) {
        #expect(terminal.modes.values == terminal.originalModes.values, sourceLocation: sourceLocation)
        for (on, off) in [
            ("\u{1B}[?1049l", "\u{1B}[?1049h"), ("\u{1B}[?25h", "\u{1B}[?25l"), ("\u{1B}[?2004l", "\u{1B}[?2004h"),
        ] {
            let last = terminal.output.lastRange(of: on.utf8) ?? -1
            let taken = terminal.output.lastRange(of: off.utf8) ?? .max
            #expect(last > taken, "\(on.debugDescription)", sourceLocation: sourceLocation)
        }
    }

    /// Returns the output after the alternate screen was left.
    private func tail(of terminal: PseudoTerminal) throws -> TerminalStream {
        let end = try #require(terminal.output.lastRange(of: "\u{1B}[?1049l".utf8))
        return TerminalStream(Array(terminal.output[end...]))
    }

    @Test func quittingRestoresTheTerminal() throws {
        let terminal = try openAtTheFourthBook()
        terminal.type("q")
        #expect(try terminal.waitForEnd() == .exit(0))
        expectLeftAsFound(terminal)
        #expect(try tail(of: terminal).text.isEmpty)
    }

    @Test(arguments: [SIGTERM, SIGHUP, SIGINT, SIGQUIT])
    func aSignalRestoresTheTerminalAndSavesThePosition(signal: Int32) throws {
        let terminal = try openAtTheFourthBook()
        terminal.process.send(signal)
        #expect(try terminal.waitForEnd() == .signal(signal))
        expectLeftAsFound(terminal)
        #expect(try tail(of: terminal).text.isEmpty)
        #expect(try sandbox.place(in: Programs.bundledCatalog)["row"] as? Int == 3)
    }

    /// The reason why a terminal accepts no output.
    enum Obstacle: CaseIterable {
        case stopped, full
    }

    /// Moving and quitting write to the terminal, and so does ending while idle.
    @Test(arguments: Obstacle.allCases, [("", 3), ("5j", 8), ("q", 3)])
    func aSignalEndsItIfTheTerminalBlocksOutput(obstacle: Obstacle, work: (keys: String, row: Int)) throws {
        let terminal = try openAtTheFourthBook()
        switch obstacle {
        case .stopped: terminal.stopOutput()
        case .full: try terminal.fillUp()
        }
        terminal.type(work.keys)
        try terminal.waitUntilRead()
        usleep(200_000)
        #expect(terminal.process.poll() == nil)
        terminal.process.send(SIGTERM)
        // Do not read the output that fills the terminal.
        let ending = try eventually(within: .seconds(1), or: "the process does not end") { terminal.process.poll() }
        #expect(ending == .signal(SIGTERM))
        #expect(terminal.modes.values == terminal.originalModes.values)
        #expect(try sandbox.place(in: Programs.bundledCatalog)["row"] as? Int == work.row)
    }

    @Test func outputContinuesOnceTheTerminalAcceptsIt() throws {
        let terminal = try openAtTheFourthBook()
        try terminal.fillUp()
        terminal.type("5j")
        usleep(200_000)
        try terminal.wait(for: "Michael Herr", after: terminal.output.count)
        terminal.type("q")
        #expect(try terminal.waitForEnd() == .exit(0))
        expectLeftAsFound(terminal)
    }

    private func openShell(from starter: [String] = []) throws -> PseudoTerminal {
        let terminal = try PseudoTerminal(
            running: starter + ["/bin/bash", "--norc", "--noprofile", "-i"],
            environment: sandbox.environment(changing: ["TERM": "xterm-256color", "PS1": "ready> "]))
        try terminal.wait(for: "ready>")
        return terminal
    }

    /// Waits until the shell reports that stacks is stopped and accepts commands again.
    private func waitForStop(in terminal: PseudoTerminal) throws {
        try terminal.wait(for: "Stopped")
        try terminal.wait(for: "ready>", after: terminal.output.lastRange(of: "Stopped".utf8) ?? 0)
    }

    /// Runs a shell command that ends stacks, and expects stacks not to change the shell's terminal.
    private func expectEnd(by command: String, in terminal: PseudoTerminal) throws {
        let start = terminal.output.count
        let id = try #require(child(of: terminal.process))
        // The shell sends the signal to continue a stopped job only once it knows that the job is stopped, so the
        // command may have to be repeated on a busy machine. The system tells whether the job has ended: the shell
        // sometimes misses that and still calls it stopped.
        let said = { String(decoding: terminal.output[start...], as: UTF8.self).debugDescription }
        _ = try eventually(or: "it does not end, and the shell says \(said())") {
            terminal.type("\(command)\n")
            try terminal.waitForSilence()
            return hasEnded(id) ? true : nil
        }
        let output = terminal.output[start...]
        #expect(output.firstRange(of: "\u{1B}[?1049h".utf8) == nil)
        #expect(output.firstRange(of: "All books".utf8) == nil)
    }

    @Test(arguments: [
        "kill %1", "kill -TERM %1; kill -CONT %1", "kill -CONT %1; sleep 0.3; kill %1", "bg; sleep 0.3; kill %1",
    ])
    func aSignalEndsItDuringSuspension(command: String) throws {
        let terminal = try openShell()
        terminal.type("\(try Programs.stacks) \(Programs.bundledCatalog)\n")
        try terminal.wait(for: "1/11")
        terminal.type("3j")
        try terminal.wait(for: "Joseph Heller", after: terminal.output.count)
        terminal.type("\u{1A}")
        try waitForStop(in: terminal)
        try expectEnd(by: command, in: terminal)
        #expect(try sandbox.place(in: Programs.bundledCatalog)["row"] as? Int == 3)
    }

    @Test func aSignalEndsItAfterAnUncatchableStop() throws {
        let terminal = try openShell()
        terminal.type("\(try Programs.stacks) \(Programs.bundledCatalog)\n")
        try terminal.wait(for: "1/11")
        kill(try #require(child(of: terminal.process)), SIGSTOP)
        try waitForStop(in: terminal)
        let modes = terminal.modes.values
        try expectEnd(by: "kill %1", in: terminal)
        // The modes in which the shell edits its command line.
        #expect(terminal.modes.values == modes)
    }

    /// The second leaves the signal blocked, as bash sometimes does.
    @Test(arguments: [[], ["/usr/bin/env", "--block-signal=TERM"]])
    func aSignalEndsItIfStartedInTheBackground(starter: [String]) throws {
        let terminal = try openShell(from: starter)
        terminal.type("\(try Programs.stacks) \(Programs.bundledCatalog) &\n")
        _ = try eventually(or: "it does not stop") {
            child(of: terminal.process).flatMap { isStopped($0) ? true : nil }
        }
        terminal.type("\n")
        try waitForStop(in: terminal)
        try expectEnd(by: "kill %1", in: terminal)
    }

    private func child(of process: ChildProcess) -> pid_t? { children(of: process.id).first }

    /// Returns whether a process has ended, even if it is a zombie.
    private func hasEnded(_ id: pid_t) -> Bool {
        let status = sandbox.text(of: "/proc/\(id)/stat")
        return status.isEmpty || status.contains(") Z ")
    }

    private func isStopped(_ id: pid_t) -> Bool {
        sandbox.text(of: "/proc/\(id)/stat").contains(") T ")
    }

    @Test(arguments: [SIGSEGV, SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGTRAP])
    func aCrashSignalRestoresTheTerminal(signal: Int32) throws {
        let terminal = try openAtTheFourthBook()
        terminal.process.send(signal)
        #expect(try terminal.waitForEnd() == .signal(signal))
        expectLeftAsFound(terminal)
        #expect(try tail(of: terminal).text.isEmpty)
    }

    @Test(arguments: ["index", "unwrap", "overflow", "fatalError", "precondition", "stack", "abort"])
    func aSwiftTrapRestoresTheTerminal(way: String) throws {
        let terminal = try open([Programs.crashProbe, way])
        try terminal.wait(for: "READY")
        #expect(terminal.modes.values != terminal.originalModes.values)
        terminal.type("x")
        let ending = try terminal.waitForEnd()
        switch way {
        case "stack": #expect(ending == .signal(SIGSEGV))
        case "abort": #expect(ending == .signal(SIGABRT))
        // The trap instruction differs between processors.
        default: #expect([.signal(SIGILL), .signal(SIGTRAP)].contains(ending))
        }
        expectLeftAsFound(terminal)
        if ["fatalError", "precondition"].contains(way) {
            // The message is on the main screen, not on the one that was left.
            #expect(try tail(of: terminal).text.contains("the probe was asked to die"))
            #expect(String(decoding: terminal.output, as: UTF8.self).split(separator: "asked to die").count == 2)
        }
    }

    @Test func aClosedTerminalEndsItAndThePositionIsSaved() throws {
        let terminal = try openAtTheFourthBook()
        let start = ContinuousClock.now
        terminal.hangUp()
        let ending = try terminal.waitForEnd()
        #expect(ContinuousClock.now - start < .seconds(1))
        #expect([.signal(SIGHUP), .exit(0)].contains(ending))
        #expect(terminal.process.usage.processorTime < .milliseconds(100))
        #expect(try sandbox.place(in: Programs.bundledCatalog)["row"] as? Int == 3)
    }

    @Test func aClosedTerminalEndsItEvenIfHangupIsIgnored() throws {
        let command = #"trap "" HUP; exec "$0" "$1""#
        let terminal = try openAtTheFourthBook(["/bin/sh", "-c", command, Programs.stacks, Programs.bundledCatalog])
        let start = ContinuousClock.now
        terminal.hangUp()
        let ending = try terminal.waitForEnd()
        #expect(ContinuousClock.now - start < .seconds(1))
        // An ignored but blocked signal is queued, and ends stacks before the end of input does.
        #expect([.signal(SIGHUP), .exit(0)].contains(ending))
        #expect(terminal.process.usage.processorTime < .milliseconds(100))
        #expect(try sandbox.place(in: Programs.bundledCatalog)["row"] as? Int == 3)
    }

    @Test func suspendingWithoutAShellDoesNothing() throws {
        let terminal = try openAtTheFourthBook()
        for _ in 1...2 {
            let start = terminal.output.count
            // ^z in a session without a shell.
            terminal.type("\u{1A}")
            try terminal.wait(for: "4/11", after: start)
        }
        terminal.type("5j")
        try terminal.wait(for: "Michael Herr", after: terminal.output.count)
        #expect(terminal.modes.values != terminal.originalModes.values)
        terminal.type("q")
        #expect(try terminal.waitForEnd() == .exit(0))
        expectLeftAsFound(terminal)
    }

    @Test func itReopensTheTerminalAfterAnUncatchableStop() throws {
        let terminal = try openAtTheFourthBook()
        let modes = terminal.modes.values
        terminal.process.send(SIGSTOP)
        _ = try eventually(or: "it does not stop") {
            isStopped(terminal.process.id) ? true : nil
        }
        // Like a shell.
        terminal.setModes(terminal.originalModes)
        #expect(terminal.modes.values != modes)
        let start = terminal.output.count
        terminal.process.send(SIGCONT)
        // Redraw the whole screen, since the shell may have written to it.
        for text in ["All books", "Fight Club", "Dragons Love Tacos", "4/11"] {
            try terminal.wait(for: text, after: start)
        }
        #expect(terminal.modes.values == modes)
        terminal.type("q")
        #expect(try terminal.waitForEnd() == .exit(0))
        expectLeftAsFound(terminal)
    }

    /// Input arrives in pieces and may be invalid; only the end of input ends the program.
    @Test func incompleteInputIsNotTheEndOfInput() throws {
        let terminal = try openAtTheFourthBook()
        for piece in [[0x1B, 0x5B, 0x32, 0x30, 0x30, 0x7E, 0x6A], [0x6A, 0x71], Array("\u{1B}[201~".utf8)] {
            terminal.type(bytes: piece)
            try terminal.waitForSilence(of: .milliseconds(60))
        }
        for piece in [[0xFF], [0xC3], [0xA9], [0xE2, 0x82], [0x80], Array("\u{1B}]11;rgb:0/0/q\u{07}".utf8)]
            as [[UInt8]]
        {
            terminal.type(bytes: piece)
            try terminal.waitForSilence(of: .milliseconds(60))
        }
        let start = terminal.output.count
        terminal.type("j")
        try terminal.wait(for: "Stephen King", after: start)
        terminal.type("q")
        #expect(try terminal.waitForEnd() == .exit(0))
    }

    @Test func aPasteWithoutAnEndDoesNotSwallowTheKeysForEver() throws {
        let terminal = try openAtTheFourthBook()
        terminal.type(bytes: Array("\u{1B}[200~jj".utf8))
        usleep(1_300_000)
        let start = terminal.output.count
        terminal.type("j")
        try terminal.wait(for: "Stephen King", after: start)
    }

    @Test func itIsIdleWithoutEvents() throws {
        let terminal = try openAtTheFourthBook()
        // The position is saved in the first pause.
        usleep(1_500_000)
        try terminal.waitForSilence(of: .milliseconds(200))
        let before = try activity(of: terminal.process.id)
        #expect(before.count == 4)
        usleep(1_000_000)
        #expect(try activity(of: terminal.process.id) == before)
        #expect(terminal.receive() == 0)
    }

    /// Returns the processor times of a process and its numbers of context switches.
    private func activity(of id: pid_t) throws -> [String] {
        // utime and stime among the fields after the name in parentheses (proc(5)).
        let times = sandbox.text(of: "/proc/\(id)/stat").split(separator: ") ").last.map {
            $0.split(separator: " ")[11...12]
        }
        let switches = sandbox.text(of: "/proc/\(id)/status").split(separator: "\n").filter {
            $0.contains("ctxt_switches")
        }
        return try (#require(times) + switches).map(String.init)
    }
}
