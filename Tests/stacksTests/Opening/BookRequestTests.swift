import Books
import Testing

@testable import Search
@testable import stacks

@Suite("Command line: requested books") struct BookRequestTests {
    private func refusal(query: String? = nil, sort: String? = nil) -> CommandError? {
        #expect(throws: CommandError.self) { try BookRequest(query: query, sort: sort).resolved(in: .ofEveryBook) }
    }

    @Test func aSyntaxErrorIsReportedWithItsPositionInCharacters() {
        let refusal = refusal(query: "ёж status:foo")
        #expect(
            refusal?.sentence
                == "query, character 11: status: needs to-read, reading, read, abandoned or none, not “foo”")
        #expect(refusal?.exitStatus == 64)
        #expect(self.refusal(query: ")")?.sentence.hasPrefix("query, character 1: ") == true)
    }

    @Test(arguments: ["colour", "title,", "title,-title", "--title", " ", "-list"])
    func anUnknownSortKeyListsTheValidOnes(sort: String) {
        let refusal = refusal(sort: sort)
        #expect(
            refusal?.sentence
                == "unknown sort key “\(sort)”. Keys: title, author, series, year, pages, rating, added, mine, read, "
                + "status, random, list; prefix - to reverse"
        )
        #expect(refusal?.exitStatus == 64)
    }

    @Test func theGivenArgumentsAreRequested() throws {
        let request = try BookRequest(query: "king", sort: "-year,title").resolved(in: .ofEveryBook)
        #expect(request.query?.text == "king")
        #expect(request.order == SortOrder([.init(.year, isReversed: true), .init(.title)]))
        #expect(!request.isPlain)
        #expect(!request.asksForAll)
    }

    @Test func noArgumentsRequestAllBooks() throws {
        for (query, sort) in [(nil, nil), ("", nil), (" ", "list"), ("author:", nil)] as [(String?, String?)] {
            let request = try BookRequest(query: query, sort: sort).resolved(in: .ofEveryBook)
            #expect(request.isPlain)
            #expect(request.asksForAll)
        }
        #expect(!BookRequest(query: nil, sort: "title").isPlain)
        #expect(BookRequest(query: nil, sort: "title").asksForAll)
        #expect(BookRequest(query: nil, sort: nil).query == nil)
    }
}
