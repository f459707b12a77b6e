import Foundation
import Glibc
import Testing

/// Catalogs that are not JSON, read through the connector program.
@Suite("On a terminal: catalogs that are not JSON") struct ForeignSourceTests {
    private let sandbox: Sandbox

    init() throws { sandbox = try Sandbox() }

    private static let csv = """
        Title,Author,Year,Pages,ISBN
        Emma,Jane Austen,1815,474,9780141439587
        "Dracula, a novel",Bram Stoker,1897,418,
        Kidnapped,R. L. Stevenson,1886,,

        """

    private func run(_ arguments: String...) throws -> Sandbox.Result {
        try sandbox.run([Programs.stacks] + arguments)
    }

    @Test("A CSV file opens, and is reloaded automatically when it changes")
    func opensAndFollows() throws {
        let path = try sandbox.write(Self.csv, to: "books.csv")
        let terminal = try Tmux(in: sandbox, opening: path)
        try terminal.wait(forPosition: "1/3")
        #expect(try terminal.screen.shows("Dracula, a novel"))
        #expect(try terminal.screen.shows("1815"))
        _ = try sandbox.write(Self.csv + "Nana,Émile Zola,1880,,\n", to: "books.csv")
        try terminal.wait(forPosition: "1/4")
        #expect(try terminal.screen.shows("Émile Zola"))
        // The copy cannot be edited, which a message reports.
        try terminal.type("X")
        try terminal.wait(for: "Read-only format")
    }

    @Test("A second start reads the copy, without the connector program")
    func secondStart() throws {
        let path = try sandbox.write(Self.csv, to: "books.csv")
        #expect(try run("search", "", path).output.contains("Emma\tJane Austen"))
        let log = sandbox.path + "/strace"
        let traced = try sandbox.run([
            "/usr/bin/strace", "-f", "-o", log, "-e", "trace=execve,socket,connect", Programs.stacks, "search",
            "stoker", path,
        ])
        #expect(traced.output == "Dracula, a novel\tBram Stoker\n")
        let calls = sandbox.text(of: log).split(separator: "\n")
        #expect(calls.count { $0.contains("execve(") } == 1)
        #expect(!calls.contains { $0.contains("socket(") || $0.contains("connect(") })
    }

    @Test("No command opens a socket, even for a file that is not JSON")
    func noSockets() throws {
        let path = try sandbox.write(Self.csv, to: "books.csv")
        let log = sandbox.path + "/strace"
        let json = try sandbox.write(Novels.catalog, to: "novels.json")
        let database = sandbox.path + "/books.db"
        let reading = ["search", "show", "stats", "check", "lists", "export", "browse", "favourites list"].flatMap {
            command in
            [path, json].map { command.split(separator: " ").map(String.init) + words(of: command) + [$0] }
        }
        let others = [
            [path], [json], ["export", path, "--format", "sqlite", "--output", database], ["search", "", database],
            ["import", path, "--catalog", json], ["favourites", "add", "9780141439587", "--catalog", path],
            ["favourites", "remove", "9780141439587", "--catalog", path], ["profiles"], ["profiles", "show", "native"],
            ["profiles", "new", path, "--yes"], ["config"], ["set", "9780141439587", "pages=1", "--catalog", json],
            ["add", "--catalog", json, "--title", "T"], ["delete", "9780141439587", "--catalog", json],
            ["move", "9780141439587", "--catalog", json], ["merge", json], ["sort", json], ["sources"],
            ["sources", "refresh", path], ["sources", "forget", path], ["--version"], ["--help"], ["help", "search"],
        ]
        for arguments in reading + others {
            unlink(log)
            _ = try sandbox.run(
                ["/usr/bin/strace", "-f", "-o", log, "-e", "trace=execve,socket", Programs.stacks] + arguments)
            #expect(sandbox.text(of: log).contains("execve("), "\(arguments)")
            #expect(!sandbox.text(of: log).contains("socket("), "\(arguments)")
        }
    }

    /// Returns the arguments that a command needs before the catalog.
    private func words(of command: String) -> [String] {
        switch command {
        case "search": [""]
        case "show": ["9780141439587"]
        case "favourites list": ["--catalog"]
        default: []
        }
    }

    @Test("A file with far fewer rows needs a confirmation, and --refresh accepts it")
    func muchSmaller() throws {
        let path = try sandbox.write(Self.csv, to: "books.csv")
        #expect(try run("search", "", path).output.split(separator: "\n").count == 3)
        _ = try sandbox.write("Title,Author\nNana,Zola\n", to: "books.csv")
        let kept = try run("search", "", path)
        #expect(kept.output.split(separator: "\n").count == 3)
        #expect(kept.error.contains("books.csv has 1 row now, 3 before"))
        #expect(try run("sources", "refresh", path).output == "\(path): 1 row copied.\n")
        #expect(try run("search", "", path).output == "Nana\tZola\n")
    }

    @Test("The wizard maps a table with headings that no profile knows")
    func wizard() throws {
        let rows = "Werk;Wer;Wann;Seiten\nDer Prozess;Franz Kafka;1925;253\nDas Schloss;Franz Kafka;1926;352\n"
        let path = try sandbox.write(rows, to: "werke.csv")
        let made = try run("profiles", "new", path, "--yes")
        #expect(made.ending == .exit(0), "\(made.output)\(made.error)")
        for _ in 1...2 {
            #expect(try run("search", "year:1925", path).output == "Der Prozess\tFranz Kafka\n")
            #expect(try run("search", "pages:>300", path).output == "Das Schloss\tFranz Kafka\n")
        }
    }

    @Test("A profile maps the tables of a database")
    func joinedTables() throws {
        let database = sandbox.path + "/shop.db"
        let tables = """
            CREATE TABLE novels (id INTEGER PRIMARY KEY, name TEXT, house INTEGER REFERENCES houses (id));
            CREATE TABLE houses (id INTEGER PRIMARY KEY, name TEXT);
            CREATE TABLE writers (id INTEGER PRIMARY KEY, name TEXT);
            CREATE TABLE wrote (novel_id INTEGER, writer_id INTEGER);
            INSERT INTO houses VALUES (7, 'Gollancz');
            INSERT INTO novels VALUES (1, 'Good Omens', 7);
            INSERT INTO writers VALUES (1, 'Terry Pratchett'), (2, 'Neil Gaiman');
            INSERT INTO wrote VALUES (1, 2), (1, 1);
            """
        let made = try sandbox.run([
            "/usr/bin/python3", "-c", "import sqlite3, sys; sqlite3.connect(sys.argv[1]).executescript(sys.argv[2])",
            database, tables,
        ])
        #expect(made.ending == .exit(0), "\(made.error)")
        let profile = try sandbox.write(
            """
            {"name": "shop", "records": "novels", "joins": {"writers": "writers", "house": "houses"},
             "fields": {"title": "name", "authors": "writers", "publisher": "house"}}
            """, to: "shop.json")
        let books = try run("search", "publisher:gollancz", database, "--profile", profile)
        #expect(books.output == "Good Omens\tNeil Gaiman, Terry Pratchett\n" && books.error == "")
        #expect(try run("sources").output.hasSuffix("/shop.db?table=novels\n"))
        let text = sandbox.text(of: profile).replacing("\"houses\"", with: "\"shops\"")
        let refused = try run("search", "", database, "--profile", sandbox.write(text, to: "wrong.json"))
        #expect(refused.ending == .exit(65) && refused.error.contains("it has no table shops"), "\(refused.error)")
    }

    @Test("The version says whether the connector program is confined, and no other command starts that program")
    func version() throws {
        let lines = try run("--version").output.split(separator: "\n")
        #expect(lines.count == 2 && lines[1].hasPrefix("stacks-connect ") && !lines[1].contains("does not answer"))
        let log = sandbox.path + "/strace"
        _ = try sandbox.run(["/usr/bin/strace", "-f", "-o", log, "-e", "trace=execve", Programs.stacks, "--help"])
        #expect(sandbox.text(of: log).split(separator: "\n").count { $0.contains("execve(") } == 1)
    }

    @Test("The profile of the format is reported as detected, unless the user names one")
    func profileOfFormat() throws {
        let path = try sandbox.write("@book{a, title={Emma}, author={Austen, Jane}}\n", to: "one.bib")
        for _ in 1...2 { #expect(try run("check", path).output.contains("Profile: native, Native (detected)")) }
        #expect(try run("check", path, "--profile", "native").output.contains("(chosen)"))
    }

    @Test("The copies are listed, and can be deleted")
    func sources() throws {
        #expect(try run("sources").error.contains("no copies of sources"))
        let path = try sandbox.write(Self.csv, to: "books.csv")
        _ = try run("search", "", path)
        let list = try run("sources").output
        #expect(list.hasPrefix("csv\t3 rows\t20") && list.hasSuffix("/books.csv\n"))
        #expect(try run("sources", "forget", path).ending == .exit(0))
        #expect(try run("sources", "forget", path).ending == .exit(66))
        #expect(sandbox.text(of: path) == Self.csv)
    }

    @Test("Damaged rows are counted with their position, and the others are shown")
    func damagedRows() throws {
        let path = try sandbox.write("Title,Author\nEmma,Jane Austen,1,2,3\nNana,Zola\n", to: "books.csv")
        let result = try run("search", "", path)
        #expect(result.output == "Emma\tJane Austen\nNana\tZola\n")
        #expect(result.error.contains("1 row kept (wrong number of cells, first at line 2)"), "\(result.error)")
        let sources = try run("search", "zola", path)
        #expect(sources.error.contains("1 row kept (wrong number of cells, first at line 2)"), "\(sources.error)")
    }

    @Test("A source with one record is a catalog, even if the book has no known fields")
    func oneRecord() throws {
        let bibliography = try sandbox.write("@book{a, title={Emma}, author={Austen, Jane}}\n", to: "one.bib")
        #expect(try run("search", "", bibliography).output == "Emma\tAusten, Jane\n")
        let untitled = try sandbox.write("TY  - JOUR\nDO  - 10.1186/s40981-020-0316-0\nER  - \n", to: "one.ris")
        #expect(try run("export", untitled, "--format", "jsonl").output.contains("10.1186/s40981-020-0316-0"))
    }

    @Test("A source without books is reported with the next step")
    func noBooks() throws {
        let feed = """
            <feed xmlns="http://www.w3.org/2005/Atom"><title>F</title><entry><title>New</title><link rel="subsection"
            href="/new" type="application/atom+xml;profile=opds-catalog"/></entry></feed>
            """
        let path = try sandbox.write(feed, to: "feed.atom")
        for _ in 1...2 {
            let result = try run("search", "", path)
            #expect(result.error == "stacks: \(path) has no books, but links to other feeds. Open one of those.\n")
            #expect(result.output.isEmpty)
        }
        let empty = try sandbox.write("<modsCollection></modsCollection>", to: "empty.xml")
        #expect(try run("search", "", empty).error == "stacks: \(empty) has no books. Check the file.\n")
    }

    @Test("A file in an unknown format is rejected with the reason, and a copy cannot be edited")
    func refused() throws {
        let path = try sandbox.write("just a note\n", to: "note.txt")
        let result = try run("search", "", path)
        #expect(result.ending == .exit(65))
        #expect(result.error.split(separator: "\n").count == 1)
        let csv = try sandbox.write(Self.csv, to: "books.csv")
        let change = try run("set", "9780141439587", "pages=1", "--catalog", csv)
        let reason = "cannot be changed here: it is not a plain JSON file. Change a copy"
        #expect(change.error == "stacks: \(csv) \(reason): stacks export \(csv) --format json --output copy.json.\n")
        #expect(change.ending == .exit(64))
    }

    @Test("The program links no library for networks, databases or XML")
    func noForeignLibraries() throws {
        func symbols(of program: String) throws -> [Substring] {
            let result = try sandbox.run(["/usr/bin/nm", "-a", program])
            #expect(result.ending == .exit(0))
            // Symbols of a library are followed by their version.
            return result.output.split(separator: "\n").compactMap {
                $0.split(separator: " ").last?.prefix { $0 != "@" }
            }
        }
        let prefixes = ["curl_", "sqlite3_", "xmlParse", "xmlCreate", "yaz_", "marc_", "getaddrinfo"]
        let own = try symbols(of: Programs.stacks)
        #expect(own.contains("main") && own.contains("initscr") || own.contains("newterm"), "there are no symbols")
        for name in own { #expect(!prefixes.contains(where: name.hasPrefix), "\(name)") }
        // The libraries define these names.
        let connector = try symbols(of: Programs.stacks + "-connect")
        for prefix in ["curl_", "sqlite3_", "xmlCreate", "yaz_"] {
            #expect(connector.contains { $0.hasPrefix(prefix) }, "\(prefix)")
        }
    }

    /// The program that reads what others have made cannot type into the terminal (TIOCSTI).
    @Test("The connector program has no terminal") func connectorWithoutTerminal() throws {
        let terminal = try Tmux(in: sandbox, opening: try sandbox.writeTable(books: 400_000))
        let connector = try sandbox.pauseConnector(of: terminal)
        func process(_ id: pid_t) throws -> (session: pid_t?, terminal: Int?) {
            let stat = try String(contentsOfFile: "/proc/\(id)/stat", encoding: .utf8)
            // After the name: the state, parent, process group, session and terminal; see proc(5).
            let fields = stat[stat.index(after: try #require(stat.lastIndex(of: ")")))...].split(separator: " ")
            return (pid_t(fields[3]), Int(fields[4]))
        }
        #expect(try process(connector) == (connector, 0))
        #expect(try process(try terminal.processID).terminal != 0)
        kill(connector, SIGCONT)
        try terminal.type("q")
        _ = try terminal.waitForEnd()
        #expect(kill(connector, 0) == -1)
    }

    @Test("When a first copy is complete, the message of its progress gives way to what was read")
    func completedCopy() throws {
        let terminal = try Tmux(in: sandbox, opening: try sandbox.writeTable(books: 100_000))
        let connector = try sandbox.pauseConnector(of: terminal)
        try terminal.wait(for: "Reading many.csv for the first time. Esc stops")
        kill(connector, SIGCONT)
        try terminal.wait(for: "Read many.csv: 100,000 books")
        #expect(try !terminal.screen.shows("for the first time"))
    }

    @Test("If the connector program is killed, the rows so far stay, with a message")
    func killedConnector() throws {
        let path = try sandbox.writeTable(books: 400_000)
        let terminal = try Tmux(in: sandbox, opening: path)
        let connector = try sandbox.pauseConnector(of: terminal)
        kill(connector, SIGKILL)
        try terminal.wait(for: "stacks-connect ended early; it may use 4 GiB of memory at most")
        #expect(try terminal.screen.shows("Author 1 "))
        try terminal.type("q")
        _ = try terminal.waitForEnd()
        #expect(try run("search", "", path, "--limit", "1").ending == .exit(0))
        #expect(try run("sources").output.contains("400,000 rows"))
    }
}
