import Foundation
import TestSupport
import Testing

/// The browser over a catalog that stays on a made-up server: Tests/Servers/paged.py in place of stacks-connect.
@Suite("Catalogs that stay on a server, in a terminal")
struct ServerCatalogTests {
    private let sandbox: Sandbox
    private let stacks: String

    init() throws {
        sandbox = try Sandbox()
        stacks = sandbox.path + "/bin/stacks"
        try FileManager.default.createDirectory(atPath: sandbox.path + "/bin", withIntermediateDirectories: true)
        for (source, target) in [
            (try Programs.stacks, stacks), (Programs.packageRoot + "/Tests/Servers/paged.py", stacks + "-connect"),
        ] {
            let result = try sandbox.run(["/usr/bin/install", "-m", "755", source, target])
            guard result.ending == .exit(0) else { throw Failure("install: \(result.error)") }
        }
    }

    private func address(_ query: String) -> String {
        "opensearch+http://fake/books?state=\(sandbox.path)/down&\(query)"
    }

    private func open(_ query: String) throws -> Tmux {
        try Tmux(in: sandbox, columns: 120, rows: 30, running: [stacks, address(query)])
    }

    @Test("A jump, a favourite and the place are kept, and the book is found where it is now")
    func resuming() throws {
        let terminal = try open("rows=50000")
        try terminal.wait(for: "Book 0000000")
        try terminal.type("40001G")
        try terminal.wait(for: "▌Book 0040000")
        try terminal.type("t")
        try terminal.wait(for: "▌★ Book 0040000")
        try terminal.quit()
        // The server has the same books before it as before; the list starts at the same book.
        try terminal.run([stacks, address("rows=50000")])
        try terminal.wait(for: "▌★ Book 0040000")
        try terminal.type("L")
        try terminal.wait { $0.contains("All books ") && $0.contains(" 50,000") }
        try terminal.type("j")
        try terminal.press("Enter")
        try terminal.wait(for: "▌★ Book 0040000")
        try terminal.wait(forPosition: "1/1")
        try terminal.quit()
    }

    @Test("The search bar says what the server ignored, and Escape brings the list back")
    func searching() throws {
        let terminal = try open("rows=5000")
        try terminal.wait(for: "Book 0000000")
        try terminal.type("/123 is:favourite")
        try terminal.wait(for: "cannot search for is:favourite; the rest is searched for")
        try terminal.wait(for: "Book 0000123")
        try terminal.press("Escape")
        try terminal.wait(forPosition: "1/5,000")
        try terminal.type("sp")
        try terminal.wait(for: "cannot be sorted by pages")
        try terminal.quit()
    }

    @Test("While the server is down, pages from before are shown with their age, and R reads on when it is back")
    func offline() throws {
        let terminal = try open("rows=5000")
        try terminal.wait(for: "Book 0000000")
        try terminal.wait(forPosition: "1/5,000")
        // The first pages are kept in the background.
        let pages = sandbox.path + "/cache/stacks/remote"
        _ = try eventually(or: "no page is kept") {
            FileManager.default.subpaths(atPath: pages)?.contains { $0.hasSuffix(".json") } == true ? true : nil
        }
        try terminal.quit()
        try sandbox.write("", to: "down")
        try terminal.run([stacks, address("rows=5000")])
        try terminal.wait(for: "Book 0000000")
        try terminal.wait(for: "! offline")
        try terminal.type("4000G")
        try terminal.wait(for: "does not accept a connection")
        try FileManager.default.removeItem(atPath: sandbox.path + "/down")
        try terminal.type("R")
        try terminal.wait(for: "▌Book 0003999")
        try terminal.wait(for: "the warning to go") { !$0.shows("offline") }
        try terminal.quit()
    }

    @Test("The kept pages are listed and deleted by commands")
    func keptPages() throws {
        let terminal = try open("rows=5000")
        try terminal.wait(for: "Book 0000000")
        let list = try eventually(or: "no page is kept") {
            let result = try sandbox.run([stacks, "sources"])
            return result.output.isEmpty ? nil : result.output
        }
        try terminal.quit()
        #expect(list.hasPrefix("fake\t") && list.contains(" page") && list.contains(address("rows=5000")))
        let refused = try sandbox.run([stacks, "sources", "refresh", address("rows=5000")])
        #expect(refused.ending == .exit(64) && refused.error.contains("stays on its server"))
        let forgotten = try sandbox.run([stacks, "sources", "forget", address("rows=5000")])
        #expect(forgotten.ending == .exit(0) && forgotten.output.hasSuffix("kept pages deleted.\n"))
        #expect(try sandbox.run([stacks, "sources"]).output.isEmpty)
        #expect(try sandbox.run([stacks, "sources", "forget", address("rows=5000")]).ending == .exit(66))
    }

    @Test("A note, a status and a copy are those of the book, however far down it is")
    func userData() throws {
        let editor = sandbox.path + "/editor"
        try sandbox.write("#!/bin/sh\necho 'A note of mine' > \"$1\"\n", to: "editor")
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: editor)
        let terminal = try Tmux(
            in: sandbox, columns: 120, rows: 30, running: [stacks, address("rows=50000")],
            changing: ["EDITOR": editor])
        try terminal.wait(for: "Book 0000000")
        try terminal.type("30001G")
        try terminal.wait(for: "▌Book 0030000")
        try terminal.type("e")
        try terminal.wait(for: "Note saved: Book 0030000")
        try terminal.type("mr")
        try terminal.wait(for: "YOU  ◐ Reading")
        try terminal.type("yt")
        try terminal.wait(for: "title of Book 0030000")
        try terminal.quit()
        try terminal.run([stacks, address("rows=50000")])
        try terminal.wait(for: "A note of mine")
        try terminal.wait(for: "YOU  ◐ Reading")
        try terminal.quit()
    }

    @Test("A name of the config file stands for the address, and a year is gone to")
    func named() throws {
        try sandbox.write(
            "[catalogs]\nbig = \"\(address("rows=5000"))\"\n", to: "config/stacks/config.toml")
        let terminal = try Tmux(in: sandbox, columns: 120, rows: 30, running: [stacks, "big"])
        try terminal.wait(for: "big · 5,000 books")
        try terminal.type("sy")
        try terminal.wait(for: "year ↓")
        try terminal.type("1950gs")
        try terminal.wait(for: "▌Book 0000050")
        try terminal.type("gsx")
        try terminal.wait(for: "in the order of numbers")
        try terminal.quit()
    }

    @Test("A part of the server that does not answer is named in the title bar")
    func partial() throws {
        let terminal = try open("rows=50&partial=1")
        try terminal.wait(for: "! incomplete")
        try terminal.quit()
    }

    @Test("The keyboard answers while a slow server has not")
    func slow() throws {
        let terminal = try open("rows=5000&delay=4000")
        try terminal.wait(for: "▌…")
        try terminal.type("?")
        try terminal.wait(for: "Help")
        try terminal.press("Escape")
        try terminal.quit()
    }

    @Test("Commands print what the server finds, say what it ignored, and exit with the documented status")
    func commands() throws {
        let found = try sandbox.run([stacks, "search", "123 is:favourite", address("rows=5000"), "--limit", "3"])
        #expect(found.ending == .exit(0))
        #expect(found.output.split(separator: "\n").count == 3)
        #expect(found.error.contains("cannot search for is:favourite"))
        #expect(try sandbox.run([stacks, "search", "nothing", address("rows=50")]).ending == .exit(1))
        let whole = try sandbox.run([stacks, "stats", address("rows=50")])
        #expect(whole.ending == .exit(64))
        #expect(whole.error.contains("stays on its server"))
        try sandbox.write("", to: "down")
        #expect(try sandbox.run([stacks, "search", "x", address("rows=70")]).ending == .exit(68))
    }

    @Test("Selected books are exported, and all books of a server are not")
    func exporting() throws {
        let terminal = try open("rows=5000")
        try terminal.wait(for: "Book 0000000")
        try terminal.type("x")
        try terminal.wait(for: "Only selected books of a server are exported")
        try terminal.press("Space")
        try terminal.press("Space")
        try terminal.type("x")
        try terminal.wait(for: "Export")
        try terminal.press("Escape")
        try terminal.quit()
    }
}

extension Tmux {
    /// Waits until a row satisfies a condition.
    @discardableResult
    fileprivate func wait(untilARow isThere: (String) -> Bool) throws -> Screen {
        try wait(for: "a row") { $0.rows.contains(where: isThere) }
    }
}
