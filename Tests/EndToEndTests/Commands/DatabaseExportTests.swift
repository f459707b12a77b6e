import Foundation
import Glibc
import Testing

/// `stacks export` to databases, which the connector program makes, and to files of other formats.
@Suite("stacks export: databases and other formats") struct DatabaseExportTests {
    let sandbox: Sandbox
    private let catalog: String

    init() throws {
        sandbox = try Sandbox()
        catalog = try sandbox.write(Self.books, to: "books.json")
    }

    private static let books = #"""
        [{"id": "k1", "title": "Emma: \"1\"", "subtitle": "Роман", "authors": ["Jane Austen", "Żółć, Ćma"],
          "isbn": "0-14-143958-0", "pageCount": 474, "fiction": true, "publisher": "Penguin", "published": "2003-05-06",
          "languages": ["en", "pt-BR"], "subjects": ["England", "恋愛"], "series": "Classics", "seriesPosition": 2.5,
          "description": "One.\n\nTwo & three.", "cover": "c.png", "identifiers": {"doi": "10.1/x"},
          "contributors": [{"name": "Ann", "role": "editor"}, {"name": "Bob"}], "rating": 4.5, "status": "read",
          "dateAdded": "2020-01-02", "sortTitle": "emma"},
         {"title": "Ηρόδοτος", "authors": ["Ηρόδοτος"], "published": "-0430", "fiction": false},
         {"title": ""}, {"title": ""},
         {"title": "源氏物語", "authors": ["紫式部"], "isbn": "bad", "pageCount": 1}]
        """#

    private func run(_ arguments: String...) throws -> Sandbox.Result {
        try sandbox.run([Programs.stacks] + arguments)
    }

    private var database: String { sandbox.path + "/books.db" }

    /// The leftovers of exports in the cache.
    private var leftOvers: [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: sandbox.path + "/cache/stacks/exports")) ?? []
    }

    @Test("A database opens as the same books, field by field", arguments: ["own", "bundled", "novels"])
    func sameBooks(source: String) throws {
        let source =
            try ["own": catalog, "bundled": Programs.bundledCatalog][source]
            ?? sandbox.write(Novels.catalog, to: "novels.json")
        let made = try run("export", source, "--format", "sqlite", "--output", database)
        #expect(made.ending == .exit(0) && made.output == "" && made.error == "")
        let (before, after) = (try run("export", source), try run("export", database))
        #expect(after.output == before.output && after.error == "")
        #expect(before.output.split(separator: "\n").count > 4)
        #expect(leftOvers == [])
    }

    @Test("The browser exports to these formats too, and updates a database")
    func fromTheBrowser() throws {
        let terminal = try Tmux(in: sandbox, opening: catalog)
        try terminal.wait(forPosition: "1/5")
        try terminal.type("x")
        try terminal.wait(for: ".marcxml")
        try terminal.press("C-u")
        try terminal.type(database)
        try terminal.wait(for: "Format: SQLite database")
        try terminal.press("Enter")
        try terminal.wait(for: "Exported 5 books to")
        #expect(try run("export", database).output == run("export", catalog).output)
        try terminal.type("tx")
        try terminal.press("C-u")
        try terminal.type(database)
        try terminal.press("Enter")
        try terminal.wait(for: "up to date? y update")
        try terminal.type("y")
        try terminal.wait(for: "Exported 5 books to")
        let marks = try sandbox.run([
            "/usr/bin/python3", "-c",
            "import sqlite3, sys; print(*sqlite3.connect(sys.argv[1]).execute('SELECT count(*) FROM readings').fetchone())",
            database,
        ])
        #expect(marks.output == "1\n", "\(marks.error)")
        for (name, end) in [("b.ris", "ER  -"), ("b.mods", "</modsCollection>"), ("b.opds", "</feed>")] {
            try terminal.type("x")
            try terminal.press("C-u")
            try terminal.type(sandbox.path + "/" + name)
            try terminal.wait(for: "cannot keep it")
            try terminal.press("Enter")
            try terminal.wait(for: "to \(sandbox.path)/\(name)")
            let text = sandbox.text(of: sandbox.path + "/" + name)
            #expect(text.trimmingCharacters(in: .whitespacesAndNewlines).hasSuffix(end), "\(name)")
        }
        // An export that fails keeps the existing file.
        _ = try sandbox.write("no database", to: "note.db")
        try terminal.type("x")
        try terminal.press("C-u")
        try terminal.type(sandbox.path + "/note.db")
        try terminal.press("Enter")
        try terminal.type("y")
        try terminal.wait(for: "Not exported: cannot write")
        #expect(sandbox.text(of: sandbox.path + "/note.db") == "no database")
        #expect(leftOvers == [])
    }

    @Test("User data is exported to a database, and imported from it elsewhere")
    func userData() throws {
        _ = try run("favourites", "add", "0141439580", "--catalog", catalog)
        _ = try run("export", catalog, "--format", "sqlite", "--output", database)
        let query = try sandbox.run([
            "/usr/bin/python3", "-c",
            """
            import sqlite3, sys
            for row in sqlite3.connect(sys.argv[1]).execute(
                    'SELECT title, favourite FROM readings JOIN books ON books.id = book_id'): print(*row)
            """, database,
        ])
        #expect(query.output == "Emma: \"1\" 1\n")
        let elsewhere = ["XDG_DATA_HOME": sandbox.path + "/elsewhere"]
        let imported = try sandbox.run(
            [Programs.stacks, "import", database, "--catalog", catalog], changing: elsewhere)
        #expect(imported.ending == .exit(0) && imported.output.contains("Imported 1 favourite"), "\(imported.error)")
        let list = try sandbox.run(
            [Programs.stacks, "favourites", "list", "--catalog", catalog], changing: elsewhere)
        #expect(list.output == "Emma: \"1\"\tJane Austen; Żółć, Ćma\n")
        _ = try run("export", catalog, "--format", "sqlite", "--output", database, "--without-user-data")
        let without = try sandbox.run([
            "/usr/bin/python3", "-c",
            "import sqlite3, sys; print(*sqlite3.connect(sys.argv[1]).execute('SELECT count(*) FROM readings'))",
            database,
        ])
        #expect(without.output == "(0,)\n")
    }

    @Test(
        "Other formats are printed, and open as the same titles",
        arguments: ["marcxml", "mods", "ris", "opds", "calibre"])
    func otherFormats(format: String) throws {
        let printed = try run("export", catalog, "--format", format)
        #expect(printed.ending == .exit(0) && printed.error.hasPrefix("stacks: Left out of "))
        let file = sandbox.path + "/books.other"
        #expect(try run("export", catalog, "--format", format, "--output", file).output == "")
        if format != "opds" { #expect(sandbox.text(of: file) == printed.output) }
        let books = try run("search", "", file).output.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(books.count == 6)
        #expect(books[1] == "Ηρόδοτος\tΗρόδοτος" && books[4] == "源氏物語\t紫式部")
    }

    @Test("Only a database needs the other program")
    func withoutTheConnector() throws {
        let alone = sandbox.path + "/stacks"
        // Tests that run at the same time would keep a copy that this process writes open, and it could not start.
        #expect(try sandbox.run(["/bin/cp", Programs.stacks, alone]).ending == .exit(0))
        for format in ["marcxml", "mods", "ris", "json"] {
            let made = try sandbox.run([alone, "export", catalog, "--format", format])
            #expect(made.ending == .exit(0))
            #expect(try made.output == run("export", catalog, "--format", format).output)
        }
        let missing = try sandbox.run([alone, "export", catalog, "--format", "sqlite", "--output", database])
        #expect(missing.ending == .exit(66) && missing.error == "stacks: sqlite needs stacks-connect. Install it.\n")
    }

    @Test("The id of a feed stays the same when a field of a book changes")
    func feedIDs() throws {
        func id(_ catalog: String) throws -> Substring? {
            let feed = try run("export", catalog, "--format", "opds").output
            return feed.split(separator: "\n").first { $0.hasPrefix("  <id>urn:uuid:") }
        }
        let changed = try sandbox.write(Self.books.replacing("Penguin", with: "Vintage"), to: "changed.json")
        let other = try sandbox.write(Self.books.replacing("源氏物語", with: "Other"), to: "other.json")
        #expect(try id(catalog) != nil && id(changed) == id(catalog) && id(other) != id(catalog))
    }

    @Test("A table for Goodreads has the books with your data, and opens as these books")
    func goodreads() throws {
        let novels = try sandbox.write(Novels.catalog, to: "novels.json")
        let found = try run("search", "", novels, "--format", "jsonl").output.split(separator: "\n")
        let ids = try found.map { line in
            try #require((JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])?["id"] as? String)
        }
        #expect(try sandbox.run([Programs.stacks, "favourites", "add", "--catalog", novels] + ids).ending == .exit(0))
        let file = sandbox.path + "/books.dat"
        #expect(try run("export", novels, "--format", "goodreads", "--output", file).ending == .exit(0))
        let (before, after) = (try run("search", "", novels), try run("search", "", file))
        #expect(after.output == before.output && after.error == "" && ids.count == 7, "\(after.error)")
        #expect(try run("check", file).output.contains("Profile: goodreads"))
    }

    @Test("A file is replaced as a whole, keeps its mode, and stays if nothing is found")
    func files() throws {
        let file = try sandbox.write("old", to: "out.json")
        chmod(file, 0o640)
        let missed = try run("export", catalog, "--query", "zebra", "--output", file)
        #expect(missed.ending == .exit(1) && sandbox.text(of: file) == "old")
        #expect(try run("export", catalog, "--output", file).ending == .exit(0))
        #expect(sandbox.text(of: file) == (try run("export", catalog).output))
        let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int
        #expect(mode == 0o640)
        // A symbolic link stays one.
        symlink(file, sandbox.path + "/link.csv")
        #expect(
            try run("export", catalog, "--format", "csv", "--output", sandbox.path + "/link.csv").ending == .exit(0))
        #expect(sandbox.text(of: file).hasPrefix("id,title"))
        let names = try FileManager.default.contentsOfDirectory(atPath: sandbox.path)
        #expect(!names.contains { $0.hasSuffix(".tmp") })
    }

    @Test("An export that cannot be written is reported, and nothing changes")
    func refusals() throws {
        try sandbox.write("{}", to: "other.json")
        let refused: [(output: String, format: String, status: Int32, error: String)] = [
            (sandbox.path + "/other.json", "sqlite", 73, "it is not a database that stacks made"),
            (sandbox.path, "sqlite", 73, "is not a file"), ("/dev/null", "csv", 73, "is not a file"),
            (sandbox.path + "/none/x.csv", "csv", 73, "no such file or directory"),
            (sandbox.path + "/none/x.db", "sqlite", 73, "no such file or directory"),
            (catalog, "mods", 64, "is the catalog itself"),
        ]
        for (output, format, status, error) in refused {
            let result = try run("export", catalog, "--format", format, "--output", output)
            #expect(result.ending == .exit(status), "\(output): \(result.error)")
            #expect(result.error.contains(error) && result.error.split(separator: "\n").count == 1, "\(result.error)")
        }
        #expect(sandbox.text(of: catalog) == Self.books && sandbox.text(of: sandbox.path + "/other.json") == "{}")
        #expect(leftOvers == [])
    }

    @Test("A database is not changed while it is in use or if the catalog is cut off")
    func databasesThatStay() throws {
        _ = try run("export", catalog, "--format", "sqlite", "--output", database)
        let before = try Data(contentsOf: URL(filePath: database))
        let locked = try sandbox.run([
            "/usr/bin/python3", "-c",
            """
            import sqlite3, subprocess, sys
            database = sqlite3.connect(sys.argv[1], isolation_level=None)
            database.execute('BEGIN IMMEDIATE')
            sys.exit(subprocess.run(sys.argv[2:]).returncode)
            """, database, Programs.stacks, "export", catalog, "--format", "sqlite", "--output", database,
        ])
        #expect(locked.ending == .exit(75))
        #expect(locked.error.contains("another program uses it. Close it there, then try again"))
        let cut = try sandbox.write(String(Self.books.dropLast(60)), to: "cut.json")
        let partial = try run("export", cut, "--format", "sqlite", "--output", database)
        #expect(partial.ending == .exit(65) && partial.error.contains("not changed"), "\(partial.error)")
        #expect(try Data(contentsOf: URL(filePath: database)) == before)
        #expect(leftOvers == [])
    }

    @Test("Signals leave neither a folder nor a file behind", arguments: [SIGINT, SIGTERM, SIGHUP])
    func signals(number: Int32) throws {
        let big = try sandbox.write(
            (0..<200_000).map { #"{"title": "River \#($0)", "authors": ["Ann \#($0)"]}"# }.joined(separator: "\n"),
            to: "big.jsonl")
        let null = open("/dev/null", O_RDWR | O_CLOEXEC)
        defer { close(null) }
        let export = try ChildProcess(
            [Programs.stacks, "export", big, "--format", "sqlite", "--output", sandbox.path + "/y.db"],
            environment: sandbox.environment, streams: .descriptors(output: null, error: null))
        _ = try eventually(or: "no folder") { leftOvers.isEmpty ? nil : true }
        export.send(number)
        #expect(try eventually(or: "it does not end") { export.poll() } == .signal(number))
        #expect(leftOvers == [])
        #expect(!FileManager.default.fileExists(atPath: sandbox.path + "/y.db"))
    }
}
