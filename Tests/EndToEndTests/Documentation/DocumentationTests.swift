import Foundation
import Testing

/// Runs the commands in the documentation and plays its tours.
@Suite("Documentation: every example works") struct Documentation {
    let sandbox: Sandbox

    init() throws { sandbox = try Sandbox() }

    /// A command in the documentation and its location.
    struct Shown: Sendable, CustomTestStringConvertible {
        var command: String
        var file: String
        var testDescription: String { "\(file): \(command)" }
    }

    /// Commands that cannot be run here, with the reason.
    static let exceptions = [
        "make run": "it browses; the tour below does that",
        "make test": "it is what runs this", "make check": "it may be what this is run by",
        "make build": "it may be what this is run by",
        "make lint": "it may be what this is run by", "make format": "it changes the sources",
        "make bench": "it takes an hour", "make test-page": "it needs a browser",
        "make test-pictures-xterm": "it needs a terminal with pictures",
        "make bench-connect": "it needs files that are not in the repository",
        "make fuzz FUZZ_SECONDS=60": "it builds everything anew",
        "make sanitize": "it builds everything anew",
        "make reliability": "it takes minutes", "make nightly": "it takes half an hour",
        "stacks duplicates books.json": "it has none", "stacks duplicates books.json --format json": "it has none",
        "stacks stats books.json --year 2026": "nothing was read",
        "stacks stats --year 2026 --format json": "nothing was read",
        "stacks loc": "it needs the network",
        "stacks lookup 9780553103540 --sources loc,k10plus": "it needs the network",
        "stacks lookup 9780553103540 --sources loc --format json": "it needs the network",
        "stacks scan books.json --sources loc,dnb < isbns.txt": "it needs the network",
        "stacks set --query 'has:isbn -has:pages' --lookup pages,publisher --sources loc,dnb": "it needs the network",
        "stacks add --lookup 9780553103540 9783462001310 --sources loc,dnb --catalog books.json":
            "it needs the network",
        "stacks https://books.example/opds": "it needs the network",
        "stacks 'http://localhost:8080/?library_id=Comics'": "it needs a server",
        "stacks opensearch+https://HOST:9200/INDEX": "it needs a server",
        "stacks ~/Calibre": "it needs a library of calibre", "stacks search king ADDRESS": "it needs a server",
        "stacks publish books.json 'clickhouse://ann@db1,db2/library?cluster=two' --dry-run": "it needs a server",
        "stacks publish books.json 'clickhouse://ann@db1,db2/library?cluster=two'": "it needs a server",
        "stacks 'clickhouse://ann@db1,db2/library?cluster=two'": "it needs a server",
        "make docs": "it builds everything anew", "make deb-test": "it needs root and the network",
        "make dist": "it builds the release", "make dist-test": "it builds everything anew, twice",
        "make archive-test": "it needs root and the network", "make dist-sources": "it needs the network",
        "make release": "it publishes",
    ]

    static func text(of file: String) -> String {
        (try? String(contentsOfFile: Programs.packageRoot + "/" + file, encoding: .utf8)) ?? ""
    }

    /// Returns the text of a file without the parts that a program generates, which have tests of their own.
    private static func writtenText(of file: String) -> String {
        text(of: file).replacing(/<!-- generated: (?s:.*?)<!-- end -->/, with: "")
    }

    /// Returns the lines of the shell blocks in a Markdown file, or of the examples in the man page; continued lines
    /// are joined.
    private static func commands(in file: String) -> [Shown] {
        var lines: [String] = []
        var isShell = false
        for line in writtenText(of: file).split(separator: "\n").map(String.init) {
            if line == "```sh" || line.hasPrefix(".Bd -literal") {
                isShell = true
            } else if line == "```" || line == ".Ed" {
                isShell = false
            } else if isShell {
                if let last = lines.last, last.hasSuffix("|") || last.hasSuffix("\\") {
                    lines[lines.count - 1] = last + " " + line.trimmingCharacters(in: .whitespaces)
                } else {
                    lines.append(line)
                }
            }
        }
        return lines.map { line in
            // Remove the trailing comment.
            let command = line.firstRange(of: #/ +# .*/#).map { String(line[..<$0.lowerBound]) } ?? line
            return Shown(command: command, file: file)
        }
    }

    /// Returns the commands within sentences, with placeholders replaced by real values.
    private static func commandsInSentences(of file: String) -> [Shown] {
        let real = [
            "[FILE]": "books.json", "FILE": "books.json", "SOURCE": "goodreads.csv", "QUERY": "king", "NAME": "native",
        ]
        return writtenText(of: file).matches(of: /[^`]`(stacks [a-z][^`]*|stacks|stacks --[^`]*)`[^`]/).map { match in
            var command = String(match.1)
            for (name, value) in real.sorted(by: { $0.key > $1.key }) { command = command.replacing(name, with: value) }
            if command == "stacks profiles new" { command += " books.json" }
            if command.contains("profiles new") { command += " --yes" }
            return Shown(command: command, file: file)
        }
    }

    /// The README and the pages of the guide, except that with the recipes, which has a test of its own.
    static let pages = ["README.md"] + DocumentationPages.guide.filter { !$0.hasSuffix("/scripting.md") }
    static let files = pages + [".github/CONTRIBUTING.md", "Resources/packaging/stacks.1.in"]
    static let all = files.flatMap(commands(in:)) + pages.flatMap(commandsInSentences(of:))
    static let shown = all.filter { exceptions[$0.command] == nil }

    @Test func thereAreCommandsInEachFile() {
        let tutorial = "Resources/guide/tutorial.md"
        for file in ["README.md", tutorial, ".github/CONTRIBUTING.md"] {
            #expect(!Self.commands(in: file).isEmpty, "\(file) shows no command")
        }
        #expect(Self.shown.count { $0.file == "README.md" } >= 6)
        #expect(Self.shown.count { $0.file == tutorial } >= 10)
        #expect(Self.shown.count { $0.file.hasSuffix("stacks.1.in") } >= 6)
        #expect(Set(Self.shown.map(\.command)).count >= 60)
        let commands = Set(Self.all.map(\.command))
        for exception in Self.exceptions.keys { #expect(commands.contains(exception), "nobody shows \(exception)") }
    }

    @Test(arguments: shown)
    func everyDocumentedCommandWorks(shown: Shown) throws {
        // The build would wait for the tests, which hold its lock.
        if shown.command.hasPrefix("swift ") || shown.command.hasPrefix("make ") {
            throw Failure("\(shown) cannot be run")
        }
        let directory = sandbox.path + "/work"
        // The bundled catalog, and a book with a subject.
        let cosmos = #"{"title": "Cosmos", "authors": ["Carl Sagan"], "subjects": ["Space"], "published": 1980}"#
        let bundled = Self.text(of: "Resources/catalog.json")
        let books = bundled.prefix(upTo: bundled.lastIndex(of: "]") ?? bundled.endIndex) + ",\n" + cosmos + "]\n"
        try sandbox.write(String(books), to: "work/books.json")
        // The catalog that the page about a catalog's own fields shows.
        let page = Self.text(of: "Resources/guide/own-fields.md")
        let rooms = try #require(page.firstMatch(of: /```json\n((?s:.*?))```/))
        try sandbox.write(String(rooms.1), to: "work/rooms.json")
        let lines = try sandbox.run(
            [Programs.stacks, "export", directory + "/books.json", "--format", "jsonl"], changing: ["HOME": directory])
        try sandbox.write(lines.output, to: "work/books.jsonl")
        let goodreads = """
            Book Id,Title,Author,ISBN,ISBN13,My Rating,Date Read,Exclusive Shelf
            1,The Stand,Stephen King,="0307947300",="9780307947307",5,2024/01/02,read\n
            """
        for name in ["goodreads.csv", "goodreads_library_export.csv"] {
            try sandbox.write(goodreads, to: "work/" + name)
        }
        try sandbox.write(
            "[catalogs]\nhome = \"\(directory)/books.json\"\n", to: sandbox.path + "/config/stacks/config.toml")
        try FileManager.default.createSymbolicLink(
            atPath: directory + "/stacks", withDestinationPath: Programs.stacks)
        let path = directory + ":" + (sandbox.environment["PATH"] ?? "")
        let result = try sandbox.run(
            [
                "/bin/bash", "-o", "pipefail", "-c",
                "cd '\(directory)' && gzip -k books.jsonl && stacks books.json > /dev/null\n"
                    // A source with a copy.
                    + "stacks goodreads.csv > /dev/null\n\(shown.command)",
            ], changing: ["PATH": path, "EDITOR": "true", "STACKS_CATALOG": directory + "/books.json"])
        #expect(result.ending == .exit(0), "\(result.output)\(result.error)")
        // An export says what its format cannot keep.
        let errors = result.error.split(separator: "\n").filter { !$0.hasPrefix("stacks: Left out of ") }
        #expect(!errors.contains { $0.contains("stacks: ") }, "\(result.error)")
    }

    /// Every mentioned make target must exist.
    @Test func everyMentionedTargetExists() {
        let makefile = Self.text(of: "Makefile")
        for file in Self.files {
            let inline = Self.text(of: file).matches(of: /`make ([a-z][a-z-]*)/).map { String($0.1) }
            let shown = Self.commands(in: file).filter { $0.command.hasPrefix("make ") }
            let names = inline + shown.map { String($0.command.split(separator: " ")[1]) }
            for name in names { #expect(makefile.contains("\n\(name):"), "\(file) names make \(name)") }
        }
        for target in ["run", "test", "install", "deb", "docs"] { #expect(makefile.contains("\n\(target):")) }
    }

    // MARK: The tours

    /// The keys of a step of the tour, and the expected screen.
    struct Step {
        var typed: [String]
        var seen: [String]
    }

    private func tour(of file: String) -> [Step] {
        let lines = Self.text(of: file).split(separator: "\n").map(String.init)
        let rows = lines.drop { !$0.hasPrefix("| you type |") }.dropFirst(2).prefix { $0.hasPrefix("|") }
        return rows.map { row in
            let cells = row.dropFirst().split(separator: "|", omittingEmptySubsequences: false)
            func code(_ cell: Substring) -> [String] { cell.matches(of: /`([^`]+)`/).map { String($0.1) } }
            return Step(typed: code(cells[0]), seen: code(cells[1]))
        }
    }

    @Test(arguments: ["README.md", "Resources/guide/tutorial.md"])
    func theTourWorks(of file: String) throws {
        let shell = try Tmux(
            in: sandbox, columns: 80, rows: 24, running: ["/bin/bash", "--norc", "--noprofile", "-i"],
            changing: ["PS1": "ready> "])
        try shell.wait(for: "ready>")
        try sandbox.write("", to: "bin/none")
        let directory = URL(filePath: try Programs.stacks).deletingLastPathComponent().path
        try shell.type("PATH=\(directory):$PATH; clear\n")
        let steps = tour(of: file)
        #expect(steps.count > 5)
        for step in steps {
            for keys in step.typed {
                if keys == "stacks" { try shell.wait(for: "ready>") }
                try shell.press(declared: keys)
                if keys == "stacks" { try shell.press("Enter") }
            }
            for text in step.seen { try shell.wait(for: text) }
        }
        try shell.type("q")
        try shell.wait(for: "ready>")
    }
}
