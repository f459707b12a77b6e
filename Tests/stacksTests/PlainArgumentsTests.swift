import ArgumentParser
import Testing

@testable import stacks

/// What is told from arguments without the parser against what it tells.
struct PlainArgumentsTests {
    private static let words = [
        "books.json", "", "-", "--no-resume", "--follow", "--no-mouse", "--linear", "--query", "--sort", "--list",
        "--profile", "--theme", "--columns", "--help", "--version", "-h", "--", "--query=king", "--follow=yes",
        "--nothing", "search", "browse", "help", "paper", "title", "-year", "author:king",
        "--generate-completion-script",
    ]

    private func parsed(_ arguments: [String]) -> String? {
        (try? StacksCommand.parseAsRoot(arguments) as? BrowseCommand).map { "\($0.session)" }
    }

    private func check(_ arguments: [String]) -> Bool {
        guard let session = BrowseSession(plainly: arguments) else { return false }
        if parsed(arguments) != "\(session)" { Issue.record("\(arguments): \(session)") }
        return true
    }

    @Test func whatNeedsNoParserIsWhatTheParserSays() {
        var plainCount = 0
        #expect(check([]))
        for first in Self.words {
            plainCount += check([first]) ? 1 : 0
            for second in Self.words {
                plainCount += check([first, second]) ? 1 : 0
                for third in Self.words where (first + second + third).utf8.count % 5 == 0 {
                    plainCount += check([first, second, third]) ? 1 : 0
                }
            }
        }
        #expect(plainCount > 250)
    }

    @Test(arguments: [
        ["books.json", "--no-resume"], ["--follow", "--no-mouse", "--linear", "--no-resume"],
        ["--query", "-king", "books.json", "--sort", "-year"], ["--list", "To read", "--profile", "opds", "-"],
    ])
    func mostNeedNone(arguments: [String]) {
        #expect(check(arguments))
    }

    @Test(arguments: [
        ["--theme", "paper"], ["--columns", "title"], ["--query=king"], ["a.json", "b.json"], ["--query"],
        ["--list", "-x"], ["--follow", "--follow"], ["--", "-x.json"], ["search", "king"], ["--no-resume", "check"],
    ])
    func otherwiseTheParserIsAsked(arguments: [String]) {
        #expect(BrowseSession(plainly: arguments) == nil)
    }
}
