import Foundation
import Glibc
import Testing

/// A catalog of some thousand books that is not JSON.
struct LargeSource: CustomTestStringConvertible, Sendable {
    let name: String
    /// The percentage of the file that remains.
    var share = 60

    var testDescription: String { "\(name) at \(share) %" }

    static let all = [
        LargeSource(name: "csv.gz"), LargeSource(name: "csv.zst"), LargeSource(name: "ris"), LargeSource(name: "bib"),
        LargeSource(name: "marcxml"), LargeSource(name: "mods"), LargeSource(name: "mrc"), LargeSource(name: "db"),
        LargeSource(name: "db", share: 97),
    ]
}

/// Catalogs whose first copy is truncated.
@Suite("On a terminal: catalogs that are cut off") struct IncompleteSourcesTests {
    private let sandbox: Sandbox

    init() throws { sandbox = try Sandbox() }

    private func run(_ arguments: String...) throws -> Sandbox.Result {
        try sandbox.run([Programs.stacks] + arguments)
    }

    /// Writes a truncated catalog of 4,000 books and returns its path.
    private func make(_ source: LargeSource) throws -> String {
        let path = sandbox.path + "/books.dat"
        let script = Programs.packageRoot + "/Tests/EndToEndTests/Support/sources.py"
        let result = try sandbox.run(["/usr/bin/python3", script, source.name, "4000", path])
        #expect(result.ending == .exit(0), "\(result.error)")
        let size = try #require(FileManager.default.attributesOfItem(atPath: path)[.size] as? Int)
        #expect(truncate(path, size * source.share / 100) == 0)
        return path
    }

    @Test(
        "The available books are printed with a message that the catalog is incomplete, and the exit status is 65",
        arguments: LargeSource.all)
    func commands(source: LargeSource) throws {
        let path = try make(source)
        for arguments in [["search", ""], []] {
            let result = try sandbox.run([Programs.stacks] + arguments + [path])
            #expect(result.ending == .exit(65), "\(arguments)")
            let count = result.output.split(separator: "\n").count
            #expect((100..<4000).contains(count), "\(count)")
            #expect(result.error.hasPrefix("stacks: \(path) is incomplete: it is cut off at "), "\(result.error)")
            #expect(result.error.contains("showing \(count / 1000),") || count < 1000, "\(result.error)")
            #expect(result.error.split(separator: "\n").count == 1, "\(result.error)")
        }
        #expect(try run("check", path).ending == .exit(65))
        #expect(try run("stats", path).ending == .exit(65))
        // No copy exists.
        #expect(try run("sources").output.isEmpty)
        #expect(try run("sources", "refresh", path).ending == .exit(65))
    }

    @Test("An export of a catalog that is cut off does not change a database, and a new file has the available books")
    func export() throws {
        let whole = try sandbox.write("Title,Author\nEmma,Jane Austen\n", to: "novels.csv")
        let database = sandbox.path + "/books.db"
        #expect(try run("export", whole, "--format", "sqlite", "--output", database).ending == .exit(0))
        let before = try Data(contentsOf: URL(filePath: database))
        let path = try make(LargeSource(name: "csv.gz"))
        let refused = try run("export", path, "--format", "sqlite", "--output", database)
        #expect(refused.ending == .exit(65))
        #expect(refused.error.contains("not changed: the catalog is incomplete"), "\(refused.error)")
        #expect(try Data(contentsOf: URL(filePath: database)) == before)
        let part = sandbox.path + "/part.csv"
        #expect(try run("export", path, "--format", "csv", "--output", part).ending == .exit(65))
        #expect(sandbox.text(of: part).split(whereSeparator: \.isNewline).count > 1000)
    }

    @Test("The title bar says that the catalog is cut off, until the complete file is loaded")
    func titleBar() throws {
        let path = try make(LargeSource(name: "csv.gz"))
        let terminal = try Tmux(in: sandbox, opening: path)
        try terminal.wait(for: "! file cut off")
        #expect(try terminal.screen.shows("Emma"))
        try terminal.type("j")
        try terminal.type("R")
        try terminal.wait(for: "books.dat is incomplete: it is cut off at line ")
        #expect(try terminal.screen.shows("! file cut off"))
        let script = Programs.packageRoot + "/Tests/EndToEndTests/Support/sources.py"
        _ = try sandbox.run(["/usr/bin/python3", script, "csv.gz", "4000", path + ".new"])
        #expect(rename(path + ".new", path) == 0)
        try terminal.wait(forPosition: "2/4,000")
        #expect(try !terminal.screen.shows("file cut off"))
        try terminal.type("q")
        #expect(try terminal.waitForEnd() == .exit(0))
        #expect(try run("search", "", path).ending == .exit(0))
    }

    @Test("A zstd file cut off within its first block, and an entity before the root, are reported with their position")
    func nothingToShow() throws {
        let script = Programs.packageRoot + "/Tests/EndToEndTests/Support/sources.py"
        let path = sandbox.path + "/books.dat"
        _ = try sandbox.run(["/usr/bin/python3", script, "csv.zst", "4", path])
        #expect(truncate(path, 30) == 0)
        let cut = try run("search", "", path)
        #expect(
            cut.error
                == "stacks: cannot read \(path): it is cut off at byte 30, before its first record. Check the file.\n")
        #expect(cut.ending == .exit(65))
        let entity = try sandbox.write(
            "<!DOCTYPE a [\n<!ENTITY x SYSTEM \"file:///etc/passwd\">\n]>\n<modsCollection>&x;</modsCollection>",
            to: "a.xml")
        let refused = try run("search", "", entity)
        #expect(
            refused.error
                == "stacks: cannot read \(entity): it declares an entity at line 2, which is not read. Remove the "
                + "declaration.\n")
        #expect(refused.ending == .exit(65) && refused.output.isEmpty)
    }

    @Test("The next copy deletes the leftovers of a killed one, but no file that is being written")
    func leftOvers() throws {
        let path = try sandbox.write("Title,Author\nEmma,Jane Austen\n", to: "novels.csv")
        #expect(try run("search", "", path).ending == .exit(0))
        let remote = sandbox.path + "/cache/stacks/remote"
        let directory = try #require(FileManager.default.contentsOfDirectory(atPath: remote).first)
        for name in ["new.1.jsonl", "database-1.db", "state.json.1.tmp"] {
            _ = try sandbox.write("left", to: "cache/stacks/remote/\(directory)/\(name)")
        }
        #expect(try run("sources", "refresh", path).ending == .exit(0))
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: "\(remote)/\(directory)").sorted()
                == ["data.jsonl", "in-use", "state.json"])
    }
}
