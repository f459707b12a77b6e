import ArgumentParser
import Testing

@testable import stacks

@Suite("stacks search") struct SearchCommandTests {
    private func parse(_ arguments: String...) throws -> SearchCommand {
        let arranged = SearchCommand.arrangedArguments(["search"] + arguments)
        return try SearchCommand.parse(Array(arranged.dropFirst()))
    }

    @Test func theQueryComesBeforeTheCatalog() throws {
        let command = try parse("king", "--limit", "3", "a.json", "--format=csv", "--sort", "-year,title")
        #expect(command.query == "king")
        #expect(command.options.catalog == "a.json")
        #expect(command.limit == 3)
        #expect(command.format == .csv)
        #expect(command.sort == "-year,title")
    }

    @Test(arguments: ["-king", "-\"agatha christie\"", "-h | king", "-", "-5"])
    func aQueryMayBeginWithAnExclusion(query: String) throws {
        #expect(try parse(query).query == query)
        let command = try parse("--format", "json", query, "-")
        #expect(command.query == query)
        #expect(command.options.catalog == "-")
    }

    @Test func afterTwoHyphensNothingIsAnOption() throws {
        let command = try parse("--limit", "1", "--", "--format", "a.json")
        #expect(command.query == "--format")
        #expect(command.options.catalog == "a.json")
    }

    @Test(arguments: [
        ["--limit", "-1", "king"], ["--limit", "many", "king"], ["--limit", "king"], ["--format", "xml", "king"], [],
        ["king", "a.json", "b.json"], ["--colour", "king"],
    ])
    func unknownOptionsAreRejected(arguments: [String]) {
        let arranged = SearchCommand.arrangedArguments(["search"] + arguments)
        #expect(throws: (any Error).self) { try SearchCommand.parse(Array(arranged.dropFirst())) }
    }

    @Test func argumentsOfOtherCommandsAreUnchanged() {
        for arguments in [["check", "a.json", "--format", "json"], ["-x"], [], ["--query", "search", "a.json"]] {
            #expect(SearchCommand.arrangedArguments(arguments) == arguments)
        }
        #expect(
            SearchCommand.arrangedArguments(["sort", "a.json", "-year", "--dry-run"])
                == ["sort", "--dry-run", "--", "a.json", "-year"])
        #expect(
            SearchCommand.arrangedArguments(["sort", "--profile", "native", "a.json", "-year"])
                == ["sort", "--profile", "native", "--", "a.json", "-year"])
        #expect(SearchCommand.arrangedArguments(["search", "--help"]) == ["search", "--help"])
        #expect(SearchCommand.arrangedArguments(["search", "a", "--limit"]) == ["search", "a", "--limit"])
    }
}
