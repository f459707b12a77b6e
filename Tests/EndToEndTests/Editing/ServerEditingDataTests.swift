import Foundation
import Glibc
import TestSupport
import Testing

/// Editing a library on calibre's own content server with keys. Part of `make test-data`, which installs calibre.
@Suite("On a terminal: a library on calibre's server", .serialized) struct ServerEditingDataTests {
    private let sandbox: Sandbox

    init() throws { sandbox = try Sandbox() }

    private func start(_ arguments: String...) throws -> (server: ServerProcess, address: String) {
        let server = try ServerProcess(script: "calibre.py", arguments: [sandbox.path] + arguments)
        return (server, "http://127.0.0.1:\(server.words[0])/?library_id=Library")
    }

    /// Opens the library in the program that is built with the tests, which has stacks-connect beside it.
    private func open(_ address: String) throws -> Tmux {
        let terminal = try Tmux(in: sandbox, running: [Programs.stacksOfTests, address])
        try terminal.wait(for: "· 250 books ") { $0.title.hasSuffix("· 250 books") }
        return terminal
    }

    private func kill(_ terminal: Tmux) throws {
        #expect(Glibc.kill(try terminal.processID, SIGKILL) == 0)
        #expect(try terminal.waitForEnd() == .signal(SIGKILL))
    }

    /// The titles in calibre's own list, by the numbers of the books.
    private func titles(_ server: ServerProcess) throws -> [Int: String] {
        struct Book: Decodable {
            var id: Int
            var title: String
        }
        let books = try JSONDecoder().decode([Book].self, from: Data(server.ask("list").utf8))
        return Dictionary(books.map { ($0.id, $0.title) }) { $1 }
    }

    @Test("An edit, an addition and a deletion arrive, and undoing all of it arrives, too") func editing() throws {
        let (server, address) = try start()
        let before = try titles(server)
        let terminal = try open(address)
        try terminal.edit(field: 0, to: "Edited here", saying: "Changed Book 0 & Étude (unsaved; u undoes, ^s saves)")
        try terminal.type("j")
        try terminal.type("X")
        try terminal.wait(for: "Deleted Book 1 & Étude")
        try terminal.addBook(title: "Added here", authors: "R & D; Jane Doe")
        try terminal.wait(forPosition: "250/250")
        try terminal.wait(forUnsaved: 3)
        #expect(try titles(server) == before)
        try terminal.saveCatalog()
        try terminal.wait(for: "3 books changed")
        // No message about the copy replaces it.
        usleep(500_000)
        let status = try terminal.screen.status
        #expect(status.contains("3 books changed"), "\(status)")
        var after = before
        (after[1], after[2], after[251]) = ("Edited here", nil, "Added here")
        #expect(try titles(server) == after)
        for title in ["Added here", "Book 1 & Étude", "Book 0 & Étude"] {
            try terminal.type("u")
            try terminal.wait(for: "the undoing of \(title)") {
                $0.status.contains("Undone: ") && $0.status.contains(title)
            }
        }
        try terminal.wait(forUnsaved: 3)
        try terminal.saveCatalog()
        // A deleted book returns as a new one.
        after = before
        (after[2], after[252]) = (nil, "Book 1 & Étude")
        #expect(try titles(server) == after)
        // A server has no order.
        try terminal.press("C-Down")
        try terminal.wait(for: "keeps no order")
        try terminal.quit()
    }

    @Test("Edits of commands arrive, leave unsaved edits alone, and are undone in the browser") func commands() throws {
        let (server, address) = try start()
        let before = try titles(server)
        func run(_ arguments: String...) throws -> String {
            let result = try sandbox.run([Programs.stacksOfTests] + arguments)
            #expect(result.ending == .exit(0), "\(result)")
            return result.output
        }
        let editing = try open(address)
        try editing.edit(field: 0, to: "Not saved", saying: "Changed Book 0 & Étude (unsaved; u undoes, ^s saves)")
        try kill(editing)
        let (first, second) = ("title:\"Book 7 & Étude\"", "title:\"Book 8 & Étude\"")
        let difference = try run("set", "title=No", "--query", first, "--catalog", address, "--dry-run")
        #expect(difference.contains("\n+") && difference.contains("No"))
        #expect(try titles(server) == before)
        _ = try run("set", "title=By command", "--query", first, "--catalog", address)
        _ = try run("delete", "--query", second, "--catalog", address)
        _ = try run("add", address, "title=New by command", "authors=R & D")
        var after = before
        (after[8], after[9], after[251]) = ("By command", nil, "New by command")
        #expect(try titles(server) == after)
        let terminal = try Tmux(in: sandbox, running: [Programs.stacksOfTests, address])
        try terminal.wait(forUnsaved: 1)
        for title in ["New by command", "Book 8 & Étude", "By command"] {
            try terminal.type("u")
            try terminal.wait(for: "the undoing of \(title)") {
                $0.status.contains("Undone: ") && $0.status.contains(title)
            }
        }
        try terminal.saveCatalog()
        // A deleted book returns as a new one.
        after = before
        (after[1], after[9], after[252]) = ("Not saved", nil, "Book 8 & Étude")
        #expect(try titles(server) == after)
        try terminal.quit()
    }

    @Test("What others changed on the server meanwhile is asked about") func clashes() throws {
        let (server, address) = try start()
        let terminal = try open(address)
        // The server gives the book another title, and another one is deleted there.
        try terminal.type("jj")
        try terminal.edit(field: 0, to: "Mine", saying: "Changed Book 2 & Étude")
        try terminal.edit(field: 5, to: "My press", saying: "Changed Mine")
        try terminal.type("k")
        try terminal.edit(field: 0, to: "Gone", saying: "Changed Book 1 & Étude")
        #expect(server.ask("rename") == "done" && server.ask("remove") == "done")
        try terminal.press("C-s")
        let screen = try terminal.wait(for: "Conflicts")
        #expect(screen.shows("Server (theirs)") && screen.shows("[ ] Renamed"))
        #expect(screen.shows("[ ] deleted on the server") && !screen.shows("publisher"))
        #expect(try titles(server)[3] == "Renamed")
        try terminal.type("T")
        try terminal.wait(for: "[x] Renamed")
        try terminal.press("C-s")
        try terminal.wait(for: "1 book changed")
        try terminal.wait(forUnsaved: 0)
        let listed = server.ask("list")
        #expect(listed.contains("My press") && listed.contains("Renamed") && !listed.contains("Gone"))
        // The other side of a clash wins as well.
        try terminal.edit(field: 0, to: "Mine again", saying: "Changed Renamed")
        #expect(server.ask("rename back") == "done")
        try terminal.press("C-s")
        try terminal.wait(for: "[ ] Renamed back")
        try terminal.type("M")
        try terminal.press("C-s")
        try terminal.wait(for: "1 book changed")
        #expect(try titles(server)[3] == "Mine again")
    }

    @Test("A save that was killed or stopped goes on, and adds no book twice") func killing() throws {
        let (server, address) = try start()
        let terminal = try open(address)
        try terminal.addBook(title: "Added once", authors: "R & D")
        try terminal.type("V")
        try terminal.press("Home")
        try terminal.edit(field: 5, to: "Other press", saying: "Changed 251 books")
        try terminal.wait(forUnsaved: 251)
        try terminal.press("C-s")
        try terminal.wait(for: "the middle of saving") { $0.status.contains(" of 251 books") }
        try kill(terminal)
        try terminal.run([Programs.stacksOfTests, address])
        try terminal.wait(for: "unsaved edits") { $0.title.contains(" unsaved") }
        try terminal.press("C-s")
        try terminal.wait(for: "the middle of saving") { $0.status.contains(" of 2") && $0.status.contains("stops") }
        try terminal.press("Escape")
        try terminal.wait(for: "Stopped saving")
        try terminal.press("C-s")
        _ = try eventually(within: .seconds(30), or: "it is not saved") {
            try terminal.screen.shows("Saved ") ? 0 : nil
        }
        try terminal.wait(forUnsaved: 0)
        #expect(try titles(server).values.count { $0 == "Added once" } == 1)
        #expect(server.ask("list").split(separator: "Other press").count == 252)
        // Killed after everything was sent, but before that is in the journal.
        try terminal.addBook(title: "Added once more", authors: "")
        try terminal.saveCatalog()
        try kill(terminal)
        let edits = sandbox.path + "/state/stacks/edits"
        let names = try FileManager.default.contentsOfDirectory(atPath: edits)
        let journal = edits + "/" + (try #require(names.first { $0.hasSuffix(".jsonl") }))
        let lines = sandbox.text(of: journal).split(separator: "\n")
        #expect(lines.last?.hasPrefix(#"{"rebased":[]"#) == true && lines.dropLast().last?.contains("sending") == true)
        try sandbox.write(lines.dropLast().map { $0 + "\n" }.joined(), to: journal)
        try terminal.run([Programs.stacksOfTests, address])
        try terminal.wait(for: "252 books") { $0.title.contains("252 books") && !$0.title.contains("unsaved") }
        try terminal.press("C-s")
        try terminal.wait(for: "the end of saving") { $0.shows("0 books changed") || $0.shows("No unsaved changes") }
        #expect(try titles(server).values.count { $0 == "Added once more" } == 1)
    }

    @Test("Without the server, and without the right to change it, edits are kept") func refusal() throws {
        var started: (server: ServerProcess, address: String)? = try start("read-only")
        let address = try #require(started).address
        let terminal = try open(address)
        try terminal.type("X")
        try terminal.wait(forUnsaved: 1)
        try terminal.press("C-s")
        try terminal.wait(for: "a refusal") {
            $0.status.contains("the server says 403") && $0.status.contains("Your changes are kept")
        }
        started = nil
        try terminal.press("C-s")
        try terminal.wait(for: "the absence of the server") {
            $0.status.contains("does not accept a connection") && $0.status.contains("Your changes are kept")
        }
        try terminal.wait(forUnsaved: 1)
        try terminal.quit()
        try terminal.run([Programs.stacksOfTests, address])
        try terminal.wait(for: "1 unsaved change. ^s saves")
        try terminal.wait(forUnsaved: 1)
        #expect(try terminal.screen.title.contains("249 books") && !terminal.screen.shows("Book 0 & Étude"))
    }
}
