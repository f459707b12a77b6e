import Foundation
import Glibc
import Testing

/// Unsaved edits survive a crash, appear in other windows, and coexist with other programs.
@Suite("On a terminal: unsaved edits") struct EditsThatAreKept {
    let sandbox: Sandbox
    let catalog: String

    init() throws {
        sandbox = try Sandbox()
        catalog = try sandbox.write(Novels.catalog, to: "novels.json")
    }

    private func content() -> String { sandbox.text(of: catalog) }

    private func kill(_ terminal: Tmux) throws {
        #expect(Glibc.kill(try terminal.processID, SIGKILL) == 0)
        #expect(try terminal.waitForEnd() == .signal(SIGKILL))
    }

    @Test func editsSurviveAKillAndUndoGivesTheSameBytes() throws {
        let terminal = try Tmux(in: sandbox, opening: catalog)
        try terminal.wait(forPosition: "1/7")
        try terminal.type("j")
        try terminal.edit(field: 0, to: "Emma Woodhouse", saying: "Changed Emma")
        try terminal.wait(forUnsaved: 1)
        try kill(terminal)
        #expect(content() == Novels.catalog)
        try terminal.open(catalog)
        try terminal.wait(for: "1 unsaved change. ^s saves")
        try terminal.wait(forUnsaved: 1)
        #expect(try terminal.screen.shows("Emma Woodhouse"))
        try terminal.saveCatalog()
        let edited = Novels.catalog.replacing("\"Emma\"", with: "\"Emma Woodhouse\"")
        #expect(content() == edited)
        try kill(terminal)

        try terminal.open(catalog)
        try terminal.wait(for: "Emma Woodhouse")
        #expect(try !terminal.screen.title.contains("unsaved"))
        try terminal.type("u")
        try terminal.wait(for: "Undone: ")
        try terminal.wait(forUnsaved: 1)
        #expect(content() == edited)
        try kill(terminal)
        try terminal.open(catalog)
        try terminal.wait(forUnsaved: 1)
        try terminal.saveCatalog()
        #expect(content() == Novels.catalog)
    }

    @Test func changesByCommandsAreUndoneInOrder() throws {
        let commands = [
            ["sort", catalog, "title"], ["set", "978-0141439587", "title=Emma Woodhouse", "--catalog", catalog],
            ["merge", "978-0553293364", "978-0553293357", "--catalog", catalog],
            ["add", catalog, "title=Nana"], ["delete", "978-0345331359", "--catalog", catalog],
        ]
        #expect(
            try sandbox.run([Programs.stacks, "favourites", "add", "978-0141439587", "--catalog", catalog]).ending
                == .exit(0))
        for command in commands {
            #expect(try sandbox.run([Programs.stacks] + command).ending == .exit(0), "\(command)")
        }
        let terminal = try Tmux(in: sandbox, opening: catalog)
        try terminal.wait(forPosition: "1/6")
        for step in ["restored Cosmos", "added Nana", "merged 2 books", "changed Emma Woodhouse", "sorted the catalog"]
        {
            try terminal.type("u")
            try terminal.wait(for: "Undone: \(step)")
        }
        try terminal.saveCatalog()
        #expect(content() == Novels.catalog)
        // The favourite followed the new title, and undo restored it.
        #expect(try sandbox.run([Programs.stacks, "favourites", "list", "--catalog", catalog]).output.contains("Emma"))
        try terminal.type("u")
        try terminal.wait(for: "Undone: added Emma to favourites")
    }

    @Test func quittingKeepsThemWithAMessage() throws {
        let errors = sandbox.path + "/errors"
        let terminal = try Tmux(
            in: sandbox, running: ["/bin/sh", "-c", "exec '\(Programs.stacks)' '\(catalog)' 2> '\(errors)'"])
        try terminal.wait(forPosition: "1/7")
        try terminal.type("X")
        try terminal.wait(for: "Deleted Second Foundation")
        try terminal.quit()
        #expect(
            sandbox.text(of: errors)
                == "stacks: \(catalog): 1 unsaved change kept. Open it again and press ^s to save.\n")
        try terminal.open(catalog)
        try terminal.wait(forPosition: "1/6")
        try terminal.wait(forUnsaved: 1)
        #expect(content() == Novels.catalog)
    }

    @Test func twoWindowsShareTheirEditsAndLoseNone() throws {
        let elsewhere = try Sandbox()
        let one = try Tmux(in: sandbox, opening: catalog)
        let other = try Tmux(in: elsewhere, opening: catalog, changing: sandbox.environment)
        for terminal in [one, other] { try terminal.wait(forPosition: "1/7") }
        try one.type("j")
        try one.edit(field: 0, to: "Emma 1", saying: "Changed Emma")
        // At the latest after the next key.
        try other.type("G")
        try other.wait(for: "Emma 1")
        try other.wait(forUnsaved: 1)
        try other.type("X")
        try other.wait(for: "Deleted Persuasion")
        try one.type("k")
        try one.wait(for: "the other's edit") { !$0.shows("Persuasion") }
        try one.wait(forUnsaved: 2)
        // One window saves both edits; the other one continues with the saved file.
        try one.saveCatalog()
        let lines = Novels.catalog.split(separator: "\n", omittingEmptySubsequences: false)
        let both = (lines.dropLast(3).joined(separator: "\n") + "\n]").replacing("\"Emma\"", with: "\"Emma 1\"")
            .replacing("\"2018-05-05\"},\n]", with: "\"2018-05-05\"}\n]")
        #expect(content() == both)
        try other.type("gg")
        try other.edit(field: 7, to: "211", saying: "Changed Second Foundation")
        try one.addBook(title: "Ulysses", authors: "James Joyce")
        try other.press("C-s")
        try other.wait(for: "Saved ")
        try one.type("j")
        try one.press("C-s")
        try one.wait(for: "the end of saving") { $0.shows("No unsaved changes") || $0.shows("Saved ") }
        try other.type("R")
        for terminal in [one, other] {
            try terminal.type("k")
            try terminal.wait(for: "all edits, saved") {
                $0.shows("Ulysses") && $0.shows("Emma 1") && !$0.title.contains("unsaved")
            }
        }
        let text = content()
        #expect(text.contains("\"pageCount\": 211") && text.contains("\"Ulysses\"") && text.contains("\"Emma 1\""))
        #expect(text.split(separator: "Ulysses").count == 2 && !text.contains("Persuasion"))
    }

    @Test func changesOfTheCommandLineAndEditsAreBothKept() throws {
        let terminal = try Tmux(in: sandbox, opening: catalog)
        try terminal.wait(forPosition: "1/7")
        try terminal.edit(field: 0, to: "Second Foundation II", saying: "Changed ")
        // Another book, and another field of the same book.
        for arguments in [["978-0141439587", "pages=475"], ["978-0553293364", "year=1954"]] {
            let result = try sandbox.run([Programs.stacks, "set"] + arguments + ["--catalog", catalog])
            #expect(result.ending == .exit(0), "\(result.error)")
        }
        let theirs = Novels.catalog.replacing("474", with: "475").replacing("1953", with: "1954")
        #expect(content() == theirs)
        try terminal.saveCatalog()
        #expect(
            content() == theirs.replacing("\"Second Foundation\"", with: "\"Second Foundation II\""))
        // The commands are undone first, because they came later.
        for title in ["Second Foundation", "Emma", "Second Foundation"] {
            try terminal.type("u")
            try terminal.wait(for: "Undone: changed \(title)")
        }
        try terminal.saveCatalog()
        #expect(content() == Novels.catalog)
    }

    @Test func aValueChangedByACommandIsNotOverwritten() throws {
        let terminal = try Tmux(in: sandbox, opening: catalog)
        try terminal.wait(forPosition: "1/7")
        try terminal.edit(field: 0, to: "Mine", saying: "Changed ")
        let result = try sandbox.run([
            Programs.stacks, "set", "978-0553293364", "title=Theirs", "--catalog", catalog,
        ])
        #expect(result.ending == .exit(0), "\(result.error)")
        try terminal.press("C-s")
        usleep(500_000)
        #expect(content() == Novels.catalog.replacing("\"Second Foundation\"", with: "\"Theirs\""))
        try kill(terminal)
        // The edits are not lost either.
        let edits = try FileManager.default.contentsOfDirectory(atPath: sandbox.path + "/state/stacks/edits")
        let journals = edits.filter { $0.hasSuffix(".jsonl") }
        #expect(journals.contains { sandbox.text(of: sandbox.path + "/state/stacks/edits/" + $0).contains("Mine") })
    }

    // MARK: - User data of edited books

    /// Returns the books that the command line finds.
    private func found(_ query: String) throws -> String {
        let result = try sandbox.run([Programs.stacks, "search", query, catalog, "--format", "jsonl"])
        return result.output
    }

    @Test func userDataFollowsABookWhoseTitleOrISBNChanges() throws {
        let terminal = try Tmux(in: sandbox, opening: catalog)
        try terminal.wait(forPosition: "1/7")
        try terminal.type("jt")
        try terminal.wait(for: "★ Favourite: Emma")
        // Edit the title, then the ISBN too: none of the keys of the user data remains.
        try terminal.edit(field: 0, to: "A novel", saying: "Changed Emma")
        #expect(try terminal.screen.selection.contains("★ A novel"))
        try terminal.edit(field: 6, to: "9780141439846", saying: "Changed A novel")
        #expect(try terminal.screen.selection.contains("★ A novel"))
        try terminal.edit(field: 1, to: "A lady", saying: "Changed A novel")
        #expect(try terminal.screen.selection.contains("★ A novel"))
        try terminal.saveCatalog()
        try terminal.quit()
        #expect(try found("is:favourite").contains("A novel"))
        try terminal.open(catalog)
        try terminal.wait(for: "★   A novel")
        for _ in 0..<3 {
            try terminal.type("u")
            try terminal.wait(for: "Undone: ")
            try terminal.press("Home")
        }
        try terminal.wait(for: "★   Emma")
        try terminal.saveCatalog()
        #expect(content() == Novels.catalog)
        #expect(try found("is:favourite").contains("Emma"))
        // The favourite was set earlier.
        try terminal.type("u")
        try terminal.wait(for: "no favourite") { !$0.shows("★ Emma") }
    }

    // MARK: - Effects of edits

    @Test func anEditedFieldAffectsSearchCountsAndOrderAtOnce() throws {
        let terminal = try Tmux(in: sandbox, opening: catalog)
        try terminal.wait(forPosition: "1/7")
        try terminal.type("j")
        try terminal.edit(field: 9, to: "Whodunit", saying: "Changed Emma")
        try terminal.edit(field: 2, to: "1660", saying: "Changed Emma")
        try terminal.edit(field: 7, to: "9999", saying: "Changed Emma")
        // Facets.
        try terminal.type("F")
        let facets = try terminal.wait(for: "[ ] Whodunit")
        #expect(facets.rows.contains { $0.contains("Whodunit") && $0.contains(" 1 ") })
        #expect(facets.rows.contains { $0.contains("Romance") && $0.contains(" 1 ") })
        #expect(facets.rows.contains { $0.contains("Before 1900") && $0.contains(" 2 ") })
        try terminal.press(declared: "Esc")
        // Statistics.
        try terminal.type("%")
        try terminal.wait(for: "the book with many pages") { screen in
            screen.rows.contains { $0.firstMatch(of: #/1,000 or more +1 /#) != nil }
        }
        try terminal.press(declared: "Esc")
        // Search.
        try terminal.type("/whodunit")
        try terminal.press("Enter")
        try terminal.wait(for: "the book alone") { $0.shows("Emma") && $0.position == "1/1" }
        try terminal.press(declared: "Esc")
        try terminal.wait(forPosition: "2/7")
        // The oldest book and its section.
        try terminal.type("sy")
        try terminal.type("Sd")
        try terminal.wait(for: "the decade") { screen in screen.listed.contains { $0.hasPrefix("1660s") } }
    }
}

/// The index of an edited catalog.
@Suite("On a terminal: edits of large catalogs") struct EditsOfLargeCatalogs {
    @Test func theCachedIndexIsThatOfTheSavedFile() throws {
        let sandbox = try Sandbox()
        // About five megabytes.
        let catalog = try sandbox.writeCatalog(books: 60_000)
        let size = try #require(
            try FileManager.default.attributesOfItem(atPath: catalog)[.size] as? Int)
        let terminal = try Tmux(in: sandbox, opening: catalog)
        try terminal.wait(forPosition: "1/60,000")
        // Without a cached index, the whole file is read.
        #expect(try bytesRead(by: terminal) > size)
        try terminal.type("30000G")
        try terminal.wait(forPosition: "30,000/60,000")
        try terminal.edit(field: 0, to: "Zebras", saying: "Changed Book 30000")
        try terminal.addBook(title: "Quaggas", authors: "Ann One")
        try terminal.type("ggX")
        try terminal.wait(for: "Deleted Book 001")
        try terminal.saveCatalog()
        try terminal.quit()

        try terminal.open(catalog)
        try terminal.wait(forPosition: "1/60,000")
        try terminal.wait(for: "Book 002")
        #expect(try bytesRead(by: terminal) < size)
        try terminal.type("/zebras | quaggas")
        try terminal.press("Enter")
        let screen = try terminal.wait(forPosition: "1/2")
        #expect(screen.shows("Zebras") && screen.shows("Quaggas"))
        try terminal.press(declared: "Esc")
        try terminal.type("G")
        try terminal.wait(forPosition: "60,000/60,000")
        #expect(try terminal.screen.selection.contains("Book 60000"))
        #expect(try bytesRead(by: terminal) < size)
    }

    /// Returns the number of bytes that the program has read from files.
    private func bytesRead(by terminal: Tmux) throws -> Int {
        let text = try String(contentsOfFile: "/proc/\(terminal.processID)/io", encoding: .utf8)
        let line = text.split(separator: "\n").first { $0.hasPrefix("rchar: ") } ?? ""
        return try #require(Int(line.dropFirst("rchar: ".count)))
    }
}
