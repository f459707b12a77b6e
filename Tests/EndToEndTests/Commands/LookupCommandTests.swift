import Foundation
import TestSupport
import Testing

/// `stacks lookup` and `stacks add --lookup`, with library servers that answer as real ones did.
@Suite("stacks lookup") struct LookupCommandTests {
    private let sandbox: Sandbox
    private let server: ServerProcess

    init() throws {
        sandbox = try Sandbox()
        server = try ServerProcess(script: "lookup.py")
        try configure()
    }

    /// Names the servers in the config file, and whatever `more` says.
    private func configure(_ more: String = "") throws {
        let libraries = ["loc", "k10plus", "dnb", "slow/loc", "cut/loc", "wrong/dnb", "busy/loc", "page/loc"]
        let lines = libraries.map { path in
            let name = path.split(separator: "/")[0]
            return "\(name) = \"sru+http://127.0.0.1:\(server.words[0])/\(path)?version=1.1&index-isbn=num\""
        }
        try sandbox.write("[catalogs]\n" + lines.joined(separator: "\n") + more + "\n", to: "config/stacks/config.toml")
    }

    private static let game = "978-0-553-10354-0"
    private static let advice = ". Check it, or name other --sources.\n"
    private static let quiz = "9783462001310"

    private func lookup(_ arguments: String...) throws -> Sandbox.Result {
        try sandbox.run([Programs.stacks, "lookup"] + arguments)
    }

    /// The values of the fields of a book, each with its sources.
    private func values(_ result: Sandbox.Result, ofBook number: Int = 0) throws -> [String: [String]] {
        let books = try #require(
            try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [[String: Any]])
        let fields = try #require(books.dropFirst(number).first?["fields"] as? [[String: Any]])
        var found: [String: [String]] = [:]
        for field in fields {
            let values = field["values"] as? [[String: Any]] ?? []
            found[field["field"] as? String ?? ""] = values.map { value in
                let text = (value["value"] as? [String])?.joined(separator: "; ") ?? "\(value["value"] ?? "")"
                return text + " · " + (value["sources"] as? [String] ?? []).joined(separator: ", ")
            }
        }
        return found
    }

    @Test("Values are shown with their sources, and what differs is not guessed")
    func values() throws {
        let result = try lookup(Self.game, "--sources", "loc,k10plus", "--format", "json")
        #expect(result.ending == .exit(0) && result.error.isEmpty)
        let found = try values(result)
        // As pymarc reads the records.
        #expect(found["title"] == ["A game of thrones · loc, k10plus"])
        #expect(found["authors"] == ["Martin, George R. R. · loc, k10plus"])
        #expect(found["pageCount"] == ["694 · loc, k10plus"])
        #expect(found["publisher"] == ["Bantam Books · loc, k10plus"])
        #expect(found["published"] == ["1996 · loc", "2002 · k10plus"])
        #expect(found["series"] == ["A song of ice and fire · loc"])
        #expect(found["isbn"] == ["9780553103540 · loc, k10plus"])
        let text = try lookup("0553103547", "--sources", "loc,k10plus").output.split(separator: "\n")
        #expect(text.first == "978-0553103540")
        #expect(text.contains("  Pages             694  (loc, k10plus)"))
        #expect(text.contains("                    2002  (k10plus)"))
    }

    @Test("A server that fails, answers late or with another book does not hide the others")
    func faults() throws {
        let names = "cut,busy,page,wrong,slow,loc"
        let result = try lookup(Self.game, "--sources", names, "--format", "json")
        #expect(result.ending == .exit(0))
        #expect(try values(result)["title"] == ["A game of thrones · slow, loc"])
        let errors = result.error.split(separator: "\n")
        #expect(errors.count == 3, "\(result.error)")
        for name in ["cut", "busy", "page"] {
            #expect(errors.contains { $0.hasPrefix("stacks: cannot read \(name): ") }, "\(result.error)")
        }
    }

    @Test("A book that no source has is said, and the status is that of a source that failed")
    func unknown() throws {
        let result = try lookup("9780141439587", Self.game, "--sources", "loc")
        #expect(result.ending == .exit(1))
        #expect(result.error == "stacks: no source knows 978-0141439587\(Self.advice)")
        #expect(result.output.hasPrefix("978-0553103540\n"))
        let other = try lookup("9780141439587", "--sources", "loc,busy")
        #expect(other.ending == .exit(69) && other.error.contains("stacks: no other source knows 978-0141439587. "))
        let json = try lookup("9780141439587", "--sources", "loc", "--format", "json")
        #expect(json.output == "[]\n")
    }

    @Test("A server is asked once a second at most, and for ten digits as well as for thirteen")
    func requests() throws {
        let result = try lookup(Self.game, Self.quiz, "9780141439587", "--sources", "loc")
        #expect(result.ending == .exit(1))
        let asked = server.ask("log").split(separator: "|").map(String.init)
        #expect(asked.count == 3, "\(asked)")
        #expect(asked[0].contains("num") && asked[0].contains("9780553103540") && asked[0].contains("0553103547"))
        let times = asked.compactMap { $0.split(separator: " ").first.flatMap { Int($0) } }
        #expect(zip(times, times.dropFirst()).allSatisfy { $1 - $0 >= 900 }, "\(times)")
    }

    @Test("A title and its author find books, which are told apart by their ISBN")
    func titles() throws {
        let result = try lookup(
            "--title", "Game of Thrones", "--author", "Martin, George R. R.", "--sources", "loc,k10plus")
        #expect(result.output.hasPrefix("978-0553103540\n"), "\(result.output)\(result.error)")
        #expect(
            try lookup("--title", "Persuasion", "--sources", "loc").error
                == "stacks: no source knows “Persuasion”\(Self.advice)")
    }

    @Test("Without sources, only catalogs on this machine are searched, and nothing is sent")
    func unasked() throws {
        let local = try sandbox.write(#"[{"title": "Mine", "isbn": "9780553103540"}]"#, to: "local.json")
        try configure("\nlocal = \"\(local)\"")
        #expect(try values(lookup(Self.game, "--format", "json"))["title"] == ["Mine · local"])
        try configure()
        let result = try lookup(Self.game)
        #expect(result.ending == .exit(64))
        #expect(result.error.contains("no source to look in. Name some, as in --sources dnb,loc."))
        #expect(server.ask("log") == "")
        let catalog = try sandbox.write(
            #"[{"id": 7, "title": "A Game of Thrones", "isbn": "0553103547", "status": "read"}]"#, to: "mine.json")
        let own = try lookup(Self.game, "--sources", catalog, "--format", "json")
        #expect(
            try values(own) == [
                "title": ["A Game of Thrones · \(catalog)"], "isbn": ["9780553103540 · \(catalog)"],
            ])
    }

    @Test("What is found is added to a catalog as one change, and what is not is said")
    func adding() throws {
        let path = sandbox.path + "/new.json"
        let arguments = ["add", "--lookup", Self.game, "9780141439587", Self.quiz, "--catalog", path]
        let result = try sandbox.run([Programs.stacks] + arguments + ["--sources", "loc,dnb"])
        #expect(result.ending == .exit(1))
        #expect(result.output.hasSuffix("2 books added.\n"), "\(result.output)")
        #expect(result.error == "stacks: no source knows 978-0141439587\(Self.advice)")
        let found = try sandbox.run([Programs.stacks, "search", "", path, "--format", "json"]).output
        let books = try #require(try JSONSerialization.jsonObject(with: Data(found.utf8)) as? [[String: Any]])
        #expect(books.map { $0["isbn"] as? String } == ["9780553103540", "9783462001310"])
        #expect(books.map { $0["pageCount"] as? Int } == [694, 255])
        let twice = try sandbox.run(
            [Programs.stacks, "add", "--lookup", Self.game, Self.quiz, "--catalog", path, "--sources", "loc,dnb"])
        #expect(twice.ending == .exit(0) && twice.error.contains("978-0553103540 is there already, “A game of thrones"))
        let again = try sandbox.run(
            [Programs.stacks, "add", "--lookup", "9780141439587", "--catalog", path, "--sources", "loc"])
        #expect(again.ending == .exit(1) && again.output.isEmpty)
    }

    @Test("A catalog that cannot be changed is refused before anything is looked up")
    func refused() throws {
        let csv = try sandbox.write("title,isbn\nA,9780441013593\n", to: "books.csv")
        for path in [csv, sandbox.path + "/missing/new.json"] {
            let result = try sandbox.run(
                [Programs.stacks, "add", "--lookup", Self.game, "--catalog", path, "--sources", "loc"])
            #expect(result.ending != .exit(0) && result.output.isEmpty, "\(result.error)")
        }
        #expect(server.ask("log") == "")
    }

    @Test("A source that has no index for ISBNs says how to name it; nothing of a lookup is kept")
    func indexes() throws {
        let address = "sru+http://127.0.0.1:\(server.words[0])/described/loc"
        let result = try lookup(Self.game, "--sources", address)
        #expect(result.error.contains("cannot search for isbn:9780553103540. Name its index"), "\(result.error)")
        let named = try lookup(Self.game, "--sources", address + "?index-isbn=bib.isbn%20all")
        #expect(named.ending == .exit(0), "\(named.error)")
        #expect(server.ask("log").contains(#"(bib.isbn all "9780553103540" or bib.isbn all "0553103547")"#))
        #expect(try sandbox.filesContaining("9780553103540") == "")
    }

    @Test("Zebra answers by SRU and by Z39.50 with one record, which has two sources then") func zebra() throws {
        let zebra = try ServerProcess(script: "zebra.py", arguments: [sandbox.path, "40"])
        let port = zebra.words[0]
        try configure("\nsru = \"sru+http://127.0.0.1:\(port)/Default\"\nz = \"z3950://127.0.0.1:\(port)/Default\"")
        let books =
            try JSONSerialization.jsonObject(with: Data(sandbox.text(of: sandbox.path + "/books.json").utf8))
            as? [[String: Any]] ?? []
        for book in [books[13], books[21]] {
            let isbn = try #require(book["isbn"] as? String)
            let result = try lookup(isbn, "--sources", "sru,z", "--format", "json")
            #expect(result.ending == .exit(0), "\(result.error)")
            let values = try values(result)
            #expect(values["title"] == ["\(book["title"] ?? "") · sru, z"], "\(values)")
            #expect(values["authors"] == ["\(book["author"] ?? "") · sru, z"])
            #expect(values["published"] == ["\(book["year"] ?? "") · sru, z"])
        }
        let found = try lookup("--title", "mountain of bread", "--sources", "z", "--format", "json")
        #expect(try values(found)["title"]?.first?.contains("mountain of bread") == true, "\(found.output)")
    }

    @Test("A server that leads to another host does not take the ISBN there; another path of its own is followed")
    func redirects() throws {
        let lines = ["away", "moved"].map {
            "\n\($0) = \"sru+http://127.0.0.1:\(server.words[0])/\($0)/loc?version=1.1&index-isbn=num\""
        }
        try configure(lines.joined())
        let moved = try lookup(Self.game, "--sources", "moved", "--format", "json")
        #expect(try values(moved)["pageCount"] == ["694 · moved"], "\(moved.error)")
        _ = server.ask("log")
        let away = try lookup(Self.game, "--sources", "away")
        #expect(
            away.output.isEmpty && away.error.contains("redirects to an address that is not followed"), "\(away.error)")
        // The first host was asked, and the other one was not.
        #expect(server.ask("log").split(separator: "|").count == 1)
    }

    @Test("LIBRIS knows a book by its ISBN, and by its title and author")
    func libris() throws {
        let address = "xsearch+http://127.0.0.1:\(server.words[0])/libris/xsearch"
        let found = try values(lookup("9789113016313", "--sources", address, "--format", "json"))
        #expect(found["title"] == ["Röda rummet · \(address)"])
        #expect(found["pageCount"] == ["379 · \(address)"] && found["publisher"] == ["Norstedt · \(address)"])
        let titled = try lookup("--title", "Röda rummet", "--author", "August Strindberg", "--sources", address)
        #expect(titled.output.hasPrefix("978-9113016313\n"), "\(titled.output)\(titled.error)")
        let none = try lookup("--title", "Hemsöborna", "--sources", address)
        #expect(none.error == "stacks: no source knows “Hemsöborna”\(Self.advice)")
        #expect(try lookup(Self.game, "--sources", address).ending == .exit(1))
    }

    @Test("Open Library knows an edition by its ISBN, and works by their title")
    func openLibrary() throws {
        let address = "openlibrary+http://127.0.0.1:\(server.words[0])/openlibrary"
        let found = try values(lookup(Self.game, "--sources", address, "--format", "json"))
        #expect(found["title"] == ["A Game of Thrones · \(address)"])
        #expect(found["authors"] == ["George R. R. Martin · \(address)"])
        #expect(found["pageCount"] == ["694 · \(address)"] && found["published"] == ["1996-08 · \(address)"])
        #expect(found["isbn"] == ["9780553103540 · \(address)"])
        let titled = try lookup("--title", "Game of Thrones", "--sources", address, "--format", "json")
        let (first, second) = (try values(titled), try values(titled, ofBook: 1))
        #expect(first["title"] == ["A Game of Thrones · \(address)"] && first["isbn"] == nil)
        #expect(first["published"] == ["1996 · \(address)"] && first["pageCount"] == nil)
        #expect(second["title"] == ["Game of Thrones · \(address)"])
        #expect(second["pageCount"] == ["120 · \(address)"])
        #expect(try lookup(Self.quiz, "--sources", address).ending == .exit(1))
    }

    @Test("A local source that is cut off is reported, and what it has is found")
    func damagedSource() throws {
        let path = try sandbox.write(#"[{"title": "E", "isbn": "9780553103540"}, {"title": "#, to: "cut.json")
        let result = try lookup(Self.game, "--sources", path)
        #expect(result.ending == .exit(0) && result.error.contains("cut off"), "\(result.error)")
    }

    @Test("Empty fields are filled, and nothing that is there is overwritten")
    func filling() throws {
        let text = """
            [{"title": "Game", "isbn": "0553103547", "publisher": "Mine"},
             {"title": "Quiz", "isbn": "9783462001310", "pages": 1}, {"title": "None"},
             {"title": "Emma", "isbn": "9780141439587"}]
            """
        let path = try sandbox.write(text, to: "books.json")
        let arguments = ["set", "--query", "", "--lookup", "pages,publisher", "--catalog", path]
        let command = [try Programs.stacks] + arguments + ["--sources", "loc,dnb"]
        let dry = try sandbox.run(command + ["--dry-run"])
        #expect(dry.ending == .exit(1) && sandbox.text(of: path) == text)
        #expect(
            dry.output.contains(#"+[{"title": "Game", "isbn": "0553103547", "publisher": "Mine", "pages": 694}"#),
            "\(dry.output)")
        let result = try sandbox.run(command)
        #expect(result.ending == .exit(1) && result.output == "2 books changed.\n")
        #expect(result.error.contains("1 book without an ISBN; not looked up."))
        #expect(result.error.contains("no source knows 978-0141439587"))
        let now = sandbox.text(of: path)
        #expect(now.contains(#""publisher": "Mine", "pages": 694}"#), "\(now)")
        #expect(now.contains(#""pages": 1, "publisher": "Kiepenheuer & Witsch"}"#), "\(now)")
        let again = try sandbox.run(
            [Programs.stacks] + ["set", "9783462001310", "--lookup", "pages", "--catalog", path])
        #expect(again.ending == .exit(0) && again.output == "0 books changed.\n")
    }

    @Test("A number in a series belongs to its series, and what holds in one catalog only is left there")
    func series() throws {
        let one = try sandbox.write(
            #"[{"title": "A", "isbn": "9780553103540", "series": "Penguin Classics", "rating": 2, "cover": "a.jpg"}]"#,
            to: "one.json")
        let two = try sandbox.write(
            #"[{"title": "A", "isbn": "9780553103540", "series": "Novels", "seriesPosition": 7}]"#, to: "two.json")
        let path = sandbox.path + "/new.json"
        let added = try sandbox.run(
            [Programs.stacks, "add", "--lookup", Self.game, "--catalog", path, "--sources", "\(one),\(two)"])
        #expect(added.ending == .exit(0))
        let text = sandbox.text(of: path)
        #expect(text.contains(#""series": "Penguin Classics""#), "\(text)")
        for name in ["seriesPosition", "rating", "cover"] { #expect(!text.contains(name), "\(text)") }
        let other = try sandbox.write(
            #"[{"title": "A", "isbn": "9780553103540", "series": "Penguin Classics"}]"#, to: "other.json")
        let result = try sandbox.run(
            [Programs.stacks, "set", Self.game, "--lookup", "seriesPosition", "--catalog", other, "--sources", two])
        #expect(result.ending == .exit(1))
        #expect(result.error.contains("no source has these fields of 978-0553103540. "), "\(result.error)")
    }

    @Test("A book that was added with its ISBN alone gets its title later, and a failing source does not hide that")
    func stubs() throws {
        let path = sandbox.path + "/new.json"
        let scan = "echo 9780553103540 | '\(try Programs.stacks)' scan '\(path)' --sources busy"
        let scanned = try sandbox.run(["/bin/sh", "-c", scan])
        #expect(scanned.ending == .exit(1) && scanned.output.contains("Added “978-0553103540”."))
        let result = try sandbox.run(
            [Programs.stacks, "set", "--query", "", "--lookup", "title,authors,pages", "--catalog", path]
                + ["--sources", "busy,loc"])
        #expect(result.ending == .exit(0) && result.output == "1 book changed.\n", "\(result.error)")
        let text = sandbox.text(of: path)
        #expect(text.contains("A game of thrones") && text.contains("Martin, George R. R.") && text.contains("694"))
        #expect(!text.contains("978-0553103540"))
    }
}
