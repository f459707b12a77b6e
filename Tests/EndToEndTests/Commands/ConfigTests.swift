import Foundation
import Testing

/// The user's config file.
@Suite("stacks config") struct Configuring {
    let sandbox: Sandbox
    private var file: String { sandbox.path + "/config/stacks/config.toml" }

    init() throws {
        sandbox = try Sandbox()
    }

    private func write(_ text: String) throws { try sandbox.write(text, to: file) }

    /// Moves the output of a command below the first line, which tmux scrolls away when the command has ended.
    private static func belowTheTop(_ command: [String]) -> [String] {
        ["/bin/sh", "-c", "echo; echo; exec \"$@\"", "sh"] + command
    }

    /// Creates an editor that writes its arguments, one per line, to a file beside it, and then runs `action`.
    private func makeEditor(_ action: String = "") throws -> String {
        let path = sandbox.path + "/an editor.sh"
        try sandbox.writeProgram("#!/bin/sh\nprintf '%s\\n' \"$@\" > '\(sandbox.path)/argv'\n\(action)\n", to: path)
        return path
    }

    @Test func configuredKeysWorkAndWarningsAreInTheStatusLine() throws {
        try write("theme = \"drak\"\n[keys]\ndown = \"x\"\nquit = [\"^x ^s\"]\n")
        let catalog = try sandbox.writeCatalog(books: 7)
        let terminal = try Tmux(in: sandbox, columns: 200, running: Self.belowTheTop([Programs.stacks, catalog]))
        let first = try terminal.wait(forPosition: "1/7")
        #expect(
            first.status.contains(
                "\(file), line 1: unknown theme “drak”. Themes: terminal, light, dark, contrast"))
        try terminal.type("3x")
        try terminal.wait(forPosition: "4/7")
        // These keys are no longer bound.
        try terminal.type("jq")
        try terminal.wait(for: "q is not bound")
        try terminal.press("C-x", "C-s")
        #expect(try terminal.waitForEnd() == .exit(0))
        // The message is also on the main screen afterwards.
        try terminal.wait(for: "unknown theme “drak”")
    }

    /// Its `password-cmd` would run.
    @Test func aFileThatOthersMayWriteIsRefused() throws {
        let catalog = try sandbox.writeCatalog(books: 3)
        try write("theme = \"dark\"\n[catalogs]\nhome = \"\(catalog)\"\n")
        chmod(file, 0o664)
        #expect(try sandbox.run([Programs.stacks, "search", "", "home"]).ending == .exit(0))
        chmod(file, 0o666)
        let reason =
            "stacks: \(file): other users may write to it (chmod go-w makes it yours); the file is ignored.\n"
        let listed = try sandbox.run([Programs.stacks, "config"])
        #expect(listed.ending == .exit(78) && listed.error == reason)
        #expect(!listed.output.contains("dark"))
        let searched = try sandbox.run([Programs.stacks, "search", "", "home"])
        #expect(searched.ending == .exit(78) && searched.error == reason && searched.output.isEmpty)
        // The file is not needed for a path.
        let found = try sandbox.run([Programs.stacks, "search", "", catalog])
        #expect(found.ending == .exit(0) && found.error.isEmpty)
    }

    @Test func aCacheThatOthersMayWriteIsNeitherReadNorWritten() throws {
        let table = try sandbox.write("title,authors,year\nEmma,Jane Austen,1815\n", to: "books.csv")
        #expect(try sandbox.run([Programs.stacks, "search", "", table]).output == "Emma\tJane Austen\n")
        let cache = sandbox.path + "/cache/stacks"
        chmod(cache, 0o1777)
        let reason =
            "stacks: cache \(cache) is not used: other users may write to it (chmod go-w makes it yours). "
            + "Delete it, or set XDG_CACHE_HOME.\n"
        let refused = try sandbox.run([Programs.stacks, "search", "", table])
        #expect(refused.ending == .exit(77) && refused.error == reason && refused.output.isEmpty)
        let copies = try sandbox.run([Programs.stacks, "sources"])
        #expect(copies.ending == .exit(77) && copies.error == reason)
        // JSON needs no cache.
        let large = try sandbox.writeCatalog(books: 20_000)
        let searched = try sandbox.run([Programs.stacks, "search", "Book 001", large, "--limit", "1"])
        #expect(searched.ending == .exit(0) && searched.error == reason)
        #expect(!FileManager.default.fileExists(atPath: cache + "/index"))
        chmod(cache, 0o700)
        #expect(try sandbox.run([Programs.stacks, "search", "", table]).output == "Emma\tJane Austen\n")
    }

    @Test("Without a cache that can be written, a table opens, and nothing is left of its copy")
    func noCache() throws {
        let table = try sandbox.write("title,authors,year\nEmma,Jane Austen,1815\n", to: "books.csv")
        let temporary = sandbox.path + "/tmp"
        try FileManager.default.createDirectory(atPath: temporary, withIntermediateDirectories: true)
        for cache in ["/proc/none", nil] {
            let result = try sandbox.run(
                [Programs.stacks, "search", "", table],
                changing: ["XDG_CACHE_HOME": cache, "HOME": cache, "TMPDIR": temporary])
            #expect(result.ending == .exit(0) && result.output == "Emma\tJane Austen\n", "\(result)")
            #expect(try FileManager.default.contentsOfDirectory(atPath: temporary) == [])
        }
    }

    @Test func errorsInTheFileAreReportedAndTheRestApplies() throws {
        try write("mouse = = false\n[keys]\nsaerch = \"x\"\nsearch = \"/\"\n")
        let result = try sandbox.run([Programs.stacks, "config"])
        #expect(result.ending == .exit(78))
        let errors = result.error.split(separator: "\n")
        #expect(errors.count == 2)
        #expect(errors.first?.hasPrefix("stacks: \(file), line 1, column 9: invalid ") == true, "\(errors)")
        #expect(
            errors.last == "stacks: \(file), line 3: unknown command “saerch”. Did you mean “search”?")
        #expect(result.output.contains("\nsearch = [\"/\"]  # \(file), line 4\n"))
        #expect(result.output.contains("\nmouse = true  # default\n"))
    }

    @Test func withoutAFileTheDefaultsAndItsPathArePrinted() throws {
        let result = try sandbox.run([Programs.stacks, "config"], changing: ["XDG_CONFIG_HOME": nil])
        #expect(result.ending == .exit(0))
        #expect(result.error == "")
        #expect(
            result.output.hasPrefix(
                "# ~/.config/stacks/config.toml does not exist; create it with: stacks config --edit\n"))
        // The output is a valid config.
        try write(result.output)
        let again = try sandbox.run([Programs.stacks, "config"])
        #expect(again.error == "")
        #expect(again.output.contains("\nquit = [\"q\", \"Q\"]  # \(file), line "))
    }

    @Test func anInvalidFileIsReportedAndTheBrowserStarts() throws {
        try FileManager.default.createDirectory(atPath: file, withIntermediateDirectories: true)
        let terminal = try Tmux(in: sandbox, columns: 200, opening: nil)
        let screen = try terminal.wait(forPosition: "1/11")
        #expect(screen.status.contains("\(file): it is a directory; the file is ignored"))
    }

    @Test func aCatalogIsOpenedByItsName() throws {
        let catalog = try sandbox.writeCatalog(books: 7, to: "home/my books.json")
        try write("[catalogs]\nhome = \"~/my books.json\"\n")
        let terminal = try Tmux(in: sandbox, opening: "home")
        try terminal.wait(for: "my books.json · 7 books")
        try terminal.type("jjq")
        #expect(try terminal.waitForEnd() == .exit(0))
        #expect(try sandbox.place(in: catalog)["row"] as? Int == 2)
        try terminal.open(nil, changing: ["STACKS_CATALOG": "home"])
        try terminal.wait(forPosition: "3/7")
        let found = try sandbox.run([Programs.stacks, "search", "--limit", "1", "book", "home"])
        #expect(found.output == "Book 001\tAuthor 001\n")
        #expect(try sandbox.run([Programs.stacks, "check", "home"]).output.hasPrefix("\(catalog): valid, 7 books"))
    }

    @Test func aFileTakesPrecedenceOverAName() throws {
        let seven = try sandbox.writeCatalog(books: 7, to: "seven.json")
        let five = try sandbox.writeCatalog(books: 5, to: "here/home")
        try write("[catalogs]\nhome = \"\(seven)\"\n")
        let directory = URL(filePath: five).deletingLastPathComponent().path
        let stacks = try Programs.stacks
        let result = try sandbox.run(["/bin/sh", "-c", "cd '\(directory)'; '\(stacks)' home; '\(stacks)' work"])
        #expect(result.output.split(separator: "\n").count == 5)
        #expect(result.ending == .exit(66))
        #expect(result.error.contains("work"))
    }

    @Test func theEditorGetsThePathAsOneArgumentAndTheTemplate() throws {
        let editor = try makeEditor()
        let changes = ["EDITOR": "'\(editor)' --wait", "XDG_CONFIG_HOME": sandbox.path + "/$(touch pwned) \"dir"]
        let result = try sandbox.run([Programs.stacks, "config", "--edit"], changing: changes)
        #expect(result.ending == .exit(0), "\(result.error)")
        #expect(result.error == "")
        let path = sandbox.path + "/$(touch pwned) \"dir/stacks/config.toml"
        #expect(sandbox.text(of: sandbox.path + "/argv") == "--wait\n\(path)\n")
        #expect(sandbox.text(of: path).hasPrefix("# Settings of stacks."))
        #expect(!FileManager.default.fileExists(atPath: "pwned"))
    }

    @Test func anExistingFileIsKeptAndTheResultIsChecked() throws {
        try write("mouse = false\n")
        let editor = try makeEditor("echo 'theme = \"drak\"' >> \"$1\"")
        // VISUAL takes precedence over EDITOR.
        let changes = ["VISUAL": "'\(editor)'", "EDITOR": "false"]
        let result = try sandbox.run([Programs.stacks, "config", "--edit"], changing: changes)
        #expect(result.ending == .exit(0))
        #expect(
            result.error
                == "stacks: \(file), line 2: unknown theme “drak”. Themes: terminal, light, dark, contrast.\n"
        )
        #expect(sandbox.text(of: file) == "mouse = false\ntheme = \"drak\"\n")
        #expect(try FileManager.default.contentsOfDirectory(atPath: sandbox.path + "/config/stacks") == ["config.toml"])
    }

    @Test func aFailingEditorIsReported() throws {
        let editor = try makeEditor("exit 3")
        for (value, sentence) in [
            ("'\(editor)'", "'\(editor)' ended with exit code 3"),
            (
                "/no/such-editor",
                "cannot start /no/such-editor. Set VISUAL or EDITOR to an editor you have"
            ),
            ("kill -9 $$;", "kill -9 $$; was ended by signal 9"),
        ] {
            let result = try sandbox.run([Programs.stacks, "config", "--edit"], changing: ["EDITOR": value])
            #expect(result.ending == .exit(74))
            #expect(result.error.hasSuffix("stacks: \(sentence).\n"), "\(result.error)")
        }
    }

    @Test func aMissingTerminalOrEditorIsReported() throws {
        let result = try sandbox.run([Programs.stacks, "config", "--edit"])
        #expect(result.ending == .exit(64))
        #expect(result.error == "stacks: no terminal to edit in. Start stacks in a terminal, or set EDITOR.\n")
        let orphans = try sandbox.run(
            [Programs.stacks, "config", "--edit"], changing: ["HOME": nil, "XDG_CONFIG_HOME": nil, "EDITOR": "true"])
        #expect(orphans.ending == .exit(66))
        #expect(orphans.error == "stacks: no place for a config file. Set HOME to your home directory.\n")
        let terminal = try Tmux(
            in: sandbox, running: Self.belowTheTop([Programs.stacks, "config", "--edit"]),
            changing: ["PATH": "/nowhere"])
        #expect(try terminal.waitForEnd() == .exit(66))
        try terminal.wait(for: "no editor found. Set EDITOR to the one you use")
    }

    @Test func withoutEditorVariablesTheSystemsEditorIsStarted() throws {
        let editor = try makeEditor("echo edited by hand; head -1 \"$1\"")
        try FileManager.default.createDirectory(atPath: sandbox.path + "/bin", withIntermediateDirectories: true)
        try FileManager.default.copyItem(atPath: editor, toPath: sandbox.path + "/bin/editor")
        let terminal = try Tmux(
            in: sandbox, running: Self.belowTheTop([Programs.stacks, "config", "--edit"]),
            changing: ["PATH": sandbox.path + "/bin:/usr/bin:/bin"])
        try terminal.wait(for: "edited by hand")
        #expect(try terminal.waitForEnd() == .exit(0))
        #expect(sandbox.text(of: sandbox.path + "/argv") == "\(file)\n")
    }
}
