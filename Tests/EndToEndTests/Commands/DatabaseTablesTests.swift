import Foundation
import Testing

/// Databases with several tables.
@Suite("On a terminal: tables of databases") struct DatabaseTablesTests {
    private let sandbox: Sandbox
    private let path: String

    private static let tables = """
        CREATE TABLE authors (id INTEGER PRIMARY KEY, first_name TEXT, last_name TEXT);
        CREATE TABLE publishers (id INTEGER PRIMARY KEY, name TEXT);
        CREATE TABLE books (id INTEGER PRIMARY KEY, title TEXT, publisher_id INTEGER REFERENCES publishers (id), year INT);
        CREATE TABLE book_authors (book_id INTEGER REFERENCES books (id), author_id INTEGER REFERENCES authors (id));
        CREATE TABLE novels (title TEXT, author TEXT, pages INT);
        INSERT INTO authors VALUES (1, 'Terry', 'Pratchett'), (2, 'Neil', 'Gaiman');
        INSERT INTO publishers VALUES (7, 'Gollancz');
        INSERT INTO books VALUES (1, 'Good Omens', 7, 1990), (2, 'Anonymous', NULL, 1992);
        INSERT INTO book_authors VALUES (1, 2), (1, 1);
        INSERT INTO novels VALUES ('Emma', 'Jane Austen', 474), ('Nana', 'Émile Zola', 470);
        """

    init() throws {
        sandbox = try Sandbox()
        path = sandbox.path + "/shop.db"
        let made = try sandbox.run([
            "/usr/bin/python3", "-c", "import sqlite3, sys; sqlite3.connect(sys.argv[1]).executescript(sys.argv[2])",
            path,
            Self.tables,
        ])
        #expect(made.ending == .exit(0), "\(made.error)")
    }

    private func run(_ arguments: String...) throws -> Sandbox.Result {
        try sandbox.run([Programs.stacks] + arguments)
    }

    @Test("Authors and publishers in separate tables are found without a profile, and other tables are listed")
    func linkedTables() throws {
        for _ in 1...2 {
            let result = try run("search", "publisher:gollancz", path)
            #expect(result.output == "Good Omens\tNeil Gaiman, Terry Pratchett\n")
            #expect(
                result.error
                    == "stacks: \(path): showing table books; also novels. Name one with ?table=novels.\n")
        }
        let terminal = try Tmux(in: sandbox, opening: path)
        try terminal.wait(for: "shop.db: showing table books; also novels. Name one with ?table=novels")
        try terminal.type("q")
    }

    @Test("A selected table opens from its copy, also with a profile and offline")
    func namedTable() throws {
        let table = path + "?table=novels"
        for _ in 1...2 {
            let result = try run("search", "", table)
            #expect(result.output == "Emma\tJane Austen\nNana\tÉmile Zola\n" && result.error == "", "\(result.error)")
        }
        let log = sandbox.path + "/strace"
        for more in [[], ["--profile", "native"], ["--offline"], ["--offline", "--profile", "native"]] {
            let result = try sandbox.run(
                ["/usr/bin/strace", "-f", "-o", log, "-e", "trace=execve", Programs.stacks, "search", "", table] + more)
            #expect(result.output.hasPrefix("Emma\tJane Austen\n") && result.ending == .exit(0), "\(result.error)")
            #expect(sandbox.text(of: log).split(separator: "\n").count { $0.contains("execve(") } == 1, "\(more)")
        }
        let profile = try sandbox.write(
            """
            {"name": "shop", "records": "books", "joins": {"houses": "publishers"},
             "fields": {"title": "title", "publisher": "houses"}}
            """, to: "shop.json")
        #expect(try run("search", "", path, "--profile", profile).output.hasPrefix("Good Omens\t"))
        let joined = try run("search", "publisher:gollancz", path, "--profile", profile, "--offline")
        #expect(joined.output.hasPrefix("Good Omens\t") && joined.ending == .exit(0), "\(joined.error)")
        try FileManager.default.removeItem(atPath: path)
        for more in [["--offline"], ["--offline", "--profile", "native"]] {
            let result = try sandbox.run([Programs.stacks, "search", "", table] + more)
            #expect(result.output.hasPrefix("Emma\tJane Austen\n") && result.ending == .exit(0), "\(result.error)")
            #expect(result.error.contains("is gone since its copy of"), "\(result.error)")
        }
        let gone = try run("search", "", path, "--offline", "--profile", profile)
        #expect(gone.output.hasPrefix("Good Omens\t"), "\(gone.error)")
    }

    @Test("A profile names a table without joins, and the rest of its path is not a JSON path")
    func tableOfProfile() throws {
        let profile = try sandbox.write(
            #"{"name": "p", "records": "novels", "fields": {"title": "title", "authors": "author"}}"#, to: "p.json")
        for more in [[], [], ["--offline"]] {
            let result = try sandbox.run([Programs.stacks, "search", "", path, "--profile", profile] + more)
            #expect(result.output == "Emma\tJane Austen\nNana\tÉmile Zola\n" && result.error == "", "\(result.error)")
        }
        let json = try sandbox.write(#"{"novels": [{"title": "Dune", "author": "Frank Herbert"}]}"#, to: "novels.json")
        #expect(try run("search", "", json, "--profile", profile).output == "Dune\tFrank Herbert\n")
        let wrong = try sandbox.write(
            #"{"name": "q", "records": "nosuch", "fields": {"title": "title"}}"#, to: "q.json")
        let result = try run("search", "", path, "--profile", wrong)
        #expect(result.error.contains("it has no table nosuch. Name another in profile q"), "\(result.error)")
        #expect(result.ending == .exit(65))
    }

    @Test("The wizard lists the tables, and its profile applies to the chosen table")
    func wizard() throws {
        let made = try run("profiles", "new", path, "--yes")
        #expect(made.ending == .exit(0))
        #expect(made.error.contains("showing table books; also novels"), "\(made.error)")
        #expect(try run("profiles", "new", path + "?table=novels", "--yes", "--name", "novels").ending == .exit(0))
        let check = try run("check", path + "?table=novels")
        #expect(check.output.contains("novels (chosen)"), "\(check.output)")
    }

    @Test("A wrong parameter, table or column is reported with the next step")
    func wrongNames() throws {
        let parameter = try run("search", "", path + "?tabel=novels")
        #expect(parameter.error == "stacks: \(path): unknown parameter “tabel”. Name a table: ?table=NAME.\n")
        #expect(parameter.ending == .exit(64))
        let table = try run("search", "", path + "?table=films")
        #expect(table.error.contains("it has no table films. Name another after ?table="), "\(table.error)")
        for (profile, message) in [
            (
                #"{"name": "p", "records": "nosuch", "joins": {"a": "authors"}, "fields": {"title": "title"}}"#,
                "it has no table nosuch. Name another in profile p"
            ),
            (
                #"{"name": "p", "records": "books", "joins": {"a": {"table": "authors", "column": "nme"}}, "fields": {"title": "title"}}"#,
                "it has no column authors.nme. Name another as \"column\" in profile p"
            ),
            (
                #"{"name": "p", "records": "books", "joins": {"a": "novels"}, "fields": {"title": "title"}}"#,
                "nothing in it links novels with the records. Give the table between them as \"through\" in profile p"
            ),
        ] {
            let result = try run("search", "", path, "--profile", sandbox.write(profile, to: "p.json"))
            #expect(result.error.contains(message), "\(result.error)")
            #expect(result.ending == .exit(65))
        }
        let json = try sandbox.write(Novels.catalog, to: "novels.json")
        let refreshed = try run("sources", "refresh", json)
        #expect(refreshed.error == "stacks: \(json) is JSON and has no copy. Open it as it is.\n")
        #expect(refreshed.ending == .exit(64))
    }
}
