import Foundation
import TestSupport
import Testing

@Suite("On a terminal: catalogs on servers") struct WebCatalogTests {
    private let sandbox: Sandbox
    private let server: FaultServer

    init() throws {
        sandbox = try Sandbox()
        server = try FaultServer()
    }

    private func run(_ arguments: String...) throws -> Sandbox.Result {
        try sandbox.run([Programs.stacks] + arguments)
    }

    /// Makes all copies an hour old.
    private func age() throws {
        let remote = sandbox.path + "/cache/stacks/remote"
        for name in try FileManager.default.contentsOfDirectory(atPath: remote) {
            let file = "\(remote)/\(name)/state.json"
            guard FileManager.default.fileExists(atPath: file) else { continue }
            let text = try String(contentsOfFile: file, encoding: .utf8)
            let fetched = Int(Date.now.timeIntervalSince1970) - 3600
            let old = text.replacing(/"(fetched|checked)":\d+/) { "\"\($0.output.1)\":\(fetched)" }
            try old.write(toFile: file, atomically: true, encoding: .utf8)
        }
    }

    @Test("A catalog is opened by its address, updated on request, and available without its server")
    func browsing() throws {
        let terminal = try Tmux(in: sandbox, opening: server.address("etag"))
        try terminal.wait(forPosition: "1/1")
        #expect(try terminal.screen.shows("Jane Austen"))
        // While the first copy is being finished, R does nothing.
        try terminal.wait(for: "an answer to R") { screen in
            if screen.shows("has not changed") { return true }
            try terminal.type("R")
            return false
        }
        try sandbox.visit(server.address("next"))
        try terminal.type("R")
        try terminal.wait(forPosition: "1/2")
        try terminal.quit()
        // The server is not queried before the copy expires.
        try terminal.open(server.address("etag"))
        try terminal.wait(forPosition: "1/2")
        try terminal.quit()
        try age()
        try sandbox.visit(server.address("next"))
        try terminal.open(server.address("etag"))
        try terminal.wait(forPosition: "1/3")
        try terminal.quit()
    }

    @Test(
        "The exit status distinguishes a missing network, a refusal, a missing password and bad content")
    func exitCodes() throws {
        for (path, code, words) in [
            ("500", 69, "the server says 500 Internal Server Error"), ("503", 69, "Try again in 7 s"),
            ("none", 69, "404 Not Found"), ("garbage", 69, "does not respond like a web server"),
            ("loop", 69, "redirects too often"), ("to_file", 69, "redirects to an address that is not followed"),
            ("401", 77, "asks for a user and password"), ("login", 65, "it is a web page"),
            ("cut", 65, "is incomplete"), ("bomb", 65, "is not valid JSON"), ("empty", 68, "broke off"),
        ] as [(String, Int32, String)] {
            let result = try run("search", "", server.address(path))
            #expect(result.ending == .exit(code), "\(path): \(result.ending) \(result.error)")
            #expect(result.error.contains(words), "\(path): \(result.error)")
        }
        let nobody = try run("search", "", "http://127.0.0.1:1/")
        #expect(nobody.ending == .exit(68) && nobody.error.contains("does not accept a connection"), "\(nobody.error)")
    }

    @Test("An old copy is printed when its server fails or is gone, with the reason, its date and the exit status")
    func oldCopies() throws {
        let source = server.address("flaky")
        #expect(try run("search", "", source).ending == .exit(0))
        try sandbox.visit(server.address("next"))
        // Before it expires, the copy counts as current.
        #expect(try run("search", "", source).ending == .exit(0))
        try age()
        let failed = try run("search", "", source)
        #expect(failed.ending == .exit(69) && failed.output.contains("Emma"), "\(failed.error)")
        #expect(failed.error.contains("500 Internal Server Error; its copy of 20"), "\(failed.error)")
        let offline = try run("search", "", source, "--offline")
        #expect(offline.ending == .exit(0) && offline.output.contains("Emma"))
        #expect(offline.error.contains("may have changed since its copy of"), "\(offline.error)")
        let terminal = try Tmux(in: sandbox, opening: source)
        try terminal.wait(for: "the server says 500")
        try terminal.wait(for: "copy 1 h old")
        #expect(try terminal.screen.shows("Emma"))
        try sandbox.visit(server.address("next"))
        try terminal.type("R")
        try terminal.wait(for: "the copy to be fresh") { !$0.shows("copy 1 h old") }
        try terminal.quit()
        #expect(try run("search", "", source).ending == .exit(0))
    }

    @Test("A password is typed or printed by a command in the config, and is not in any file afterwards")
    func passwords() throws {
        let typing = try Tmux(
            in: sandbox, running: [Programs.stacks, "sources", "refresh", server.address("private", user: "ann@")])
        try typing.wait(for: "Password of ann for 127.0.0.1")
        try typing.type("secret-4711\r")
        try typing.wait(for: "1 row copied")
        #expect(try !typing.screen.shows("secret"))
        #expect(try typing.waitForEnd() == .exit(0))
        let config = """
            [catalogs]
            club = {source = "\(server.address("private"))", user = "ann", password-cmd = ["echo", "secret-4711"]}
            """
        try sandbox.write(config, to: "config/stacks/config.toml")
        let result = try run("sources", "refresh", "club")
        #expect(result.ending == .exit(0) && result.output.contains("1 row copied"), "\(result.error)")
        #expect(try run("search", "", server.address("private/cross", user: "ann:secret-4711@")).ending == .exit(0))
        let seen = try sandbox.visit(server.address("seen"))
        #expect(seen.contains("/ok") && !seen.contains("secret") && !seen.contains("Authorization"))
        let secret = server.address("private", user: "ann:secret-4711@")
        for arguments in [
            ["check", secret], ["profiles", "new", secret, "--yes"], ["sources", "list"], ["stats", secret],
        ] {
            let result = try sandbox.run([Programs.stacks] + arguments)
            #expect(result.ending == .exit(0), "\(arguments[0]): \(result.error)")
            #expect(!(result.output + result.error).contains("secret"), "\(result.output)")
        }
        try FileManager.default.removeItem(atPath: sandbox.path + "/config/stacks/config.toml")
        #expect(try sandbox.filesContaining("secret-4711").isEmpty)
    }

    @Test("The proxy in the environment is used, except for addresses of this machine") func proxy() throws {
        let proxy = ["http_proxy": "http://\(server.host)"]
        let found = try sandbox.run([Programs.stacks, "search", "", "http://books.invalid/ok"], changing: proxy)
        #expect(found.ending == .exit(0) && found.output.contains("Emma"), "\(found.error)")
        let nobody = ["http_proxy": "http://127.0.0.1:1"]
        #expect(
            try sandbox.run([Programs.stacks, "search", "", server.address("ok")], changing: nobody).ending == .exit(0))
        for (host, variable, code, words) in [
            ("other.invalid", nobody, 68, "the proxy 127.0.0.1:1 does not accept a connection"),
            ("guarded.invalid", proxy, 77, "the proxy \(server.host) requires a user and password"),
        ] as [(String, [String: String], Int32, String)] {
            let result = try sandbox.run([Programs.stacks, "search", "", "http://\(host)/ok"], changing: variable)
            #expect(result.ending == .exit(code) && result.error.contains(words), "\(result.error)")
        }
    }

    @Test("A feed is copied completely, and shown while it arrives") func feed() throws {
        let terminal = try Tmux(in: sandbox, opening: server.address("opds"))
        try terminal.wait(forPosition: "1/51")
        #expect(try terminal.screen.shows("Book 0"))
        try terminal.quit()
        #expect(try run("search", "", server.address("opds2")).output.split(separator: "\n").count == 6)
    }
}
