import Foundation
import Glibc
import Testing

/// A kind of catalog that is not JSON, made by sources.py.
struct SourceKind: CustomTestStringConvertible, Sendable {
    let name: String
    /// Whether a file of this kind shows where it ends, so that one that was cut is known as such.
    var tellsCuts = true

    var testDescription: String { name }

    /// The name of a file, which says nothing of its kind.
    var fileName: String { name == "calibre" ? "Library" : "books.dat" }

    static let all = [
        SourceKind(name: "csv", tellsCuts: false), SourceKind(name: "tsv", tellsCuts: false), SourceKind(name: "bib"),
        SourceKind(name: "ris", tellsCuts: false), SourceKind(name: "enw", tellsCuts: false), SourceKind(name: "endx"),
        SourceKind(name: "isi"), SourceKind(name: "mrc"),
        SourceKind(name: "marcxml"), SourceKind(name: "mods"), SourceKind(name: "opds"), SourceKind(name: "csv.gz"),
        SourceKind(name: "marcxml.gz"), SourceKind(name: "csv.zst"), SourceKind(name: "db"),
        SourceKind(name: "calibre"),
    ]
}

@Suite("On a terminal: copies of catalogs that are not JSON") struct SourceCopiesTests {
    private let sandbox: Sandbox

    init() throws { sandbox = try Sandbox() }

    private func run(_ arguments: String...) throws -> Sandbox.Result {
        try sandbox.run([Programs.stacks] + arguments)
    }

    /// Makes a catalog with the first books of four, and returns its path.
    @discardableResult
    private func make(_ kind: SourceKind, books count: Int) throws -> String {
        let path = sandbox.path + "/" + kind.fileName
        let script = Programs.packageRoot + "/Tests/EndToEndTests/Support/sources.py"
        let result = try sandbox.run(["/usr/bin/python3", script, kind.name, "\(count)", path])
        #expect(result.ending == .exit(0), "\(result.error)")
        return path
    }

    private func quit(_ terminal: Tmux) throws {
        try terminal.type("q")
        #expect(try terminal.waitForEnd() == .exit(0))
    }

    @Test(
        "Each kind opens cold and warm, follows its source, outlives its cut, and is there without it",
        arguments: SourceKind.all)
    func eachKind(kind: SourceKind) throws {
        let path = try make(kind, books: 3)
        // Cold: there is no copy yet.
        let terminal = try Tmux(in: sandbox, opening: path)
        try terminal.wait(forPosition: "1/3")
        for text in ["Emma", "Dracula", "Kidnapped", "Stoker", "1897"] {
            #expect(try terminal.screen.shows(text), "\(text)")
        }
        // Changing: it follows its source without being asked.
        try make(kind, books: 4)
        try terminal.wait(forPosition: "1/4")
        #expect(try terminal.screen.shows("Nana"))
        try quit(terminal)
        // Warm: the copy is not made again.
        let state = try copyState()
        try terminal.open(path)
        try terminal.wait(forPosition: "1/4")
        try quit(terminal)
        #expect(try copyState() == state)
        // Cut: what it was before is shown.
        if kind.tellsCuts {
            try cut(kind, at: path)
            try terminal.open(path)
            try terminal.wait(for: " min old")
            try terminal.wait(forPosition: "1/4")
            #expect(try terminal.screen.shows("Nana"))
            try quit(terminal)
            #expect(try copyState() == state)
        }
        // Offline: it is gone, as a disk that is not there.
        try FileManager.default.removeItem(atPath: path)
        let refused = try run(path)
        #expect(refused.ending == .exit(66))
        #expect(refused.error.hasPrefix("stacks: \(path): no such file. Open its copy of 20"), "\(refused.error)")
        try terminal.run([Programs.stacks, "--offline", path])
        try terminal.wait(for: "is gone since its copy of")
        #expect(try terminal.screen.shows("Nana"))
        #expect(try terminal.screen.shows(" min old"))
        try quit(terminal)
        let listed = try run("search", "", path, "--offline")
        #expect(listed.ending == .exit(0) && listed.output.contains("Dracula"))
    }

    /// Cuts a catalog off after three fifths of it.
    private func cut(_ kind: SourceKind, at path: String) throws {
        let file = kind.name == "calibre" ? path + "/metadata.db" : path
        let size = try #require(FileManager.default.attributesOfItem(atPath: file)[.size] as? Int)
        #expect(truncate(file, size * 3 / 5) == 0)
    }

    /// What is known of the only copy.
    private func copyState() throws -> String {
        let remote = sandbox.path + "/cache/stacks/remote"
        let directory = try #require(FileManager.default.contentsOfDirectory(atPath: remote).first)
        return sandbox.text(of: "\(remote)/\(directory)/state.json")
    }

    @Test("--offline shows the copy though its file has changed, and says that there is none")
    func offline() throws {
        let path = try make(SourceKind.all[0], books: 3)
        let none = try run("search", "", path, "--offline")
        #expect(none.error == "stacks: \(path) has no copy yet. Open it once without --offline.\n")
        #expect(none.ending == .exit(66))
        #expect(try run("search", "", path).ending == .exit(0))
        try make(SourceKind.all[0], books: 4)
        for command in [["search", ""], ["export", "--format", "csv"], ["check"]] {
            let arguments = command + [path, "--offline"]
            let result = try sandbox.run([Programs.stacks] + arguments)
            #expect(!result.output.contains("Nana"), "\(arguments)")
            #expect(result.error.contains("has changed since its copy of 20"), "\(result.error)")
        }
        #expect(try run("search", "", path).output.contains("Nana"))
        // A JSON catalog has no copy, and is opened as it is.
        let json = try sandbox.write(Novels.catalog, to: "novels.json")
        #expect(try run("search", "emma", json, "--offline").output.contains("Emma"))
        #expect(try run("search", "", json, "--offline", "--refresh").ending == .exit(64))
    }

    @Test("--refresh copies again what has not changed, and takes what has become smaller")
    func refresh() throws {
        let path = try make(SourceKind.all[0], books: 4)
        #expect(try run("search", "", path).output.contains("Nana"))
        let remote = sandbox.path + "/cache/stacks/remote"
        let directory = try #require(FileManager.default.contentsOfDirectory(atPath: remote).first)
        _ = try sandbox.write("", to: "cache/stacks/remote/\(directory)/data.jsonl")
        #expect(try run("search", "nana", path, "--refresh").output == "Nana\tÉmile Zola\n")
        try make(SourceKind.all[0], books: 1)
        let kept = try run("search", "", path)
        #expect(kept.output.contains("Nana"))
        #expect(kept.error.split(separator: "\n").count == 1)
        #expect(try run("search", "", path, "--refresh").output == "Emma\tJane Austen\n")
        try make(SourceKind.all[0], books: 4)
        let terminal = try Tmux(in: sandbox, running: [Programs.stacks, path, "--refresh"])
        try terminal.wait(forPosition: "1/4")
    }

    @Test("In the browser, far fewer rows are shown only if that is confirmed, by keys that say what they do")
    func confirmingFewerRows() throws {
        let path = try make(SourceKind.all[0], books: 4)
        let terminal = try Tmux(in: sandbox, opening: path)
        try terminal.wait(forPosition: "1/4")
        try make(SourceKind.all[0], books: 1)
        try terminal.wait(for: "books.dat has 1 row now, 4 before. Reload to show the new ones")
        try terminal.type("R")
        try terminal.wait(for: "Replace the copy?")
        #expect(try terminal.screen.shows("show 1 row") && terminal.screen.shows("keep 4 rows"))
        try terminal.press("Escape")
        try terminal.wait(for: "Kept the copy of books.dat")
        #expect(try terminal.screen.shows("Nana"))
        try terminal.type("R")
        try terminal.wait(for: "Replace the copy?")
        try terminal.type("y")
        try terminal.wait(forPosition: "1/1")
        try quit(terminal)
    }

    @Test("The index of a first copy is kept, as that of a JSON file is")
    func index() throws {
        let rows = (1...50_000).map { "Book \($0),Author \($0 % 100)" }.joined(separator: "\n")
        let path = try sandbox.write("Title,Author\n" + rows + "\n", to: "many.csv")
        let terminal = try Tmux(in: sandbox, opening: path)
        try terminal.wait(forPosition: "1/50,000")
        let directory = sandbox.path + "/cache/stacks/index"
        _ = try eventually(or: "no index is kept") {
            (try? FileManager.default.contentsOfDirectory(atPath: directory))?.contains { $0.hasSuffix(".index") }
                == true
                ? true : nil
        }
    }

    @Test("Esc stops the first copy, what there is of it stays, and the next start copies all")
    func stopping() throws {
        let rows = (1...300_000).map { "Book \($0),Author \($0 % 100),\(1800 + $0 % 200)" }.joined(separator: "\n")
        let path = try sandbox.write("Title,Author,Year\n" + rows + "\n", to: "many.csv")
        let terminal = try Tmux(in: sandbox, opening: path)
        let stacks = try terminal.processID
        let connector: pid_t = try eventually(or: "the connector program does not run") {
            let found = try sandbox.run(["/usr/bin/pgrep", "-P", "\(stacks)", "-x", "stacks-connect"])
            return pid_t(found.output.trimmingCharacters(in: .whitespacesAndNewlines))
        }
        _ = try eventually(or: "no books are shown") {
            kill(connector, SIGCONT)
            usleep(2000)
            kill(connector, SIGSTOP)
            return try terminal.screen.shows("Author 1 ") ? true : nil
        }
        #expect(try terminal.screen.shows("is read for the first time. Esc stops"))
        try terminal.press("Escape")
        usleep(200_000)
        kill(connector, SIGCONT)
        try terminal.wait(for: "many.csv is incomplete: reading was stopped; showing ")
        try terminal.wait(for: "! reading stopped")
        #expect(try terminal.screen.shows("Author 1 "))
        #expect(try run("sources").error.contains("no copies of sources"))
        // Reloading goes on with all of it.
        try terminal.type("R")
        try terminal.wait(forPosition: "1/300,000")
        #expect(try !terminal.screen.shows("reading stopped"))
        try quit(terminal)
        #expect(try run("sources", "forget", path).ending == .exit(0))
        #expect(try run("search", "300000", path).output == "Book 300000\tAuthor 0\n")
    }
}
