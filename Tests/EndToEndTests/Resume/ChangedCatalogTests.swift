import Foundation
import Glibc
import Testing

/// The catalog is changed while it is open.
@Suite("Catalogs that change") struct ChangedCatalogs {
    let sandbox: Sandbox

    init() throws {
        sandbox = try Sandbox()
    }

    private func replace(_ catalog: String, byBooks count: Int) throws {
        let other = try sandbox.writeCatalog(books: count, to: "other.json")
        #expect(rename(other, catalog) == 0)
    }

    @Test func aChangedFileIsReportedAndReloadedOnDemand() throws {
        let catalog = try sandbox.writeCatalog(books: 9)
        let terminal = try Tmux(in: sandbox, opening: catalog)
        try terminal.wait(forPosition: "1/9")
        try terminal.type("4j")
        // A message stays until the next key.
        try terminal.wait(forPosition: "5/9")
        _ = try sandbox.writeCatalog(books: 12)
        let screen = try terminal.wait(for: "Catalog changed on disk. R reloads")
        #expect(screen.title.contains("catalog.json · 9 books  ! changed on disk"))
        try terminal.type("R")
        try terminal.wait(for: "Reloaded: 12 books")
        #expect(try terminal.screen.title.hasSuffix("catalog.json · 12 books"))
        try terminal.wait(forPosition: "5/12")
    }

    @Test func aReplacedFileIsReported() throws {
        let catalog = try sandbox.writeCatalog(books: 9)
        let terminal = try Tmux(in: sandbox, opening: catalog)
        try terminal.wait(forPosition: "1/9")
        try replace(catalog, byBooks: 7)
        try terminal.wait(for: "changed on disk")
        try terminal.type("R")
        try terminal.wait(forPosition: "1/7")
    }

    @Test(arguments: ["", "/book -xyzzyva -qxj -zzz -nothing"])
    func theReportFitsSmallWindows(search: String) throws {
        let catalog = try sandbox.writeCatalog(books: 9)
        let terminal = try Tmux(in: sandbox, columns: 50, rows: 15, opening: catalog)
        try terminal.wait(forPosition: "1/9")
        if !search.isEmpty {
            try terminal.type(search)
            try terminal.press("Enter")
        }
        _ = try sandbox.writeCatalog(books: 12)
        try terminal.wait(for: "Catalog changed on disk")
        // The message stays until the next key.
        try terminal.press("j")
        let screen = try terminal.wait(for: "no message") { !$0.status.contains("Catalog changed on disk") }
        #expect(screen.title.hasPrefix(" All books"))
        #expect(screen.title.contains("changed on disk"))
        // In very narrow windows too.
        for columns in [20, 10, 3, 1] { try terminal.resize(columns: columns, rows: 5) }
        try terminal.resize(columns: 50, rows: 15)
        try terminal.wait(for: "changed on disk")
    }

    @Test func aDeletedFileKeepsItsBooks() throws {
        let catalog = try sandbox.writeCatalog(books: 9)
        let terminal = try Tmux(in: sandbox, opening: catalog)
        try terminal.wait(forPosition: "1/9")
        #expect(unlink(catalog) == 0)
        try terminal.wait(for: "changed on disk")
        try terminal.type("R")
        try terminal.wait(for: "no such file")
        #expect(try terminal.screen.title.contains("9 books"))
    }

    @Test func itIsReloadedAutomaticallyOnRequest() throws {
        let catalog = try sandbox.writeCatalog(books: 9)
        let terminal = try Tmux(in: sandbox, running: [Programs.stacks, "--follow", catalog])
        try terminal.wait(forPosition: "1/9")
        try terminal.type("4j")
        _ = try sandbox.writeCatalog(books: 12)
        try terminal.wait(forPosition: "5/12")
        try replace(catalog, byBooks: 20)
        try terminal.wait(forPosition: "5/20")
    }

    @Test func noStaleBookIsShown() throws {
        let catalog = try sandbox.writeCatalog(books: 20_000)
        let terminal = try Tmux(in: sandbox, opening: catalog)
        try terminal.wait(forPosition: "1/20,000")
        // Truncate the file: books that have not been on the screen are gone.
        #expect(truncate(catalog, 1000) == 0)
        try terminal.type("G")
        let screen = try terminal.wait(forPosition: "20,000/20,000")
        #expect(screen.selection.contains("No longer there: the catalog changed on"))
        // Then fill the file with other books of the same length.
        let text = sandbox.text(of: try sandbox.writeCatalog(books: 20_000, to: "other.json"))
        let file = try FileHandle(forWritingTo: URL(filePath: catalog))
        try file.write(contentsOf: Data(text.replacing("Book ", with: "Tome ").utf8))
        try file.close()
        try terminal.type("10000G")
        try terminal.wait(forPosition: "10,000/20,000")
        #expect(try !terminal.screen.shows("Tome"))
        #expect(try terminal.screen.shows("No longer there"))
        try terminal.type("t")
        try terminal.wait(forPosition: "10,000/20,000")
        #expect(sandbox.text(of: sandbox.historyPath).isEmpty)
        try terminal.type("R")
        try terminal.wait(for: "Tome 10000")
    }
}
