import CatalogTesting
import Testing

@testable import Books
@testable import Indexing
@testable import Library
@testable import Search
@testable import Threading

@Suite("Messages: why a query has no results") struct NoResultsWordingTests {
    private let index = BookIndex(
        of: ["White Rabbit", "Black Rabbit", "Rabid Dogs", "A Hole", "The Rabbit House"].map {
            Book(title: $0, authors: ["Ann Lee"])
        })

    private func sentence(_ text: String, acceptingKey: String? = nil) -> String? {
        let scope = BookSearch.Scope(BookList(allOf: index.count), of: index)
        let query = Query(text)
        return NoResultsDiagnosis(of: query, in: scope, on: ThreadPool(threadCount: 0))?
            .sentence(of: query, acceptingKey: acceptingKey)
    }

    @Test(arguments: [
        ("zebra", "No match for “zebra”"), ("\"white house\"", "No match for “white house”"),
        ("rabbit author:zoe", "No match for “author:zoe”"),
        ("rabit", "No match for “rabit”. Did you mean rabbit (3) or rabid (1)?"),
        ("rabbit hole", "rabbit: 3 books; none also contains “hole”"),
        ("rabbit white dogs", "rabbit white: 1 book, which does not contain “dogs”"),
        ("rabbit -title:rabbit", "rabbit: 3 books; all match “title:rabbit”"),
        ("rabbit -rabbit", "rabbit: 3 books; all contain “rabbit”"),
        ("hole -hole", "hole: 1 book, which contains “hole”"), ("-author:ann", "All books match “author:ann”"),
        ("(white | black) hole", "(white | black): 2 books; none also contains “hole”"),
        ("-white hole rabbit", "-white hole: 1 book, which does not contain “rabbit”"),
    ])
    func theTermWithoutMatchesIsNamed(query: String, expected: String) {
        #expect(sentence(query) == expected)
    }

    @Test func theKeyThatAcceptsTheSuggestionIsNamed() {
        #expect(sentence("hloe", acceptingKey: "Tab") == "No match for “hloe”. Did you mean hole (1)? Tab accepts")
        #expect(sentence("rabit", acceptingKey: "Tab")?.hasSuffix("rabid (1)? Tab accepts rabbit") == true)
        #expect(sentence("zebra", acceptingKey: "Tab") == "No match for “zebra”")
    }
}
