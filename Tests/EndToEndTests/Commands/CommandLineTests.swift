import Foundation
import Glibc
import Testing

/// Rules for every command that prints: a table with a row for each command, and a test for each rule.
@Suite("The command line") struct CommandLine {
    let sandbox: Sandbox

    init() throws {
        sandbox = try Sandbox()
        try sandbox.write(Novels.catalog, to: "novels.json")
        try sandbox.write("978-0553293364\n", to: "isbns.txt")
        try sandbox.write(#"[{"title": "Emma"}, {"title": "Emma"}]"#, to: "twice.json")
        let favourite = try sandbox.run(stacks(["favourites", "add", "978-0553293364", "--catalog", "novels.json"]))
        guard favourite.ending == .exit(0) else { throw Failure(favourite.error) }
        // A source with a copy.
        try sandbox.write("Title,Author\nEmma,Jane Austen\n", to: "novels.csv")
        let copied = try sandbox.run(stacks(["search", "", "novels.csv"]))
        guard copied.ending == .exit(0) else { throw Failure(copied.error) }
    }

    /// All commands that print.
    static let printing: [[String]] =
        [
            ["novels.json"],
            ["--version"], ["--help"], ["help", "search"], ["search", "--help"],
            ["--generate-completion-script", "bash"],
            ["lists", "novels.json"], ["lists", "novels.json", "--format", "json"],
            ["log", "novels.json", "--format", "csv"], ["log", "novels.json", "--format", "json"],
            ["log", "978-0553293364", "novels.json", "--finished", "2024-03"],
            ["show", "978-0553293364", "novels.json"], ["show", "978-0553293364", "novels.json", "--format", "json"],
            ["favourites", "list", "--catalog", "novels.json"],
            ["favourites", "add", "978-0141439587", "--catalog", "novels.json"],
            ["favourites", "remove", "978-0553293364", "--catalog", "novels.json"],
            ["import", "isbns.txt", "--catalog", "novels.json", "--dry-run"],
            ["import", "isbns.txt", "--catalog", "novels.json", "--dry-run", "--format", "json"],
            ["set", "978-0553293364", "pages=1", "--catalog", "novels.json", "--dry-run"],
            ["set", "978-0553293364", "pages=1", "--catalog", "novels.json"],
            ["add", "novels.json", "title=A"], ["delete", "978-0553293364", "--catalog", "novels.json", "--dry-run"],
            ["move", "978-0553293364", "--after", "978-0141439587", "--catalog", "novels.json"],
            ["merge", "978-0553293364", "978-0141439587", "--catalog", "novels.json", "--dry-run"],
            ["sort", "novels.json", "title"], ["sort", "novels.json", "-year", "--dry-run"],
            ["stats", "novels.json"], ["stats", "novels.json", "--format", "json"],
            ["stats", "novels.json", "--svg", "-"],
            ["check", "novels.json"], ["check", "novels.json", "--format", "json"],
            ["duplicates", "twice.json"], ["duplicates", "twice.json", "--format", "json"],
            ["values", "author", "novels.json"], ["values", "series", "novels.json", "--format", "json"],
            ["values", "author", "novels.json", "--rename", "Jane Austen=J. Austen", "--dry-run"],
            ["lookup", "978-0553293364", "--sources", "novels.json"],
            ["scan", "novels.json", "--mode", "find"], ["scan", "novels.json", "--mode", "shelf=Hall"],
            ["lookup", "--title", "foundation", "--sources", "novels.json", "--format", "json"],
            ["profiles"], ["profiles", "list"], ["profiles", "show", "native"],
            ["config"],
            ["sources"], ["sources", "list"], ["sources", "targets"], ["sources", "refresh", "novels.csv"],
            ["publish", "novels.json", "novels.db", "--dry-run"],
        ]
        + ["table", "json", "jsonl", "csv", "bibtex", "csl"].map { ["search", "", "novels.json", "--format", $0] }
        + ["json", "jsonl", "csv", "calibre", "bibtex", "csl", "marcxml", "mods", "ris", "opds"].map {
            ["export", "novels.json", "--format", $0]
        }

    /// Returns a command in the sandbox, where file names are short.
    private func stacks(_ arguments: [String]) throws -> [String] {
        ["/bin/sh", "-c", "cd '\(sandbox.path)' && exec \"$@\"", "sh", try Programs.stacks] + arguments
    }

    /// Runs a command with its standard output redirected by the shell.
    private func run(_ arguments: [String], _ redirection: String) throws -> Sandbox.Result {
        try sandbox.run(
            ["/bin/sh", "-c", "cd '\(sandbox.path)' && exec \"$@\" \(redirection)", "sh", Programs.stacks] + arguments)
    }

    // MARK: Where the output goes

    /// Whether nothing is reported but what an export cannot keep.
    private static func isSilent(_ error: String) -> Bool {
        error.split(separator: "\n").allSatisfy { $0.hasPrefix("stacks: Left out of ") }
    }

    @Test(arguments: printing)
    func outputToAPipeIsPlainText(command: [String]) throws {
        let result = try sandbox.run(stacks(command))
        #expect(result.ending == .exit(0))
        #expect(Self.isSilent(result.error), "\(result.error)")
        let output = Array(result.output.utf8)
        #expect(output.last == UInt8(ascii: "\n"))
        #expect(!output.contains(0x1B))
        // RFC 4180 and RIS require it.
        #expect(!output.contains(UInt8(ascii: "\r")) || ["csv", "calibre", "ris"].contains(where: command.contains))
    }

    @Test(arguments: printing)
    func lostOutputIsAnError(command: [String]) throws {
        for redirection in ["> /dev/full", ">&-"] {
            let result = try run(command, redirection)
            #expect(result.ending == .exit(74), "\(redirection)")
            #expect(result.error.hasPrefix("stacks: cannot write standard output: "), "\(result.error)")
            #expect(result.error.split(separator: "\n").count == 1)
        }
    }

    @Test(arguments: printing)
    func aClosedPipeIsSuccess(command: [String]) throws {
        var ends: [Int32] = [0, 0]
        pipe(&ends)
        close(ends[0])
        let error = open(sandbox.path + "/error", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        defer { [ends[1], error].forEach { close($0) } }
        let process = try ChildProcess(
            stacks(command), environment: sandbox.environment, streams: .descriptors(output: ends[1], error: error))
        let ending = try eventually(or: "\(command) does not end") { process.poll() }
        #expect(ending == .exit(0))
        #expect(Self.isSilent(sandbox.text(of: sandbox.path + "/error")))
    }

    /// The output that fits the width of the terminal; formats for programs are not wrapped.
    static let tables: [[String]] = [
        ["search", "", "novels.json"], ["lists", "novels.json"], ["favourites", "list", "--catalog", "novels.json"],
        ["show", "978-0553293364", "novels.json"], ["check", "novels.json"], ["stats", "novels.json"],
    ]

    @Test(arguments: tables, [20, 40, 80, 200])
    func tablesFitTheTerminal(command: [String], columns: Int) throws {
        let terminal = try PseudoTerminal(
            columns: columns, running: stacks(command),
            environment: sandbox.environment(changing: ["TERM": "xterm-256color", "NO_COLOR": "1"]))
        #expect(try terminal.waitForEnd() == .exit(0))
        let text = String(decoding: terminal.output, as: UTF8.self)
        #expect(!text.contains("\u{1B}"))
        let lines = text.split(whereSeparator: \.isNewline)
        #expect(!lines.isEmpty)
        for line in lines { #expect(line.count <= columns, "\(line)") }
    }

    @Test func theHelpBeginsWithWhatOneDoes() throws {
        let lines = try sandbox.run([Programs.stacks, "--help"]).output.split(separator: "\n").map(String.init)
        #expect(lines[0] == "OVERVIEW: Browse, search and edit a catalog of books.")
        let usage = try #require(lines.firstIndex { $0.hasPrefix("USAGE:") })
        // One who reads no further knows how to browse and to search.
        #expect(lines[1..<4].allSatisfy { $0.hasPrefix("stacks") })
        #expect(lines[1..<usage].contains { $0.contains("stacks search") })
        #expect(lines[usage...].prefix { !$0.hasPrefix("OPTIONS:") }.count == 2)
        let search = try sandbox.run([Programs.stacks, "search", "--help"]).output
        #expect(search.contains("\nThe whole syntax: man 7 stacks-search.\n"))
    }

    @Test(arguments: [["--help"], ["search", "--help"], ["favourites", "add", "--help"], ["help", "export"]])
    func helpFitsEightyColumns(command: [String]) throws {
        let result = try sandbox.run(stacks(command))
        #expect(result.ending == .exit(0))
        for line in result.output.split(separator: "\n") where !line.hasPrefix("USAGE: stacks ") {
            #expect(line.count <= 80, "\(line)")
        }
    }

    /// No output is coloured today, and with NO_COLOR none ever will be.
    @Test(arguments: tables)
    func noColourDisablesColours(command: [String]) throws {
        let terminal = try PseudoTerminal(
            running: stacks(command),
            environment: sandbox.environment(changing: ["TERM": "xterm-256color", "NO_COLOR": "1"]))
        #expect(try terminal.waitForEnd() == .exit(0))
        #expect(!String(decoding: terminal.output, as: UTF8.self).contains("\u{1B}["))
    }

    /// If standard error is closed, a message must not be written to a file that was opened with its number.
    @Test func messagesAreNotWrittenIntoFiles() throws {
        let result = try run(["favourites", "add", "978-0141439587", "nonsense", "--catalog", "novels.json"], "2>&-")
        #expect(result.ending == .exit(1))
        for line in sandbox.text(of: sandbox.historyPath).split(separator: "\n") { #expect(line.hasPrefix("{")) }
        #expect(sandbox.text(of: sandbox.path + "/novels.json") == Novels.catalog)
    }

    // MARK: Progress

    @Test(arguments: [["search", "river"], ["export"], ["lists"], ["check"]])
    func slowCommandsReportProgressOnATerminal(command: [String]) throws {
        let record = #"{"title": "River", "authors": ["Ann Other"]}"#
        let lines = try sandbox.write(
            (0..<40_000).map { _ in record }.joined(separator: "\n") + "\n", to: "lines.jsonl")
        // Books arrive until progress is reported.
        let script = "{ while [ ! -e done ]; do cat '\(lines)'; sleep 0.3; done; } | \"$@\" - > output"
        let terminal = try PseudoTerminal(
            running: ["/bin/sh", "-c", "cd '\(sandbox.path)'; " + script, "sh", Programs.stacks] + command,
            environment: sandbox.environment)
        try terminal.wait(for: command == ["check"] ? "checking: " : "reading: ")
        try sandbox.write("", to: "done")
        #expect(try terminal.waitForEnd() == .exit(0))
        #expect(String(decoding: terminal.output, as: UTF8.self).hasSuffix("\r\u{1B}[K"))
    }

    // MARK: Usage

    /// Each option with a fixed set of values, with an invalid one.
    static let mistakes: [[String]] = [
        ["--nonsense"], ["--theme", "pink", "novels.json"], ["--columns", "colour", "novels.json"],
        ["--sort", "colour", "novels.json"], ["--query", "pages:x", "novels.json"], ["one.json", "two.json"],
        ["--list", "nonsense", "novels.json"], ["--profile", "nonsense", "novels.json"],
        ["search"], ["search", "a", "novels.json", "--format", "xml"], ["search", "a", "novels.json", "--limit", "-1"],
        ["search", "a", "novels.json", "--sort", "colour"], ["search", "a", "novels.json", "--profile", "nonsense"],
        ["show"], ["show", "978-0553293364", "novels.json", "--format", "csv"],
        ["lists", "novels.json", "--format", "csv"], ["log", "novels.json", "--format", "xml"],
        ["lists", "novels.json", "--profile", "nonsense"],
        ["favourites", "add"], ["favourites", "remove"], ["favourites", "list", "--format", "xml"],
        ["favourites", "list", "--catalog", "novels.json", "--sort", "colour"],
        ["export", "novels.json", "--format", "table"], ["export", "novels.json", "--list", "nonsense"],
        ["export", "novels.json", "--format", "sqlite"],
        ["export", "novels.json", "--format", "sqlite", "--output", "-"],
        ["export", "novels.json", "--output", "novels.json"], ["export", "novels.json", "--output", ""],
        ["export", "novels.json", "--query", "pages:x"], ["export", "novels.json", "--sort", "colour"],
        ["import"], ["import", "isbns.txt", "--format", "csv"], ["import", "isbns.txt", "--list", ""],
        ["set", "978-0553293364", "--catalog", "novels.json"], ["set", "978-0553293364", "colour=red"],
        ["add"], ["add", "novels.json"], ["delete"], ["merge", "978-0553293364", "--catalog", "novels.json"],
        ["move"], ["move", "978-0553293364", "--catalog", "novels.json"],
        ["sort"], ["sort", "novels.json"], ["sort", "novels.json", "colour"], ["sort", "-", "title"],
        ["stats", "novels.json", "--format", "csv"], ["stats", "novels.json", "--list", "nonsense"],
        ["stats", "novels.json", "--query", "pages:x"], ["stats", "novels.json", "--profile", "nonsense"],
        ["duplicates", "novels.json", "--format", "csv"], ["duplicates", "novels.json", "--profile", "nonsense"],
        ["values"], ["values", "pages", "novels.json"], ["values", "author", "novels.json", "--rename", "Jane Austen"],
        ["values", "author", "novels.json", "--dry-run"], ["values", "author", "novels.json", "--format", "csv"],
        ["check"], ["check", "novels.json", "--format", "csv"], ["check", "novels.json", "--profile", "nonsense"],
        ["lookup"], ["lookup", "978-0553293364"], ["lookup", "--title", "...", "--sources", "novels.json"],
        ["scan", "-"], ["scan", "novels.json", "--mode", "shelf"], ["scan", "novels.json", "--mode", "shelf="],
        ["scan", "novels.json", "--mode", "find", "--sources", "novels.json"],
        ["lookup", "123", "--sources", "novels.json"],
        ["lookup", "978-0553293364", "--sources", "nonsense"], ["lookup", "978-0553293364", "--author", "Asimov"],
        ["add", "--lookup", "123", "--sources", "novels.json", "--catalog", "novels.json"],
        ["add", "novels.json", "title=A", "--sources", "novels.json"],
        ["set", "978-0553293364", "pages=1", "--sources", "novels.json", "--catalog", "novels.json"],
        ["set", "978-0553293364", "pages=1", "--lookup", "pages", "--catalog", "novels.json"],
        ["set", "978-0553293364", "--lookup", "isbn", "--catalog", "novels.json"],
        ["set", "978-0553293364", "--lookup", ",", "--catalog", "novels.json"],
        ["set", "978-0553293364", "--lookup", "colour", "--catalog", "novels.json"],
        ["profiles", "show"], ["profiles", "show", "nonsense"], ["profiles", "new"], ["profiles", "nonsense"],
        ["config", "nonsense"],
        ["sources", "nonsense"], ["sources", "refresh"], ["sources", "forget"],
        ["publish"], ["publish", "novels.json"],
    ]

    @Test(arguments: mistakes)
    func invalidArgumentsAreUsageErrors(command: [String]) throws {
        let result = try sandbox.run(stacks(command))
        #expect(result.ending == .exit(64), "\(result.error)")
        #expect(result.output == "")
        #expect(!result.error.isEmpty)
    }

    /// Every command that opens a catalog, with a missing one.
    @Test(arguments: [
        ["missing.json"], ["search", "a", "missing.json"], ["show", "978-0553293364", "missing.json"],
        ["lists", "missing.json"], ["log", "missing.json"], ["favourites", "list", "--catalog", "missing.json"],
        ["favourites", "add", "978-0553293364", "--catalog", "missing.json"],
        ["favourites", "remove", "978-0553293364", "--catalog", "missing.json"], ["export", "missing.json"],
        ["import", "isbns.txt", "--catalog", "missing.json"], ["import", "missing.txt"], ["check", "missing.json"],
        ["duplicates", "missing.json"], ["values", "author", "missing.json"],
        ["values", "author", "missing.json", "--rename", "A=B"], ["scan", "missing.json", "--mode", "find"],
        ["stats", "missing.json"], ["set", "978-0553293364", "pages=1", "--catalog", "missing.json"],
        ["delete", "978-0553293364", "--catalog", "missing.json"], ["sort", "missing.json", "title"],
        ["profiles", "new", "missing.json", "--yes"], ["sources", "refresh", "missing.csv"],
        ["sources", "forget", "missing.csv"],
    ])
    func aMissingFileHasItsExitStatus(command: [String]) throws {
        let result = try sandbox.run(stacks(command))
        #expect(result.ending == .exit(66))
        #expect(result.output == "")
        #expect(result.error.hasPrefix("stacks: ") && result.error.contains("missing."))
        #expect(result.error.split(separator: "\n").count == 1)
    }

    // MARK: Completeness

    /// The commands of the program are those in the tables above.
    @Test func everyCommandIsInTheTables() throws {
        for words in try CommandTree.commands(in: sandbox) {
            let isBrowsing = words == ["browse"]
            // Interactive commands, commands that create files, and commands that succeed only once.
            if [["profiles", "new"], ["sources", "forget"]].contains(words) { continue }
            #expect(
                Self.printing.contains { isBrowsing ? $0 == ["novels.json"] : $0.starts(with: words) },
                "no row prints with \(words)")
            #expect(Self.mistakes.contains { isBrowsing || $0.starts(with: words.prefix(1)) }, "no mistake of \(words)")
        }
    }
}
