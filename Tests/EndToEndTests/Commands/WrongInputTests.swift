import Testing

/// Invalid catalogs: one sentence names the problem and the next step.
@Suite("Invalid input") struct WrongInput {
    let sandbox: Sandbox

    init() throws {
        sandbox = try Sandbox()
    }

    /// Opens `catalog` in a terminal, and expects an error message instead of the browser.
    private func expectRefusal(of catalog: String, code: Int32, saying parts: [String]) throws {
        let process = try PseudoTerminal(
            columns: 200, running: [Programs.stacks, catalog], environment: sandbox.environment)
        #expect(try process.waitForEnd() == .exit(code))
        let text = String(decoding: process.output, as: UTF8.self)
        // One line, without escape sequences, because the screen was never opened.
        #expect(text.hasPrefix("stacks: \(catalog)"))
        #expect(text.hasSuffix(".\r\n"))
        #expect(text.split(separator: "\r\n").count == 1)
        #expect(!text.contains("\u{1B}"))
        for part in parts { #expect(text.contains(part)) }
        // The same without a terminal.
        let result = try sandbox.run([Programs.stacks, catalog])
        #expect(result.ending == .exit(code))
        #expect(result.output.isEmpty)
        #expect(result.error == text.replacing("\r\n", with: "\n"))
    }

    @Test func aMissingFile() throws {
        try expectRefusal(of: sandbox.path + "/missing.json", code: 66, saying: ["no such file", "Check the path"])
    }

    @Test(
        "Archives and spreadsheets are named, with the next step",
        arguments: [
            (
                "books.xlsx", "PK\u{3}\u{4}" + String(repeating: "\0", count: 26) + "[Content_Types].xml",
                "Save its table as CSV"
            ),
            (
                "books.zip", "PK\u{3}\u{4}" + String(repeating: "\0", count: 26) + "books.json",
                "is an archive. Unpack it"
            ),
            ("books.tar", String(repeating: "a", count: 257) + "ustar", "is an archive. Unpack it"),
            ("page.html", "<!DOCTYPE html><html></html>", "it is a web page. Download the catalog itself"),
        ])
    func otherFiles(name: String, text: String, sentence: String) throws {
        let result = try sandbox.run([Programs.stacks, sandbox.write(text, to: name)])
        #expect(result.ending == .exit(65) && result.error.contains(sentence), "\(result)")
    }

    @Test(arguments: [[""], ["--no-resume", ""]])
    func anEmptyName(arguments: [String]) throws {
        let result = try sandbox.run([Programs.stacks] + arguments)
        #expect(result.ending == .exit(64))
        #expect(result.error == "stacks: the catalog name is empty. Name a file, or leave it out.\n")
    }

    @Test func aDirectory() throws {
        try expectRefusal(of: sandbox.path, code: 66, saying: ["is a directory"])
    }

    @Test func aDirectoryNamesItsCatalogs() throws {
        let directory = sandbox.path + "/catalogs"
        try sandbox.write(Novels.catalog, to: "catalogs/old.json")
        try sandbox.write(#"{"name": "stacks", "version": 1}"#, to: "catalogs/package.json")
        try sandbox.write(Novels.catalog, to: "catalogs/new.jsonl")
        let old = try sandbox.run(["/usr/bin/touch", "-d", "2020-01-01", directory + "/old.json"])
        #expect(old.ending == .exit(0))
        for command in [[], ["check"], ["search", "emma"]] {
            let result = try sandbox.run([Programs.stacks] + command + [directory])
            #expect(result.ending == .exit(66))
            #expect(
                result.error
                    == "stacks: \(directory) is a directory. Name one of its catalogs, newest first: \(directory)/new.jsonl, "
                    + "\(directory)/old.json.\n")
        }
    }

    @Test func aMisspelledCommandIsSuggested() throws {
        for arguments in [["searhc"], ["searhc", "king"], ["Search"]] {
            let result = try sandbox.run([Programs.stacks] + arguments)
            #expect(result.ending == .exit(64))
            #expect(
                result.error == "stacks: no command or file “\(arguments[0])”. Did you mean: stacks search.\n")
        }
    }

    @Test func anEmptyFile() throws {
        for content in ["", " \n\t\n"] {
            let catalog = try sandbox.write(content, to: "empty.json")
            try expectRefusal(of: catalog, code: 65, saying: ["is empty", "Name a file with books"])
        }
    }

    @Test func aFileThatIsNotJSON() throws {
        let text = try sandbox.write("Fight Club, Chuck Palahniuk\n", to: "books.txt")
        let result = try sandbox.run([Programs.stacks, text])
        #expect(result.ending == .exit(65) && result.output.isEmpty)
        #expect(
            result.error.hasPrefix(
                "stacks: cannot read \(text): its format is unknown. stacks reads JSON, CSV, TSV, SQLite, "))
        let catalog = try sandbox.write("Fight Club, Chuck Palahniuk\n", to: "books.json")
        try expectRefusal(of: catalog, code: 65, saying: ["is not valid JSON", "line 1, column 1 (byte 0)"])
    }

    @Test func otherFormatsThroughAPipeMustBeSavedFirst() throws {
        for text in ["Title,Author\nEmma,Jane Austen\n", "<modsCollection/>"] {
            let file = try sandbox.write(text, to: "books.txt")
            let result = try sandbox.run(["/bin/sh", "-c", "cat '\(file)' | '\(Programs.stacks)' search '' -"])
            #expect(result.error == "stacks: standard input is not JSON. Save it to a file, and open that.\n")
            #expect(result.ending == .exit(65))
        }
    }

    @Test func jsonThatIsNotACatalog() throws {
        for content in [
            #"{"titles": ["Ulysses"]}"#, "[1, 2]", #"{"title": "Ulysses"} {"title": "Emma"}"#,
            #"{"licenses": [{"name": "MIT License", "id": "MIT"}]}"#,
        ] {
            let catalog = try sandbox.write(content, to: "other.json")
            let advice = "Map its fields with: stacks profiles new \(catalog)"
            try expectRefusal(of: catalog, code: 65, saying: [": no books found. \(advice)"])
        }
        let scalar = try sandbox.write("3", to: "other.json")
        try expectRefusal(of: scalar, code: 65, saying: [": no books found. A catalog is a JSON array of books"])
    }

    @Test func aNameFullOfControlsIsWrittenHarmlessly() throws {
        let name = "\u{1B}]0;owned\u{7}\u{202E}\u{9B}31m.json"
        let result = try sandbox.run([Programs.stacks, name])
        #expect(result.ending == .exit(66))
        #expect(
            result.error
                == "stacks: \u{FFFD}]0;owned\u{FFFD}\u{FFFD}\u{FFFD}31m.json: no such file. Check the path.\n")
    }

    @Test func anUnknownOptionAndASecondCatalog() throws {
        for arguments in [["--nonsense"], ["one.json", "two.json"]] {
            let result = try sandbox.run([Programs.stacks] + arguments)
            #expect(result.ending == .exit(64))
            #expect(result.output.isEmpty)
            #expect(result.error.contains("Usage: stacks"))
        }
    }

    @Test func optionsFullOfControlsAreRepeatedHarmlessly() throws {
        let hostile = "\u{1B}]0;owned\u{7}\u{202E}\u{9B}31m"
        for arguments in [["--\(hostile)"], ["--theme", hostile], ["search", "x", "--format", hostile]] {
            let result = try sandbox.run([Programs.stacks] + arguments)
            #expect(result.ending == .exit(64))
            #expect(result.error.contains("]0;owned"))
            #expect(!result.error.unicodeScalars.contains { "\u{1B}\u{7}\u{202E}\u{9B}".unicodeScalars.contains($0) })
        }
    }

    @Test func anEmptyArrayIsACatalogWithoutBooks() throws {
        let terminal = try Tmux(in: sandbox, opening: sandbox.write("[]", to: "none.json"))
        let screen = try terminal.wait(for: "This catalog has no books.")
        #expect(screen.position == "0/0")
        for keys in ["j", "k", "G", "gg", "t", "l", "J", "zz"] { try terminal.type(keys) }
        try terminal.press("PageDown")
        try terminal.type("q")
        #expect(try terminal.waitForEnd() == .exit(0))
        try terminal.open(sandbox.path + "/none.json")
        try terminal.wait(for: "This catalog has no books.")
    }

    @Test func anInvalidRecordIsSkippedAndReported() throws {
        let catalog = try sandbox.write(
            """
            [
              {"title": "Emma", "authors": ["Jane Austen"]},
              {"title": "Ulysses", "authors": ["James Joyce"]},
              17,
              {"title": 1984, "authors": "George Orwell", "pageCount": "328"},
              {"authors": ["Nobody"]}
            ]
            """, to: "mixed.json")
        let errors = sandbox.path + "/errors"
        let terminal = try Tmux(
            in: sandbox, columns: 160,
            running: ["/bin/sh", "-c", "exec '\(Programs.stacks)' '\(catalog)' 2>'\(errors)'"])
        let screen = try terminal.wait(forPosition: "1/4")
        for title in ["Emma", "Ulysses", "1984", "Untitled"] { #expect(screen.shows(title)) }
        // Line 4 begins after 2 + 49 + 53 bytes.
        let sentence = "Skipped 1 item that is not a book (line 4, column 3 (byte 105)). Fix the file and reload it"
        #expect(screen.status.contains(sentence))
        // The message appears while the screen is open, so it was written before.
        #expect(try terminal.isAlternateScreenShown)
        #expect(sandbox.text(of: errors) == "stacks: \(catalog): \(sentence).\n")
    }

    @Test func theBooksBeforeAnErrorAreShown() throws {
        let catalog = try sandbox.write(#"[{"title": "Emma"}, {"title": "Uly"#, to: "cut.json")
        let terminal = try Tmux(in: sandbox, columns: 160, opening: catalog)
        let screen = try terminal.wait(forPosition: "1/1")
        #expect(screen.selection.contains("Emma"))
        #expect(
            screen.status.contains("The file is cut off at line 1, column 35 (byte 34)"))
        let result = try sandbox.run([Programs.stacks, catalog])
        #expect(result.ending == .exit(65))
        #expect(result.output == "Emma\t\n")
        #expect(result.error.contains("The file is cut off at "))
    }
}
