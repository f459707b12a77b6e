import Foundation
import Testing

/// Completions of names that would run a program if a shell evaluated them.
extension Packaging {
    /// The names of shelves, profiles and files. Each program would leave a file whose name begins with "ran".
    private static let names = [
        "$(touch ran1)", "`touch ran2`", "'; touch ran3; '", "\"; touch ran4; \"", "(touch ran5)", "a;touch ran6",
        "{$(touch ran7),x}", "~$(touch ran8)", "\\$(touch ran9)", "*(e:'touch ran10':)",
        "${(e):-$(touch ran11)}", "a b $(touch ran12)",
    ]

    /// Makes a shelf, a profile, a file and a catalog in the config for each name.
    private func prepare() throws {
        try install()
        let shelves = try JSONEncoder().encode(Self.names + ["line\n$(touch ran13)"])
        let list = String(decoding: shelves, as: UTF8.self)
        let data = try sandbox.write(
            #"[{"title": "Emma", "authors": ["Jane Austen"], "userData": {"shelves": \#(list)}}]"#, to: "data.json")
        let catalog = try sandbox.write(#"[{"title": "Emma", "authors": ["Jane Austen"]}]"#, to: "work/books.json")
        let imported = try sandbox.run([Programs.stacks, "import", data, "--catalog", catalog])
        #expect(imported.ending == .exit(0), "\(imported.error)")
        var config = "[catalogs]\n"
        for name in Self.names {
            let quoted = String(decoding: try JSONEncoder().encode(name), as: UTF8.self)
            try sandbox.write("[]", to: "work/\(name).json")
            try sandbox.write(
                #"{"name": \#(quoted), "fields": {"title": "t"}}"#, to: "config/stacks/profiles/\(name).json")
            config += "\(quoted) = \"\(catalog)\"\n"
        }
        try sandbox.write(config, to: "config/stacks/config.toml")
        let lists = try sandbox.run([Programs.stacks, "lists", catalog]).output
        #expect(Self.names.allSatisfy { lists.contains($0) }, "\(lists)")
    }

    private var environmentOfShell: [String: String?] {
        ["PATH": installed("bin") + ":/usr/bin:/bin", "TERM": "dumb", "PS1": "", "STACKS_CATALOG": "books.json"]
    }

    /// The files that a program in a name left.
    private var traces: [String] {
        let found = FileManager.default.enumerator(atPath: sandbox.path)?.allObjects as? [String] ?? []
        return found.filter { $0.split(separator: "/").last?.hasPrefix("ran") == true }
    }

    private static let commandLines = [
        "stacks export --list ", "stacks --list ", "stacks --profile ", "stacks profiles show ", "stacks ",
        "stacks search x ", "stacks export --list $", "stacks export --list \\$", "stacks export --list '",
        "stacks export --list \"", "stacks export --list `", "stacks export --list a",
    ]

    @Test func bashRunsNoProgramInAName() throws {
        try prepare()
        // What bash inserts is read again as a part of the command.
        let script = """
            cd "$1" && source "$2" && COMP_WORDS=("${@:3}") COMP_CWORD=$(($# - 3)); _stacks
            eval "set -- ${COMPREPLY[*]}"; printf '%s\\n' "$@"
            """
        let file = installed("share/bash-completion/completions/stacks")
        for words in [["export", "--list", ""], ["--profile", ""], ["export", "--list", "\\$"]] {
            let result = try sandbox.run(
                ["/bin/bash", "-c", script, "bash", sandbox.path + "/work", file, "stacks"] + words,
                changing: environmentOfShell)
            if words.contains("--list") { #expect(result.output.contains("$(touch ran1)\n"), "\(result)") }
            #expect(traces == [], "\(words)")
        }
    }

    @Test func fishRunsNoProgramInAName() throws {
        try prepare()
        let file = installed("share/fish/vendor_completions.d/stacks.fish")
        for line in Self.commandLines {
            let result = try sandbox.run(
                [
                    "/usr/bin/fish", "-c", "cd $argv[1]; source $argv[2]; complete -C $argv[3]", sandbox.path + "/work",
                    file, line,
                ], changing: environmentOfShell)
            if line == "stacks export --list " {
                for name in Self.names { #expect(result.output.contains(name), "\(result)") }
            }
            #expect(traces == [], "\(line)")
        }
    }

    /// The line is completed in an interactive zsh, and the inserted name is used.
    @Test func zshRunsNoProgramInAName() throws {
        try prepare()
        let setUp = try sandbox.write(
            """
            PROMPT=; fpath=(\(installed("share/zsh/site-functions")) $fpath)
            autoload -Uz compinit; compinit -u -d \(sandbox.path)/zcompdump
            LISTMAX=0; unsetopt always_last_prompt; cd \(sandbox.path)/work
            print -r -- "complete functions: $_comps[stacks]"
            """, to: "setup.zsh")
        for line in Self.commandLines {
            let terminal = try PseudoTerminal(
                columns: 200, running: ["/usr/bin/zsh", "-f", "-i"],
                environment: sandbox.environment(changing: environmentOfShell))
            terminal.type("source \(setUp)\n")
            try terminal.wait(for: "complete functions: _stacks")
            let start = terminal.output.count
            // The first Tab inserts the common prefix, the second one lists the candidates, and the others insert them.
            terminal.type(line + "\t\t")
            if line == "stacks export --list " { try terminal.wait(for: #"\$\(touch\ ran1\)"#, after: start) }
            terminal.type("\t\t\t\u{15}print -r -- \"do\"ne\n")
            try terminal.wait(for: "done", after: start)
            #expect(traces == [], "\(line)")
        }
        let terminal = try PseudoTerminal(
            columns: 200, running: ["/usr/bin/zsh", "-f", "-i"],
            environment: sandbox.environment(changing: environmentOfShell))
        terminal.type("source \(setUp)\n")
        try terminal.wait(for: "complete functions: _stacks")
        let start = terminal.output.count
        terminal.type("stacks export --list \\$\\(\t\n")
        try terminal.wait(for: #""title":"Emma""#, after: start)
        #expect(traces == [])
    }
}
