import Foundation
import Testing

/// `stacks stats`.
@Suite("stacks stats") struct StatisticsCommandTests {
    let sandbox: Sandbox

    init() throws {
        sandbox = try Sandbox()
    }

    private func stats(_ arguments: String...) throws -> Sandbox.Result {
        try sandbox.run([Programs.stacks, "stats"] + arguments)
    }

    private func object(_ arguments: String...) throws -> NSDictionary {
        let result = try sandbox.run([Programs.stacks, "stats"] + arguments + ["--format", "json"])
        #expect(result.ending == .exit(0), "\(result.error)")
        return try #require(try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? NSDictionary)
    }

    private func novels() throws -> String { try sandbox.write(Novels.catalog, to: "novels.json") }

    @Test func chartsArePrinted() throws {
        let result = try stats(novels())
        #expect(result.ending == .exit(0))
        let lines = result.output.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.prefix(2) == ["novels.json", "7 books, 4 authors, 4 subjects, 2 series"])
        #expect(result.output.contains("\n1950s             3   43 %  ███"))
        #expect(result.output.contains("\nIsaac Asimov      2   29 %  ███"))
        #expect(result.output.contains("\nRead              2   29 %  ███"))
        #expect(result.output.hasSuffix("\nNo data for: language.\n"))
        #expect(lines.allSatisfy { $0.count <= 80 })
        #expect(!result.output.contains("\u{1B}"))
    }

    @Test func jsonHasItsFormat() throws {
        let found = try object(novels())
        #expect(
            Set(found.allKeys.compactMap { $0 as? String }) == [
                "catalog", "list", "query", "books", "notInCatalog", "years", "pages", "authors", "subjects",
                "languages", "series", "fiction", "status", "favourites", "ratings", "added", "fields", "own",
                "reading",
            ])
        #expect(found["catalog"] as? String == "novels.json")
        #expect(found["books"] as? Int == 7)
        #expect(found["list"] is NSNull && found["query"] is NSNull)
        var years = try #require(found["years"] as? [String: Any])
        let decades = try #require(years.removeValue(forKey: "decades") as? [NSDictionary])
        #expect(
            years as NSDictionary == [
                "known": 7, "least": 1815, "lowerQuartile": 1817, "median": 1951, "upperQuartile": 1954,
                "greatest": 1980,
            ])
        #expect(
            decades.first == ["name": "1810s", "from": 1810, "to": 1819, "count": 2])
        let bins = try #require((found["pages"] as? NSDictionary)?["bins"] as? [NSDictionary])
        #expect(bins.count == 11)
        #expect(bins[2] == ["from": 200, "to": 299, "count": 3])
        #expect(bins[10] == ["from": 1000, "to": NSNull(), "count": 0])
        #expect(
            found["series"] as? NSDictionary == [
                "known": 4, "distinct": 2,
                "top": [["name": "Foundation", "count": 2], ["name": "Middle-earth", "count": 2]],
            ])
        #expect(found["languages"] as? NSDictionary == ["known": 0, "distinct": 0, "top": [] as [Any]])
        #expect(found["fiction"] as? NSDictionary == ["fiction": 6, "nonFiction": 1, "unknown": 0])
        #expect(
            found["status"] as? NSDictionary == ["to-read": 1, "reading": 1, "read": 2, "abandoned": 0, "none": 3])
        #expect(found["ratings"] as? NSDictionary == ["known": 7, "mean": 4.43, "stars": [0, 0, 0, 0, 4, 3]])
        let fields = try #require(found["fields"] as? NSDictionary)
        #expect(fields.count == 14)
        #expect(fields["series"] as? NSDictionary == ["count": 4, "share": 0.5714])
    }

    @Test func onlyTheBooksOfAListAndAQueryCount() throws {
        let catalog = try novels()
        #expect(try object(catalog, "--query", "author:austen")["books"] as? Int == 2)
        let file = try sandbox.write("978-0553293364\n978-0141439587\n978-0306406157\n", to: "isbns.txt")
        _ = try sandbox.run([Programs.stacks, "import", file, "--catalog", catalog, "--list", "Beach reads"])
        let shelf = try object(catalog, "--list", "beach reads")
        #expect(shelf["books"] as? Int == 2)
        #expect(shelf["notInCatalog"] as? Int == 1)
        #expect(try object(catalog, "--list", "Beach reads", "--query", "emma")["books"] as? Int == 1)
        #expect(
            try stats(catalog, "--list", "Beach reads").output
                .hasSuffix("1 book of this list is not in this catalog, and not counted.\n"))
        #expect(try stats(catalog, "--list", "Beach").ending == .exit(64))
        #expect(try stats(catalog, "--query", "pages:x").ending == .exit(64))
        let none = try stats(catalog, "--query", "xyzzy")
        #expect(none.ending == .exit(1))
        #expect(none.output == "novels.json / xyzzy\nThis list is empty.\n")
        #expect(none.error == "stacks: no match for xyzzy in \(catalog).\n")
    }

    @Test func standardInputAndProfilesAreRead() throws {
        let catalog = try novels()
        let piped = try sandbox.run([
            "/bin/sh", "-c", "'\(Programs.stacks)' stats - --profile native < '\(catalog)'",
        ])
        #expect(piped.ending == .exit(0))
        #expect(piped.output.contains("7 books, 4 authors"))
        #expect(try stats(catalog, "--profile", "nosuch").ending == .exit(64))
    }

    @Test func aCatalogWithoutBooksOrYearsIsReported() throws {
        let empty = try stats(sandbox.write("[]", to: "empty.json"))
        #expect(empty.ending == .exit(0))
        #expect(empty.output == "empty.json\nThis list is empty.\n")
        let plain = try stats(sandbox.write(#"[{"title": "A"}]"#, to: "plain.json"))
        #expect(plain.ending == .exit(0))
        #expect(!plain.output.contains("Decades"))
        #expect(plain.output.contains("No data for: year, pages, author,"))
    }

    @Test func aTerminalHasItsWidthAndColours() throws {
        func output(columns: Int, changing changes: [String: String?] = [:]) throws -> String {
            let terminal = try PseudoTerminal(
                columns: columns, running: [Programs.stacks, "stats", novels()],
                environment: sandbox.environment(changing: ["TERM": "xterm-256color"].merging(changes) { $1 }))
            #expect(try terminal.waitForEnd() == .exit(0))
            return String(decoding: terminal.output, as: UTF8.self)
        }
        let narrow = try output(columns: 40, changing: ["NO_COLOR": "1"])
        #expect(!narrow.contains("\u{1B}"))
        #expect(narrow.split(separator: "\r\n").allSatisfy { $0.count <= 40 })
        #expect(narrow.contains("\r\nIsaac Asimov      2   29 %  ███"))
        let coloured = try output(columns: 120)
        #expect(coloured.contains("\u{1B}[1mnovels.json\u{1B}[0m"))
        #expect(coloured.contains("\u{1B}[36m█"))
        #expect(try !output(columns: 80, changing: ["TERM": "dumb"]).contains("\u{1B}"))
    }

    @Test func thePictureIsAStandaloneSVG() throws {
        let books =
            #"[{"title": "A", "authors": ["<b>\"Böll\" & 雪\u0007\u001b[31m\ufffe</b>"]}, {"title": "B", "authors": ["<b>\"Böll\" & 雪\u0007\u001b[31m\ufffe</b>"], "published": 1990}]"#
        let catalog = try sandbox.write(books, to: "a & <b>.json")
        let picture = sandbox.path + "/picture.svg"
        let result = try stats(catalog, "--svg", picture)
        #expect(result.ending == .exit(0))
        #expect(result.output == "" && result.error == "")
        let reader =
            "import sys, xml.etree.ElementTree as e; r = e.parse(sys.argv[1]).getroot(); "
            + "print(r.tag, ''.join(r.itertext()))"
        let parsed = try sandbox.run(["/usr/bin/python3", "-c", reader, picture])
        #expect(parsed.ending == .exit(0), "\(parsed.error)")
        #expect(parsed.output.hasPrefix("{http://www.w3.org/2000/svg}svg"))
        #expect(parsed.output.contains("Statistics of a & <b>.json"))
        #expect(parsed.output.contains("<b>\"Böll\" & 雪"))
        let text = sandbox.text(of: picture)
        #expect(text.contains("prefers-color-scheme: dark"))
        #expect(!text.contains("http://") || !text.contains("href"))
        #expect(text.unicodeScalars.allSatisfy { $0.value >= 0x20 || $0 == "\n" })
        #expect(try stats(catalog, "--svg", "-").output == text)
        // No other file is left beside it, and both outputs can be requested at once.
        let both = try stats(catalog, "--svg", picture, "--format", "json")
        #expect(both.output.hasPrefix("{\n\"catalog\":\"a & <b>.json\""))
        let names = try FileManager.default.contentsOfDirectory(atPath: sandbox.path)
        #expect(names.filter { $0.hasPrefix("picture") } == ["picture.svg"])
    }

    @Test func eachErrorHasItsExitStatus() throws {
        let catalog = try novels()
        #expect(try stats(sandbox.path + "/missing.json").ending == .exit(66))
        #expect(try stats("a", "b").ending == .exit(64))
        #expect(try stats(catalog, "--svg", "-", "--format", "json").ending == .exit(64))
        let itself = try stats(catalog, "--svg", catalog)
        #expect(itself.ending == .exit(64))
        #expect(sandbox.text(of: catalog) == Novels.catalog)
        let nowhere = try stats(catalog, "--svg", sandbox.path + "/no/such/picture.svg")
        #expect(nowhere.ending == .exit(74))
        #expect(nowhere.error.hasSuffix("no such file or directory. Name another file.\n"))
        #expect(try stats(catalog, "--svg", "/dev/full").ending == .exit(74))
        let cut = try sandbox.write(#"[{"title": "A"}, {"ti"#, to: "cut.json")
        #expect(try stats(cut).ending == .exit(65))
        #expect(try stats(cut).output.contains("\n1 book\n"))
        let full = try sandbox.run(["/bin/sh", "-c", "'\(Programs.stacks)' stats '\(catalog)' > /dev/full"])
        #expect(full.ending == .exit(74))
        let closed = try sandbox.run([
            "/bin/bash", "-c", "'\(Programs.stacks)' stats '\(catalog)' | true; exit ${PIPESTATUS[0]}",
        ])
        #expect(closed.ending == .exit(0))
    }
}
