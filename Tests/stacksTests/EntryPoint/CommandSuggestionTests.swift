import Testing

@testable import stacks

@Suite("Suggestions for misspelled commands") struct CommandSuggestionTests {
    private func suggestion(_ arguments: String..., files: [String] = [], catalogs: [String] = []) -> String? {
        CommandSuggestion.error(for: arguments, exists: files.contains, catalogNames: { catalogs })?.sentence
    }

    @Test(arguments: [
        ("searhc", "search"), ("exprot", "export"), ("favorites", "favourites"), ("Config", "config"),
    ])
    func theNearestCommandIsSuggested(typed: String, command: String) {
        #expect(suggestion(typed) == "no command or file “\(typed)”. Did you mean: stacks \(command)")
        #expect(suggestion(typed, "king")?.hasSuffix("stacks \(command)") == true)
    }

    @Test func existingFilesAndCommandsAreNotCorrected() {
        #expect(suggestion() == nil)
        #expect(suggestion("search", "x") == nil)
        #expect(suggestion("searhc", files: ["searhc"]) == nil)
        #expect(suggestion("searhc", catalogs: ["searhc"]) == nil)
        for name in ["books.json", "./searhc", "--searhc", "-", "", "whatever", "novels"] {
            #expect(suggestion(name) == nil, "\(name)")
        }
    }

    @Test func libraryServersAreNotCorrected() {
        for target in LibraryTargets().targets {
            #expect(CommandSuggestion.error(for: [target.name], exists: { _ in false }) == nil, "\(target.name)")
        }
    }
}
