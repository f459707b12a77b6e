import ArgumentParser
import Testing

@testable import stacks

/// Arguments read by the fast path have the same meaning as in the parser.
@Suite("Command line: no or one plain argument") struct PlainArgumentsTests {
    private static let words = [
        "books.json", "", "-", "--no-resume", "--follow", "--no-mouse", "--no-covers", "--linear", "--query", "--sort",
        "--list",
        "--profile", "--theme", "--columns", "--help", "--version", "-h", "--", "--query=king", "--follow=yes",
        "--nothing", "search", "browse", "help", "paper", "title", "-year", "author:king",
        "--generate-completion-script",
    ]

    private func parsed(_ arguments: [String]) -> String? {
        (try? StacksCommand.parseAsRoot(arguments) as? BrowseCommand).map { "\($0.session)" }
    }

    private func check(_ arguments: [String]) -> Bool {
        guard let session = BrowseSession(simpleArguments: arguments) else { return false }
        if parsed(arguments) != "\(session)" { Issue.record("\(arguments): \(session)") }
        return true
    }

    @Test func theFastPathAgreesWithTheParser() {
        for first in Self.words {
            _ = check([first])
            for second in Self.words { _ = check([first, second]) }
        }
    }

    @Test(arguments: [[], ["books.json"], ["-"], ["no such file"]])
    func aCatalogAloneNeedsNoParser(arguments: [String]) {
        #expect(check(arguments))
    }

    @Test(arguments: [
        ["--no-resume"], ["books.json", "--no-resume"], ["--query=king"], ["a.json", "b.json"], ["--"],
        ["search", "king"], ["check"], ["help"], ["--version"], ["-h"],
    ])
    func otherArgumentsNeedTheParser(arguments: [String]) {
        #expect(BrowseSession(simpleArguments: arguments) == nil)
    }
}
