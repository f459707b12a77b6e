import Foundation
import Testing

/// `stacks export`, and how other programs read the result.
@Suite("stacks export") struct ExportCommandTests {
    let sandbox: Sandbox

    init() throws {
        sandbox = try Sandbox()
    }

    private func export(_ arguments: String...) throws -> Sandbox.Result {
        try sandbox.run([Programs.stacks, "export"] + arguments)
    }

    private var sources: [String] {
        get throws {
            [
                Programs.bundledCatalog, try sandbox.write(Scripts.catalog, to: "scripts.json"),
                try sandbox.write(Novels.catalog, to: "novels.json"),
                try sandbox.write(
                    #"""
                    [{"title": "}{\\ 100 % & $x_^~#\"@article{x,\u001b[31m", "authors": ["O'Neil {and} and", "A, B, C, D", "van"],
                      "publisher": "a\\", "description": "one,\ntwo \"three\"", "published": "-0750"},
                     {"title": ""}, {"title": ""}, {"title": "=1+1", "authors": [", ,", "Müller, Jr., Jörg"]}]
                    """#, to: "hostile.json"),
            ]
        }
    }

    /// Returns the output of a Python script for a file.
    private func python(_ script: String, _ file: String) throws -> String {
        let path = try sandbox.write(script, to: "script.py")
        let result = try sandbox.run(["/usr/bin/python3", path, file])
        #expect(result.ending == .exit(0), "\(result.error)")
        return result.output
    }

    private func count(_ source: String) throws -> Int {
        try export(source, "--format", "jsonl").output.split(separator: "\n").count
    }

    @Test func pythonReadsTheTable() throws {
        for source in try sources {
            let table = try sandbox.write(try export(source, "--format", "csv").output, to: "books.csv")
            let read = try python(
                """
                import csv, json, sys
                print(json.dumps([row['title'] for row in csv.DictReader(open(sys.argv[1], newline='', encoding='utf-8'), strict=True)]))
                """, table)
            let titles = try #require(try JSONSerialization.jsonObject(with: Data(read.utf8)) as? [String])
            let printed = try export(source).output
            let books = try #require(try JSONSerialization.jsonObject(with: Data(printed.utf8)) as? [NSDictionary])
            #expect(titles.count == books.count)
            if source == Programs.bundledCatalog { #expect(titles == books.map { $0["title"] as? String ?? "" }) }
        }
    }

    @Test func bibTeXIsReadByOtherPrograms() throws {
        for source in try sources {
            let text = try export(source, "--format", "bibtex").output
            #expect(TerminalStream(Array(text.utf8)).defects == [])
            let file = try sandbox.write(text, to: "books.bib")
            let checked = try sandbox.run(["/usr/bin/bibtool", "-d", "-o", sandbox.path + "/out.bib", file])
            #expect(checked.ending == .exit(0))
            // biber reports faulty entries on standard error.
            #expect(!checked.error.contains("***"), "\(checked.error)")
            let read = try python(
                """
                import sys, bibtexparser
                entries = bibtexparser.load(open(sys.argv[1], encoding='utf-8')).entries
                print(len(entries), len({entry['ID'].lower() for entry in entries}))
                """, file)
            let count = try count(source)
            #expect(read == "\(count) \(count)\n")
        }
    }

    /// The fields and types in csl-data.json, the schema of CSL 1.0.2.
    @Test func cslFollowsItsSchema() throws {
        for source in try sources {
            let text = try export(source, "--format", "csl").output
            #expect(TerminalStream(Array(text.utf8)).defects == [])
            let items = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [[String: Any]])
            #expect(try items.count == count(source))
            #expect(Set(items.compactMap { $0["id"] as? String }).count == items.count)
            let texts: Set = [
                "id", "type", "title", "publisher", "ISBN", "DOI", "language", "collection-title", "collection-number",
                "keyword", "abstract", "note",
            ]
            let names: Set = [
                "author", "editor", "translator", "illustrator", "composer", "compiler", "collection-editor",
                "director",
                "interviewer", "performer", "producer", "curator", "contributor",
            ]
            for item in items {
                #expect(item["type"] as? String == "book")
                for (key, value) in item {
                    if texts.contains(key) {
                        #expect(value is String, "\(key)")
                    } else if names.contains(key) {
                        for name in try #require(value as? [[String: String]]) {
                            #expect(
                                Set(name.keys).isSubset(of: ["family", "given", "non-dropping-particle", "suffix"])
                                    || Set(name.keys) == ["literal"])
                        }
                    } else if key == "custom" {
                        #expect(value is [String: Any])
                    } else if key == "issued" {
                        let date = try #require(value as? [String: [[Int]]])
                        #expect(Array(date.keys) == ["date-parts"])
                        #expect(date["date-parts"]?.count == 1 && (1...3).contains(date["date-parts"]?[0].count ?? 0))
                    } else {
                        #expect(key == "number-of-pages" && value is Int, "\(key)")
                    }
                }
            }
        }
    }

    @Test func listQueryAndOrderSelectTheBooks() throws {
        let catalog = try sandbox.write(Novels.catalog, to: "novels.json")
        _ = try sandbox.run([
            Programs.stacks, "favourites", "add", "9780553293364", "9780141439587", "9780345331359", "--catalog",
            catalog,
        ])
        func titles(_ arguments: String...) throws -> [String] {
            let result = try sandbox.run([Programs.stacks, "export", catalog, "--format", "csv"] + arguments)
            #expect(result.ending == .exit(0))
            let lines = result.output.components(separatedBy: "\r\n").dropFirst().dropLast()
            return lines.map { $0.components(separatedBy: ",")[1] }
        }
        #expect(try titles() == Novels.titles)
        #expect(try titles("--list", "favourites") == ["Second Foundation", "Emma", "Cosmos"])
        #expect(try titles("--list", "Favourites", "--query", "-emma") == ["Second Foundation", "Cosmos"])
        #expect(try titles("--list", "Favourites", "--sort", "title") == ["Cosmos", "Emma", "Second Foundation"])
        #expect(try titles("--query", "asimov", "--sort", "-year") == ["Second Foundation", "Foundation"])
        let missed = try export(catalog, "--query", "zebra")
        #expect(missed.ending == .exit(1))
        #expect(missed.output == "[]\n")
        let unknown = try export(catalog, "--list", "Nowhere\u{1B}")
        #expect(unknown.ending == .exit(64))
        #expect(unknown.error.contains("no list named “Nowhere\u{FFFD}”. Lists: All books"))
        let empty = try export(catalog, "--list", "Abandoned")
        #expect(empty.ending == .exit(0))
        #expect(empty.output == "[]\n")
    }

    @Test("What no field reads is exported as it is spelled, and records whole", arguments: ["jsonl", "records"])
    func spellings(format: String) throws {
        let own = #""x":"\ud83d","y":"caf\u00e9 \/","n":1.50e3,"z":[{"a":"\t"},0.10]"#
        let record = #"{"title":"\u0041","authors":["B"],\#(own)}"#
        let catalog = try sandbox.write("[ \(record.replacing(",", with: ", ")) ]", to: "spelled.json")
        let output = try export(catalog, "--format", format).output
        #expect(output.contains(format == "records" ? record : own), "\(output)")
        #expect(output.contains(#""title":"A""#) == (format == "jsonl"))
    }

    @Test func userDataOfMissingBooksComesLast() throws {
        let catalog = try sandbox.write(Novels.catalog, to: "novels.json")
        _ = try sandbox.run([Programs.stacks, "favourites", "add", "9780553293364", "--catalog", catalog])
        let other = try sandbox.writeCatalog(books: 2)
        let result = try export(other, "--list", "Favourites", "--format", "bibtex")
        #expect(result.output.hasPrefix("@book{asimov-9780553293364,\n  author = {Asimov, Isaac},\n"))
    }

    // MARK: Formulas

    @Test(arguments: ["csv", "calibre"]) func aTableWithGuardedFormulasOpensAsTheSameBooks(format: String) throws {
        let titles = ["=cmd|'/C calc'!A0", "+1", "-1", "@x", "'=1", "''@", "'Tis", "\"=1\""]
        let json = titles.map { title in
            #"{"title": "\#(title.replacing("\"", with: "\\\""))", "authors": ["-A"], "series": "=S", "seriesPosition": -1}"#
        }
        let catalog = try sandbox.write("[" + json.joined(separator: ",\n") + "]", to: "formulas.json")
        for options in [["--safe-csv"], []] {
            let made = try sandbox.run([Programs.stacks, "export", catalog, "--format", format] + options)
            #expect(made.ending == .exit(0))
            #expect(made.output.contains(options.isEmpty ? ",=cmd|" : ",'=cmd|"))
            #expect(made.output.contains("'=S") != options.isEmpty)
            if format == "calibre" { #expect(made.output.contains(options.isEmpty ? ",-1," : ",'-1,")) }
            let table = try sandbox.write(made.output, to: "\(format)\(options.count).csv")
            let result = try sandbox.run([Programs.stacks, "export", table, "--format", "jsonl"])
            let books = try result.output.split(separator: "\n").map { line in
                try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
            }
            #expect(books.map { $0["title"] as? String } == titles)
            #expect(books.allSatisfy { $0["series"] as? String == "=S" && $0["authors"] as? [String] == ["-A"] })
            if format == "calibre" { #expect(books.allSatisfy { $0["seriesPosition"] as? Double == -1 }) }
        }
    }

    @Test func onlyATableHasFormulas() throws {
        let catalog = try sandbox.write(Novels.catalog, to: "novels.json")
        for command in [["export", catalog], ["search", "", catalog], ["favourites"], ["log", catalog]] {
            let result = try sandbox.run([Programs.stacks] + command + ["--safe-csv"])
            #expect(result.ending == .exit(64))
            #expect(result.error.contains("--safe-csv needs a CSV table. Add --format csv"))
        }
    }

    // MARK: User data

    /// Exported user data of three books, two of which are in the catalog.
    private static let userData = #"""
        [{"id": "isbn:9780553293364", "title": "Second Foundation", "authors": ["Isaac Asimov"], "isbn": "9780553293364",
          "userData": {"favourite": true, "shelves": ["sci-fi", "trilogies, all"], "status": "read",
            "statusDates": {"to-read": "2024-12-24", "reading": "2025-01-02", "read": "2025-01-15"}, "rating": 4,
            "note": "Lent to \"Bob\",\n\nwants <it> back"}},
         {"id": "isbn:9780141439587", "title": "Emma", "authors": ["Jane Austen"], "isbn": "9780141439587",
          "userData": {"status": "abandoned", "statusDates": {"abandoned": "2023-04-05"}}},
         {"id": "hash:0123456789abcdef", "title": "Elsewhere", "authors": ["Nobody"],
          "userData": {"status": "to-read", "rating": 1}}]
        """#

    private func userData(in json: String) throws -> [String: NSDictionary] {
        let books = try #require(try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [[String: Any]])
        return Dictionary(
            uniqueKeysWithValues: books.compactMap { book in
                (book["userData"] as? NSDictionary).map { (book["id"] as? String ?? "", $0) }
            })
    }

    @Test(arguments: ["json", "jsonl", "csv", "goodreads", "storygraph"])
    func anotherMachineHasTheSameUserDataAfterAnImport(format: String) throws {
        let catalog = try sandbox.write(Novels.catalog, to: "novels.json")
        func stacks(_ arguments: String..., on machine: String) throws -> String {
            let result = try sandbox.run(
                [Programs.stacks] + arguments,
                changing: ["HOME": "\(sandbox.path)/\(machine)", "XDG_DATA_HOME": nil, "XDG_STATE_HOME": nil])
            #expect(result.ending == .exit(0), "\(result.error)")
            let isSilent = result.error.isEmpty || result.error.hasPrefix("stacks: Left out of ")
            #expect(isSilent, "\(result.error)")
            return result.output
        }
        let given = try userData(in: Self.userData)
        _ = try stacks(
            "import", try sandbox.write(Self.userData, to: "given.json"), "--catalog", catalog, on: "first")
        let ofCatalog = given.filter { $0.key != "hash:0123456789abcdef" }
        #expect(try userData(in: stacks("export", catalog, on: "first")) == ofCatalog)
        let file = try sandbox.write(try stacks("export", catalog, "--format", format, on: "first"), to: "moved")
        let report = try stacks("import", file, "--catalog", catalog, on: "second")
        #expect(report.contains("2 in \(catalog).\n"), "\(report)")
        #expect(try userData(in: stacks("export", catalog, on: "second")) == ofCatalog)
        // The tables for Goodreads and StoryGraph contain the books of a user, not of a catalog.
        let toRead = try stacks("export", catalog, "--list", "To read", on: "second")
        #expect(
            try userData(in: toRead)
                == (["goodreads", "storygraph"].contains(format) ? given.filter { ofCatalog[$0.key] == nil } : [:]))
        #expect(try stacks("export", catalog, "--format", format, on: "second") == sandbox.text(of: file))
        let again = try stacks("import", file, "--catalog", catalog, "--replace", on: "second")
        #expect(again.contains("\nNothing to change.\n"))
    }

    @Test func userDataCanBeOmitted() throws {
        let catalog = try sandbox.write(Novels.catalog, to: "novels.json")
        let plain = try ["json", "csv", "bibtex", "csl"].map { try export(catalog, "--format", $0).output }
        _ = try sandbox.run([
            Programs.stacks, "import", try sandbox.write(Self.userData, to: "given.json"), "--catalog", catalog,
        ])
        for (format, plain) in zip(["json", "csv", "bibtex", "csl"], plain) {
            let with = try export(catalog, "--format", format).output
            for word in ["sci-fi", "Bob", "abandoned"] { #expect(with.contains(word), "\(format) has no \(word)") }
            let without = try export(catalog, "--format", format, "--without-user-data").output
            for word in ["sci-fi", "Bob", "2023-04-05"] { #expect(!without.contains(word), "\(format) has \(word)") }
            // The table has columns for user data even if they are empty, but not if user data is omitted.
            if format != "csv" { #expect(without == plain) }
        }
        let show = try [Programs.stacks, "show", "9780141439587", catalog, "--format", "json"]
        #expect(try userData(in: sandbox.run(show).output)["isbn:9780141439587"]?["status"] as? String == "abandoned")
        #expect(try userData(in: sandbox.run(show + ["--without-user-data"]).output).isEmpty)
        let search = try [Programs.stacks, "search", "emma", catalog, "--format", "json"]
        #expect(try userData(in: sandbox.run(search).output).count == 1)
        #expect(try userData(in: sandbox.run(search + ["--without-user-data"]).output).isEmpty)
        for format in ["goodreads", "storygraph"] {
            let refused = try export(catalog, "--format", format, "--without-user-data")
            #expect(refused.ending == .exit(64))
            #expect(refused.error.contains("--format \(format) writes only user data."))
        }
    }

    @Test(arguments: ["json", "jsonl", "csv", "bibtex", "csl", "goodreads", "storygraph"])
    func lostOutputIsAnErrorAndAClosedPipeIsNot(format: String) throws {
        let catalog = try sandbox.writeCatalog(books: 20_000)
        let full = try sandbox.run([
            "/bin/sh", "-c", "'\(Programs.stacks)' export '\(catalog)' --format \(format) > /dev/full",
        ])
        #expect(full.ending == .exit(74))
        #expect(full.error.contains("no space left on device"))
        let piped = try sandbox.run([
            "/bin/bash", "-c",
            "'\(Programs.stacks)' export '\(catalog)' --format \(format) | head -2 >/dev/null; exit ${PIPESTATUS[0]}",
        ])
        #expect(piped.ending == .exit(0))
        #expect(piped.error.isEmpty)
    }

    @Test func eachErrorHasItsExitStatus() throws {
        #expect(try export("/missing.json").ending == .exit(66))
        #expect(try export("--format", "table").ending == .exit(64))
        #expect(try export(Programs.bundledCatalog, "--sort", "colour").ending == .exit(64))
        #expect(try export(Programs.bundledCatalog, "--query", "status:foo").ending == .exit(64))
    }
}
