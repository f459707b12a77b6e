import Foundation
import Glibc
import TestSupport
import Testing

/// Saving on a library of calibre's own content server behind a proxy. Part of `make test-data`, which installs calibre.
@Suite("On a terminal: a library on calibre's server behind a proxy", .serialized) struct ServerFaultsDataTests {
    private let sandbox: Sandbox

    init() throws { sandbox = try Sandbox() }

    private struct Servers {
        let calibre: ServerProcess
        let proxy: ServerProcess

        var address: String { "http://127.0.0.1:\(proxy.words[0])/?library_id=Library" }

        /// The titles in calibre's own list, in the order of the numbers of the books.
        var titles: [String] {
            get throws {
                struct Book: Decodable {
                    var id: Int
                    var title: String
                }
                let books = try JSONDecoder().decode([Book].self, from: Data(calibre.ask("list").utf8))
                return books.sorted { $0.id < $1.id }.map(\.title)
            }
        }
    }

    /// Starts a server with a proxy of this kind.
    private func start(_ kind: String, _ arguments: String...) throws -> Servers {
        let calibre = try ServerProcess(script: "calibre.py", arguments: [sandbox.path] + arguments)
        let proxy = try ServerProcess(script: "calibreproxy.py", arguments: [calibre.words[0], kind])
        return Servers(calibre: calibre, proxy: proxy)
    }

    @Test(
        "A server that anyone may read asks for a password when edits are saved, again if it is wrong",
        arguments: ["private", "digest"])
    func passwordForSaving(_ kind: String) throws {
        let servers = try start(kind)
        let terminal = try Tmux(in: sandbox, running: [Programs.stacksOfTests, servers.address])
        try terminal.wait(for: "· 250 books ") { $0.title.hasSuffix("· 250 books") }
        try terminal.edit(field: 0, to: "Edited here", saying: "Changed Book 0 & Étude (unsaved; u undoes, ^s saves)")
        try terminal.press("C-s")
        try terminal.wait(for: "(writers) ─")
        #expect(try terminal.screen.status.contains("needs a password; your changes are kept. ^s asks for it"))
        // Without a password, the edit is kept.
        try terminal.press("Escape")
        try terminal.wait(for: "Nothing was saved. Your changes are kept")
        #expect(try !terminal.screen.shows("Sign in to"))
        try terminal.wait(forUnsaved: 1)
        #expect(try servers.titles[0] == "Book 0 & Étude")
        try terminal.press("C-s")
        try terminal.wait(for: "(writers) ─")
        try terminal.type("ann\rguessed\r")
        try terminal.wait(for: "wrong user or password. Try again")
        #expect(try terminal.screen.shows("User:     ann") && !terminal.screen.shows("guessed"))
        try terminal.type("secret-4711\r")
        try terminal.wait(for: "1 book changed")
        try terminal.wait(forUnsaved: 0)
        #expect(try !terminal.screen.shows("Sign in to") && servers.titles[0] == "Edited here")
        // It is known from here on.
        try terminal.edit(field: 0, to: "Edited again", saying: "Changed Edited here")
        try terminal.saveCatalog()
        #expect(try servers.titles[0] == "Edited again")
        try terminal.quit()
        #expect(try sandbox.filesContaining("secret-4711").isEmpty)
    }

    @Test("Changes of others that are found after signing in are asked about") func clashAfterSigningIn() throws {
        let servers = try start("private")
        let terminal = try Tmux(in: sandbox, running: [Programs.stacksOfTests, servers.address])
        try terminal.wait(for: "· 250 books ") { $0.title.hasSuffix("· 250 books") }
        try terminal.type("jj")
        try terminal.edit(field: 0, to: "Mine", saying: "Changed Book 2 & Étude")
        try terminal.press("C-s")
        try terminal.wait(for: "(writers) ─")
        #expect(servers.calibre.ask("rename") == "done")
        try terminal.type("ann\rsecret-4711\r")
        try terminal.wait(for: "Conflicts")
        try terminal.type("M")
        try terminal.press("C-s")
        try terminal.wait(for: "1 book changed")
        #expect(try servers.titles[2] == "Mine")
    }

    @Test(
        "A book that was added although the server did not say so is not added twice", arguments: ["lost", "error"])
    func lostResponse(_ kind: String) throws {
        let servers = try start(kind)
        let terminal = try Tmux(in: sandbox, running: [Programs.stacksOfTests, servers.address])
        try terminal.wait(for: "· 250 books ") { $0.title.hasSuffix("· 250 books") }
        try terminal.addBook(title: "Added once", authors: "Ann and Ben")
        try terminal.press("C-s")
        // calibre has split the author, and the second request that sets it was not made.
        try terminal.wait(for: kind == "lost" ? "broke off" : "502")
        try terminal.wait(forUnsaved: 1)
        #expect(try servers.titles.count { $0 == "Added once" } == 1)
        try terminal.press("C-s")
        try terminal.wait(for: "1 book changed")
        try terminal.wait(forUnsaved: 0)
        #expect(try servers.titles.count { $0 == "Added once" } == 1)
        #expect(servers.calibre.ask("list").contains("Ann and Ben"))
        // A book that needs no second request has arrived whole.
        try terminal.addBook(title: "Added whole", authors: "Ann")
        try terminal.press("C-s")
        try terminal.wait(for: "1 book changed")
        try terminal.wait(forUnsaved: 0)
        try terminal.press("C-s")
        try terminal.wait(for: "No unsaved changes")
        #expect(try servers.titles.count { $0 == "Added whole" } == 1 && servers.titles.count == 252)
    }

    @Test("The first book of an empty library is added and saved") func emptyLibrary() throws {
        let servers = try start("plain", "empty")
        let terminal = try Tmux(in: sandbox, running: [Programs.stacksOfTests, servers.address])
        try terminal.wait(for: "no books")
        try terminal.addBook(title: "The first one", authors: "Ann Other")
        try terminal.wait(forPosition: "1/1")
        try terminal.wait(forUnsaved: 1)
        try terminal.saveCatalog()
        #expect(try servers.titles == ["The first one"])
        #expect(try terminal.screen.shows("Ann Other"))
        try terminal.quit()
        try terminal.run([Programs.stacksOfTests, servers.address])
        try terminal.wait(for: "· 1 book ") { $0.title.hasSuffix("· 1 book") }
    }
}
