import Search
import Testing

@testable import Connectors

@Suite("Translating a query for a server")
struct QueryTranslationTests {
    /// Translates into a language with words and parentheses that knows only titles, authors and plain words.
    private func translate(_ text: String) -> QueryTranslation<String> {
        QueryTranslation(
            of: Query(text),
            into: .init(
                condition: { condition in
                    guard case .text(let pattern) = condition else { return nil }
                    let word = String(decoding: pattern.folded, as: UTF8.self)
                    switch pattern.field {
                    case nil: return word
                    case .title?: return "t:\(word)"
                    case .author?: return "a:\(word)"
                    default: return nil
                    }
                },
                not: { "not(\($0))" },
                all: { "(" + $0.joined(separator: " and ") + ")" },
                any: { "(" + $0.joined(separator: " or ") + ")" }))
    }

    @Test(
        "What the server can search for is translated",
        arguments: [
            ("king", "king"), ("king title:dark", "(king and t:dark)"), ("king | author:poe", "(king or a:poe)"),
            ("king -dark", "(king and not(dark))"), ("(a | b) c", "((a or b) and c)"),
        ])
    func translated(text: String, expected: String) {
        let translation = translate(text)
        #expect(translation.part == expected)
        #expect(translation.ignoredTerms == [])
    }

    @Test(
        "What it cannot search for is ignored and named, and never hides a book",
        arguments: [
            ("king is:favourite", "king", ["is:favourite"]),
            ("is:favourite", nil, ["is:favourite"]),
            ("king (title:dark | pages:>500)", "king", ["title:dark", "pages:>500"]),
            ("king -pages:>500", "king", ["pages:>500"]),
            ("king -(title:dark pages:>500)", "king", ["title:dark", "pages:>500"]),
            ("king (title:dark pages:>500 | author:poe)", "(king and (t:dark or a:poe))", ["pages:>500"]),
        ] as [(String, String?, [String])])
    func ignored(text: String, expected: String?, terms: [String]) {
        let translation = translate(text)
        #expect(translation.part == expected)
        #expect(translation.ignoredTerms == terms)
    }

    @Test("An empty query selects all books")
    func empty() {
        #expect(translate("").part == nil)
        #expect(translate("").ignoredTerms == [])
    }
}
