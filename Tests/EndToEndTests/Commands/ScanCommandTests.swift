import Foundation
import TestSupport
import Testing

/// `stacks scan`.
@Suite("stacks scan") struct ScanCommandTests {
    private let sandbox: Sandbox

    init() throws { sandbox = try Sandbox() }

    /// Runs a scan with lines on its standard input.
    private func scan(_ lines: String, _ arguments: String...) throws -> Sandbox.Result {
        let input = try sandbox.write(lines, to: "codes.txt")
        return try sandbox.run(
            ["/bin/sh", "-c", "file=$1; shift; exec \"$@\" < \"$file\"", "sh", input, Programs.stacks, "scan"]
                + arguments)
    }

    private func books(_ path: String) throws -> [[String: Any]] {
        let text = try sandbox.run([Programs.stacks, "search", "", path, "--format", "json"]).output
        return try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [[String: Any]] ?? []
    }

    @Test("Without sources, books are added with their ISBN alone, each once; what is wrong is listed")
    func adding() throws {
        let path = sandbox.path + "/new.json"
        let codes = "9780553103540\n0-553-10354-7\n9780141439587 51299\r\n978014143958\nhello\n\n9780441013593"
        let result = try scan(codes, path)
        #expect(result.ending == .exit(1))
        #expect(result.output.hasPrefix("Created \(path). Added “978-0553103540”."))
        #expect(
            result.output.hasSuffix(
                """
                3 books added
                Damaged: 978014143958, hello
                Scanned twice: 978-0553103540

                """), "\(result.output)")
        let isbns = try books(path).map { $0["isbn"] as? String }
        #expect(isbns == ["9780553103540", "9780141439587", "9780441013593"])
        let again = try scan("9780441013593\n9780306406157\n", path)
        #expect(again.ending == .exit(0))
        #expect(again.error == "stacks: 978-0441013593 is there already, “978-0441013593”; nothing added.\n")
        #expect(try books(path).count == 4)
        #expect(again.output == "Added “978-0306406157”.\n1 book added\n")
    }

    @Test("With sources, books are added with what these know, in the order of the scan")
    func lookingUp() throws {
        let server = try ServerProcess(script: "lookup.py")
        let lines = ["loc", "dnb", "slow/loc"].map { path in
            "\(path.prefix { $0 != "/" }) = \"sru+http://127.0.0.1:\(server.words[0])/\(path)?version=1.1&index-isbn=num\""
        }
        try sandbox.write("[catalogs]\n" + lines.joined(separator: "\n") + "\n", to: "config/stacks/config.toml")
        let path = sandbox.path + "/new.json"
        let codes = "9780553103540\n9780306406157\n9783462001310\n"
        let result = try scan(codes, path, "--sources", "slow,dnb")
        #expect(result.ending == .exit(1))
        #expect(result.output.contains("Added “A game of thrones, Martin, George R. R.”."))
        #expect(result.output.hasSuffix("3 books added\nAdded with the ISBN alone: 978-0306406157\n"))
        #expect(result.error.contains("stacks: no source knows 978-0306406157. "))
        let found = try books(path)
        #expect(found.map { $0["isbn"] as? String } == ["9780553103540", "9780306406157", "9783462001310"])
        #expect(found.map { $0["pageCount"] as? Int } == [694, nil, 255])
    }

    @Test("The config file chooses the sources of commands that name none") func configured() throws {
        let home = try sandbox.write(#"[{"title": "Emma", "isbn": "9780141439587"}]"#, to: "home.json")
        let other = try sandbox.write(#"[{"title": "Other", "isbn": "9780141439587"}]"#, to: "other.json")
        let catalogs = "[catalogs]\nhome = \"\(home)\"\nother = \"\(other)\"\n"
        let path = sandbox.path + "/new.json"
        for (setting, output) in [("", "Added “978-0141439587”."), ("sources = [\"home\"]", "Added “Emma”.")] {
            try sandbox.write("[lookup]\n\(setting)\n" + catalogs, to: "config/stacks/config.toml")
            let result = try scan("9780141439587\n", path)
            #expect(result.output.contains(output), "\(result.output)")
            try FileManager.default.removeItem(atPath: path)
        }
        let found = try sandbox.run([Programs.stacks, "lookup", "9780141439587"])
        #expect(found.output.contains("Emma  (home)") && !found.output.contains("other"))
        try sandbox.write("[lookup]\nsources = []\n" + catalogs, to: "config/stacks/config.toml")
        #expect(try sandbox.run([Programs.stacks, "lookup", "9780141439587"]).ending == .exit(64))
        #expect(try scan("9780141439587\n", path).output.contains("Added “978-0141439587”."))
    }

    @Test("Books are found, and put on a shelf; those of the shelf that were not scanned are listed")
    func shelf() throws {
        let path = try sandbox.write(
            """
            [{"title": "One", "authors": ["Ann"], "isbn": "9780553103540"}, {"title": "Two", "isbn": "9780441013593"},
             {"title": "Three", "isbn": "0306406152"}]
            """, to: "books.json")
        let found = try scan("0306406152\n9780141439587\n", path, "--mode", "find")
        #expect(found.ending == .exit(1))
        #expect(found.output == "978-0306406157  Three\n1 book found\nNot in the catalog: 978-0141439587\n")
        let first = try scan("9780553103540\n9780441013593\n", path, "--mode", "shelf=Hall")
        #expect(first.ending == .exit(0))
        #expect(first.output == "978-0553103540  One, Ann\n978-0441013593  Two\n2 books put on Hall\n")
        let second = try scan("9780441013593\n9780306406157\n", path, "--mode", "shelf=Hall")
        #expect(
            second.output == """
                978-0441013593  Two
                978-0306406157  Three
                On Hall, and not scanned: 1 book
                  One, Ann
                2 books put on Hall

                """)
        let shelf = try sandbox.run([Programs.stacks, "search", "on:hall", path]).output
        #expect(shelf.split(separator: "\n").count == 3)
    }

    @Test("A catalog that cannot be changed is refused before the first code")
    func refused() throws {
        let csv = try sandbox.write("title,isbn\nA,9780553103540\n", to: "books.csv")
        let foreign = try scan("9780441013593\n", csv)
        #expect(foreign.ending == .exit(64) && foreign.output.isEmpty)
        let path = try sandbox.write(#"[{"title": "A"}]"#, to: "books.json")
        // Root may write whatever its mode is.
        try FileManager.default.linkItem(atPath: path, toPath: sandbox.path + "/other.json")
        let result = try scan("9780441013593\n", path)
        #expect(result.ending == .exit(77) && result.output.isEmpty, "\(result.error)")
    }

    @Test("A line without an end takes no memory, and the codes after it are read")
    func endless() throws {
        let path = sandbox.path + "/new.json"
        let result = try scan(String(repeating: "9", count: 3_000_000) + "\n9780553103540\n", path)
        #expect(result.output.contains("1 book added\nDamaged: 9999"))
        #expect(result.output.utf8.count < 5000)
    }

    @Test("On a terminal, each book is added as it is scanned")
    func terminal() throws {
        let path = sandbox.path + "/new.json"
        let terminal = try Tmux(in: sandbox, running: [Programs.stacks, "scan", path])
        try terminal.wait(for: "Scan or type ISBNs, each followed by Enter; ^d ends.")
        try terminal.type("9780553103540\n")
        try terminal.wait(for: "Added “978-0553103540”.")
        #expect(try books(path).count == 1)
        try terminal.type("12\n")
        try terminal.wait(for: "“12” is not an ISBN. Scan it again.")
        try terminal.press("C-d")
        try terminal.wait(for: "1 book added")
    }
}
