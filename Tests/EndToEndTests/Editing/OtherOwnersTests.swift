import Foundation
import Glibc
import Testing

/// Catalogs of other users. Only root can set their owner on a changed copy; other users get a message before anything
/// is changed.
@Suite("On a terminal: catalogs of other users") struct OtherOwners {
    let sandbox: Sandbox

    /// A user and group id that own no other file.
    private static let nobody: uid_t = 65534
    private static let others: (user: uid_t, group: gid_t) = (1234, 2345)
    private static let isRoot = geteuid() == 0

    init() throws { sandbox = try Sandbox() }

    /// Writes a catalog with this owner and mode.
    private func catalog(of owner: (user: uid_t, group: gid_t)? = nil, mode: mode_t) throws -> String {
        let path = try sandbox.writeCatalog(books: 3)
        if let owner, chown(path, owner.user, owner.group) != 0 { throw Failure("chown: \(errno)") }
        if chmod(path, mode) != 0 { throw Failure("chmod: \(errno)") }
        return path
    }

    private func state(of path: String) throws -> stat {
        var status = stat()
        if stat(path, &status) != 0 { throw Failure("\(path): \(errno)") }
        return status
    }

    /// Returns the command that runs stacks as another user, who becomes the owner of the sandbox.
    private func stacksOfNobody(groups: [gid_t] = []) throws -> [String] {
        // The build directory may be inaccessible to others.
        let program = sandbox.path + "/stacks"
        for command in [
            ["/usr/bin/install", "-m", "755", try Programs.stacks, program],
            ["/usr/bin/env", "chown", "-R", "\(Self.nobody):\(Self.nobody)", sandbox.path + "/home"],
            ["/usr/bin/env", "chown", "\(Self.nobody):\(Self.nobody)", sandbox.path],
        ] {
            let result = try sandbox.run(command)
            guard result.ending == .exit(0) else { throw Failure("\(command): \(result.error)") }
        }
        let list = groups.isEmpty ? "--clear-groups" : "--groups=" + groups.map(String.init).joined(separator: ",")
        return ["/usr/bin/setpriv", "--reuid=\(Self.nobody)", "--regid=\(Self.nobody)", list, program]
    }

    private func expectUnchanged(_ path: String, since before: stat, _ text: String) throws {
        let now = try state(of: path)
        #expect(sandbox.text(of: path) == text)
        #expect(now.st_ino == before.st_ino && now.st_ctim.tv_sec == before.st_ctim.tv_sec)
        #expect((now.st_uid, now.st_gid, now.st_mode) == (before.st_uid, before.st_gid, before.st_mode))
    }

    @Test(.enabled(if: isRoot, "only root can make files of others"), arguments: [true, false])
    func aCatalogOfAnotherUserIsRefusedAtTheFirstCommand(isUser: Bool) throws {
        let nobody = Self.nobody
        // The catalog is writable, but a changed copy would belong to the writing user.
        let path = try catalog(
            of: isUser ? (Self.others.user, nobody) : (nobody, Self.others.group), mode: isUser ? 0o664 : 0o644)
        let (before, text) = (try state(of: path), sandbox.text(of: path))
        let program = try stacksOfNobody()
        let terminal = try Tmux(in: sandbox, running: program + [path])
        try terminal.wait(forPosition: "1/3")
        for keys in ["A", "E", "X"] {
            try terminal.type(keys)
            try terminal.wait(for: "belongs to another user or group. Export a copy: x")
            #expect(try !terminal.screen.shows("─ Edit ") && !terminal.screen.shows("─ Add "))
            try terminal.type("gg")
            try terminal.wait(for: "no message") { !$0.shows("another user") }
        }
        try terminal.quit()
        let result = try sandbox.run(program + ["set", "--query", "001", "pages=7", "--catalog", path])
        #expect(result.ending == .exit(77))
        #expect(result.error.contains("belongs to another user or group"))
        try expectUnchanged(path, since: before, text)
    }

    @Test(.enabled(if: isRoot, "only root can make files of others"))
    func aGroupOfTheUserIsKept() throws {
        let path = try catalog(of: (Self.nobody, Self.others.group), mode: 0o640)
        let terminal = try Tmux(in: sandbox, running: stacksOfNobody(groups: [Self.others.group]) + [path])
        try terminal.wait(forPosition: "1/3")
        try terminal.edit(field: 0, to: "Mine", saying: "Changed Book 001")
        try terminal.saveCatalog()
        #expect(sandbox.text(of: path).contains(#""title": "Mine""#))
        let now = try state(of: path)
        #expect((now.st_uid, now.st_gid) == (Self.nobody, Self.others.group))
        #expect(now.st_mode & 0o7777 == 0o640)
    }

    @Test func savingKeepsOwnerAndMode() throws {
        // Other users than root can create only their own files.
        let owner = Self.isRoot ? Self.others : nil
        let path = try catalog(of: owner, mode: 0o640)
        let before = try state(of: path)
        let terminal = try Tmux(in: sandbox, opening: path)
        try terminal.wait(forPosition: "1/3")
        try terminal.edit(field: 0, to: "Theirs", saying: "Changed Book 001")
        try terminal.saveCatalog()
        #expect(sandbox.text(of: path).contains(#""title": "Theirs""#))
        let now = try state(of: path)
        #expect(now.st_ino != before.st_ino)
        #expect((now.st_uid, now.st_gid, now.st_mode) == (before.st_uid, before.st_gid, before.st_mode))
    }
}
