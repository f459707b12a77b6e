import Foundation
import Testing

/// `stacks lists`.
@Suite("stacks lists") struct ListsCommandTests {
    let sandbox: Sandbox

    init() throws {
        sandbox = try Sandbox()
    }

    private func lists(_ arguments: String...) throws -> Sandbox.Result {
        try sandbox.run([Programs.stacks, "lists"] + arguments)
    }

    @Test func everyListHasItsCount() throws {
        let catalog = try sandbox.write(Novels.catalog, to: "novels.json")
        let result = try lists(catalog)
        #expect(result.ending == .exit(0))
        #expect(result.output == "All books\t7\nFavourites\t0\nTo read\t0\nReading\t0\nRead\t0\nAbandoned\t0\n")
        let file = try sandbox.write("978-0553293364\n978-0306406157\n", to: "isbns.txt")
        _ = try sandbox.run([Programs.stacks, "import", file, "--catalog", catalog, "--list", "Beach reads"])
        // One of the two is not in the catalog.
        #expect(try lists(catalog).output.hasSuffix("Abandoned\t0\nBeach reads\t2\n"))
        let json = try JSONSerialization.jsonObject(with: Data(lists(catalog, "--format", "json").output.utf8))
        let objects = try #require(json as? [NSDictionary])
        #expect(objects.first == ["id": "all", "name": "All books", "count": 7])
        #expect(objects.last == ["id": "shelf:s1", "name": "Beach reads", "count": 2])
    }

    @Test func onATerminalTheyAreATable() throws {
        let catalog = try sandbox.write(Novels.catalog, to: "novels.json")
        let terminal = try PseudoTerminal(
            columns: 40, running: [Programs.stacks, "lists", catalog], environment: sandbox.environment)
        #expect(try terminal.waitForEnd() == .exit(0))
        #expect(String(decoding: terminal.output, as: UTF8.self).hasPrefix("All books   7\r\nFavourites  0\r\n"))
    }

    @Test func whatIsWrongHasItsCode() throws {
        #expect(try lists(sandbox.path + "/missing.json").ending == .exit(66))
        #expect(try lists("a", "b").ending == .exit(64))
        let cut = try sandbox.write(#"[{"title": "A"}, {"ti"#, to: "cut.json")
        let result = try lists(cut)
        #expect(result.ending == .exit(65))
        #expect(result.output.hasPrefix("All books\t1\n"))
        let full = try sandbox.run(["/bin/sh", "-c", "'\(Programs.stacks)' lists '\(cut)' > /dev/full"])
        #expect(full.ending == .exit(74))
    }
}
