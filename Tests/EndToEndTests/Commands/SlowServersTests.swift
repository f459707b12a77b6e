import Foundation
import TestSupport
import Testing

@Suite("On a terminal: servers that are slow, and connections that break") struct SlowServersTests {
    private let sandbox: Sandbox
    private let server: ServerProcess
    /// Before the server, with 300 ms of delay.
    private let proxy: ServerProcess

    init() throws {
        sandbox = try Sandbox()
        server = try ServerProcess(script: "faults.py")
        proxy = try ServerProcess(script: "delay.py", arguments: [server.words[0]])
    }

    private var host: String { "127.0.0.1:\(server.words[0])" }
    private func delayed(_ path: String) -> String { "http://127.0.0.1:\(proxy.words[0])/\(path)" }

    private func quit(_ terminal: Tmux, _ code: Int32 = 0) throws {
        try terminal.type("q")
        #expect(try terminal.waitForEnd() == .exit(code))
    }

    @Test("A server that does not answer is waited for in the browser, where Esc stops, R tries again and q leaves")
    func silence() throws {
        let terminal = try Tmux(in: sandbox, opening: "http://\(host)/hang")
        try terminal.wait(for: "Connecting to \(host). Esc stops")
        #expect(try terminal.screen.shows("0 books so far"))
        try terminal.type("?")
        try terminal.wait(for: "Help")
        try terminal.press("Escape")
        try terminal.wait(for: "Connecting to \(host). Esc stops")
        try terminal.press("Escape")
        try terminal.wait(for: "reading was stopped; nothing was copied")
        try terminal.type("R")
        try terminal.wait(for: "0 books so far")
        try quit(terminal)
    }

    @Test("A catalog that comes late is shown when it comes, and one that does not exist is told of") func late() throws
    {
        let terminal = try Tmux(in: sandbox, opening: delayed("opds"))
        try terminal.wait(for: "Book 0")
        try terminal.wait(forPosition: "1/51")
        try quit(terminal)
        try terminal.open(delayed("none"))
        try terminal.wait(for: "404 Not Found")
        // With nothing to show, the exit code is that of a command.
        try quit(terminal, 69)
    }

    @Test("Keys are answered while the server says nothing in the middle of a copy") func stalled() throws {
        let terminal = try Tmux(in: sandbox, opening: delayed("opds"))
        try terminal.wait(for: "Book 12")
        #expect(proxy.ask("stall") == "done")
        // Nothing comes any more: what is on the screen changes by keys alone.
        try terminal.wait(for: "the place") { $0.position.hasPrefix("1/") && $0.shows("so far") }
        try terminal.type("j")
        try terminal.wait(for: "the second row") { $0.position.hasPrefix("2/") && $0.shows("so far") }
        try terminal.type("/book 12")
        try terminal.wait(for: "what was searched for") { $0.shows("All books (1) / book 12") && $0.shows("so far") }
        try terminal.press("Escape")
        try terminal.wait(for: "all rows") { $0.position.hasPrefix("2/") }
        #expect(proxy.ask("go") == "done")
        try terminal.wait(forPosition: "2/51")
        try quit(terminal)
    }

    @Test("A connection that is cut leaves what has come, and R gets all of it") func cut() throws {
        #expect(proxy.ask("cut") == "done")
        let terminal = try Tmux(in: sandbox, opening: delayed("books"))
        try terminal.wait(for: "is incomplete")
        try terminal.wait(for: "file cut off")
        #expect(try terminal.screen.shows("Book 0"))
        #expect(proxy.ask("go") == "done")
        try terminal.type("R")
        try terminal.wait(forPosition: "1/5,000")
        try quit(terminal)
    }

    @Test("A network that shows a page of its own is told apart, and leaves the copy") func portal() throws {
        let result = try sandbox.run([Programs.stacks, "search", "", "http://\(host)/portal"])
        #expect(result.ending == .exit(68), "\(result.error)")
        #expect(
            result.error.contains(
                "a web page of localhost came in its place. Sign in to the network with a browser, then try again"))
    }
}
