import Foundation
import Glibc
import Testing

/// Catalogs whose first screen appears before the rest is read.
@Suite("On a terminal: large catalogs") struct LargeCatalogs {
    let sandbox: Sandbox

    init() throws {
        sandbox = try Sandbox()
    }

    /// About five megabytes: more than is read before the first screen, and enough for the index to be cached.
    private let count = 60_000

    private var index: [String] {
        let directory = sandbox.path + "/cache/stacks/index"
        return (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
    }

    @Test func theRestIsReadInTheBackgroundAndReachable() throws {
        let catalog = try sandbox.writeCatalog(books: count)
        let terminal = try Tmux(in: sandbox, opening: catalog)
        try terminal.wait(for: "Book 001")
        // Whether the number of books is known yet or not.
        try terminal.type("G")
        let screen = try terminal.wait(forPosition: "60,000/60,000")
        #expect(screen.title.hasSuffix("catalog.json · 60,000 books"))
        #expect(screen.selection.contains("Book 60000"))
        try terminal.type("gg")
        try terminal.wait(forPosition: "1/60,000")
        try terminal.type("59999G")
        #expect(try terminal.wait(forPosition: "59,999/60,000").selection.contains("Book 59999"))
    }

    @Test func aDistantRowIsResumed() throws {
        let catalog = try sandbox.writeCatalog(books: count)
        let terminal = try Tmux(in: sandbox, opening: catalog)
        try terminal.wait(forPosition: "1/60,000")
        try terminal.type("50000Gtq")
        #expect(try terminal.waitForEnd() == .exit(0))
        // With the index cached by the first start, and without.
        for _ in 0..<2 {
            try terminal.open(catalog)
            try terminal.wait(forPosition: "50,000/60,000")
            try terminal.wait(for: "the favourite, selected") { $0.selection.contains("★ Book 50000") }
            try terminal.type("q")
            #expect(try terminal.waitForEnd() == .exit(0))
            try? FileManager.default.removeItem(atPath: sandbox.path + "/cache")
        }
    }

    @Test func anIndexThatIsTruncatedDuringTheSessionIsMadeAgain() throws {
        let catalog = try sandbox.writeCatalog(books: count)
        #expect(try sandbox.run([Programs.stacks, "search", "Book 59999", catalog]).ending == .exit(0))
        let file = sandbox.path + "/cache/stacks/index/" + (try #require(index.first))
        let size = try FileManager.default.attributesOfItem(atPath: file)[.size] as? Int
        let terminal = try Tmux(in: sandbox, opening: catalog)
        try terminal.wait(forPosition: "1/60,000")
        #expect(truncate(file, 4096) == 0)
        try terminal.type("/Book 59999")
        try terminal.press("Enter")
        try terminal.wait(for: "the book that was searched for") { $0.selection.contains("Book 59999") }
        _ = try eventually(or: "the index is not made again") {
            // It does not exist for a moment.
            (try? FileManager.default.attributesOfItem(atPath: file)[.size] as? Int) == size ? true : nil
        }
        try terminal.type("q")
        #expect(try terminal.waitForEnd() == .exit(0))
    }

    @Test func theCachedIndexIsUsedWhileTheFileIsUnchanged() throws {
        let catalog = try sandbox.writeCatalog(books: count)
        let terminal = try Tmux(in: sandbox, opening: catalog)
        try terminal.wait(forPosition: "1/60,000")
        _ = try eventually(or: "no index is kept") { index.isEmpty ? nil : true }
        try terminal.type("q")
        #expect(try terminal.waitForEnd() == .exit(0))
        #expect(index.count == 1)
        try terminal.open(catalog)
        #expect(try terminal.wait(for: "Book 001").title.hasSuffix("60,000 books"))
        try terminal.type("q")
        #expect(try terminal.waitForEnd() == .exit(0))
        // Another file with the same name and size.
        let text = sandbox.text(of: catalog)
        try sandbox.write(text.replacing("Book 001\"", with: "Tome 001\""), to: "catalog.json")
        try terminal.open(catalog)
        try terminal.wait(for: "Tome 001")
        try terminal.wait(forPosition: "1/60,000")
    }

    @Test(arguments: ["", "stacks", "garbage that is no index", String(repeating: "\u{0}", count: 100_000)])
    func anInvalidIndexIsDiscarded(content: String) throws {
        let catalog = try sandbox.writeCatalog(books: count)
        let terminal = try Tmux(in: sandbox, opening: catalog)
        try terminal.wait(forPosition: "1/60,000")
        _ = try eventually(or: "no index is kept") { index.isEmpty ? nil : true }
        try terminal.type("q")
        #expect(try terminal.waitForEnd() == .exit(0))
        let path = sandbox.path + "/cache/stacks/index/" + (index.first ?? "")
        let whole = try Data(contentsOf: URL(filePath: path))
        for damaged in [Data(content.utf8), whole.dropLast(1), whole.prefix(200), whole + Data([0])] {
            try damaged.write(to: URL(filePath: path))
            try terminal.open(catalog)
            try terminal.wait(forPosition: "1/60,000")
            try terminal.type("q")
            #expect(try terminal.waitForEnd() == .exit(0))
        }
    }

    @Test func aDistantErrorIsReportedAndKeepsTheBooksBeforeIt() throws {
        let catalog = try sandbox.writeCatalog(books: count)
        let text = sandbox.text(of: catalog)
        try sandbox.write(text.replacing("\"Book 50000\"", with: "Book 50000"), to: "catalog.json")
        let terminal = try Tmux(in: sandbox, opening: catalog)
        let screen = try terminal.wait(for: "The file is damaged at")
        #expect(screen.title.hasSuffix("catalog.json · 49,999 books  ! file damaged"))
        #expect(screen.shows("line 50001, column 11"))
    }

    @Test func aFileOnStandardInputIsNotReportedAsChanged() throws {
        let catalog = try sandbox.writeCatalog(books: 9)
        let stacks = try Programs.stacks
        let terminal = try Tmux(in: sandbox, running: ["/bin/sh", "-c", "exec '\(stacks)' - < '\(catalog)'"])
        try terminal.wait(forPosition: "1/9")
        try terminal.type("4j")
        #expect(try terminal.wait(forPosition: "5/9").title.hasSuffix("standard input · 9 books"))
    }

    @Test func aPipeIsShownAsDataArrives() throws {
        let catalog = try sandbox.writeCatalog(books: count)
        let stacks = try Programs.stacks
        let fifo = sandbox.path + "/fifo"
        #expect(mkfifo(fifo, 0o600) == 0)
        let command =
            "exec 3>'\(fifo)'; head -c 100000 '\(catalog)' >&3; read -r _ <'\(sandbox.path)/go'; "
            + "tail -c +100001 '\(catalog)' >&3"
        #expect(mkfifo(sandbox.path + "/go", 0o600) == 0)
        let writer = try ChildProcess(
            ["/bin/sh", "-c", command], environment: sandbox.environment, streams: .descriptors(output: 2, error: 2))
        defer { withExtendedLifetime(writer) {} }
        let terminal = try Tmux(
            in: sandbox, running: ["/bin/sh", "-c", "exec '\(stacks)' - < '\(fifo)'"])
        // The first books appear before the others are loaded, and keys come from the terminal.
        try terminal.wait(for: "so far")
        try terminal.type("5j")
        try terminal.wait(for: "▌Book 006")
        try sandbox.write("go\n", to: "go")
        try terminal.wait(forPosition: "6/60,000")
        try terminal.type("R")
        try terminal.wait(for: "A catalog from standard input cannot be reloaded")
        try terminal.type("q")
        #expect(try terminal.waitForEnd() == .exit(0))
        // No position is saved for a pipe.
        #expect(!FileManager.default.fileExists(atPath: sandbox.preferencesPath))
    }
}
