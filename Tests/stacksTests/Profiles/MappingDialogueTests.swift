import Testing

@testable import Books
@testable import Catalog
@testable import Graphemes
@testable import JSON
@testable import stacks

@Suite("Profiles: the wizard's dialogue") struct MappingDialogueTests {
    init() { useUTF8Locale() }

    private static let records = [
        #"{"name": "Dune", "by": "Frank Herbert", "len": 604, "x": "Chilton"}"#,
        #"{"name": "Emma", "by": "Jane Austen", "len": 474, "x": "Murray"}"#,
        #"{"name": "Mort", "by": null, "len": 272}"#,
    ]

    /// The input and output of a dialogue.
    private final class Talk {
        var answers: [String]
        var output = ""

        init(_ answers: [String]) { self.answers = answers }

        func dialogue(asks: Bool = true) -> MappingDialogue {
            let records = MappingDialogueTests.records.compactMap { JSONValue(parsing: $0.utf8) }
            return MappingDialogue(
                MappingSuggestion(for: records), asks: asks,
                answer: { self.answers.isEmpty ? nil : self.answers.removeFirst() }, output: { self.output += $0 })
        }

        /// Returns the paths of the rules after these answers, or nil if the profile is not saved.
        func paths(asks: Bool = true) -> [BookField: String]? {
            guard let rules = dialogue(asks: asks).rules() else { return nil }
            return rules.mapValues { $0.candidates.map(\.path.description).joined(separator: "|") }
        }
    }

    private static let all = BookField.builtIn.count

    @Test func enterAcceptsTheSuggestion() {
        let talk = Talk(Array(repeating: "", count: Self.all))
        #expect(talk.paths() == [.title: "name", .authors: "by", .pageCount: "len"])
        #expect(
            talk.output.contains(
                "Title            name  (100 %)\n                 \"Dune\" · \"Emma\" · \"Mort\"\n> "))
        #expect(talk.output.contains("Authors          by  (67 %)\n"))
        #expect(talk.output.contains("Publisher        not found\n> "))
    }

    @Test func aTypedPathIsPreviewedBeforeItIsAccepted() {
        // Title, authors, ISBN, pages, fiction, ID, subtitle, other title, sort title, and then the publisher.
        let talk = Talk(Array(repeating: "", count: 9) + ["x..", "x", ""] + Array(repeating: "", count: Self.all - 10))
        #expect(talk.paths()?[.publisher] == "x")
        #expect(talk.output.contains("  “x..” is not a path; expected a name at character 3.\n"))
        #expect(talk.output.contains("Publisher        x  (67 %)\n                 \"Chilton\" · \"Murray\"\n"))
    }

    @Test func aFieldCanBeSkipped() {
        let talk = Talk(["", "-"] + Array(repeating: "", count: Self.all - 2))
        #expect(talk.paths() == [.title: "name", .pageCount: "len"])
    }

    @Test func thePathsAreListed() {
        let talk = Talk(["?"] + Array(repeating: "", count: Self.all))
        #expect(talk.paths()?.count == 3)
        #expect(talk.output.contains("  100 %  name  \"Dune\"\n   66 %  by  \"Frank Herbert\"\n  100 %  len  604\n"))
    }

    @Test(arguments: [["q"], ["", "q"], [], ["", "", ""]])
    func quittingReturnsNoProfile(answers: [String]) {
        #expect(Talk(answers).paths() == nil)
    }

    @Test func withoutQuestionsAllSuggestionsAreAccepted() {
        let talk = Talk([])
        #expect(talk.paths(asks: false) == [.title: "name", .authors: "by", .pageCount: "len"])
        #expect(!talk.output.contains(">"))
        #expect(!talk.output.contains("not found"))
    }

    @Test func theNameIsRequestedUntilItIsValid() {
        let talk = Talk(["../x", "", "mine"])
        #expect(talk.dialogue().name(proposed: "books", isRight: MappingWizard.isName) == "books")
        #expect(talk.output.contains("“../x” is not a name"))
        #expect(talk.dialogue().name(proposed: "books", isRight: MappingWizard.isName) == "mine")
        #expect(talk.dialogue().name(proposed: "books", isRight: MappingWizard.isName) == nil)
    }

    @Test func aFileIsReplacedOnlyAfterConfirmation() {
        let talk = Talk(["y", "", "no", "YES", "q"])
        let answers = (0..<6).map { _ in talk.dialogue().mayReplace("x.json") }
        #expect(answers == [true, false, false, true, nil, nil])
    }

    @Test(arguments: [
        ("/a/books.json", "books"), ("My Books 2.jsonl", "my-books-2"), ("x.tar.gz", "x"), ("-", "catalog"),
        ("", "catalog"),
        ("...", "catalog"), ("/a/opds.json", "my-opds"), ("Bücher.json", "bücher"),
    ])
    func theProfileNameDefaultsToTheCatalogName(catalog: String, name: String) {
        #expect(MappingWizard.name(for: catalog) == name)
        #expect(MappingWizard.isName(name))
    }

    @Test(arguments: ["", ".hidden", "a/b", "../a", "a.json", "-x", "a\nb", String(repeating: "a", count: 101)])
    func invalidNamesAreRejected(name: String) {
        #expect(!MappingWizard.isName(name))
    }
}
