import Foundation
import Testing

/// `stacks values`.
@Suite("stacks values") struct ValuesCommandTests {
    let sandbox: Sandbox

    init() throws { sandbox = try Sandbox() }

    private static let books = #"""
        [{"title": "A", "authors": ["J. R. R. Tolkien"], "subjects": ["Fantasy", "Elves"], "shelfmark": "x1"},
         {"title": "B", "authors": ["J. R. R. Tolkien"], "subjects": ["fantasy"], "publisher": "Allen & Unwin"},
         {"title": "C", "authors": ["Tolkien, J.R.R.", "A=B"], "subjects": [], "publisher": "Allen and Unwin"},
         {"title": "D", "authors": ["a\u001b[31mz"], "language": "en"}]
        """#

    private func values(_ field: String, _ options: String..., text: String = books) throws -> Sandbox.Result {
        let catalog = sandbox.path + "/books.json"
        if !FileManager.default.fileExists(atPath: catalog) { _ = try sandbox.write(text, to: "books.json") }
        return try sandbox.run([Programs.stacks, "values", field, catalog] + options)
    }

    private func text() throws -> String { try String(contentsOfFile: sandbox.path + "/books.json", encoding: .utf8) }

    @Test("values that may be one come first, then all, the most frequent first") func printing() throws {
        let result = try values("author")
        #expect(result.ending == .exit(0) && result.error.isEmpty)
        #expect(
            result.output.hasPrefix(
                """
                May be one: 1 group, 2 values
                  2  J. R. R. Tolkien
                  1  Tolkien, J.R.R.

                All: 4 values in 4 books
                  2  J. R. R. Tolkien
                  1  A=B

                """), "\(result.output)")
        #expect(!result.output.contains("\u{1B}"))
        #expect(try values("subject").output.contains("  1  Fantasy\n  1  fantasy\n"))
        #expect(try values("shelfmark").output == "All: 1 value in 1 book\n  1  x1\n")
        let table = try sandbox.write("title,author\nEmma,Jane Austen\n", to: "books.csv")
        let copy = try sandbox.run([Programs.stacks, "values", "author", table])
        #expect(copy.ending == .exit(0) && copy.output == "All: 1 value in 1 book\n  1  Jane Austen\n")
    }

    @Test("programs get the values with their variants") func json() throws {
        let result = try values("authors", "--format", "json")
        let list = try #require(try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [NSDictionary])
        #expect(list.first == ["value": "J. R. R. Tolkien", "books": 2, "variants": ["Tolkien, J.R.R."]])
        #expect(list.count == 4)
    }

    @Test("a value is renamed in all books, and nothing else changes") func renaming() throws {
        let renamed = try values("author", "--rename", "Tolkien, J.R.R.=J. R. R. Tolkien", "--rename", "A=B=B=C")
        #expect(renamed.output == "2 values changed in 1 book.\n", "\(renamed.output)\(renamed.error)")
        let expected = Self.books.replacing(#"["Tolkien, J.R.R.", "A=B"]"#, with: #"["J. R. R. Tolkien", "B=C"]"#)
        #expect(try text() == expected)
        let undone = try sandbox.run([Programs.stacks, "values", "author", sandbox.path + "/books.json"])
        #expect(!undone.output.contains("May be one"))
    }

    @Test("a value of a list becomes several, or is deleted; a single value is deleted") func splitting() throws {
        #expect(try values("subject", "--rename", "Fantasy=Fantasy; Epic", "--rename", "Elves=").ending == .exit(0))
        #expect(try text() == Self.books.replacing(#"["Fantasy", "Elves"]"#, with: #"["Fantasy", "Epic"]"#))
        #expect(try values("publisher", "--rename", "Allen and Unwin=").ending == .exit(0))
        #expect(try !text().contains("Allen and Unwin"))
    }

    @Test(
        "a value that is kept, exchanged or followed by another is not lost",
        arguments: [
            (["X=X"], ["X", "Y"]), (["X=X; Z"], ["X", "Z", "Y"]), (["X=X; X"], ["X", "Y"]), (["X=Y"], ["Y"]),
            (["X=Y", "Y=X"], ["Y", "X"]), (["X=Z", "Y=W"], ["Z", "W"]), (["X=Y", "Y=Z"], ["Y", "Z"]),
        ])
    func exchanged(names: [String], result: [String]) throws {
        let catalog = try sandbox.write(#"[{"title": "A", "subjects": ["X", "Y"]}]"#, to: "list.json")
        let arguments = names.flatMap { ["--rename", $0] }
        #expect(try sandbox.run([Programs.stacks, "values", "subject", catalog] + arguments).ending == .exit(0))
        let list = try sandbox.run([Programs.stacks, "search", "", catalog, "--format", "json"])
        let books = try JSONSerialization.jsonObject(with: Data(list.output.utf8)) as? [NSDictionary]
        #expect(books?.first?["subjects"] as? [String] == result)
    }

    @Test("what would change can be seen first") func dryRun() throws {
        let result = try values("author", "--rename", "Tolkien, J.R.R.=J. R. R. Tolkien", "--dry-run")
        #expect(result.ending == .exit(0))
        #expect(result.output.contains("-") && result.output.contains("Tolkien"))
        #expect(try text() == Self.books)
    }

    @Test(
        "wrong input names the cause and the next step",
        arguments: [
            (["pages"], 64, "books do not share values of pages. Choose one of author"),
            (["author", "--rename", "Tolkien"], 64, "“Tolkien” does not name a value of Author"),
            (["author", "--rename", "Nobody=X"], 1, "no book has “Nobody” in Author"),
            (["translator"], 64, "Choose one of"), (["id"], 64, "Choose one of author, series, subject"),
            (["author", "--rename", "A=B=C", "--format", "json"], 64, "Leave one out"),
            (["language", "--rename", "en=Klingonxx"], 65, "Klingonxx"),
        ])
    func mistakes(arguments: [String], status: Int32, message: String) throws {
        let catalog = try sandbox.write(Self.books, to: "books.json")
        let result = try sandbox.run([Programs.stacks, "values", arguments[0], catalog] + arguments.dropFirst())
        #expect(result.ending == .exit(status) && result.error.contains(message), "\(result.error)")
        #expect(result.output.isEmpty)
        #expect(try text() == Self.books)
    }

    @Test("no values at all") func none() throws {
        let result = try values("series", text: #"[{"title": "A"}]"#)
        #expect(result.ending == .exit(1) && result.output.isEmpty)
        #expect(result.error.contains("no book has the field series"), "\(result.error)")
        #expect(try values("series", "--format", "json").output == "[\n]\n")
    }
}
