import Foundation
import Testing

/// `stacks add`, `set`, `delete`, `move`, `merge` and `sort`.
@Suite("stacks add, set, delete, move, merge and sort") struct EditingCommandTests {
    let sandbox: Sandbox
    let catalog: String

    init() throws {
        sandbox = try Sandbox()
        catalog = try sandbox.write(Self.books, to: "books.json")
    }

    private static let books = """
        [
          {
            "title": "Emma",
            "authors": ["Jane Austen"],
            "isbn": "978-0141439587",
            "pageCount": 474,
            "x-place": {"room":  "b" }
          },
          {
            "title": "Dracula",
            "authors": ["Bram Stoker"],
            "isbn": "978-0141439846",
            "fiction": true
          },
          {
            "title": "Drakula",
            "authors": ["B. Stoker"],
            "isbn": null,
            "pageCount": 400
          }
        ]

        """

    private func stacks(_ arguments: String...) throws -> Sandbox.Result {
        try sandbox.run([Programs.stacks] + arguments)
    }

    private func content() throws -> String { try String(contentsOfFile: catalog, encoding: .utf8) }

    /// Runs a command that must succeed, first as a dry run, and returns its output.
    private func change(_ arguments: String..., saying error: String = "") throws -> String {
        let before = try content()
        let diff = try sandbox.run([Programs.stacks] + arguments + ["--catalog", catalog, "--dry-run"])
        #expect(diff.ending == .exit(0), "\(diff.error)")
        #expect(try content() == before)
        // Patching the old file with the diff gives the file that the command writes.
        try sandbox.write(before, to: "patched.json")
        try sandbox.write(diff.output, to: "diff")
        if !diff.output.isEmpty {
            let patched = try sandbox.run([
                "/usr/bin/env", "patch", "-s", sandbox.path + "/patched.json", sandbox.path + "/diff",
            ])
            #expect(patched.ending == .exit(0), "\(patched.output) \(patched.error) \(diff.output)")
        }
        let result = try sandbox.run([Programs.stacks] + arguments + ["--catalog", catalog])
        #expect(result.ending == .exit(0), "\(result.error)")
        #expect(result.error == error)
        #expect(try content() == String(contentsOfFile: sandbox.path + "/patched.json", encoding: .utf8))
        return result.output
    }

    // MARK: - Changing a catalog

    @Test func aValueIsSetAndNothingElseChanges() throws {
        #expect(try change("set", "9780141439587", "pages=475", "title=Emma, again") == "1 book changed.\n")
        #expect(
            try content()
                == Self.books.replacing("474", with: "475").replacing("\"Emma\"", with: "\"Emma, again\""))
        #expect(try change("set", "9780141439587", "pages=474", "title=Emma") == "1 book changed.\n")
        #expect(try content() == Self.books)
        #expect(try change("set", "9780141439587", "pages=474") == "0 books changed, 1 had the values already.\n")
    }

    @Test func booksOfAQueryAreSet() throws {
        #expect(try change("set", "--query", "pages:>300", "subjects+=Long; Old") == "2 books changed.\n")
        #expect(try content().components(separatedBy: #""subjects": ["Long", "Old"]"#).count == 3)
    }

    @Test func gitShowsOnlyTheEditedLines() throws {
        func git(_ arguments: String...) throws -> Sandbox.Result {
            try sandbox.run(
                [
                    "/usr/bin/env", "git", "-C", sandbox.path, "-c", "user.name=n", "-c", "user.email=e", "-c",
                    "init.defaultBranch=main",
                ]
                    + arguments)
        }
        _ = try git("init", "-q")
        _ = try git("add", "books.json")
        #expect(try git("commit", "-q", "-m", "books").ending == .exit(0))
        #expect(try stacks("set", "9780141439846", "title=Dracula!", "--catalog", catalog).ending == .exit(0))
        #expect(try git("diff", "--numstat").output == "1\t1\tbooks.json\n")
        #expect(try stacks("set", "9780141439846", "year=1897", "--catalog", catalog).ending == .exit(0))
        // The previous line gets a comma before a new last member.
        #expect(try git("diff", "--numstat").output == "3\t2\tbooks.json\n")
        #expect(try stacks("delete", "9780141439846", "--catalog", catalog).ending == .exit(0))
        #expect(try git("diff", "--numstat").output == "0\t6\tbooks.json\n")
    }

    @Test func aBookIsAddedInTheFormatOfTheOthers() throws {
        let output = try change("add", "title=Frankenstein", "authors=Mary Shelley", "isbn=9780141439471")
        #expect(output == "1 book added: isbn:9780141439471.\n")
        let added = """
            ,
              {
                "title": "Frankenstein",
                "authors": ["Mary Shelley"],
                "isbn": "978-0141439471"
              }
            ]

            """
        #expect(try content() == Self.books.dropLast(3) + added)
        #expect(try stacks("search", "frankenstein", catalog).output.contains("Mary Shelley"))
    }

    @Test(
        "Exported books are added to a catalog without books, and keep the key of their catalog",
        arguments: [
            "[]\n", #"{"books": []}"#, "",
        ])
    func exportedBooksAreAdded(to empty: String) throws {
        let other = try sandbox.write(
            #"[{"id":"7","title":"A","isbn":"978-0141439587"},{"title":"C","authors":["D"]}]"#, to: "other.json")
        let target = try sandbox.write(empty, to: "target.json")
        let added = try sandbox.run([
            "/bin/sh", "-c", "\"$0\" export \"$1\" --format jsonl | \"$0\" add \"$2\" -", Programs.stacks, other,
            target,
        ])
        #expect(added.ending == .exit(0), "\(added.error)")
        let exported = [other, target].map { try? stacks("export", $0, "--format", "jsonl").output }
        #expect(exported[0] != nil && exported[0] == exported[1])
        #expect(try !String(contentsOfFile: target, encoding: .utf8).contains("isbn:"))
    }

    @Test func booksAreAddedFromStandardInputAndFromOtherCatalogs() throws {
        let lines = #"{"title": "A", "authors": ["B"], "pageCount": 7}\#n\#n{"title": "C"}\#n"#
        let file = try sandbox.write(lines, to: "lines.jsonl")
        let added = try sandbox.run([
            "/bin/sh", "-c", "exec \"$0\" add - --catalog \"$1\" < \"$2\"", Programs.stacks, catalog, file,
        ])
        #expect(added.output == "2 books added.\n", "\(added.error)")
        let other = try sandbox.write(Novels.catalog, to: "novels.json")
        let copied = try stacks("add", "--from", other, "978-0547928227", "--catalog", catalog)
        #expect(copied.output == "1 book added: isbn:9780547928227.\n", "\(copied.error)")
        let shown = try stacks("show", "9780547928227", catalog, "--format", "json").output
        for part in ["Middle-earth", "Tolkien", "\"Fantasy\"", "1937"] { #expect(shown.contains(part)) }
        let wrong = try sandbox.run([
            "/bin/sh", "-c", "echo '[1]' | \"$0\" add - --catalog \"$1\"", Programs.stacks, catalog,
        ])
        #expect(wrong.ending == .exit(65))
        #expect(wrong.error == "stacks: standard input, line 1: not a book. Give one JSON object per line.\n")
    }

    @Test func aCatalogIsCreated() throws {
        let path = sandbox.path + "/new.json"
        let result = try stacks("add", path, "title=Emma", "authors=Jane Austen")
        #expect(result.ending == .exit(0))
        #expect(result.output.hasPrefix("Created \(path). 1 book added: hash:"))
        #expect(
            try String(contentsOfFile: path, encoding: .utf8)
                == "[\n  {\n    \"title\": \"Emma\",\n    \"authors\": [\"Jane Austen\"]\n  }\n]\n")
        #expect(try stacks("add", path, "title=Sanditon").output.hasPrefix("1 book added"))
        #expect(try stacks("search", "", path).output.split(separator: "\n").count == 2)
    }

    @Test func aCatalogOfLinesIsCreatedByItsName() throws {
        let path = sandbox.path + "/new.jsonl"
        #expect(try stacks("add", path, "title=Emma", "authors=Jane Austen").ending == .exit(0))
        #expect(try stacks("add", path, "title=Sanditon").ending == .exit(0))
        #expect(
            try String(contentsOfFile: path, encoding: .utf8)
                == "{\"title\":\"Emma\",\"authors\":[\"Jane Austen\"]}\n{\"title\":\"Sanditon\"}\n")
        // An empty file becomes a catalog too.
        let empty = try sandbox.write("", to: "empty.json")
        #expect(try stacks("add", empty, "title=Emma").ending == .exit(0))
        #expect(try String(contentsOfFile: empty, encoding: .utf8) == "[\n  {\n    \"title\": \"Emma\"\n  }\n]\n")
    }

    /// A diff has three lines of context; with fewer, patch expects the beginning or end of the file there.
    @Test func recordsWithACommonBeginningArePatched() throws {
        let books = (1...9).map { "  { \"x\": 1,\n    \"title\": \"Book \($0)\",\n    \"authors\": [\"A\"] }" }
        try sandbox.write("[\n" + books.joined(separator: ",\n") + "\n]\n", to: "books.json")
        let ids = try stacks("search", "", catalog, "--format", "jsonl").output.matches(of: /hash:[0-9a-f]+/).map(
            \.output)
        _ = try change("delete", String(ids[4]))
        _ = try change("move", String(ids[6]), "--before", String(ids[1]))
        _ = try change("set", String(ids[0]), String(ids[8]), "pages=7", "title=Other", "--force")
    }

    @Test func booksAreDeletedAndMoved() throws {
        #expect(try change("move", "978-0141439846", "--before", "9780141439587") == "1 book moved.\n")
        #expect(try stacks(catalog).output == "Dracula\tBram Stoker\nEmma\tJane Austen\nDrakula\tB. Stoker\n")
        #expect(try change("move", "978-0141439846", "--after", "9780141439587") == "1 book moved.\n")
        #expect(try content() == Self.books)
        #expect(try change("move", "978-0141439846", "--after", "9780141439587") == "The book was there already.\n")
        #expect(try change("delete", "978-0141439846", "9780141439587") == "2 books deleted.\n")
        #expect(try stacks(catalog).output == "Drakula\tB. Stoker\n")
        #expect(try change("delete", "--query", "drakula") == "1 book deleted.\n")
        #expect(try content() == "[]\n")
    }

    @Test func booksAreSorted() throws {
        let sorted = try stacks("sort", catalog, "title", "--dry-run")
        #expect(sorted.ending == .exit(0) && sorted.output.hasPrefix("--- \(catalog)\n+++ \(catalog)\n@@ -1,"))
        #expect(try content() == Self.books)
        try sandbox.write(Self.books, to: "patched.json")
        try sandbox.write(sorted.output, to: "diff")
        #expect(
            try sandbox.run([
                "/usr/bin/env", "patch", "-s", sandbox.path + "/patched.json", sandbox.path + "/diff",
            ]).ending == .exit(0))
        #expect(try stacks("sort", catalog, "title").output == "3 books sorted by title.\n")
        #expect(try stacks(catalog).output == "Dracula\tBram Stoker\nDrakula\tB. Stoker\nEmma\tJane Austen\n")
        #expect(try content() == String(contentsOfFile: sandbox.path + "/patched.json", encoding: .utf8))
        #expect(try stacks("sort", catalog, "title").output == "The books were in this order already.\n")
        // The catalog has one place, and the key is required.
        #expect(try stacks("sort", "--catalog", catalog, "title").ending == .exit(64))
        #expect(try stacks("sort", catalog).ending == .exit(64))
        // Books without a number come last, also in descending order.
        #expect(try stacks("sort", catalog, "-pages").output == "3 books sorted by -pages.\n")
        #expect(try stacks(catalog).output == "Emma\tJane Austen\nDrakula\tB. Stoker\nDracula\tBram Stoker\n")
        #expect(try stacks("sort", catalog, "title").ending == .exit(0))
        let moved = try stacks("move", "9780141439587", "--before", "978-0141439846", "--catalog", catalog)
        #expect(moved.ending == .exit(0))
        #expect(try content() == Self.books)
    }

    @Test func catalogsThatCannotBeSortedAreRejected() throws {
        let wrong = try stacks("sort", catalog, "colour")
        #expect(wrong.ending == .exit(64) && wrong.error.hasPrefix("stacks: unknown sort key “colour”. Keys: title,"))
        let keyed = try sandbox.write(
            #"{"a": {"title": "B", "authors": ["b"]}, "b": {"title": "A", "authors": ["a"]}}"#, to: "keyed.json")
        let refused = try stacks("sort", keyed, "title")
        #expect(refused.ending == .exit(65))
        #expect(
            refused.error
                == "stacks: nothing changed: the records of \(keyed) are not in a list. Change it in an editor.\n")
    }

    // MARK: - Unsaved edits

    /// Leaves edits in the journal like the browser: Emma gets another title, Dracula is deleted.
    private func leaveEdits() throws {
        let path = URL(filePath: catalog).resolvingSymlinksInPath().path
        let journals = sandbox.path + "/state/stacks/edits"
        try FileManager.default.createDirectory(atPath: journals, withIntermediateDirectories: true)
        // The name is the SHA-256 of the path.
        let name = try sandbox.run(["/bin/sh", "-c", #"printf %s "$1" | sha256sum | head -c 64"#, "sh", path]).output
        func record(_ lines: ClosedRange<Int>) -> String {
            let all = Self.books.split(separator: "\n", omittingEmptySubsequences: false)
            let text = all[lines].joined(separator: "\n")
            let trimmed = text.drop { $0 == " " }
            return String(trimmed.hasSuffix(",") ? trimmed.dropLast() : trimmed)
        }
        func quoted(_ text: String) -> String {
            "\"" + text.replacing("\"", with: "\\\"").replacing("\n", with: "\\n") + "\""
        }
        let emma = record(1...7)
        let mine = emma.replacing(#""title": "Emma""#, with: #""title": "Emily""#)
        let lines = [
            #"{"catalog":"\#(path)","version":1}"#,
            #"{"edit":1,"changes":[{"replace":[{"at":0,"old":\#(quoted(emma)),"new":\#(quoted(mine))}]}]}"#,
            #"{"edit":2,"changes":[{"remove":[{"at":1,"record":\#(quoted(record(8...13)))}]}]}"#,
        ]
        try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: URL(filePath: "\(journals)/\(name).jsonl"))
    }

    private var unsaved: String {
        "stacks: 2 unsaved changes included. To save, open \(catalog) in stacks and press ^s.\n"
    }

    @Test func readingCommandsIncludeUnsavedEditsWithAMessage() throws {
        try leaveEdits()
        for command in [[catalog], ["search", "", catalog], ["export", catalog, "--format", "csv"]] {
            let result = try sandbox.run([Programs.stacks] + command)
            #expect(result.output.contains("Emily") && result.output.contains("Drakula"), "\(command)")
            #expect(!result.output.contains("Emma") && !result.output.contains("Dracula"), "\(command)")
            #expect(result.error == unsaved, "\(command)")
        }
        let shown = try stacks("show", "9780141439587", catalog)
        #expect(shown.output.contains("Emily") && shown.error == unsaved)
        #expect(try stacks("show", "978-0141439846", catalog).ending == .exit(1))
        let lists = try stacks("lists", catalog)
        #expect(lists.output.hasPrefix("All books\t2\n") && lists.error == unsaved)
        let statistics = try stacks("stats", catalog, "--format", "json")
        #expect(statistics.output.contains(#""books":2,"#), "\(statistics.output)")
        #expect(statistics.error == unsaved)
        let added = try stacks("favourites", "add", "9780141439587", "--catalog", catalog)
        #expect(added.output == "1 favourite added.\n" && added.error == unsaved)
        // `check` validates the file without the edits.
        let check = try stacks("check", catalog, "--format", "json")
        #expect(check.error.isEmpty && check.output.contains(#""records" : 3"#), "\(check.output)")
        #expect(try content() == Self.books)
    }

    @Test func changingCommandsIgnoreUnsavedEditsWithAMessage() throws {
        try leaveEdits()
        let sentence = "stacks: \(catalog) has unsaved changes too. To save them, open it and press ^s.\n"
        let diff = try stacks("set", "978-0141439846", "year=1897", "--catalog", catalog, "--dry-run")
        #expect(diff.error == "stacks: \(catalog) has unsaved changes, not shown here. Open it and press ^s.\n")
        #expect(!diff.output.contains("Emily"))
        #expect(try change("set", "978-0141439846", "year=1897", saying: sentence) == "1 book changed.\n")
        #expect(try content().contains(#""title": "Emma""#))
        // The edits still exist, but the deleted book is a different one now.
        let result = try stacks("search", "", catalog)
        #expect(result.output == "Emily\tJane Austen\nDracula\tBram Stoker\nDrakula\tB. Stoker\n")
        #expect(
            result.error == """
                stacks: 1 unsaved change included. To save, open \(catalog) in stacks and press ^s.
                stacks: 1 unsaved change not included: \(catalog) was changed on disk too. Open it in stacks and press ^s.

                """)
    }

    @Test func duplicatesAreMerged() throws {
        let id = try stacks("search", "drakula", catalog, "--format", "jsonl").output
        let hash = try #require(id.firstMatch(of: /hash:[0-9a-f]+/)).output
        #expect(try stacks("favourites", "add", String(hash), "--catalog", catalog).ending == .exit(0))
        #expect(try change("merge", "978-0141439846", String(hash)) == "2 books merged into “Dracula”.\n")
        #expect(try stacks(catalog).output == "Emma\tJane Austen\nDracula\tBram Stoker\n")
        let shown = try stacks("show", "978-0141439846", catalog, "--format", "json").output
        #expect(shown.contains(#""pageCount":400"#) || shown.contains(#""pageCount": 400"#))
        #expect(try stacks("favourites", "list", "--catalog", catalog, "--format", "csv").output.contains("Dracula"))
    }

    @Test("A record without a title gets that of the next one, and the message has it")
    func mergingIntoAnUntitledRecord() throws {
        let text = #"[{"title":"","isbn":"9780141439587"},{"title":"B","isbn":"9780441172719"}]"#
        let untitled = try sandbox.write(text, to: "untitled.json")
        let merged = try stacks("merge", "9780141439587", "9780441172719", "--catalog", untitled)
        #expect(merged.output == "2 books merged into “B”.\n")
        #expect(sandbox.text(of: untitled) == #"[{"title":"B","isbn":"9780141439587"}]"#)
    }

    @Test("What no field reads goes to the book that stays, and its own values stay")
    func mergingWhatNoFieldReads() throws {
        let text = #"""
            [{"title":"A","isbn":"9780141439587","notes":{"a":[1,{"b":null}]}},
            {"title":"B","isbn":"9780441172719","notes":{"a":[2,{"b":null}]},"deep":{"b":[1,{"c":null}]},"pages":"n/a","none":[]}]
            """#
        let path = try sandbox.write(text, to: "unread.json")
        #expect(
            try stacks("merge", "9780141439587", "9780441172719", "--catalog", path).output
                == "2 books merged into “A”.\n")
        #expect(
            sandbox.text(of: path) == #"""
                [{"title":"A","isbn":"9780141439587","notes":{"a":[1,{"b":null}]},"deep":{"b":[1,{"c":null}]}}]
                """#)
    }

    @Test("A book that is at its place already needs no list") func movingToTheSamePlace() throws {
        let text = #"{"a":{"title":"A","isbn":"9780141439587"},"b":{"title":"B","isbn":"9780441172719"}}"#
        let keyed = try sandbox.write(text, to: "keyed.json")
        let moved = try stacks("move", "9780141439587", "--before", "9780441172719", "--catalog", keyed)
        #expect(moved.ending == .exit(0) && moved.output == "The book was there already.\n")
        let refused = try stacks("move", "9780441172719", "--before", "9780141439587", "--catalog", keyed)
        #expect(refused.ending == .exit(65) && sandbox.text(of: keyed) == text)
    }

    // MARK: - User data

    @Test func userDataFollowsTheBook() throws {
        let id = try #require(
            try stacks("search", "drakula", catalog, "--format", "jsonl").output.firstMatch(of: /hash:[0-9a-f]+/)
        ).output
        _ = try sandbox.run(
            [
                "/bin/sh", "-c", "echo \"$2\" | \"$0\" favourites add - --catalog \"$1\"", Programs.stacks, catalog,
                String(id),
            ])
        #expect(
            try stacks("set", String(id), "title=Dracula, the other", "authors=Bram Stoker", "--catalog", catalog)
                .ending == .exit(0))
        let favourites = try stacks("favourites", "list", "--catalog", catalog, "--format", "json").output
        #expect(favourites.contains("Dracula, the other"))
        #expect(!favourites.contains("Drakula"))
    }

    // MARK: - Invalid edits

    @Test func rejectedEditsChangeNothing() throws {
        let cases: [([String], Int32, String)] = [
            (["set", "9780141439587", "pages=x"], 65, "Pages: “x” is not a whole number above 0."),
            (["set", "9780141439587", "colour=red"], 64, "no field “colour”. Fields: title, authors,"),
            (["set", "9780141439587"], 64, "no values given."), (["set", "pages=3"], 64, "no books named."),
            (["set", "9780141439587", "isbn=9780141439588"], 65, "“9780141439588” is not a valid ISBN."),
            (["set", "9780000000002", "pages=3"], 1, "no book 9780000000002 in"),
            (["delete"], 64, "no books named."), (["delete", "9780000000002"], 1, "no book 9780000000002 in"),
            (["move", "9780141439587"], 64, "no target given."),
            (["move", "9780141439587", "--before", "9780000000002"], 1, "no book 9780000000002 in"),
            (["merge", "9780141439587"], 64, "merge needs two or more books."),
            (["add", "authors=Jane Austen"], 65, "a book needs a title."), (["add"], 64, "argument"),
        ]
        for (arguments, code, sentence) in cases {
            let result = try sandbox.run([Programs.stacks] + arguments + ["--catalog", catalog])
            #expect(result.ending == .exit(code), "\(arguments): \(result.error)")
            #expect(result.error.contains(sentence), "\(arguments): \(result.error)")
            #expect(result.output.isEmpty)
        }
        #expect(try content() == Self.books)
        let pipe = try sandbox.run(
            ["/bin/sh", "-c", "\"$0\" delete 9780141439587 --catalog - < \"$1\"", Programs.stacks, catalog])
        #expect(pipe.ending == .exit(64))
        #expect(pipe.error == "stacks: standard input cannot be changed. Name a catalog file.\n")
    }

    @Test func foundBooksAreChangedEvenIfOthersAreMissing() throws {
        let result = try stacks("set", "9780141439587", "9780000000002", "pages=3", "--catalog", catalog)
        #expect(result.ending == .exit(1))
        #expect(result.output == "1 book changed.\n")
        #expect(try content() == Self.books.replacing("474", with: "3"))
    }

    @Test func aFileWithHardLinksIsNotChanged() throws {
        try FileManager.default.linkItem(atPath: catalog, toPath: sandbox.path + "/other.json")
        let result = try stacks("delete", "9780141439587", "--catalog", catalog)
        #expect(result.ending == .exit(77))
        #expect(result.error.contains("other names (hard links)"))
        #expect(try content() == Self.books)
    }

    @Test func concurrentCommandsLoseNothing() throws {
        let books = (1...12).map { #"{"title":"Book \#($0)","authors":["A"],"pageCount":1}"# }
        let path = try sandbox.write("[\n" + books.joined(separator: ",\n") + "\n]\n", to: "many.json")
        let ids = try stacks("search", "", path, "--format", "jsonl").output.matches(of: /hash:[0-9a-f]+/).map(\.output)
        try #require(ids.count == 12)
        let script =
            ids.enumerated().map { "\"$0\" set \($1) pages=\($0 + 100) --catalog \"$1\" &" }.joined(separator: "\n")
            + "\nwait"
        _ = try sandbox.run(["/bin/sh", "-c", script, Programs.stacks, path])
        let text = try String(contentsOfFile: path, encoding: .utf8)
        for number in 100..<112 { #expect(text.contains("\"pageCount\":\(number)}"), "\(text)") }
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: sandbox.path).allSatisfy {
                !$0.hasSuffix(".tmp") && !$0.hasSuffix(".lock")
            })
    }
}
