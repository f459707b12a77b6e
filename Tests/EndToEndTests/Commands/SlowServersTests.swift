import Foundation
import TestSupport
import Testing

@Suite("On a terminal: servers that are slow, and connections that break") struct SlowServersTests {
    private let sandbox: Sandbox
    private let server: FaultServer
    /// A proxy in front of the server that adds a delay of 300 ms.
    private let proxy: ServerProcess

    init() throws {
        sandbox = try Sandbox()
        server = try FaultServer()
        proxy = try ServerProcess(script: "delay.py", arguments: [server.port])
    }

    private func delayed(_ path: String) -> String { "http://127.0.0.1:\(proxy.words[0])/\(path)" }

    @Test("The browser opens while a server does not respond: Esc stops, R retries and q quits")
    func noResponse() throws {
        let terminal = try Tmux(in: sandbox, opening: "http://\(server.host)/hang")
        try terminal.wait(for: "Connecting to \(server.host). Esc stops")
        #expect(try terminal.screen.shows("0 books so far"))
        try terminal.type("?")
        try terminal.wait(for: "Help")
        try terminal.press("Escape")
        try terminal.wait(for: "Connecting to \(server.host). Esc stops")
        try terminal.press("Escape")
        try terminal.wait(for: "reading was stopped; nothing was copied")
        try terminal.type("R")
        try terminal.wait(for: "0 books so far")
        try terminal.quit()
    }

    @Test("A late catalog is shown when it arrives, and a missing one is reported") func late() throws {
        let terminal = try Tmux(in: sandbox, opening: delayed("opds"))
        try terminal.wait(for: "Book 0")
        try terminal.wait(forPosition: "1/51")
        try terminal.quit()
        try terminal.open(delayed("none"))
        try terminal.wait(for: "404 Not Found")
        // Without books, the exit status is that of a command.
        try terminal.quit(69)
    }

    @Test("Keys work while the server stalls in the middle of a copy") func stalled() throws {
        let terminal = try Tmux(in: sandbox, opening: delayed("opds"))
        try terminal.wait(for: "Book 12")
        #expect(proxy.ask("stall") == "done")
        // No more data arrives: only keys change the screen.
        try terminal.wait(for: "the place") { $0.position.hasPrefix("1/") && $0.shows("so far") }
        try terminal.type("j")
        try terminal.wait(for: "the second row") { $0.position.hasPrefix("2/") && $0.shows("so far") }
        try terminal.type("/book 12")
        try terminal.wait(for: "what was searched for") {
            $0.hasTitle(" All books (1)  ⟂ book 12") && $0.shows("so far")
        }
        try terminal.press("Escape")
        try terminal.wait(for: "all rows") { $0.position.hasPrefix("2/") }
        #expect(proxy.ask("go") == "done")
        try terminal.wait(forPosition: "2/51")
        try terminal.quit()
    }

    @Test("After a lost connection, the received books stay and R copies all of them") func cut() throws {
        #expect(proxy.ask("cut") == "done")
        let terminal = try Tmux(in: sandbox, opening: delayed("books"))
        try terminal.wait(for: "is incomplete")
        try terminal.wait(for: "file cut off")
        #expect(try terminal.screen.shows("Book 0"))
        #expect(proxy.ask("go") == "done")
        try terminal.type("R")
        try terminal.wait(forPosition: "1/5,000")
        try terminal.quit()
    }

    @Test("A captive portal is detected, and the copy stays") func captivePortal() throws {
        let result = try sandbox.run([Programs.stacks, "search", "", "http://\(server.host)/portal"])
        #expect(result.ending == .exit(68), "\(result.error)")
        #expect(
            result.error.contains(
                "a web page of localhost came in its place. Sign in to the network with a browser, then try again"))
    }
}
