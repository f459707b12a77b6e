import Foundation
import TestSupport
import Testing

/// Looking books up and scanning them in a real terminal, with servers that answer as real ones did.
@Suite("Looking up on the screen") struct LookupOnScreenTests {
    private let sandbox: Sandbox
    private let server: ServerProcess

    init() throws {
        sandbox = try Sandbox()
        server = try ServerProcess(script: "lookup.py")
    }

    /// Names servers by their paths in the config file; the library servers that come with stacks are among them, so that no
    /// other one is ever asked.
    private func configure(_ paths: [String], _ setting: String = "") throws {
        let known = ["loc", "dnb", "bnf", "k10plus", "libris", "openlibrary"]
        let names = paths.map { String($0.split(separator: "/")[0]) }
        let all = paths + known.filter { !names.contains($0) }.map { "\($0)/nothing" }
        let lines = all.map { path in
            let name = path.split(separator: "/")[0]
            return "\(name) = \"sru+http://127.0.0.1:\(server.words[0])/\(path)?version=1.1&index-isbn=num\""
        }
        try sandbox.write(
            "[lookup]\n\(setting)\n[catalogs]\n" + lines.joined(separator: "\n") + "\n", to: "config/stacks/config.toml"
        )
    }

    private func catalog(_ text: String = #"[{"title": "A game", "isbn": "9780553103540"}]"#) throws -> String {
        try sandbox.write(text, to: "books.json")
    }

    private func queries() -> [Substring] { server.ask("log").split(separator: "|") }

    @Test("Nothing is asked before the dialog; ten servers are then asked at once, and the form has their values")
    func form() throws {
        try configure([
            "loc", "k10plus", "slow/k10plus", "busy/loc", "cut/loc", "wrong/dnb", "page/loc", "dnb", "bnf", "libris",
        ])
        let path = try catalog()
        let terminal = try Tmux(in: sandbox, columns: 120, rows: 40, opening: path)
        try terminal.wait(forPosition: "1/1")
        try terminal.press(declared: "gl")
        try terminal.wait(for: "Look up in library servers?")
        #expect(queries().isEmpty)
        try terminal.type("y")
        try terminal.wait(for: "694 · loc, k10plus")
        try terminal.wait(for: "694 · loc, k10plus, slow")
        // The server with another book is not believed.
        #expect(try !terminal.screen.shows("Deutsch"))
        #expect(queries().count >= 10)
        try terminal.press("C-y")
        try terminal.wait(for: "Martin, George R. R.")
        // Two years are a choice.
        try terminal.wait(for: "2002 · k10plus, slow | 1996 · loc")
        try terminal.press("C-t")
        try terminal.press("Enter")
        try terminal.wait(for: "Changed A game")
        try terminal.press("C-s")
        try terminal.wait(for: "Saved")
        try terminal.quit()
        let book = sandbox.text(of: path)
        #expect(book.contains("A game\"") && book.contains("694") && book.contains("2002"))
        // The choice is kept, and what was looked up is not.
        #expect(try !sandbox.filesContaining("\"isAllowed\" : true").isEmpty)
        try terminal.open(path)
        try terminal.wait(forPosition: "1/1")
        try terminal.press(declared: "gl")
        try terminal.wait(for: "2002 · k10plus, slow | 1996 · loc")
    }

    @Test("Thirty ISBNs are scanned within thirty seconds, and are in the catalog") func scanning() throws {
        let isbns = (0..<30).map { number in
            let digits = "97805531" + String(format: "%04d", number)
            let sum = digits.enumerated().reduce(0) {
                $0 + ($1.offset % 2 == 0 ? 1 : 3) * ($1.element.wholeNumberValue ?? 0)
            }
            return digits + String((10 - sum % 10) % 10)
        }
        let known = isbns.prefix(20).enumerated().map {
            #"{"title": "Title \#($0)", "isbn": "\#($1)", "pageCount": 7}"#
        }
        let home = try sandbox.write("[" + known.joined(separator: ",") + "]", to: "home.json")
        try sandbox.write(
            "[lookup]\nsources = [\"home\"]\n[catalogs]\nhome = \"\(home)\"\n", to: "config/stacks/config.toml")
        let path = try catalog("[]")
        let terminal = try Tmux(in: sandbox, columns: 80, rows: 24, opening: path)
        try terminal.wait(for: "books.json")
        try terminal.press(declared: "gb")
        try terminal.wait(for: "Add to the catalog")
        try terminal.press("Enter")
        try terminal.wait(for: "Scan a bar code")
        let start = ContinuousClock.now
        for isbn in isbns { try terminal.type(isbn + "\r") }
        try terminal.wait(for: "30 books")
        #expect(ContinuousClock.now - start < .seconds(30))
        try terminal.press("Escape")
        try terminal.wait(for: "30 books scanned. Look at")
        try terminal.press("C-s")
        try terminal.wait(for: "Saved")
        try terminal.quit()
        let text = sandbox.text(of: path)
        for isbn in isbns { #expect(text.contains(isbn)) }
        #expect(text.contains("Title 19") && !text.contains("Title 20"))
    }

    @Test("Without a network, the form and a scan work, and say why nothing was found", .enabled(if: hasNamespaces))
    func withoutNetwork() throws {
        try configure(["loc"], "sources = [\"loc\"]")
        let path = try catalog()
        let terminal = try Tmux(
            in: sandbox, columns: 100, rows: 30, running: ["unshare", "-rn", try Programs.stacks, path])
        try terminal.wait(forPosition: "1/1")
        try terminal.press(declared: "gl")
        try terminal.wait(for: "was not found in the other sources")
        try terminal.wait(for: "loc: ")
        try terminal.press("Escape")
        try terminal.press(declared: "gb")
        try terminal.press("Enter")
        try terminal.wait(for: "Scan a bar code")
        try terminal.type("9780141439587\r")
        try terminal.wait(for: "Added with the ISBN alone")
        try terminal.press("Escape")
        try terminal.wait(for: "1 book scanned")
        #expect(queries().isEmpty)
        try terminal.quit()
    }

    private static let hasNamespaces = (try? Sandbox().run(["/usr/bin/unshare", "-rn", "true"]).ending) == .exit(0)

    @Test("In line mode, the question, the values and the codes are spoken") func lineMode() throws {
        try configure(["loc", "k10plus"])
        let path = try catalog()
        let terminal = try Tmux(
            in: sandbox, columns: 100, rows: 40, running: [try Programs.stacks, "--linear", path])
        try terminal.wait(for: "A game")
        try terminal.press(declared: "gl")
        try terminal.wait(for: "These servers would see the ISBN")
        try terminal.type("y")
        try terminal.wait(for: "loc, k10plus: A game of thrones")
        try terminal.press("Down", "Down")
        try terminal.wait(for: "1996 · loc")
        try terminal.wait(for: "2002 · k10plus")
        try terminal.press("Escape")
        try terminal.press(declared: "gb")
        try terminal.wait(for: "Scan books")
        try terminal.press("Down", "Enter")
        try terminal.wait(for: "Scan to find")
        try terminal.type("9780553103540\r")
        try terminal.wait(for: "978-0553103540")
    }

    @Test("A choice that was kept for some servers asks again for another one; [] switches lookups off")
    func settings() throws {
        try configure(["loc"], "sources = []")
        let terminal = try Tmux(in: sandbox, columns: 100, rows: 30, opening: try catalog())
        try terminal.wait(forPosition: "1/1")
        try terminal.press(declared: "gl")
        try terminal.wait(for: "Lookups are switched off")
        try terminal.quit()
        try configure(["loc"], "sources = [\"loc\"]")
        try terminal.open(try catalog())
        try terminal.wait(forPosition: "1/1")
        try terminal.press(declared: "gl")
        try terminal.wait(for: "694 · loc")
        try terminal.press("Escape")
        try terminal.quit()
        try configure(["loc"], "sources = [\"lok\"]")
        try terminal.open(try catalog())
        try terminal.wait(forPosition: "1/1")
        try terminal.press(declared: "gl")
        try terminal.wait(for: "lok")
    }
}
