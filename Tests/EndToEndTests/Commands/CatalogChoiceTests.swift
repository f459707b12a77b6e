import Foundation
import Testing

/// The precedence of the catalogs that can be opened.
@Suite("Precedence of catalogs") struct ChoosingTheCatalog {
    let sandbox: Sandbox

    init() throws {
        sandbox = try Sandbox()
    }

    @Test func theBundledCatalogIsTheDefault() throws {
        let terminal = try Tmux(in: sandbox, opening: nil)
        #expect(try terminal.wait(forPosition: "1/11").title.hasSuffix("catalog.json · 11 books"))
    }

    @Test func theEnvironmentNamesTheCatalog() throws {
        let named = try sandbox.writeCatalog(books: 7, to: "named.json")
        let variable = try sandbox.writeCatalog(books: 5, to: "variable.json")
        let terminal = try Tmux(in: sandbox, opening: nil, changing: ["STACKS_CATALOG": variable])
        try terminal.wait(for: "variable.json · 5 books")
        // The command line takes precedence.
        try terminal.open(named, changing: ["STACKS_CATALOG": variable])
        try terminal.wait(for: "named.json · 7 books")
    }

    @Test func theLastCatalogIsOpenedAgain() throws {
        let catalog = try sandbox.writeCatalog(books: 7, to: "last one.json")
        let other = try sandbox.writeCatalog(books: 5, to: "other.json")
        let terminal = try Tmux(in: sandbox, opening: catalog)
        try terminal.wait(forPosition: "1/7")
        try terminal.type("3jq")
        #expect(try terminal.waitForEnd() == .exit(0))
        try terminal.open(nil)
        #expect(try terminal.wait(forPosition: "4/7").title.hasSuffix("last one.json · 7 books"))
        // The environment takes precedence over the config.
        try terminal.open(nil, changing: ["STACKS_CATALOG": other])
        try terminal.wait(for: "other.json · 5 books")
    }

    @Test("Standard input is read if no catalog is named", arguments: ["cat 'FILE' | 'STACKS'", "'STACKS' < 'FILE'"])
    func standardInput(command: String) throws {
        let catalog = try sandbox.writeCatalog(books: 7, to: "piped.json")
        let line = try command.replacing("FILE", with: catalog).replacing("STACKS", with: Programs.stacks)
        let terminal = try Tmux(in: sandbox, running: ["/bin/sh", "-c", line])
        try terminal.wait(forPosition: "1/7")
        try terminal.type("jq")
        #expect(try terminal.waitForEnd() == .exit(0))
        // $STACKS_CATALOG names one, and a device has none.
        let named = try sandbox.writeCatalog(books: 5, to: "variable.json")
        let variable = try sandbox.run(["/bin/sh", "-c", "STACKS_CATALOG='\(named)'; export STACKS_CATALOG; \(line)"])
        #expect(variable.output.split(separator: "\n").count == 5)
        let program = try Programs.stacks
        let device = try sandbox.run(["/bin/sh", "-c", "'\(program)' < /dev/null"])
        #expect(device.output.split(separator: "\n").count == 11)
    }

    @Test func aRelativePathIsRememberedFromTheRoot() throws {
        let catalog = try sandbox.writeCatalog(books: 7)
        let terminal = try Tmux(
            in: sandbox, running: ["/bin/sh", "-c", "cd '\(sandbox.path)' && exec '\(Programs.stacks)' catalog.json"])
        try terminal.wait(forPosition: "1/7")
        try terminal.type("jq")
        #expect(try terminal.waitForEnd() == .exit(0))
        try terminal.run(["/bin/sh", "-c", "cd / && exec '\(Programs.stacks)'"])
        try terminal.wait(forPosition: "2/7")
        #expect(try sandbox.place(in: catalog)["row"] as? Int == 1)
    }

    @Test func aMissingLastCatalogFallsBackToTheBundledOne() throws {
        let catalog = try sandbox.writeCatalog(books: 7, to: "gone.json")
        let terminal = try Tmux(in: sandbox, columns: 200, opening: catalog)
        try terminal.wait(forPosition: "1/7")
        try terminal.type("q")
        #expect(try terminal.waitForEnd() == .exit(0))
        try FileManager.default.removeItem(atPath: catalog)
        try terminal.open(nil)
        #expect(
            try terminal.wait(forPosition: "1/11").status.contains(
                "Showing the bundled catalog: \(catalog) no longer exists"))
    }

    @Test func positionsInTwoCatalogsAreSavedSeparately() throws {
        let first = try sandbox.writeCatalog(books: 7, to: "first.json")
        let second = try sandbox.writeCatalog(books: 5, to: "second.json")
        let terminal = try Tmux(in: sandbox, opening: first)
        for (catalog, keys, position) in [(first, "5j", "6/7"), (second, "2j", "3/5")] {
            try terminal.open(catalog)
            try terminal.wait(for: "books")
            try terminal.type(keys)
            try terminal.wait(forPosition: position)
            try terminal.type("q")
            #expect(try terminal.waitForEnd() == .exit(0))
        }
        for (catalog, position) in [(first, "6/7"), (second, "3/5")] {
            try terminal.open(catalog)
            try terminal.wait(forPosition: position)
        }
    }
}
