import Foundation
import Glibc
import Testing

/// `stacks search`, and `--query` and `--sort` of the browser.
@Suite("stacks search") struct SearchCommandTests {
    let sandbox: Sandbox

    init() throws {
        sandbox = try Sandbox()
    }

    private func search(_ arguments: String..., changing changes: [String: String?] = [:]) throws -> Sandbox.Result {
        try sandbox.run([Programs.stacks, "search"] + arguments, changing: changes)
    }

    /// Returns the first columns of the output to a pipe.
    private func titles(_ arguments: String...) throws -> [String] {
        let result = try sandbox.run([Programs.stacks, "search"] + arguments)
        #expect(result.ending == .exit(0))
        #expect(result.error.isEmpty)
        return result.output.split(separator: "\n").map { String($0.split(separator: "\t").first ?? "") }
    }

    private func objects(_ text: String) throws -> [NSDictionary] {
        try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [NSDictionary])
    }

    /// Writes a catalog of a few books with more than the five basic fields.
    private func writeShelf() throws -> String {
        try sandbox.write(
            #"""
            [{"title": "Emma", "authors": ["Jane Austen"], "published": "1815-12", "pageCount": 474, "fiction": true,
              "subjects": ["Courtship", "England"]},
             {"id": "b2", "title": "Jane Eyre", "authors": ["Charlotte Brontë"], "isbn": "978-0141441146", "year": 1847},
             {"title": "The Heart of Emmaus", "authors": ["Ann Other"], "language": "en", "rating": 4.5},
             {"title": "Wuthering Heights", "authors": ["Emily Brontë", "Ed. Itor"], "publisher": "Penguin, \"Classics\""},
             {"title": "Dilemma", "authors": ["Jane Austen"]}, {"title": "Emma", "authors": ["Jane Austen"]}]
            """#, to: "shelf.json")
    }

    // MARK: - Matches

    @Test func matchesAreSortedByRankThenByCatalogOrder() throws {
        let catalog = try writeShelf()
        // First titles with a match at the beginning of a word, then authors, then matches within words.
        #expect(try titles("em", catalog) == ["Emma", "The Heart of Emmaus", "Emma", "Wuthering Heights", "Dilemma"])
        #expect(try titles("bronte", catalog) == ["Jane Eyre", "Wuthering Heights"])
        #expect(try titles("jane -title:jane pages:>400", catalog) == ["Emma"])
        #expect(try titles("-jane", catalog) == ["The Heart of Emmaus", "Wuthering Heights"])
        #expect(try titles("/^em+a$/", catalog) == ["Emma", "Emma"])
    }

    @Test func aBookIsALineWithTitleTabAndAuthors() throws {
        let result = try search("wuthering", try writeShelf())
        #expect(result.output == "Wuthering Heights\tEmily Brontë, Ed. Itor\n")
    }

    @Test func anEmptyQueryFindsAll() throws {
        let catalog = try sandbox.writeCatalog(books: 3)
        #expect(try titles("", catalog) == ["Book 001", "Book 002", "Book 003"])
        #expect(try titles("  ", catalog).count == 3)
    }

    @Test func titlesInManyScriptsAreFoundAndSanitized() throws {
        let catalog = try sandbox.write(Scripts.catalog, to: "scripts.json")
        for (query, title) in [
            ("紅樓", "紅樓夢"), ("채식", "채식주의자"), ("война", "Война и мир"), ("οδυσσεια", "Οδύσσεια"),
            ("title:viet", "Việt Nam sử lược"), ("ノルウェイ", "ノルウェイの森"),
        ] {
            #expect(try titles(query, catalog).first == title, "\(query)")
        }
        for format in ["table", "json", "jsonl", "csv"] {
            let result = try search("", catalog, "--format", format)
            #expect(result.ending == .exit(0))
            // Title and authors are separated by a tab.
            let output = result.output.replacing("\t", with: " ")
            #expect(TerminalStream(Array(output.utf8)).defects == [], "\(format)")
        }
    }

    private static let csvHeader =
        "id,title,authors,isbn,pages,year,publisher,language,series,subjects"
        + ",favourite,shelves,status,toReadDate,readingDate,readDate,abandonedDate,readings,rating,note"
        + ",published,subtitle,otherTitle,sortTitle,fiction,seriesPosition,contributors,identifiers,description,cover,catalogRating"
        + ",catalogStatus,dateAdded,sourceID"

    @Test func theNumberOfBooksIsLimited() throws {
        let catalog = try sandbox.writeCatalog(books: 30)
        #expect(try titles("book", catalog, "--limit", "2") == ["Book 001", "Book 002"])
        #expect(try titles("book", catalog, "--limit=99").count == 30)
        for (format, output) in [
            ("table", ""), ("json", "[]\n"), ("jsonl", ""),
            ("csv", Self.csvHeader + "\r\n"),
        ] {
            let result = try search("book", catalog, "--limit", "0", "--format", format)
            // There are matches, although none was printed.
            #expect(result.ending == .exit(0))
            #expect(result.output == output)
            #expect(result.error.isEmpty)
        }
    }

    @Test func theOrderCanBeChosen() throws {
        let catalog = try sandbox.write(
            #"""
            [{"title": "The Zoo", "authors": ["Ann B"], "year": 1990}, {"title": "Émile", "authors": ["Zoe A"], "year": 1990},
             {"title": "Apple", "authors": ["Ann B"]}, {"title": "eagle", "authors": ["Bob C"], "year": 2001}]
            """#, to: "order.json")
        #expect(try titles("", catalog, "--sort", "title") == ["Apple", "eagle", "Émile", "The Zoo"])
        // Unknown values come last in either direction.
        #expect(try titles("", catalog, "--sort", "year,title") == ["Émile", "The Zoo", "eagle", "Apple"])
        #expect(try titles("", catalog, "--sort", "-year,-title") == ["eagle", "The Zoo", "Émile", "Apple"])
        // The sort order alone decides, whatever the rank of a match.
        #expect(try titles("o", catalog, "--sort=-title") == ["The Zoo", "Émile", "eagle"])
        #expect(try titles("o", catalog, "--sort", "author", "--limit", "1") == ["Émile"])
        #expect(try titles("", catalog, "--sort", "list").first == "The Zoo")
        let none = try sandbox.write("[]", to: "none.json")
        #expect(try search("", none, "--sort", "title").ending == .exit(0))
        let printed = try sandbox.run([Programs.stacks, catalog, "--sort", "-title", "--query", "year:1990"])
        #expect(printed.output == "The Zoo\tAnn B\nÉmile\tZoe A\n")
    }

    @Test func noMatchIsReportedWithExitStatus1() throws {
        let catalog = try writeShelf()
        for (format, output) in [("table", ""), ("json", "[]\n"), ("jsonl", "")] {
            let result = try search("zebra", catalog, "--format", format)
            #expect(result.ending == .exit(1))
            #expect(result.output == output)
            #expect(result.error == "stacks: no match for zebra in \(catalog).\n")
        }
        for (query, reason) in [
            ("emma persuaded", "No match for “persuaded”."), ("quixotic", ""),
            ("emma bronte", "emma: 4 books; none also contains “bronte”."),
            ("wutherign", "No match for “wutherign”. Did you mean wuthering (1)?"),
        ] {
            let result = try search(query, catalog)
            #expect(result.ending == .exit(1) && result.output == "")
            let second = reason.isEmpty ? "" : "stacks: \(reason)\n"
            #expect(result.error == "stacks: no match for \(query) in \(catalog).\n" + second)
        }
        // An empty catalog matches an empty query.
        let none = try sandbox.write("[]", to: "none.json")
        #expect(try search("", none).ending == .exit(0))
        #expect(try search("zebra", none).ending == .exit(1))
    }

    @Test func favouritesComeFromTheUserData() throws {
        let catalog = try writeShelf()
        #expect(try search("is:favourite", catalog).ending == .exit(1))
        let terminal = try Tmux(in: sandbox, opening: catalog)
        try terminal.wait(forPosition: "1/6")
        try terminal.type("jtGtq")
        #expect(try terminal.waitForEnd() == .exit(0))
        #expect(try titles("is:favourite", catalog) == ["Jane Eyre", "Emma"])
        #expect(try titles("-is:favourite em", catalog).first == "Emma")
        #expect(try objects(search("is:favourite", catalog, "--format", "json").output).count == 2)
    }

    // MARK: - Output formats

    @Test func jsonHasAllFieldsInNativeForm() throws {
        let result = try search("", try writeShelf(), "--format", "json")
        #expect(result.ending == .exit(0))
        let found = try objects(result.output)
        #expect(found.count == 6)
        let ids = found.map { $0["id"] as? String ?? "" }
        let hash = String(ids[0].dropFirst(5))
        #expect(ids[0].hasPrefix("hash:") && hash.count == 16)
        #expect(
            found[0] == [
                "id": "hash:\(hash)", "title": "Emma", "authors": ["Jane Austen"], "isbn": NSNull(), "pageCount": 474,
                "fiction": true, "published": "1815-12", "subjects": ["Courtship", "England"],
            ])
        #expect(
            found[1] == [
                "id": "isbn:9780141441146", "sourceID": "b2", "title": "Jane Eyre", "authors": ["Charlotte Brontë"],
                "isbn": "978-0141441146", "pageCount": NSNull(), "fiction": NSNull(), "published": "1847",
            ])
        #expect(found[2]["language"] as? [String] == ["en"])
        #expect(found[2]["rating"] as? Double == 4.5)
        #expect(found[3]["publisher"] as? String == "Penguin, \"Classics\"")
        // The second of two records with equal keys.
        #expect(ids[5] == "hash:\(hash)~2")
        #expect(Set(ids).count == 6)
        let lines = result.output.split(separator: "\n")
        #expect(lines.count == 8)
        #expect(lines.first == "[" && lines.last == "]")
    }

    @Test func jsonLinesAreTheSameObjects() throws {
        let catalog = try sandbox.write(Scripts.catalog, to: "scripts.json")
        let array = try objects(search("", catalog, "--format", "json").output)
        #expect(array.count == Scripts.count)
        let lines = try search("", catalog, "--format", "jsonl").output.split(separator: "\n")
        #expect(try lines.map { try JSONSerialization.jsonObject(with: Data($0.utf8)) as? NSDictionary } == array)
    }

    @Test func printedJSONIsACatalogWithTheSameBooks() throws {
        for source in [Programs.bundledCatalog, try sandbox.write(Scripts.catalog, to: "scripts.json")] {
            let printed = try search("", source, "--format", "json").output
            let catalog = try sandbox.write(printed, to: "printed.json")
            let again = try search("", catalog, "--format", "json").output
            func fields(_ text: String) throws -> [NSDictionary] {
                try objects(text).map { object in
                    let rest = object.mutableCopy() as? NSMutableDictionary
                    rest?.removeObject(forKey: "sourceID")
                    return rest ?? [:]
                }
            }
            #expect(try fields(again) == fields(printed))
        }
        // No native field is lost or invented.
        let original = try #require(
            try JSONSerialization.jsonObject(with: Data(contentsOf: URL(filePath: Programs.bundledCatalog)))
                as? [NSDictionary])
        let printed = try objects(search("", Programs.bundledCatalog, "--format", "json").output)
        for (one, other) in zip(original, printed) {
            for key in ["title", "authors", "isbn", "pageCount", "fiction"] {
                #expect((one[key] as? NSObject ?? NSNull()) == other[key] as? NSObject)
            }
        }
    }

    @Test func csvHasAHeaderAndQuotes() throws {
        let result = try search("wuthering | eyre", try writeShelf(), "--format", "csv")
        let lines = result.output.components(separatedBy: "\r\n")
        #expect(lines[0] == Self.csvHeader)
        #expect(
            lines[1]
                == "isbn:9780141441146,Jane Eyre,Charlotte Brontë,978-0141441146,,1847,,,,,,,,,,,,,,,1847,,,,,,,,,,,,,b2"
        )
        #expect(
            lines[2].hasSuffix(
                #",Wuthering Heights,Emily Brontë; Ed. Itor,,,,"Penguin, ""Classics""",,,,,,,,,,,,,,,,,,,,,,,,,,,"#))
        #expect(lines[3...] == [""])
    }

    @Test func onATerminalThereAreColumnsWithinItsWidth() throws {
        let catalog = try writeShelf()
        let terminal = try PseudoTerminal(
            columns: 60, running: [Programs.stacks, "search", "jane", catalog], environment: sandbox.environment)
        #expect(try terminal.waitForEnd() == .exit(0))
        #expect(
            String(decoding: terminal.output, as: UTF8.self).components(separatedBy: "\r\n") == [
                "Title      Author            Year  Pages", "Jane Eyre  Charlotte Brontë  1847",
                "Emma       Jane Austen       1815    474", "Dilemma    Jane Austen", "Emma       Jane Austen", "",
            ])
    }

    @Test func onATerminalNoLineIsLongerThanIt() throws {
        let catalog = try sandbox.write(Scripts.catalog, to: "scripts.json")
        for columns in [20, 41] {
            let command = "'\(try Programs.stacks)' search '' '\(catalog)'; echo end; sleep 60"
            let terminal = try Tmux(in: sandbox, columns: columns, rows: 80, running: ["/bin/sh", "-c", command])
            // A header, and one row per book without wrapping.
            let rows = try terminal.wait(for: "the end") { $0.rows.contains("end") }.rows.filter { !$0.isEmpty }
            #expect(rows.count == 1 + Scripts.count + 1)
        }
    }

    // MARK: - The catalog

    @Test func withoutACatalogTheDefaultOneIsSearched() throws {
        #expect(try titles("fight club") == ["Fight Club"])
        let catalog = try sandbox.writeCatalog(books: 3)
        let terminal = try Tmux(in: sandbox, opening: catalog)
        try terminal.wait(forPosition: "1/3")
        try terminal.type("q")
        #expect(try terminal.waitForEnd() == .exit(0))
        #expect(try titles("002") == ["Book 002"])
        let other = try writeShelf()
        #expect(try search("eyre", changing: ["STACKS_CATALOG": other]).output.hasPrefix("Jane Eyre\t"))
        #expect(sandbox.text(of: sandbox.preferencesPath).contains(catalog))
        unlink(catalog)
        let result = try search("fight club")
        #expect(result.output == "Fight Club\tChuck Palahniuk\n")
        #expect(result.error.contains("Showing the bundled catalog: \(catalog) no longer exists"))
    }

    @Test func standardInputIsSearchedToo() throws {
        let catalog = try writeShelf()
        let stacks = try Programs.stacks
        let command = "'\(stacks)' search eyre - < '\(catalog)'; cat '\(catalog)' | '\(stacks)' search -emma -"
        let result = try sandbox.run(["/bin/sh", "-c", command])
        #expect(result.ending == .exit(0))
        #expect(
            result.output.split(separator: "\n").map { $0.split(separator: "\t")[0] } == [
                "Jane Eyre", "Jane Eyre", "Wuthering Heights",
            ])
        let missed = try sandbox.run(["/bin/sh", "-c", "cat '\(catalog)' | '\(stacks)' search zebra -"])
        #expect(missed.error == "stacks: no match for zebra in standard input.\n")
    }

    @Test func aChosenProfileApplies() throws {
        let profile = try sandbox.write(#"{"name": "other", "fields": {"title": "t", "authors": "by"}}"#, to: "o.json")
        let catalog = try sandbox.write(#"[{"t": "A", "by": "B"}, {"t": "C"}]"#, to: "books.json")
        #expect(try titles("author:b", catalog, "--profile", profile) == ["A"])
    }

    @Test func theIndexOfALargeCatalogIsCachedAndUsed() throws {
        let catalog = try sandbox.writeCatalog(books: 50_000)
        #expect(try titles("title:\"book 49999\"", catalog) == ["Book 49999"])
        let directory = sandbox.path + "/cache/stacks/index"
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory).count == 1)
        // A cached index is used without reading the file again, so only the middle of it is read.
        #expect(try titles("pages:49998..49999", catalog) == ["Book 49998", "Book 49999"])
        let found = try objects(search("book 777", catalog, "--format", "json", "--limit", "3").output)
        #expect(found.count == 3)
    }

    @Test func problemsOfACatalogAreReportedAfterTheBooks() throws {
        let cut = try sandbox.write(#"[{"title": "Emma"}, {"title": "Emmaus"}, {"title": "Uly"#, to: "cut.json")
        let result = try search("emma", cut)
        #expect(result.ending == .exit(65))
        #expect(result.output == "Emma\t\nEmmaus\t\n")
        #expect(result.error.hasPrefix("stacks: \(cut): The file is cut off at "))
        // A catalog that is cut off takes precedence over an empty result.
        #expect(try search("zebra", cut).ending == .exit(65))
        let mixed = try sandbox.write(#"[{"title": "Emma"}, 7]"#, to: "mixed.json")
        let omission = try search("emma", mixed, "--format", "json")
        #expect(omission.ending == .exit(0))
        #expect(try objects(omission.output).count == 1)
        #expect(omission.error.contains("Skipped 1 item that is not a book"))
    }

    @Test func aReadErrorIsReported() throws {
        let catalog = try sandbox.writeCatalog(books: 200_000)
        // The first three calls are for the kind of the file and the first screen; the others are counted per thread,
        // and each thread makes more of them.
        let failing = [try Programs.strace, "-f", "-o", "/dev/null", "-e", "inject=pread64:error=EIO:when=4+"]
        let result = try sandbox.run(failing + [Programs.stacks, "search", "zebra", catalog])
        #expect(result.ending == .exit(74))
        #expect(result.error.contains("input/output error. Copy the file again"))
    }

    @Test func anInvalidCatalogHasItsExitStatus() throws {
        let missing = try search("a", sandbox.path + "/missing.json")
        #expect(missing.ending == .exit(66))
        #expect(missing.error.contains("no such file"))
        #expect(try search("a", sandbox.write("42", to: "42.json")).ending == .exit(65))
        let empty = try search("a", "")
        #expect(empty.ending == .exit(64))
        #expect(empty.error == "stacks: the catalog name is empty. Name a file, or leave it out.\n")
    }

    // MARK: - Usage errors and exit status

    @Test func aSyntaxErrorInTheQueryIsAUsageError() throws {
        for command in [["search", "jane status:foo"], ["--query", "jane status:foo"]] {
            let result = try sandbox.run([Programs.stacks] + command + [Programs.bundledCatalog])
            #expect(result.ending == .exit(64))
            #expect(result.output.isEmpty)
            #expect(
                result.error
                    == "stacks: query, character 13: status: needs to-read, reading, read, abandoned or none, not “foo”.\n"
            )
        }
    }

    @Test func anUnknownOrderIsAUsageError() throws {
        for command in [["search", "jane", "--sort", "colour"], ["--sort", "colour"]] {
            let result = try sandbox.run([Programs.stacks] + command + [Programs.bundledCatalog])
            #expect(result.ending == .exit(64))
            #expect(result.output.isEmpty)
            for key in ["title", "author", "year", "pages", "rating", "added", "list"] {
                #expect(result.error.contains(key))
            }
        }
    }

    @Test(arguments: [["--limit", "-1"], ["--limit", "x"], ["--format", "xml"], ["--nonsense"], ["one", "two"]])
    func anUnknownOptionIsAUsageError(options: [String]) throws {
        let result = try sandbox.run([Programs.stacks, "search", "a"] + options)
        #expect(result.ending == .exit(64))
        #expect(result.output.isEmpty)
        #expect(!result.error.isEmpty)
    }

    @Test func aClosedPipeOfSearchIsNotAnError() throws {
        let catalog = try sandbox.writeCatalog(books: 50_000)
        for format in ["table", "json", "csv"] {
            let result = try sandbox.run([
                "/bin/bash", "-c",
                "'\(Programs.stacks)' search '' '\(catalog)' --format \(format) | head -2 > '\(sandbox.path)/head'; "
                    + "exit ${PIPESTATUS[0]}",
            ])
            #expect(result.ending == .exit(0))
            #expect(result.error.isEmpty)
            #expect(sandbox.text(of: sandbox.path + "/head").split(whereSeparator: \.isNewline).count == 2)
        }
    }

    @Test func lostOutputIsAnError() throws {
        let result = try sandbox.run([
            "/bin/sh", "-c", "'\(Programs.stacks)' search fight '\(Programs.bundledCatalog)' > /dev/full",
        ])
        #expect(result.ending == .exit(74))
        #expect(result.error.contains("no space left on device"))
    }

    @Test func anInterruptEndsTheSearch() throws {
        let stacks = try Programs.stacks
        // A pipe without data.
        let terminal = try PseudoTerminal(
            running: ["/bin/sh", "-c", "sleep 60 | exec '\(stacks)' search a -"], environment: sandbox.environment)
        usleep(200_000)
        terminal.type("\u{3}")
        #expect(try terminal.waitForEnd() != .exit(0))
        #expect(terminal.originalModes.values == terminal.modes.values)
    }

    @Test func helpDescribesQueriesAndExitStatus() throws {
        let help = try search("--help")
        #expect(help.ending == .exit(0))
        for text in ["--format", "--limit", "--sort", "is:favourite", "1 if no book matches"] {
            #expect(help.output.replacing("\n", with: " ").replacing("  ", with: " ").contains(text), "\(text)")
        }
    }

    // MARK: - The browser

    @Test func thePrintedListIsThatOfTheQuery() throws {
        let catalog = try writeShelf()
        let result = try sandbox.run([Programs.stacks, catalog, "--query", "-jane"])
        #expect(result.ending == .exit(0))
        #expect(result.output == "The Heart of Emmaus\tAnn Other\nWuthering Heights\tEmily Brontë, Ed. Itor\n")
        #expect(try sandbox.run([Programs.stacks, "--query", "zebra", catalog]).ending == .exit(1))
        #expect(try sandbox.run([Programs.stacks, "--query", "", catalog]).output.split(separator: "\n").count == 6)
    }

    @Test func theBrowserOpensWithTheQueryAtTheSavedBook() throws {
        let catalog = try sandbox.writeCatalog(books: 200)
        let terminal = try Tmux(in: sandbox, opening: catalog)
        try terminal.wait(forPosition: "1/200")
        try terminal.type("104G")
        try terminal.wait(forPosition: "104/200")
        try terminal.type("q")
        #expect(try terminal.waitForEnd() == .exit(0))
        try terminal.run([Programs.stacks, catalog, "--query", "pages:101.."])
        let screen = try terminal.wait(forPosition: "4/100")
        #expect(screen.hasTitle(" All books (100)  ⟂ pages:101.."))
        #expect(screen.selection.contains("Book 104"))
        // If the current row is not among the matches, the first one is current, without a message.
        try terminal.run([Programs.stacks, catalog, "--query", "pages:<11"])
        let other = try terminal.wait(forPosition: "1/10")
        #expect(other.selection.contains("Book 001"))
        #expect(!other.shows("not in this list"))
        // The query is cleared like a typed one.
        try terminal.press("Escape")
        try terminal.wait(forPosition: "1/200")
    }

    @Test func theBrowserOpensInTheOrderAtTheSavedBook() throws {
        let catalog = try sandbox.writeCatalog(books: 200)
        let terminal = try Tmux(in: sandbox, opening: catalog)
        try terminal.wait(forPosition: "1/200")
        try terminal.type("50G")
        try terminal.wait(forPosition: "50/200")
        try terminal.type("q")
        #expect(try terminal.waitForEnd() == .exit(0))
        try terminal.run([Programs.stacks, catalog, "--sort", "-pages"])
        let screen = try terminal.wait(forPosition: "151/200")
        #expect(screen.selection.contains("Book 050"))
        #expect(screen.title.contains("pages ↓"))
    }

    @Test func theQueryOptionReplacesTheSavedQuery() throws {
        let catalog = try writeShelf()
        let terminal = try Tmux(in: sandbox, running: [Programs.stacks, "--query", "eyre", catalog])
        try terminal.wait(forPosition: "1/1")
        try terminal.type("q")
        #expect(try terminal.waitForEnd() == .exit(0))
        #expect(try sandbox.place(in: catalog)["query"] as? String == "eyre")
        try terminal.run([Programs.stacks, "--query", "bronte", catalog])
        #expect(try terminal.wait(forPosition: "1/2").selection.contains("Jane Eyre"))
        try terminal.run([Programs.stacks, "--no-resume", "--query", "", catalog])
        try terminal.wait(forPosition: "1/6")
    }
}
