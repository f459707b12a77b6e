import Foundation
import Testing

/// `stacks duplicates`.
@Suite("stacks duplicates") struct DuplicatesCommand {
    let sandbox: Sandbox

    init() throws { sandbox = try Sandbox() }

    private static let books = #"""
        [{"id": 1, "title": "Dune", "authors": ["Frank Herbert"], "isbn": "978-0441013593", "published": 1965},
         {"id": 2, "title": "Emma", "authors": ["Jane Austen"], "location": "hall"},
         {"id": 3, "title": "Works 1", "authors": ["Plato"]}, {"id": 4, "title": "Works 2", "authors": ["Plato"]},
         {"id": 5, "title": "DUNE", "authors": ["Herbert, Frank"], "isbn": "0441013597", "pageCount": 604},
         {"id": 6, "title": "Emma", "authors": ["Jane Austen"], "location": "hall"},
         {"id": 7, "title": "The Hobbit", "authors": ["J. R. R. Tolkien"]},
         {"id": 8, "title": "The Hobit", "authors": ["Tolkien, JRR"]},
         {"id": 9, "title": "Emma", "authors": ["Jane Austen"], "published": 1999, "location": "hall"},
         {"id": 10, "title": "Emma", "authors": ["Jane Austen"], "published": 1815, "location": "attic"},
         {"id": 11, "title": "a\u001b[31m", "authors": ["X"]}, {"id": 12, "title": "a\u001b[31m", "authors": ["X"]}]
        """#

    private func duplicates(_ text: String, _ options: String...) throws -> Sandbox.Result {
        let catalog = try sandbox.write(text, to: "books.json")
        return try sandbox.run([Programs.stacks, "duplicates", catalog] + options)
    }

    @Test func theGroupsOfACatalog() throws {
        let result = try duplicates(Self.books)
        #expect(result.ending == .exit(0))
        #expect(result.error.isEmpty)
        let lines = result.output.components(separatedBy: "\n")
        #expect(lines.contains("Duplicates: 3 certain, 2 likely; 1 work in several editions"))
        let headings = lines.filter { $0.hasSuffix(" books") && !$0.hasPrefix(" ") }
        #expect(
            headings == [
                "Certain, equal records: 2 groups, 4 books", "Certain, same ISBN and title: 1 group, 2 books",
                "Likely, same title and authors: 1 group, 3 books", "Likely, similar title: 1 group, 2 books",
                "Other editions: 1 group, 4 books",
            ])
        #expect(lines.contains("  isbn:9780441013593    Dune, Frank Herbert, 1965, 978-0441013593"))
        #expect(lines.contains { $0.hasPrefix("  isbn:9780441013593~2  DUNE, Herbert, Frank, 604 pages, ") })
        #expect(
            lines.suffix(2).first
                == "Merge the books of a group with: stacks merge ID ID … --catalog \(sandbox.path)/books.json")
        #expect(!result.output.contains("\u{1B}") && !result.output.contains("Works"))
    }

    @Test func programsGetTheGroupsAsJSON() throws {
        let result = try duplicates(Self.books, "--format", "json")
        #expect(result.ending == .exit(0))
        let groups = try #require(
            try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [[String: Any]])
        #expect(
            groups.map { $0["certainty"] as? String } == [
                "certain", "certain", "certain", "likely", "likely", "editions",
            ])
        #expect(
            groups.map { $0["reason"] as? String } == [
                "same-record", "same-record", "same-isbn-and-title", "same-title-and-authors", "similar-title",
                "editions",
            ])
        let dune = try #require(groups[2]["books"] as? [NSDictionary])
        #expect(
            dune.first == [
                "id": "isbn:9780441013593", "title": "Dune", "authors": ["Frank Herbert"], "isbns": ["978-0441013593"],
                "year": 1965, "languages": [String](), "volume": NSNull(), "pages": NSNull(),
            ])
        // The ids name the books for other commands.
        let ids = dune.compactMap { $0["id"] as? String }
        let merged = try sandbox.run([Programs.stacks, "merge"] + ids + ["--catalog", sandbox.path + "/books.json"])
        #expect(merged.ending == .exit(0))
        let rest = try sandbox.run([Programs.stacks, "duplicates", sandbox.path + "/books.json"])
        #expect(rest.output.contains("\nDuplicates: 2 certain, 2 likely;"))
    }

    @Test func aCatalogWithoutDuplicates() throws {
        let none = try duplicates(#"[{"title": "A"}, {"title": "B"}, {"title": ""}, {"title": ""}]"#)
        #expect(none.ending == .exit(1))
        #expect(none.output.isEmpty)
        let sentence = "no book is in it more than once. What counts: stacks help duplicates."
        #expect(none.error == "stacks: \(sandbox.path)/books.json: \(sentence)\n")
        #expect(try duplicates("[]", "--format", "json").output == "[\n]\n")
        let damaged = try duplicates(#"[{"title": "A"}, {"title": "A"}, {"title": "#)
        #expect(damaged.ending == .exit(65))
        #expect(damaged.output.contains("\nDuplicates: 1 certain\n"))
    }

    @Test func oddNamesAndTitles() throws {
        let text = #"""
            [{"title": "1984", "authors": ["X"]}, {"title": "1985", "authors": ["X"]}, {"title": "?"}, {"title": "!"},
             {"title": "א", "authors": ["ב"]}, {"title": "א!", "authors": ["ב"]}, {"title": 7}, {"title": "水"}]
            """#
        let result = try duplicates(text)
        #expect(result.output.hasPrefix("Likely, similar title: 1 group, 2 books\n"))
        #expect(result.output.contains("\nDuplicates: 1 likely\n"))
    }

    @Test("a hint is only given where it can be followed, and not for editions") func hints() throws {
        let editions = try duplicates(#"[{"title": "A", "published": 1900}, {"title": "A", "published": 1950}]"#)
        #expect(editions.ending == .exit(1))
        #expect(editions.output.hasSuffix("\nNo duplicates; 1 work in several editions\n"))
        #expect(editions.error.isEmpty)
        let table = try sandbox.write("title,author\nEmma,A\nEmma,A\n", to: "books.csv")
        let copy = try sandbox.run([Programs.stacks, "duplicates", table])
        #expect(copy.output.contains("in a copy: stacks export \(table) --format json --output books.json\n"))
        let pipe = try sandbox.run([
            "/bin/sh", "-c", "echo '[{\"title\": \"A\"}, {\"title\": \"A\"}]' | \(Programs.stacks) duplicates -",
        ])
        #expect(pipe.output.hasSuffix("\nDuplicates: 1 certain\n"))
    }

    @Test func theISBNInCommonIsShown() throws {
        let text = #"""
            [{"title": "Dune", "isbn": "9780441013593"}, {"title": "Dune Messiah", "isbn": "978-0441013593"},
             {"title": "A", "language": "de", "published": 1900}, {"title": "A", "language": "en", "published": 1900}]
            """#
        let lines = try duplicates(text).output.components(separatedBy: "\n")
        #expect(lines.filter { $0.hasSuffix(", 978-0441013593") }.count == 2)
        #expect(
            lines.contains { $0.hasSuffix("A, 1900, German") } && lines.contains { $0.hasSuffix("A, 1900, English") })
    }
}
