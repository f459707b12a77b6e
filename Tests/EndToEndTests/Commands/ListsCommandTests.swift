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
        #expect(
            result.output == "All books\t7\nFavourites\t0\nTo read\t1\nReading\t1\nRead\t2\nAbandoned\t0\nUp next\t1\n")
        let file = try sandbox.write("978-0553293364\n978-0306406157\n", to: "isbns.txt")
        _ = try sandbox.run([Programs.stacks, "import", file, "--catalog", catalog, "--list", "Beach reads"])
        // One of the two books is missing from the catalog.
        #expect(try lists(catalog).output.hasSuffix("Abandoned\t0\nUp next\t1\nBeach reads\t1\t1\n"))
        let json = try JSONSerialization.jsonObject(with: Data(lists(catalog, "--format", "json").output.utf8))
        let objects = try #require(json as? [NSDictionary])
        #expect(objects.first == ["id": "all", "name": "All books", "count": 7, "notInCatalog": 0])
        #expect(objects.last == ["id": "shelf:s1", "name": "Beach reads", "count": 1, "notInCatalog": 1])
    }

    /// According to the catalog two books are read, one of which the user has abandoned; the user has read another one,
    /// and one that is not in the catalog.
    @Test func listsSearchesAndStatisticsCountTheSameBooks() throws {
        let catalog = try sandbox.write(Novels.catalog, to: "novels.json")
        for (status, isbns) in [("Read", "9780141439587\n9780306406157\n"), ("Abandoned", "9780553293357\n")] {
            let file = try sandbox.write(isbns, to: "isbns.txt")
            _ = try sandbox.run([Programs.stacks, "import", file, "--catalog", catalog, "--list", status])
        }
        #expect(try lists(catalog).output.contains("To read\t1\nReading\t1\nRead\t2\t1\nAbandoned\t1\n"))
        for (status, titles) in [("read", ["Second Foundation", "Emma"]), ("abandoned", ["Foundation"])] {
            let found = try sandbox.run([Programs.stacks, "search", "status:\(status)", catalog]).output
            #expect(found.split(separator: "\n").map { String($0.prefix { $0 != "\t" }) } == titles)
            let listed = try sandbox.run([
                Programs.stacks, "stats", catalog, "--list", status, "--format", "json",
            ]).output
            #expect(listed.contains("\n\"books\":\(titles.count),\n"), "\(listed)")
        }
        let statistics = try sandbox.run([Programs.stacks, "stats", catalog, "--format", "json"]).output
        let object = try JSONSerialization.jsonObject(with: Data(statistics.utf8))
        let counts = try #require((object as? [String: Any])?["status"] as? [String: Any])
        #expect(counts["read"] as? Int == 2 && counts["abandoned"] as? Int == 1)
    }

    @Test func onATerminalTheyAreATable() throws {
        let catalog = try sandbox.write(Novels.catalog, to: "novels.json")
        let terminal = try PseudoTerminal(
            columns: 40, running: [Programs.stacks, "lists", catalog], environment: sandbox.environment)
        #expect(try terminal.waitForEnd() == .exit(0))
        #expect(String(decoding: terminal.output, as: UTF8.self).hasPrefix("All books   7\r\nFavourites  0\r\n"))
    }

    @Test func eachErrorHasItsExitStatus() throws {
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
