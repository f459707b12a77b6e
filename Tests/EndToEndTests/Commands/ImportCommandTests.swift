import Foundation
import Testing

/// `stacks import`.
@Suite("stacks import") struct ImportCommandTests {
    let sandbox: Sandbox
    let catalog: String
    let goodreads: String

    init() throws {
        sandbox = try Sandbox()
        catalog = try sandbox.write(Novels.catalog, to: "novels.json")
        goodreads = try sandbox.write(
            #"""
            Book Id,Title,Author,Additional Authors,ISBN,ISBN13,My Rating,Date Read,Date Added,Bookshelves,Exclusive Shelf,My Review,Private Notes
            1,"Second Foundation (Foundation, #3)",Isaac Asimov,,"=""0553293362""","=""9780553293364""",4,2023/01/15,2022/12/01,"favorites, sci-fi",read,"Fine<br/>indeed","a, ""b"""
            2,Emma,Jane Austen,"Some Translator","=""""","=""""",0,,2022/12/02,to-read,to-read,,
            3,"Elsewhere\#u{1B}[31m",Nobody Known,,"=""""","=""""",5,,2022/12/03,sci-fi,currently-reading,,

            """#, to: "goodreads.csv")
    }

    private func importing(_ arguments: String...) throws -> Sandbox.Result {
        try sandbox.run([Programs.stacks, "import"] + arguments)
    }

    private func lists() throws -> String {
        try sandbox.run([Programs.stacks, "lists", catalog]).output
    }

    @Test func userDataIsImported() throws {
        let result = try importing(goodreads, "--catalog", catalog)
        #expect(result.ending == .exit(0))
        #expect(result.error.isEmpty)
        #expect(
            result.output == """
                \(goodreads): 3 books, 2 in \(catalog).
                Imported 1 favourite, 2 statuses, 1 reading, 1 rating, 1 note, 1 shelf entry for 2 books.
                Kept 1 status, 1 reading, 1 rating, 1 shelf entry for 1 book not in this catalog.
                New shelves: sci-fi.

                Not in this catalog:
                  Elsewhere\u{FFFD}[31m, Nobody Known

                """)
        #expect(
            try lists()
                == "All books\t7\nFavourites\t1\nTo read\t2\nReading\t1\t1\nRead\t2\nAbandoned\t0\nUp next\t2\nsci-fi\t1\t1\n"
        )
        let shown = try sandbox.run([Programs.stacks, "show", "9780553293364", catalog]).output
        for line in ["Status\tRead, 2023-01-15\n", "My rating\t★★★★☆\n", "Shelves\tFavourites, sci-fi\n"] {
            #expect(shown.contains(line), "\(shown)")
        }
        #expect(shown.contains("\nNote\na, \"b\"\n\nFine\nindeed\n"), "\(shown)")
    }

    /// Another edition, with initials of an author or without a subtitle; two books with the same title do not match.
    @Test func aBookIsFoundByTitleAndAuthorIfUnique() throws {
        let catalog = try sandbox.write(
            """
            [{"title": "Good Omens", "authors": ["Pratchett, Terry", "Gaiman, Neil"], "isbn": "9780060853983"},
             {"title": "The Lord of the Rings", "authors": ["J.R.R. Tolkien"]},
             {"title": "Sapiens: A Brief History", "authors": ["Yuval Noah Harari"]},
             {"title": "Poems", "authors": ["John Keats"]}, {"title": "Poems.", "authors": ["Keats, John", "An Editor"]},
             {"title": "Emma", "authors": ["Somebody Else"]}]
            """, to: "others.json")
        let file = try sandbox.write(
            """
            Title,Author,Additional Authors,ISBN13,My Rating,Exclusive Shelf
            Good Omens,Neil Gaiman,Some Narrator,9780552137034,5,read
            "Lord of the Rings (Middle-earth, #1-3)",J. R. R. Tolkien,,,4,read
            Sapiens,Yuval Noah Harari,,,3,read
            Poems,J. Editor,"Keats, John",,2,read
            Poems,"Keats, John",A. Foreword,,2,read
            Emma,Jane Austen,,,1,read

            """, to: "others.csv")
        let output = try importing(file, "--catalog", catalog).output
        #expect(
            output.hasPrefix(
                "\(file): 6 books, 3 in \(catalog).\nImported 3 statuses, 3 readings, 3 ratings for 3 books.\n"))
        #expect(output.contains("\nNot in this catalog:\n  Poems, "))
        let read = try sandbox.run([Programs.stacks, "search", "status:read", catalog]).output
        #expect(
            read.split(separator: "\n").map { $0.split(separator: "\t")[0] } == [
                "Good Omens", "The Lord of the Rings", "Sapiens: A Brief History",
            ])
    }

    @Test func theSameFileTwiceChangesNothing() throws {
        _ = try importing(goodreads, "--catalog", catalog)
        let history = sandbox.text(of: sandbox.historyPath)
        for arguments in [[], ["--replace"]] {
            let again = try sandbox.run([Programs.stacks, "import", goodreads, "--catalog", catalog] + arguments)
            #expect(again.ending == .exit(0))
            #expect(again.output.contains("\nNothing to change.\n"))
            #expect(sandbox.text(of: sandbox.historyPath) == history)
        }
        // The same import with a catalog of other books.
        let other = try sandbox.writeCatalog(books: 2)
        #expect(try importing(goodreads, "--catalog", other).output.contains("\nNothing to change.\n"))
    }

    @Test func oneUndoRevertsTheImport() throws {
        _ = try importing(goodreads, "--catalog", catalog)
        let terminal = try Tmux(in: sandbox, opening: catalog)
        try terminal.wait(forPosition: "1/7")
        try terminal.type("u")
        try terminal.wait(for: "Undone: import of goodreads.csv (3 books)")
        try terminal.type("q")
        #expect(try terminal.waitForEnd() == .exit(0))
        #expect(
            try lists()
                == "All books\t7\nFavourites\t0\nTo read\t1\nReading\t1\nRead\t2\nAbandoned\t0\nUp next\t1\n"
        )
    }

    @Test func differingUserDataStaysUnlessReplaced() throws {
        _ = try importing(goodreads, "--catalog", catalog)
        let text = sandbox.text(of: goodreads).replacing(",4,2023", with: ",2,2023")
        let changed = try sandbox.write(text, to: "changed.csv")
        let kept = try importing(changed, "--catalog", catalog)
        #expect(kept.output.contains("\nLeft 1 value of yours unchanged;"))
        let replaced = try importing(changed, "--catalog", catalog, "--replace")
        #expect(replaced.output.contains("1 rating"))
        let shown = try sandbox.run([Programs.stacks, "show", "9780553293364", catalog]).output
        #expect(shown.contains("My rating\t★★☆☆☆\n"))
    }

    @Test func aDryRunOnlyReports() throws {
        let result = try importing(goodreads, "--catalog", catalog, "--dry-run", "--format", "json")
        #expect(result.ending == .exit(0))
        let report = try #require(
            try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any])
        #expect(report["books"] as? Int == 3)
        #expect(report["inCatalog"] as? Int == 2)
        #expect(report["dryRun"] as? Bool == true)
        #expect(report["ratings"] as? Int == 1)
        #expect((report["ofUnmatched"] as? [String: Any])?["ratings"] as? Int == 1)
        #expect(report["newShelves"] as? [String] == ["sci-fi"])
        #expect((report["unmatched"] as? [[String: Any]])?.first?["line"] as? Int == 4)
        #expect(!FileManager.default.fileExists(atPath: sandbox.historyPath))
    }

    @Test func aListOfISBNsGoesToTheChosenList() throws {
        let list = try sandbox.write("# mine\n978-0-553-29336-4\n0141439580\nnone\n9780306406157\n", to: "list.txt")
        let result = try importing(list, "--catalog", catalog)
        #expect(result.ending == .exit(65))
        #expect(result.error == "stacks: \(list), line 4: “none” is not a valid ISBN.\n")
        #expect(try lists().contains("Favourites\t2\t1\n"))
        #expect(
            try importing(list, "--catalog", catalog, "--list", "to read").output.contains("Imported 2 statuses for"))
        #expect(try importing(list, "--catalog", catalog, "--list", "Beach").output.contains("New shelves: Beach.\n"))
        #expect(try lists().hasSuffix("Beach\t2\t1\n"))
        #expect(try importing(list, "--catalog", catalog, "--list", " ").ending == .exit(64))
    }

    @Test func standardInputIsReadToo() throws {
        let result = try sandbox.run([
            "/bin/sh", "-c", "echo 9780553293364 | '\(Programs.stacks)' import - --catalog '\(catalog)'",
        ])
        #expect(result.ending == .exit(0))
        #expect(result.output.hasPrefix("standard input: 1 book, 1 in "))
    }

    @Test func anUnreadableFileIsOneSentence() throws {
        let cases: [(path: String, code: Int32)] = [
            (sandbox.path + "/missing.csv", 66), (sandbox.path, 66), (try sandbox.write("", to: "empty.csv"), 65),
            (try sandbox.write("Title,Author\n\"A,B\n", to: "open.csv"), 65),
            (try sandbox.write("Name\nA\n", to: "name.csv"), 65),
            (try sandbox.write("Title,Author\nA\n", to: "short.csv"), 65),
        ]
        for (path, code) in cases {
            let result = try importing(path, "--catalog", catalog)
            #expect(result.ending == .exit(code), "\(path)")
            #expect(result.output.isEmpty)
            #expect(result.error.contains(path) && result.error.count { $0 == "\n" } == 1, "\(result.error)")
        }
        #expect(!FileManager.default.fileExists(atPath: sandbox.historyPath))
        #expect(try importing("-", "--catalog", "-").ending == .exit(64))
        #expect(try importing().ending == .exit(64))
    }

    @Test func lostOutputIsAnError() throws {
        let result = try sandbox.run([
            "/bin/sh", "-c", "'\(Programs.stacks)' import '\(goodreads)' --catalog '\(catalog)' > /dev/full",
        ])
        #expect(result.ending == .exit(74))
    }
}
