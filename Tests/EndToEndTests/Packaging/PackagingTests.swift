import Foundation
import Testing

/// The files of `make install`, and the result of `make uninstall`.
@Suite("Packaging") struct Packaging {
    let sandbox: Sandbox
    let destination: String

    init() throws {
        sandbox = try Sandbox()
        destination = sandbox.path + "/destination"
        // Existing files and directories must stay: another program's file and an empty directory.
        try sandbox.write("other", to: "destination/opt/books/share/man/man1/other.1")
        try FileManager.default.createDirectory(
            atPath: destination + "/opt/books/share/applications", withIntermediateDirectories: true)
    }

    @discardableResult
    func install(_ action: String = "install") throws -> Sandbox.Result {
        // The recipe without a build, because the tests may run during one.
        let result = try sandbox.run(
            [
                "/bin/sh", Programs.packageRoot + "/Resources/packaging/install.sh", action, Programs.stacks,
            ], changing: ["PREFIX": "/opt/books", "DESTDIR": destination])
        guard result.ending == .exit(0) else { throw Failure("\(action): \(result.error)") }
        return result
    }

    func installed(_ file: String) -> String { destination + "/opt/books/" + file }

    private func unpackedManual() throws -> String {
        let page = sandbox.path + "/stacks.1"
        let result = try sandbox.run(
            ["/bin/sh", "-c", "gzip -dc '\(installed("share/man/man1/stacks.1.gz"))' > '\(page)'"])
        #expect(result.ending == .exit(0))
        return page
    }

    private var tree: [String] {
        (FileManager.default.enumerator(atPath: destination)?.allObjects as? [String] ?? []).sorted()
    }

    @Test func uninstallingKeepsOtherFiles() throws {
        let before = tree
        try install()
        #expect(tree.count > before.count + 10)
        // A second installation does not forget the files of the first.
        try install()
        try install("uninstall")
        #expect(tree == before)
    }

    @Test func aPrefixMayHaveBlanksAndQuotationMarks() throws {
        let root = sandbox.path + "/a root"
        for (prefix, place) in [("/opt/my dir/", "/opt/my dir"), ("/o'p/\"my\"  \\dir", "/o'p/\"my\"  \\dir")] {
            func make(_ target: String) throws {
                // Without a build, because the tests may run during one.
                let result = try sandbox.run([
                    "/usr/bin/make", "-C", Programs.packageRoot, "-o", "build", "-o", "install-dependencies", target,
                    "PREFIX=\(prefix)", "DESTDIR=\(root)",
                ])
                #expect(result.ending == .exit(0), "\(result.error)")
            }
            try make("install")
            let program = root + place + "/bin/stacks"
            #expect(try sandbox.run([program, "search", "ulysses"]).output == "Ulysses\tJames Joyce\n")
            #expect(try FileManager.default.contentsOfDirectory(atPath: root).count == 1)
            try make("uninstall")
            #expect(try FileManager.default.contentsOfDirectory(atPath: root) == [])
        }
    }

    @Test func onlyAnInstallationCanBeUninstalled() throws {
        let result = try sandbox.run(
            ["/bin/sh", Programs.packageRoot + "/Resources/packaging/install.sh", "uninstall", Programs.stacks],
            changing: ["PREFIX": "/opt/books", "DESTDIR": destination])
        #expect(result.ending == .exit(66))
        #expect(result.error.contains("stacks is not installed below \(destination)/opt/books"))
    }

    @Test func theProgramFindsItsCatalogWhereverItIs() throws {
        try install()
        let result = try sandbox.run([installed("bin/stacks"), "search", "ulysses"])
        #expect(result.ending == .exit(0))
        #expect(result.output == "Ulysses\tJames Joyce\n")
    }

    @Test func theGuideIsInstalledAndLinkedFromTheDocumentation() throws {
        try install()
        let pages = try FileManager.default.contentsOfDirectory(atPath: installed("share/stacks/guide")).sorted()
        let ours = try FileManager.default.contentsOfDirectory(atPath: Programs.packageRoot + "/Resources/guide")
        #expect(pages == ours.filter { $0.hasSuffix(".md") }.sorted())
        // Relative, so that it leads to the pages in a package, too.
        let link = installed("share/doc/stacks/guide")
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == "../../stacks/guide")
        #expect(try FileManager.default.contentsOfDirectory(atPath: link + "/.").sorted() == pages)
        let terminal = try Tmux(in: sandbox, columns: 100, rows: 30, running: [installed("bin/stacks")])
        try terminal.wait(forPosition: "1/11")
        try terminal.type(":guide\n")
        try terminal.wait(for: "Exit codes")
    }

    @Test func theManPageHasNoErrors() throws {
        try install()
        let page = try unpackedManual()
        let lint = try sandbox.run(["/usr/bin/mandoc", "-T", "lint", "-W", "warning", page])
        #expect(lint.ending == .exit(0), "\(lint.output)\(lint.error)")
        let text = try sandbox.run(["/bin/sh", "-c", "mandoc -T utf8 -O width=78 '\(page)' | col -bx"]).output
        for head in [
            "NAME", "SYNOPSIS", "DESCRIPTION", "COMMANDS", "KEYS", "QUERIES", "ENVIRONMENT", "FILES", "EXIT STATUS",
            "EXAMPLES", "SEE ALSO",
        ] {
            #expect(text.contains("\n\(head)\n"), "there is no section \(head)")
        }
        #expect(text.contains("stacks 0") || text.contains("stacks 1"))
        let tooLong = text.split(separator: "\n").filter { $0.count > 80 && !$0.hasPrefix("           ") }
        #expect(tooLong.isEmpty)
    }

    /// Every name in the help of the commands.
    @Test func theManPageHasEveryCommandAndOption() throws {
        try install()
        let page = try unpackedManual()
        let text = try sandbox.run(["/bin/sh", "-c", "mandoc -T utf8 -O width=78 '\(page)' | col -bx"]).output
        var count = 0
        for words in try CommandTree.commands(in: sandbox) {
            let name = words == ["browse"] ? "[browse]" : words.joined(separator: " ")
            #expect(text.contains("\n   stacks \(name)"), "the man page has no command \(name)")
            for option in try CommandTree.options(of: words, in: sandbox) {
                #expect(text.contains(option), "the man page has no \(option) of \(name)")
                count += 1
            }
        }
        #expect(count > 40)
    }

    @Test func theManPageHasEveryEnvironmentVariable() throws {
        try install()
        let text = sandbox.text(of: try unpackedManual())
        let sources = Programs.packageRoot + "/Sources"
        let read = try sandbox.run(
            [
                "/bin/sh", "-c",
                "grep -rhoE '(environmentValue|getenv|directory)\\(\"[A-Z_]+\"' '\(sources)' | grep -oE '[A-Z_]{2,}'",
            ])
        let names = Set(read.output.split(separator: "\n").map(String.init))
        #expect(names.isSuperset(of: ["STACKS_CATALOG", "NO_COLOR", "XDG_CACHE_HOME", "TERM"]))
        for name in names { #expect(text.contains(name), "the man page has no \(name)") }
    }

    @Test func theDesktopEntryIsValid() throws {
        try install()
        let result = try sandbox.run(
            ["/usr/bin/desktop-file-validate", "--no-hints", installed("share/applications/stacks.desktop")])
        #expect(result.ending == .exit(0))
        #expect(result.output == "")
    }

    @Test func theChangelogBeginsWithTheVersion() throws {
        let version = try sandbox.run([Programs.stacks, "--version"]).output.prefix { $0 != "\n" }
        let changelog = sandbox.text(of: Programs.packageRoot + "/CHANGELOG.md")
        let first = changelog.split(separator: "\n").first { $0.hasPrefix("## [") }
        #expect(first?.hasPrefix("## [\(version)]") == true || first == "## [Unreleased]")
        #expect(changelog.contains("\n## [\(version)]"))
    }

    // MARK: Completions

    /// A typed command line and some of its completions; `none` must not be offered.
    struct Completion: Sendable, CustomTestStringConvertible {
        var words: [String]
        var some: [String]
        var none: [String] = []
        var testDescription: String { words.joined(separator: " ") }
    }

    static let completions = [
        Completion(
            words: ["stacks", ""], some: ["search", "favourites", "config", "books.json"], none: ["notes.txt"]),
        Completion(words: ["stacks", "se"], some: ["search"], none: ["show"]),
        Completion(words: ["stacks", "bo"], some: ["books.json"]),
        Completion(words: ["stacks", "--th"], some: ["--theme"], none: ["--query"]),
        Completion(words: ["stacks", "--theme", ""], some: ["dark", "light"], none: ["books.json"]),
        Completion(words: ["stacks", "books.json", "--no"], some: ["--no-resume", "--no-mouse"]),
        Completion(words: ["stacks", "search", "king", ""], some: ["books.json"], none: ["show"]),
        Completion(words: ["stacks", "search", "king", "--format", "j"], some: ["json", "jsonl"], none: ["csv"]),
        Completion(words: ["stacks", "search", "king", "--sort", "ye"], some: ["year"]),
        Completion(words: ["stacks", "export", "--list", "To"], some: ["To read"]),
        Completion(words: ["stacks", "--profile", "cal"], some: ["calibre"]),
        Completion(words: ["stacks", "profiles", "show", "op"], some: ["opds", "openlibrary-search"]),
        Completion(words: ["stacks", "profiles", ""], some: ["list", "show", "new"], none: ["search"]),
        Completion(words: ["stacks", "favourites", "a"], some: ["add"]),
        Completion(words: ["stacks", "favourites", "add", "--catalog", "b"], some: ["books.json"]),
        Completion(words: ["stacks", "favourites", "--f"], some: ["--format"]),
        Completion(words: ["stacks", "help", "se"], some: ["search"]),
        Completion(words: ["stacks", "config", "--"], some: ["--edit"], none: ["--format"]),
    ]

    /// Runs a script in a directory with some files, and with stacks in PATH.
    private func complete(_ command: [String]) throws -> [String] {
        try sandbox.write("[]", to: "work/books.json")
        try sandbox.write("", to: "work/notes.txt")
        let run = ["/bin/sh", "-c", "cd '\(sandbox.path)/work' && exec \"$@\"", "sh"] + command
        let path = installed("bin") + ":/usr/bin:/bin"
        let result = try sandbox.run(run, changing: ["PATH": path, "TERM": "dumb"])
        #expect(result.error == "")
        return result.output.split(separator: "\n").map { line in
            // Remove the quoting of bash, and the description of fish after a tab.
            line.split(separator: "\t").first.map(String.init)?.replacing("\\", with: "") ?? ""
        }
    }

    private func expect(_ offered: [String], of completion: Completion) {
        for word in completion.some { #expect(offered.contains(word), "\(offered)") }
        for word in completion.none { #expect(!offered.contains(word)) }
    }

    @Test func bashCompletes() throws {
        try install()
        let script = """
            source "$0" && COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)); _stacks; printf '%s\\n' "${COMPREPLY[@]}"
            """
        let file = installed("share/bash-completion/completions/stacks")
        for completion in Self.completions {
            expect(try complete(["/bin/bash", "-c", script, file] + completion.words), of: completion)
        }
        // For bash "=" is a separate word.
        let words = ["stacks", "search", "king", "--format", "="]
        #expect(try complete(["/bin/bash", "-c", script, file] + words).contains("csl"))
        #expect(try complete(["/bin/bash", "-c", script, file] + words + ["b"]) == ["bibtex"])
    }

    @Test func fishCompletes() throws {
        try install()
        let file = installed("share/fish/vendor_completions.d/stacks.fish")
        let script = "source $argv[1]; complete -C (string join ' ' -- $argv[2..])"
        for var completion in Self.completions {
            // fish lists files that do not fit after the others, and offers all of them.
            completion.none.removeAll { $0 == "notes.txt" }
            expect(try complete(["/usr/bin/fish", "-c", script, file] + completion.words), of: completion)
        }
    }

    /// Uses an interactive zsh, because its completions run only there.
    @Test func zshCompletes() throws {
        try install()
        let directory = installed("share/zsh/site-functions")
        let setUp = try sandbox.write(
            """
            PROMPT=; fpath=(\(directory) $fpath)
            autoload -Uz compinit; compinit -u -d \(sandbox.path)/zcompdump
            LISTMAX=0; unsetopt auto_menu always_last_prompt; zstyle ':completion:*' list-separator '|'
            print -r -- "complete functions: $_comps[stacks]"
            """, to: "setup.zsh")
        let path = installed("bin") + ":/usr/bin:/bin"
        try sandbox.write("[]", to: "work/books.json")
        for completion in Self.completions {
            let terminal = try PseudoTerminal(
                running: ["/usr/bin/zsh", "-f", "-i"],
                environment: sandbox.environment(changing: ["PATH": path, "TERM": "dumb", "PS1": ""]))
            terminal.type("cd \(sandbox.path)/work; source \(setUp)\n")
            try terminal.wait(for: "complete functions: _stacks")
            let start = terminal.output.count
            // The first Tab inserts the common prefix; the second one lists the candidates.
            terminal.type(completion.words.joined(separator: " ") + "\t\t")
            for word in completion.some {
                // zsh quotes the blank in a name.
                let shown = completion.some.count == 1 ? word.replacing(" ", with: "\\ ") : word
                try terminal.wait(for: shown, after: start)
            }
        }
    }
}

/// The commands and options in the program's help.
enum CommandTree {
    /// Returns the words of every command without subcommands.
    static func commands(in sandbox: Sandbox) throws -> [[String]] {
        func below(_ words: [String]) throws -> [[String]] {
            let names = try section("SUBCOMMANDS", of: words, in: sandbox).compactMap { line in
                // Names are indented by two blanks, continuation lines by more.
                line.hasPrefix("  ") && !line.hasPrefix("   ")
                    ? line.split(separator: " ").first.map(String.init) : nil
            }
            if names.isEmpty { return [words] }
            return try names.flatMap { try below(words + [$0]) }
        }
        return try below([])
    }

    /// Returns the options that a command has in addition to the common ones.
    static func options(of words: [String], in sandbox: Sandbox) throws -> [String] {
        try section("OPTIONS", of: words, in: sandbox).flatMap { line -> [String] in
            guard line.hasPrefix("  -") else { return [] }
            let names = line.split(whereSeparator: { " ,".contains($0) }).prefix {
                $0.hasPrefix("-") || $0.hasPrefix("<")
            }
            return names.filter { $0.hasPrefix("--") }.map(String.init)
        }.filter { !["--help", "--version"].contains($0) }
    }

    private static func section(_ name: String, of words: [String], in sandbox: Sandbox) throws -> [Substring] {
        let help = try sandbox.run([Programs.stacks] + words + ["--help"])
        guard help.ending == .exit(0) else { throw Failure("\(words) --help: \(help.error)") }
        let lines = help.output.split(separator: "\n", omittingEmptySubsequences: false)
        guard let start = lines.firstIndex(of: "\(name):") else { return [] }
        return Array(lines[(start + 1)...].prefix { !$0.isEmpty })
    }
}
