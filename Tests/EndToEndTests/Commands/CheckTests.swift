import Foundation
import Testing

/// `stacks check`.
@Suite("stacks check") struct Checking {
    let sandbox: Sandbox

    init() throws {
        sandbox = try Sandbox()
    }

    private func check(_ catalog: String, _ options: String...) throws -> Sandbox.Result {
        try sandbox.run([Programs.stacks, "check", catalog] + options)
    }

    private func report(of text: String, code: Int32, _ options: String...) throws -> NSDictionary {
        let catalog = try sandbox.write(text, to: "books.json")
        let result = try sandbox.run([Programs.stacks, "check", catalog, "--format", "json"] + options)
        #expect(result.ending == .exit(code))
        return try #require(try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? NSDictionary)
    }

    @Test func controlCharactersAreEscaped() throws {
        let catalog = try sandbox.write(#"[{"title": "A", "pageCount": "\u009b31m\u202e\u007f"}]"#, to: "books.json")
        let result = try sandbox.run([Programs.stacks, "check", catalog, "--format", "json"])
        #expect(result.output.contains(#"\u009b31m\u202e\u007f"#))
        #expect(!result.output.unicodeScalars.contains { $0.properties.generalCategory == .format || $0.value == 0x9B })
    }

    @Test func aCatalogWithoutFaults() throws {
        let catalog = try sandbox.writeCatalog(books: 2000)
        let result = try check(catalog)
        #expect(result.ending == .exit(0))
        #expect(result.error.isEmpty)
        let lines = result.output.split(separator: "\n")
        #expect(
            lines.prefix(3) == [
                "\(catalog): valid, 2,000 books", "Profile: native, Native (detected)",
                "Records: [*]",
            ])
        let bar = String(repeating: "█", count: 40)
        #expect(lines.contains("  Title                 2,000  100 %  \(bar)"))
        #expect(lines.contains("  ISBN                      0    0 %"))
        #expect(!result.output.contains("Faults"))
        #expect(!result.output.contains("Doubles"))
    }

    @Test func theReportInJSON() throws {
        let found = try report(of: "[]", code: 0)
        #expect(found["valid"] as? Bool == true)
        #expect(found["records"] as? Int == 0)
        #expect(found["skipped"] as? Int == 0)
        #expect(found["profile"] as? String == "native")
        #expect(found["profileDetected"] as? Bool == true)
        #expect(found["recordPaths"] as? [String] == ["[*]"])
        #expect(found["faults"] as? NSArray == [])
        #expect(found["faultCounts"] as? NSDictionary == [:])
        #expect(found["error"] == nil)
        let two = try report(of: #"[{"title": "A", "isbn": "9780441478125"}, {"title": "B", "pages": 7}]"#, code: 0)
        let fields = try #require(two["fields"] as? [String: NSDictionary])
        #expect(fields["title"] == ["count": 2, "share": 1])
        #expect(fields["isbn"] == ["count": 1, "share": 0.5])
        #expect(fields["pageCount"] == ["count": 1, "share": 0.5])
        #expect(fields["publisher"] == ["count": 0, "share": 0])
    }

    /// A read error in the middle must not look like the end of the catalog.
    @Test func aReadErrorIsReported() throws {
        let catalog = try sandbox.writeCatalog(books: 50_000)
        let failing = [try Programs.strace, "-f", "-o", "/dev/null", "-e", "inject=pread64:error=EIO:when=7+"]
        let result = try sandbox.run(failing + [Programs.stacks, "check", catalog])
        #expect(result.ending == .exit(74))
        let verdict = result.output.split(separator: "\n").first ?? ""
        #expect(verdict.contains(": not valid, "))
        #expect(verdict.hasSuffix(": input/output error. Copy the file again"))
    }

    @Test func anErrorHasItsPositionAndReason() throws {
        let found = try report(of: "[{\"title\": \"A\"},\n{\"title\": oops}]", code: 65)
        #expect(found["valid"] as? Bool == false)
        #expect(found["records"] as? Int == 1)
        #expect(
            found["faults"] as? NSArray == [
                [
                    "kind": "syntax error", "line": 2, "column": 11, "byteOffset": 27,
                    "message": "unexpected character",
                ]
            ])
        let result = try check(sandbox.path + "/books.json")
        #expect(result.ending == .exit(65))
        #expect(result.output.contains("not valid, 1 book"))
        #expect(result.output.contains("at line 2, column 11 (byte 27)"))
        #expect(result.output.contains("  syntax error: 1\n    line 2, column 11 (byte 27): unexpected character\n"))
    }

    @Test func aSkippedItemIsAProblemButValidJSON() throws {
        let found = try report(of: "[{\"title\": \"A\"}, 7, true]", code: 65)
        #expect(found["valid"] as? Bool == true)
        #expect(found["skipped"] as? Int == 2)
        #expect(found["faultCounts"] as? NSDictionary == ["not a book": 2])
        let problems = try #require(found["faults"] as? [NSDictionary])
        #expect(problems.map { $0["byteOffset"] as? Int } == [17, 20])
        #expect(problems.map { $0["kind"] as? String } == ["not a book", "not a book"])
    }

    @Test func aMalformedLineIsInvalid() throws {
        let found = try report(of: "{\"title\": \"A\"}\n{\"title\": oops}\n7\n{\"title\": \"B\"}\n", code: 65)
        #expect(found["valid"] as? Bool == false)
        #expect(found["records"] as? Int == 2)
        #expect(found["skipped"] as? Int == 2)
        #expect(found["recordPaths"] as? [String] == [])
        #expect(found["faultCounts"] as? NSDictionary == ["malformed line": 1, "not a book": 1])
        let problems = try #require(found["faults"] as? [NSDictionary])
        #expect(problems.map { $0["line"] as? Int } == [2, 3])
    }

    @Test func unreadableValuesAreListedAndTheCatalogIsValid() throws {
        let text = """
            [{"title": "A", "published": "soon", "languages": ["en", "enzz"]},
             {"authors": ["Nobody"]}]
            """
        let found = try report(of: text, code: 0)
        #expect(
            found["faultCounts"] as? NSDictionary == [
                "missing title": 1, "unreadable published": 1, "unreadable languages": 1,
            ])
        let problems = try #require(found["faults"] as? [NSDictionary])
        #expect(
            problems == [
                [
                    "kind": "missing title", "line": 2, "column": 2, "byteOffset": 68,
                    "message": "no title",
                ],
                [
                    "kind": "unreadable languages", "line": 1, "column": 58, "byteOffset": 57,
                    "message": "\"enzz\" is not a language",
                ],
                [
                    "kind": "unreadable published", "line": 1, "column": 30, "byteOffset": 29,
                    "message": "\"soon\" is not a date",
                ],
            ])
    }

    @Test func duplicatesAndInvalidISBNsAreReportedAsProblems() throws {
        let text = """
            [{"title": "A", "authors": ["X"], "isbn": "9780441478125"},
             {"title": "B", "isbn": "0441478123"}, {"title": "a", "authors": ["x"], "isbn": "123"}]
            """
        let found = try report(of: text, code: 0)
        let doubles = try #require(found["doubles"] as? [String: NSDictionary])
        let first = NSDictionary(dictionary: ["line": 1, "column": 2, "byteOffset": 1])
        #expect(
            doubles["isbn"] == [
                "groups": 1, "records": 2,
                "first": [
                    [
                        "value": "978-0441478125", "places": [first, ["line": 2, "column": 2, "byteOffset": 61]],
                        "ids": ["isbn:9780441478125", "isbn:9780441478125~2"],
                    ]
                ],
            ])
        #expect(
            doubles["titleAndAuthors"] == [
                "groups": 1, "records": 2,
                "first": [
                    ["value": "A, X", "places": [first, ["line": 2, "column": 40, "byteOffset": 99]], "ids": []]
                ],
            ])
        #expect(
            found["invalidISBNs"] as? NSDictionary == [
                "count": 1, "first": [["text": "123", "line": 2, "column": 81, "byteOffset": 140]],
            ])
        let text2 = try check(sandbox.path + "/books.json").output
        #expect(
            text2.contains("  same ISBN: 1 group, 2 books\n    978-0441478125: line 1 (byte 1), line 2 (byte 61)\n"))
        let review = ", other spellings apart. Review them with: stacks duplicates \(sandbox.path)/books.json\n"
        #expect(text2.contains(review))
        #expect(text2.contains("Invalid ISBNs: 1\n    \"123\" at line 2, column 81 (byte 140)\n"))
        #expect(
            found["cleaning"] as? NSDictionary == [
                "duplicateGroups": 2, "valueGroups": ["authors": 1],
                "tidyUp": [
                    "no-author": 1, "no-year": 3, "no-language": 3, "no-cover": 3, "invalid-isbn": 1, "no-position": 0,
                    "series-gap": 0,
                ],
            ])
    }

    @Test("Each command that it names shows as much as it says")
    func cleaning() throws {
        let catalog = try sandbox.write(
            """
            [{"title": "One", "authors": ["J. R. R. Tolkien"], "series": "S", "seriesPosition": 1, "isbn": "123"},
             {"title": "Two", "authors": ["JRR Tolkien"], "series": "S", "seriesPosition": 3},
             {"title": "Two", "authors": ["JRR Tolkien"], "series": "S", "seriesPosition": 3},
             {"title": "Three", "series": "S"}]
            """, to: "books.json")
        let lines = try check(catalog).output.split(separator: "\n").map(String.init)
        let start = try #require(lines.firstIndex(of: "Cleaning"))
        let commands = lines[start...].compactMap { $0.split(separator: ": stacks ").dropFirst().last.map(String.init) }
        #expect(commands.count == 6)
        for command in commands {
            let result = try sandbox.run(["/bin/sh", "-c", "'\(try Programs.stacks)' \(command)"])
            #expect(result.ending == .exit(0), "\(command): \(result.error)")
            guard command.hasPrefix("search"), let line = lines.first(where: { $0.hasSuffix(command) }) else {
                continue
            }
            let count = result.output.split(separator: "\n").count
            #expect(line.contains(": \(count) book"), "\(line)")
        }
        #expect(lines[start...].contains { $0.hasPrefix("  Gaps in series: 4 books. ") })
        #expect(lines[start...].contains { $0.hasPrefix("  Invalid ISBN: 1 book. ") })
    }

    @Test func anInvalidCatalogIsExplained() throws {
        let found = try report(of: "42", code: 65)
        #expect(found["valid"] as? Bool == true)
        #expect((found["error"] as? String)?.contains("no books found") == true)
        #expect(try report(of: "", code: 65)["valid"] as? Bool == false)
    }

    @Test func aMissingFileIsAnError() throws {
        let result = try check(sandbox.path + "/missing.json")
        #expect(result.ending == .exit(66))
        #expect(result.output.isEmpty)
        #expect(result.error.contains("no such file"))
    }

    @Test func standardInputIsCheckedToo() throws {
        let catalog = try sandbox.writeCatalog(books: 3)
        let stacks = try Programs.stacks
        let command = "'\(stacks)' check - < '\(catalog)'; cat '\(catalog)' | '\(stacks)' check -"
        let result = try sandbox.run(["/bin/sh", "-c", command])
        let verdicts = result.output.split(separator: "\n").filter { $0.contains("valid") }
        #expect(verdicts == Array(repeating: "standard input: valid, 3 books", count: 2))
    }

    @Test func aChosenProfileApplies() throws {
        let profile = try sandbox.write(
            #"{"name": "other", "fields": {"title": "t", "authors": "by"}}"#, to: "other.json")
        let found = try report(of: #"[{"t": "A", "by": "B"}, {"t": "C"}]"#, code: 0, "--profile", profile)
        #expect(found["profile"] as? String == "other")
        #expect(found["profileDetected"] as? Bool == false)
        let fields = try #require(found["fields"] as? [String: NSDictionary])
        #expect(fields.keys.sorted() == ["authors", "title"])
        #expect(fields["authors"] == ["count": 1, "share": 0.5])
    }

    // MARK: Other formats

    private func report(on catalog: String, code: Int32) throws -> NSDictionary {
        let result = try sandbox.run([Programs.stacks, "check", catalog, "--format", "json"])
        #expect(result.ending == .exit(code), "\(result.error)")
        return try #require(try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? NSDictionary)
    }

    @Test("Places are those in the table, and not in its copy")
    func placesInATable() throws {
        let table = try sandbox.write(
            "Title,Author,ISBN,Pages\n\"A\nnovel\",B,9780306406158,12\nC,D,,many\n\"E\",F,9780306406157,1\nE,F,,\n",
            to: "books.csv")
        let text = try check(table)
        #expect(text.ending == .exit(0))
        let lines = text.output.split(separator: "\n")
        #expect(lines.prefix(3) == ["\(table): valid, 4 books", "Format: CSV", "Profile: table, Table (detected)"])
        #expect(lines.contains("    line 4 (byte 53): \"many\" is not a number of pages"))
        #expect(lines.contains("    \"9780306406158\" at line 2 (byte 24)"))
        #expect(lines.contains("    E, F: line 5 (byte 63), line 6 (byte 85)"))
        let found = try report(on: table, code: 0)
        #expect(found["format"] as? String == "CSV")
        let syntaxError = try #require((found["faults"] as? [NSDictionary])?.first)
        #expect(
            syntaxError["line"] as? Int == 4 && syntaxError["byteOffset"] as? Int == 53 && syntaxError["column"] == nil)
    }

    @Test("Rows that were skipped make a table invalid")
    func skippedRows() throws {
        let table = try sandbox.write("Title,Author\nA,B\n\"C,D\nE,F\n", to: "books.csv")
        let found = try report(on: table, code: 65)
        #expect(found["valid"] as? Bool == false)
        #expect(found["skipped"] as? Int == 1)
        let lines = try check(table).output.split(separator: "\n")
        #expect(lines[0].hasSuffix("skipped") && lines[0].contains(": not valid, "))
        #expect(lines.contains("  quotation mark not closed: 1"))
        #expect(lines.contains("    line 3: skipped"))
    }

    @Test("Entries of BibTeX have lines, and records of MARC bytes")
    func placesInOtherFormats() throws {
        let bibtex = try sandbox.write(
            "@book{a, title={A}, isbn={9780306406157}}\n\n@book{b,\n title={B}, isbn={123}}\n", to: "books.bib")
        #expect(try check(bibtex).output.contains("    \"123\" at line 3 (byte 43)\n"))
        func record(_ isbn: String, _ title: String) -> String {
            let fields = ["  \u{1F}a\(isbn)\u{1E}", "10\u{1F}a\(title)\u{1E}"]
            let directory =
                "020" + String(format: "%04d%05d", fields[0].utf8.count, 0)
                + "245" + String(format: "%04d%05d", fields[1].utf8.count, fields[0].utf8.count) + "\u{1E}"
            let base = 24 + directory.utf8.count
            let length = base + fields[0].utf8.count + fields[1].utf8.count + 1
            return String(format: "%05d", length) + "nam a22" + String(format: "%05d", base) + "   4500" + directory
                + fields.joined() + "\u{1D}"
        }
        let first = record("9780306406157", "A")
        let marc = try sandbox.write(first + record("123", "B"), to: "books.mrc")
        #expect(try check(marc).output.contains("    \"123\" at record 2 (byte \(first.utf8.count))\n"))
    }

    @Test("Whatever happens, a report in JSON is an object")
    func errorsInJSON() throws {
        let missing = try report(on: sandbox.path + "/none.csv", code: 66)
        #expect(missing["valid"] as? Bool == false)
        #expect((missing["error"] as? String)?.contains("none.csv") == true)
        let archive = try sandbox.write("PK\u{3}\u{4}", to: "books.zip")
        #expect(try report(on: archive, code: 65)["error"] != nil)
    }

    @Test("Years of one digit and before Christ are years")
    func unusualYears() throws {
        let table = try sandbox.write("Title,Author,Year\nA,B,-17\nC,D,8\nE,F,-750.0\n", to: "books.csv")
        #expect(!(try check(table).output.contains("unreadable")))
    }

    @Test("A catalog without titles is opened with the command that says where they are")
    func missingTitles() throws {
        let table = try sandbox.write("Werk,Author,ISBN\nA,B,9780306406157\nC,D,\n", to: "books.csv")
        let result = try sandbox.run([Programs.stacks, "search", "", table])
        #expect(
            result.error.contains("2 of the first 2 books have no title. Say where it is: stacks profiles new"))
        let one = try sandbox.write("Title,Author,Publisher\nA,B,Press\n,D,Press\n", to: "one.csv")
        let terminal = try Tmux(in: sandbox, opening: one)
        try terminal.wait(for: "Untitled (Press)")
    }
}
