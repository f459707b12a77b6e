import Foundation
import Glibc
import Testing

/// The memory of both programs, which has passwords, is not in core dumps, and other processes of the user cannot read
/// it. The sign of this is that the files in /proc belong to root; therefore the programs run as another user.
@Suite(
    "Protected memory", .enabled(if: geteuid() == 0, "only root can run programs as another user"))
struct ProtectedMemoryTests {
    private let sandbox: Sandbox
    private static let nobody = 65534

    init() throws {
        sandbox = try Sandbox()
        // The build directory may be inaccessible to others.
        for name in ["stacks", "stacks-connect"] {
            let directory = URL(filePath: try Programs.stacks).deletingLastPathComponent().path
            let result = try sandbox.run(
                ["/usr/bin/install", "-m", "755", "\(directory)/\(name)", "\(sandbox.path)/\(name)"])
            guard result.ending == .exit(0) else { throw Failure("install: \(result.error)") }
        }
    }

    private func giveToNobody() throws {
        let result = try sandbox.run(["/usr/bin/env", "chown", "-R", "\(Self.nobody):\(Self.nobody)", sandbox.path])
        guard result.ending == .exit(0) else { throw Failure("chown: \(result.error)") }
    }

    private func commandOfNobody(_ command: String...) -> [String] {
        ["/usr/bin/setpriv", "--reuid=\(Self.nobody)", "--regid=\(Self.nobody)", "--clear-groups"] + command
    }

    private func terminal(_ command: [String], _ changes: [String: String?] = [:]) throws -> PseudoTerminal {
        try giveToNobody()
        return try PseudoTerminal(
            running: command,
            environment: sandbox.environment(changing: ["TERM": "xterm-256color"].merging(changes) { $1 }))
    }

    /// Waits until a process runs a program, and then until its files belong to root.
    private func expectProtected(_ id: pid_t, running name: String) throws {
        _ = try eventually(or: "\(name) does not run") {
            sandbox.text(of: "/proc/\(id)/comm") == name + "\n" ? true : nil
        }
        _ = try eventually(or: "the memory of \(name) is not protected") {
            var status = stat()
            return stat("/proc/\(id)/mem", &status) == 0 && status.st_uid == 0 ? true : nil
        }
    }

    @Test func theMemoryOfBothProgramsIsProtected() throws {
        let browser = try terminal(
            commandOfNobody(sandbox.path + "/stacks", try sandbox.write(Novels.catalog, to: "novels.json")))
        try browser.wait(for: "1/7")
        try expectProtected(browser.process.id, running: "stacks")
        let helper = try terminal(commandOfNobody(sandbox.path + "/stacks-connect"))
        try expectProtected(helper.process.id, running: "stacks-connect")
    }

    /// What needs the links in /proc still works: finding the programs and files beside stacks, copies, and edits.
    @Test func nothingElseChangesForTheUser() throws {
        let table = try sandbox.write("Title,Author\nEmma,Jane Austen\n", to: "books.csv")
        let catalog = try sandbox.write(Novels.catalog, to: "novels.json")
        try giveToNobody()
        let found = try sandbox.run(commandOfNobody(sandbox.path + "/stacks", "search", "emma", table))
        #expect(found.output == "Emma\tJane Austen\n" && found.error == "")
        let changed = try sandbox.run(
            commandOfNobody(sandbox.path + "/stacks", "set", "9780141439587", "title=Emma II", "--catalog", catalog))
        #expect(changed.ending == .exit(0), "\(changed.error)")
        #expect(sandbox.text(of: catalog).contains("Emma II"))
        let database = sandbox.path + "/books.db"
        let made = try sandbox.run(
            commandOfNobody(
                sandbox.path + "/stacks", "export", catalog, "--format", "sqlite", "--output", database))
        #expect(made.ending == .exit(0), "\(made.error)")
    }

    /// The user may debug the programs that stacks starts, such as the editor.
    @Test func theProgramsThatItStartsAreAsUsual() throws {
        let owner = sandbox.path + "/owner"
        let editor = "/usr/bin/stat -c %u /proc/self/mem > '\(owner)'; true"
        let browser = try terminal(
            commandOfNobody(sandbox.path + "/stacks", try sandbox.write(Novels.catalog, to: "novels.json")),
            ["EDITOR": editor, "VISUAL": editor])
        try browser.wait(for: "1/7")
        browser.type("e")
        _ = try eventually(or: "the editor does not run") {
            sandbox.text(of: owner) == "\(Self.nobody)\n" ? true : nil
        }
    }
}
