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

    /// Installs in /opt/books as `make install` does, but without a build, because the tests may run during one.
    func install() throws {
        let tree = sandbox.path + "/tree"
        try FileManager.default.createDirectory(atPath: tree, withIntermediateDirectories: true)
        let stage = try sandbox.run(
            ["/bin/sh", Programs.packageRoot + "/Resources/packaging/stage.sh", tree, Programs.stacks])
        guard stage.ending == .exit(0) else { throw Failure(stage.error) }
        try run("/opt/books", from: tree)
    }

    private func uninstall() throws {
        try run("uninstall", "/opt/books", from: Programs.packageRoot + "/Resources/packaging")
    }

    private func run(_ arguments: String..., from directory: String) throws {
        let result = try sandbox.run(
            ["/bin/sh", directory + "/install.sh"] + arguments, changing: ["DESTDIR": destination])
        guard result.ending == .exit(0) else { throw Failure("\(arguments): \(result.error)") }
    }

    func installed(_ file: String) -> String { destination + "/opt/books/" + file }

    /// The installed man pages of stacks, such as "stacks-search.7".
    private func manualPages() throws -> [String] {
        try ["man1", "man5", "man7"].flatMap { section in
            try FileManager.default.contentsOfDirectory(atPath: installed("share/man/" + section))
                .filter { $0.hasPrefix("stacks") && $0.hasSuffix(".\(section.suffix(1)).gz") }
        }.map { String($0.dropLast(3)) }.sorted()
    }

    /// Returns the path of a man page without compression.
    private func unpackedManual(_ name: String = "stacks.1") throws -> String {
        let page = sandbox.path + "/" + name
        let packed = installed("share/man/man\(name.suffix(1))/\(name).gz")
        let result = try sandbox.run(["/bin/sh", "-c", "gzip -dc '\(packed)' > '\(page)'"])
        #expect(result.ending == .exit(0), "\(result.error)")
        return page
    }

    /// Returns a man page as a terminal of 78 columns shows it.
    private func shownManual(_ name: String = "stacks.1") throws -> String {
        let page = try unpackedManual(name)
        return try sandbox.run(["/bin/sh", "-c", "mandoc -T utf8 -O width=78 '\(page)' | col -bx"]).output
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
        try uninstall()
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
            ["/bin/sh", Programs.packageRoot + "/Resources/packaging/install.sh", "uninstall", "/opt/books"],
            changing: ["DESTDIR": destination])
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
        try terminal.wait(for: "The guide of stacks")
    }

    @Test func aLaterInstallationRemovesWhatItLacks() throws {
        let before = tree
        try install()
        let record = installed("share/stacks/installed")
        let page = "/opt/books/share/man/man1/stacks-earlier.1.gz"
        try Data().write(to: URL(filePath: destination + page))
        try Data((page + "\n" + sandbox.text(of: record)).utf8).write(to: URL(filePath: record))
        try install()
        #expect(!FileManager.default.fileExists(atPath: destination + page))
        try uninstall()
        #expect(tree == before)
    }

    // MARK: Man pages

    @Test func theManPagesHaveNoErrors() throws {
        try install()
        let pages = try manualPages()
        #expect(pages.count > 20)
        for name in pages {
            let page = try unpackedManual(name)
            let lint = try sandbox.run(["/usr/bin/mandoc", "-T", "lint", "-W", "warning", page])
            #expect(lint.ending == .exit(0), "\(lint.output)\(lint.error)")
            let text = try shownManual(name)
            var heads = ["NAME", "DESCRIPTION", "SEE ALSO"]
            switch name {
            case "stacks.1":
                heads += ["SYNOPSIS", "SUBCOMMANDS", "OPTIONS", "KEYS"]
                heads += ["ENVIRONMENT", "FILES", "EXIT STATUS", "EXAMPLES"]
            case "stacks-search.7": heads += ["QUERIES", "FIELDS", "ORDER", "EXAMPLES"]
            case "stacks-config.5": heads += ["SYNOPSIS", "SETTINGS", "EXAMPLES"]
            case "stacks-profile.5": heads += ["MEMBERS", "FIELDS", "PATHS", "BUILT-IN PROFILES", "EXAMPLES"]
            default: heads += ["SYNOPSIS", "EXIT STATUS", "EXAMPLES"]
            }
            for head in heads { #expect(text.contains("\n\(head)\n"), "\(name) has no section \(head)") }
            #expect(text.contains("stacks 0") || text.contains("stacks 1"))
            let tooLong = text.split(separator: "\n").filter { $0.count > 80 && !$0.hasPrefix("           ") }
            #expect(tooLong.isEmpty, "\(name): \(tooLong)")
        }
    }

    @Test func manFindsEachPage() throws {
        try install()
        for page in try manualPages() {
            let (name, section) = (String(page.dropLast(2)), String(page.suffix(1)))
            let found = try sandbox.run(["/usr/bin/man", "-M", installed("share/man"), "-w", section, name])
            #expect(found.ending == .exit(0), "\(found.error)")
            #expect(found.output == installed("share/man/man\(section)/\(page).gz\n"))
        }
    }

    @Test func everyReferenceOfTheManPagesLeadsToAPage() throws {
        try install()
        let pages = Set(try manualPages())
        var references: [String: Set<String>] = [:]
        for page in pages {
            let text = sandbox.text(of: try unpackedManual(page))
            references[page] = Set(
                text.matches(of: /(?m)^\.(?:It )?Xr (stacks[a-z-]*) (\d)/).map { "\($0.1).\($0.2)" })
            let missing = references[page, default: []].subtracting(pages)
            #expect(missing.isEmpty, "\(page) refers to \(missing.sorted())")
        }
        var reached: Set<String> = ["stacks.1"]
        var next = reached
        while !next.isEmpty {
            next = next.reduce(into: Set()) { $0.formUnion(references[$1, default: []]) }.subtracting(reached)
            reached.formUnion(next)
        }
        #expect(reached == pages)
        for page in pages.subtracting(["stacks.1"]) {
            #expect(references[page]?.contains("stacks.1") == true, "\(page) does not refer to stacks(1)")
        }
        #expect(references["stacks-search.1"]?.contains("stacks-search.7") == true)
        #expect(references["stacks-search.7"]?.contains("stacks-search.1") == true)
    }

    /// Every name in the help of the commands.
    @Test func eachCommandHasAManPageWithItsOptions() throws {
        try install()
        var texts: [String: String] = [:]
        for page in try manualPages() { texts[page] = try shownManual(page) }
        var count = 0
        var pages: Set<String> = ["stacks-search.7", "stacks-config.5", "stacks-profile.5"]
        for words in try CommandTree.commands(in: sandbox) {
            let page = words == ["browse"] ? "stacks.1" : "stacks-\(words[0]).1"
            pages.insert(page)
            let text = try #require(texts[page], "there is no \(page)")
            let name = words == ["browse"] ? "[OPTION ...]" : words.joined(separator: " ")
            #expect(text.contains("\n     stacks \(name)"), "\(page) has no command \(name)")
            for option in try CommandTree.options(of: words, in: sandbox) {
                let isListed = text.contains("\n     \(option)") || text.contains(", \(option)")
                #expect(isListed, "\(page) has no \(option) of \(name)")
                count += 1
            }
        }
        #expect(count > 40)
        #expect(Set(texts.keys) == pages)
    }

    @Test func theManPagesHaveEverySettingAndProfile() throws {
        try install()
        let config = try shownManual("stacks-config.5")
        let settings = try sandbox.run([Programs.stacks, "config"]).output
            .matches(of: /(?m)^(?:# )?([a-z-]+) = .*  # default/).map { String($0.1) }
        #expect(settings.count > 100)
        for name in settings {
            #expect(config.contains("\n     \(name)\n") || config.contains("\n     \(name) "), "there is no \(name)")
        }
        let profile = try shownManual("stacks-profile.5")
        let names = try sandbox.run([Programs.stacks, "profiles"]).output.split(separator: "\n").compactMap {
            $0.split(separator: " ").first
        }
        #expect(names.count > 10)
        for name in names { #expect(profile.contains("\n     \(name) "), "there is no profile \(name)") }
    }

    /// The examples of stacks(1) run with those of the guide.
    @Test func theFilesInTheManPagesAreValid() throws {
        func examples(in page: String) -> [String] {
            let text = sandbox.text(of: Programs.packageRoot + "/Resources/packaging/\(page).in")
            return text.matches(of: /(?s)\.Bd -literal[^\n]*\n(.*?)\n\.Ed/).map {
                String($0.1).replacing("\\-", with: "-").replacing("\\(ha", with: "^")
                    .replacing("\\(ti", with: "~")
            }
        }
        let config = examples(in: "stacks-config.5").joined(separator: "\n")
        try sandbox.write(config, to: sandbox.path + "/config/stacks/config.toml")
        let listing = try sandbox.run([Programs.stacks, "config"])
        #expect(listing.ending == .exit(0) && listing.error == "", "\(listing.error)")
        #expect(listing.output.contains("goal = 30  # ") && listing.output.contains("config.toml, line "))
        let profiles = examples(in: "stacks-profile.5")
        #expect(profiles.count == 2)
        for profile in profiles {
            let path = try sandbox.write(profile, to: "profile.json")
            let shown = try sandbox.run([Programs.stacks, "profiles", "show", path])
            #expect(shown.ending == .exit(0), "\(shown.error)")
        }
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

    // MARK: Other files

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
        let releases = changelog.split(separator: "\n").filter { $0.hasPrefix("## [") }
        #expect(releases.first == "## [Unreleased]")
        #expect(releases.dropFirst().first?.wholeMatch(of: /## \[(.+)\] - \d{4}-\d\d-\d\d/)?.1 == version)
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
        Completion(words: ["stacks", "books.json", "--no"], some: ["--no-resume", "--no-mouse", "--no-covers"]),
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
            LISTMAX=1000; unsetopt auto_menu always_last_prompt; zstyle ':completion:*' list-separator '|'
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
