import Foundation
import Glibc
import TestSupport
import Testing

@Suite("On a terminal: passwords for servers") struct WebSignInTests {
    private let sandbox: Sandbox
    private let server: FaultServer

    init() throws {
        sandbox = try Sandbox()
        server = try FaultServer()
    }

    @Test("The password for a first copy is asked for in the browser, again if it is wrong, and kept in memory only")
    func firstCopy() throws {
        let terminal = try Tmux(in: sandbox, opening: server.address("private"))
        try terminal.wait(for: "Sign in to \(server.host) (books)")
        try terminal.type("ann\rguessed\r")
        try terminal.wait(for: "wrong user or password. Try again")
        #expect(try terminal.screen.shows("User:     ann") && !terminal.screen.shows("guessed"))
        try terminal.type("secret-4711")
        try terminal.wait(for: "•••••••••••")
        #expect(try !terminal.screen.shows("secret"))
        try terminal.type("\r")
        try terminal.wait(forPosition: "1/1")
        #expect(try terminal.screen.shows("Jane Austen"))
        try terminal.quit()
        #expect(try sandbox.filesContaining("secret-4711").isEmpty)
    }

    @Test("Without a password there are no books, R asks for it, and the exit status has the reason") func givenUp()
        throws
    {
        let terminal = try Tmux(in: sandbox, opening: server.address("private", user: "ann@"))
        // The user is known from the address.
        try terminal.wait(for: "User:     ann")
        try terminal.press("Escape")
        try terminal.wait(for: "Nothing was read. R tries again")
        try terminal.type("R")
        try terminal.wait(for: "Password:")
        try terminal.press("Escape")
        try terminal.wait(for: "the dialog to close") { !$0.shows("Sign in to") }
        try terminal.quit(77)
    }

    @Test("If a refresh requires a password, the copy stays and R asks for it") func refresh() throws {
        let terminal = try Tmux(in: sandbox, opening: server.address("guarded"))
        try terminal.wait(forPosition: "1/1")
        try sandbox.visit(server.address("next"))
        try terminal.wait(for: "the end of the first copy") { screen in
            if screen.shows("needs a password; its copy of") { return true }
            // While the first copy is being finished, R does nothing.
            try terminal.type("R")
            usleep(500_000)
            return false
        }
        #expect(try terminal.screen.shows("R asks for it") && terminal.screen.shows("Jane Austen"))
        try terminal.type("R")
        try terminal.wait(for: "Sign in to")
        try terminal.type("ann\rsecret-4711\r")
        try terminal.wait(for: "the dialog to close") { !$0.shows("Sign in to") }
        // The password is known from here on.
        try terminal.wait(for: "has not changed") { screen in
            if screen.shows("has not changed") || screen.shows("Reloaded: 1 book") { return true }
            try terminal.type("R")
            return false
        }
        try terminal.quit()
        #expect(try sandbox.filesContaining("secret-4711").isEmpty)
    }

    @Test("A private .netrc gives the password, and one that others can read is reported") func netrc() throws {
        let file = try sandbox.write("machine 127.0.0.1 login ann password secret-4711\n", to: "home/.netrc")
        func search() throws -> Sandbox.Result {
            try sandbox.run([Programs.stacks, "search", "", server.address("private")])
        }
        chmod(file, 0o644)
        let refused = try search()
        #expect(refused.ending == .exit(77) && refused.output.isEmpty)
        #expect(
            refused.error.hasSuffix(
                "~/.netrc has them, but other users can read it. Run chmod 600 on it.\n"), "\(refused.error)")
        let terminal = try Tmux(in: sandbox, opening: server.address("private"))
        try terminal.wait(for: "~/.netrc is ignored, because other users can read it.")
        try terminal.press("Escape")
        try terminal.wait(for: "Nothing was read")
        try terminal.quit(77)
        chmod(file, 0o600)
        let found = try search()
        #expect(found.ending == .exit(0) && found.output.contains("Emma") && found.error.isEmpty, "\(found.error)")
        try terminal.open(server.address("private"))
        try terminal.wait(forPosition: "1/1")
        let programs = try [terminal.processID] + children(of: terminal.processID)
        let shown = programs.flatMap { ["/proc/\($0)/cmdline", "/proc/\($0)/environ"] }.map(sandbox.text(of:))
        #expect(shown.contains { $0.contains(server.address("private")) })
        #expect(!shown.contains { $0.contains("secret-4711") })
        try terminal.quit()
        #expect(try sandbox.filesContaining("secret-4711").isEmpty)
    }

    @Test("Instructions for signing in are shown, also in line mode; unsupported ways are named")
    func instructions() throws {
        let terminal = try Tmux(in: sandbox, opening: server.address("auth"))
        try terminal.wait(for: "(City Library)")
        #expect(try terminal.screen.shows("Your card has the number.") && terminal.screen.shows("Card number:"))
        try terminal.press("Escape")
        try terminal.wait(for: "Nothing was read")
        try terminal.quit(77)
        try terminal.run([Programs.stacks, "--linear", server.address("auth")])
        try terminal.wait(for: "Card number:")
        try terminal.type("4711\r1234\r")
        try terminal.wait(for: "Emma, Jane Austen")
        #expect(try !terminal.screen.shows("1234"))
        try terminal.quit()
        let refused = try sandbox.run([Programs.stacks, "search", "", server.address("auth/oauth")])
        #expect(refused.ending == .exit(77))
        #expect(refused.error.contains("allows signing in only by OAuth or SAML. Download the catalog"))
    }
}
