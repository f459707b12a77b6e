import Foundation
import Testing

/// `stacks export`, and what other programs make of it.
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

    /// What a Python script prints of a file.
    private func python(_ script: String, _ file: String) throws -> String {
        let path = try sandbox.write(script, to: "script.py")
        let result = try sandbox.run(["/usr/bin/python3", path, file])
        #expect(result.ending == .exit(0), "\(result.error)")
        return result.output
    }

    private func count(_ source: String) throws -> Int {
        try export(source, "--format", "jsonl").output.split(separator: "\n").count
    }

    @Test func pythonReadsTheTableAsItIs() throws {
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
            #expect(TerminalStream(Array(text.utf8)).faults == [])
            let file = try sandbox.write(text, to: "books.bib")
            let checked = try sandbox.run(["/usr/bin/bibtool", "-d", "-o", sandbox.path + "/out.bib", file])
            #expect(checked.ending == .exit(0))
            // It says on standard error which entries have something wrong with them.
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

    /// The rules of csl-data.json, the schema of CSL 1.0.2: which fields there are, and of what kind.
    @Test func cslIsAsItsSchemaHasIt() throws {
        for source in try sources {
            let text = try export(source, "--format", "csl").output
            #expect(TerminalStream(Array(text.utf8)).faults == [])
            let items = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [[String: Any]])
            #expect(try items.count == count(source))
            #expect(Set(items.compactMap { $0["id"] as? String }).count == items.count)
            let texts: Set = [
                "id", "type", "title", "publisher", "ISBN", "DOI", "language", "collection-title", "collection-number",
                "keyword", "abstract",
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

    @Test func aListAQueryAndAnOrderSayWhichBooks() throws {
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
        #expect(unknown.error.contains("there is no list called \"Nowhere\u{FFFD}\", but \"All books\""))
        let empty = try export(catalog, "--list", "Abandoned")
        #expect(empty.ending == .exit(0))
        #expect(empty.output == "[]\n")
    }

    @Test func marksOnOtherBooksComeLast() throws {
        let catalog = try sandbox.write(Novels.catalog, to: "novels.json")
        _ = try sandbox.run([Programs.stacks, "favourites", "add", "9780553293364", "--catalog", catalog])
        let other = try sandbox.writeCatalog(books: 2)
        let result = try export(other, "--list", "Favourites", "--format", "bibtex")
        #expect(result.output.hasPrefix("@book{asimov-9780553293364,\n  author = {Asimov, Isaac},\n"))
    }

    @Test(arguments: ["json", "jsonl", "csv", "bibtex", "csl"])
    func lostOutputIsAnErrorAndAClosedPipeIsNone(format: String) throws {
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

    @Test func whatIsWrongHasItsCode() throws {
        #expect(try export("/missing.json").ending == .exit(66))
        #expect(try export("--format", "table").ending == .exit(64))
        #expect(try export(Programs.bundledCatalog, "--sort", "colour").ending == .exit(64))
        #expect(try export(Programs.bundledCatalog, "--query", "status:foo").ending == .exit(64))
    }
}
