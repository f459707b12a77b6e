import Foundation
import Testing

/// Replacing in the values of fields with `stacks set`.
@Suite("stacks set: replacing in values") struct ReplacingTests {
    let sandbox: Sandbox
    let catalog: String

    init() throws {
        sandbox = try Sandbox()
        catalog = try sandbox.write(Self.books, to: "books.json")
    }

    private static let books = """
        [
          {"title": "EMMA", "publisher": "Penguin Books", "subjects": ["sci-fi", "x"], "pageCount": 474},
          {"title": "the call of the wild", "publisher": "Ace Books", "subjects": ["Sci-Fi"], "shelfmark": "A  1"}
        ]

        """

    private func set(_ arguments: String...) throws -> Sandbox.Result {
        try sandbox.run([Programs.stacks, "set", "--query", ""] + arguments + ["--catalog", catalog])
    }

    private func content() throws -> String { try String(contentsOfFile: catalog, encoding: .utf8) }

    @Test func eachBookKeepsWhatIsItsOwn() throws {
        let changes = ["title~=titlecase", "shelfmark~=trim", "subjects~=s/sci-fi/Science fiction/i"]
        let difference = try sandbox.run(
            [Programs.stacks, "set", "--query", ""] + changes + ["--catalog", catalog, "--dry-run"])
        #expect(difference.ending == .exit(0), "\(difference.error)")
        #expect(
            difference.output.contains(
                #"+  {"title": "Emma", "publisher": "Penguin Books", "subjects": ["Science fiction""#))
        #expect(try content() == Self.books)
        let result = try sandbox.run([Programs.stacks, "set", "--query", ""] + changes + ["--catalog", catalog])
        #expect(result.output == "2 books changed.\n", "\(result.error)")
        let expected = Self.books.replacing("EMMA", with: "Emma").replacing("A  1", with: "A 1")
            .replacing("the call of the wild", with: "The Call of the Wild")
            .replacing("sci-fi", with: "Science fiction").replacing("Sci-Fi", with: "Science fiction")
        #expect(try content() == expected)
    }

    @Test func aResultThatIsNoValueChangesNothing() throws {
        let result = try set("title~=s/$/!/", "pages~=s/4/x/")
        #expect(result.ending == .exit(65))
        #expect(result.error.contains("Pages of EMMA cannot become “x74”"))
        #expect(try content() == Self.books)
        let malformed = try set("title~=s/(/x/")
        #expect(malformed.ending == .exit(64))
        #expect(malformed.error.contains("invalid regular expression at column 4"))
    }

    @Test func severalBooksGetOneTitleOnlyByForce() throws {
        for argument in ["title=X", "isbn=", "identifiers=doi:1"] {
            let result = try set(argument)
            #expect(result.ending == .exit(64), "\(argument)")
            #expect(result.error.contains("2 books") && result.error.contains("--force"))
        }
        #expect(try content() == Self.books)
        #expect(try set("title=X", "--force").output == "2 books changed.\n")
        #expect(try content().components(separatedBy: #""title": "X""#).count == 3)
    }
}
