import Foundation
import Testing

/// The bundled catalog stays as it is: commands refuse to change it, and the browser changes a copy.
@Suite("The bundled catalog is a sample") struct SampleTests {
    let sandbox: Sandbox
    /// An installed program.
    let program: String
    /// Its bundled catalog.
    let sample: String
    private let original: Data

    init() throws {
        sandbox = try Sandbox()
        program = sandbox.path + "/prefix/bin/stacks"
        original = try Data(contentsOf: URL(filePath: Programs.bundledCatalog))
        sample = try sandbox.write(String(decoding: original, as: UTF8.self), to: "prefix/share/stacks/catalog.json")
        try FileManager.default.createDirectory(
            atPath: sandbox.path + "/prefix/bin", withIntermediateDirectories: false)
        let result = try sandbox.run(["/usr/bin/env", "strip", "-o", program, Programs.stacks])
        guard result.ending == .exit(0) else { throw Failure("strip: \(result.error)") }
    }

    private var copy: String { sandbox.path + "/home/books.json" }

    private func content(_ path: String) throws -> Data { try Data(contentsOf: URL(filePath: path)) }

    /// Expects that the sample has not changed, and that there is nothing beside it.
    private func expectUnchanged() throws {
        #expect(try content(sample) == original)
        let names = try FileManager.default.contentsOfDirectory(atPath: sandbox.path + "/prefix/share/stacks")
        #expect(names == ["catalog.json"])
    }

    // MARK: - Commands

    private static let stand = "978-0307947307"
    private static let changes = [
        ["set", stand, "pages=1153"], ["set", "--query", "king", "pages=1"], ["add", "title=Emma"],
        ["delete", stand], ["move", stand, "--before", "978-0393039764"], ["merge", stand, "978-0393039764"],
        ["sort", "title"],
    ]

    /// Returns a command with the catalog where it takes it.
    private static func arguments(of command: [String], on catalog: String) -> [String] {
        command[0] == "sort" ? ["sort", catalog] + command.dropFirst() : command + ["--catalog", catalog]
    }

    @Test(arguments: changes) func eachCommandRefusesIt(command: [String]) throws {
        let expected =
            "stacks: nothing changed: \(sample) is the sample of stacks. Change a copy: cp \(sample) ~/books.json.\n"
        let named = try sandbox.run([program] + Self.arguments(of: command, on: sample))
        #expect(named.ending == .exit(77))
        #expect(named.error == expected)
        // The sort command needs the name of a catalog.
        if command[0] != "sort" {
            let unnamed = try sandbox.run([program] + command)
            #expect(unnamed.ending == .exit(77))
            #expect(unnamed.error == expected)
        }
        try expectUnchanged()
        // What is printed works.
        let shell = "\(expected.components(separatedBy: "copy: ")[1].dropLast(2)) && exec '\(program)' \"$@\""
        let copied = try sandbox.run(["/bin/sh", "-c", shell, "sh"] + Self.arguments(of: command, on: copy))
        #expect(copied.ending == .exit(0), "\(copied.error)")
        #expect(try content(copy) != original)
        #expect(try sandbox.run([program, "check", copy]).ending == .exit(0))
        try expectUnchanged()
    }

    @Test func itIsKnownByEveryPath() throws {
        let links = ["link.json": sample, "directory": sandbox.path + "/prefix/share"]
        for (name, target) in links {
            try FileManager.default.createSymbolicLink(
                atPath: sandbox.path + "/" + name, withDestinationPath: target)
        }
        try FileManager.default.linkItem(atPath: sample, toPath: sandbox.path + "/hard.json")
        let home = sandbox.path + "/home"
        for path in [
            "../prefix/bin/../share/stacks/catalog.json", "../link.json", "../directory/stacks/catalog.json",
            "../hard.json",
        ] {
            for command in [["set", Self.stand, "pages=1153", "--catalog", path], ["add", path, "title=Emma"]] {
                let shell = "cd '\(home)' && exec '\(program)' \"$@\""
                let result = try sandbox.run(["/bin/sh", "-c", shell, "sh"] + command)
                #expect(result.ending == .exit(77), "\(path)")
                #expect(result.error.contains(" is the sample of stacks. Change a copy: cp "), "\(result.error)")
            }
        }
        let last = try sandbox.run(
            [program, "set", Self.stand, "pages=1153"], changing: ["STACKS_CATALOG": sandbox.path + "/link.json"])
        #expect(last.ending == .exit(77))
        try expectUnchanged()
    }

    @Test func aDryRunShowsWhatACopyWouldGet() throws {
        let result = try sandbox.run([program, "set", Self.stand, "pages=1153", "--dry-run"])
        #expect(result.ending == .exit(0))
        #expect(result.output.contains("+") && result.output.contains("1153"))
        try expectUnchanged()
    }

    @Test func noOutputReplacesIt() throws {
        let other = try sandbox.writeCatalog(books: 3)
        for command in [
            ["export", other, "--output", sample], ["export", sample, "--output", sample],
            ["stats", other, "--svg", sample],
        ] {
            let result = try sandbox.run([program] + command)
            #expect(result.ending == .exit(77), "\(result.error)")
            #expect(result.error == "stacks: \(sample) is the sample of stacks. Name another file.\n")
        }
        try expectUnchanged()
    }

    /// The command as the guide shows it, in this checkout.
    @Test func theExampleOfTheGuideIsRefusedInACheckout() throws {
        let command = "stacks set 978-0307947307 pages=1153"
        let page = try String(
            contentsOfFile: Programs.packageRoot + "/Resources/guide/editing.md", encoding: .utf8)
        #expect(page.contains("\n" + command + " "))
        let result = try sandbox.run([Programs.stacks] + command.split(separator: " ").dropFirst().map(String.init))
        #expect(result.ending == .exit(77))
        #expect(result.error.contains("Change a copy: cp \(Programs.bundledCatalog) ~/books.json"))
        #expect(try content(Programs.bundledCatalog) == original)
    }

    // MARK: - The browser

    private func open(columns: Int = 80, rows: Int = 24, changing changes: [String: String?] = [:]) throws -> Tmux {
        let terminal = try Tmux(in: sandbox, columns: columns, rows: rows, running: [program], changing: changes)
        try terminal.wait(forPosition: "1/11")
        return terminal
    }

    private static let question = "Copy the sample to ~/books.json and change that? y copy, Esc cancel"

    @Test func theBrowserGoesOnInACopy() throws {
        let terminal = try open()
        try terminal.type("4jt")
        try terminal.wait(for: "★ Favourite: The Stand")
        try terminal.type("E")
        try terminal.wait(for: Self.question)
        try terminal.type("y")
        try terminal.wait(for: "─ Edit The Stand")
        #expect(try content(copy) == original)
        try terminal.press("C-u")
        try terminal.type("The Stand II")
        try terminal.press("Enter")
        try terminal.wait(for: "Changed The Stand")
        try terminal.wait(forPosition: "5/11")
        try terminal.wait(forUnsaved: 1)
        try terminal.saveCatalog()
        let text = String(decoding: original, as: UTF8.self)
        #expect(sandbox.text(of: copy) == text.replacing("\"The Stand\"", with: "\"The Stand II\""))
        // The next change is made without a question, and so is one after the next start.
        try terminal.type("X")
        try terminal.wait(for: "Deleted The Stand II")
        try terminal.quit()
        try terminal.run([program])
        try terminal.wait(forPosition: "5/10")
        try terminal.type("u")
        try terminal.wait(for: "Undone")
        // The favourite has followed the book.
        try terminal.type("t")
        try terminal.wait(for: "Removed from favourites: The Stand II")
        try terminal.quit()
        try expectUnchanged()
    }

    @Test func escDeclines() throws {
        let terminal = try open()
        for keys in ["E", "A", "X", "C-Down"] {
            try keys.count == 1 ? terminal.type(keys) : terminal.press(keys)
            try terminal.wait(for: Self.question)
            try terminal.press("Escape")
            try terminal.wait(for: "the end of the question") { !$0.shows("Copy the sample") }
        }
        try terminal.quit()
        #expect(try FileManager.default.contentsOfDirectory(atPath: sandbox.path + "/home") == [])
        try expectUnchanged()
    }

    /// The question is whole in every window.
    @Test(arguments: [(120, 40), (80, 24), (50, 15)]) func theQuestionIsReadable(columns: Int, rows: Int) throws {
        let terminal = try open(columns: columns, rows: rows)
        try terminal.type("E")
        let screen = try terminal.wait(for: "the question") { screen in
            screen.rows.suffix(4).joined(separator: " ").split(separator: " ").joined(separator: " ")
                .contains(Self.question)
        }
        #expect(screen.rows.last?.contains("y copy") == true)
        try terminal.type("y")
        try terminal.wait(for: "─ Edit Fight Club")
    }

    @Test func aFileWithTheNameIsLeftAlone() throws {
        try sandbox.write("mine", to: "home/books.json")
        let refused = try sandbox.run([program, "delete", Self.stand])
        #expect(refused.error.hasSuffix(" ~/books-2.json.\n"))
        let terminal = try open()
        try terminal.type("X")
        try terminal.wait(for: "Copy the sample to ~/books-2.json")
        try terminal.type("y")
        try terminal.wait(for: "Deleted Fight Club")
        try terminal.saveCatalog()
        try terminal.quit()
        #expect(sandbox.text(of: copy) == "mine")
        #expect(!sandbox.text(of: sandbox.path + "/home/books-2.json").contains("Fight Club"))
        try expectUnchanged()
    }

    @Test func aCopyThatCannotBeMadeSaysWhy() throws {
        // Nobody can create a file there.
        let terminal = try open(changing: ["HOME": "/proc"])
        try terminal.type("E")
        try terminal.wait(for: Self.question)
        try terminal.type("y")
        try terminal.wait(for: "Cannot create ~/books.json: no such file or directory. Check its")
        try terminal.wait(for: "Fight Club")
        try terminal.quit()
        try expectUnchanged()
    }

    @Test func unsavedChangesOfAnEarlierVersionGoAlong() throws {
        // For the program of the checkout, this is a catalog like any other.
        let terminal = try Tmux(in: sandbox, opening: sample)
        try terminal.wait(forPosition: "1/11")
        try terminal.edit(field: 0, to: "Fight Club II")
        try terminal.quit()
        try terminal.run([program])
        try terminal.wait(forUnsaved: 1)
        try terminal.press("C-s")
        try terminal.wait(for: Self.question)
        try terminal.type("y")
        try terminal.wait(for: "Saved ~/books.json: 1 book changed")
        try terminal.quit()
        #expect(sandbox.text(of: copy).contains("Fight Club II"))
        try terminal.run([program, sample])
        try terminal.wait(forPosition: "1/11")
        #expect(try !terminal.screen.title.contains("unsaved"))
        try terminal.quit()
        try expectUnchanged()
    }
}
