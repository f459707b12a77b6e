import Testing

@testable import Books
@testable import CatalogTesting
@testable import Indexing
@testable import Search
@testable import Threading

@Suite("Query: completion of values") struct ValueCompletionTests {
    private static let books: [Book] = [
        .searched(title: "Moby-Dick", authors: ["Herman Melville"], series: "Sea, 1", subjects: ["Whales"]),
        .searched(title: "Emma", authors: ["Jane Austen"], subjects: ["Courtship", "Weather"]),
        .searched(
            title: "Typee", authors: ["Herman Melville", "Melvil Dewey"], series: "Sea, 2", subjects: ["Whales"]),
    ]

    private struct Reader: BookReader {
        func bookAtHand(_ id: BookID) -> Book? { ValueCompletionTests.books[id.index] }
        var isFetching: Bool { false }
    }

    private func completions(_ field: Query.TextField, _ typed: String, list: BookList? = nil) -> [String] {
        let index = SearchComparison.index(of: Self.books, segments: [2, 1])
        let scope = BookSearch.Scope(list ?? BookList(allOf: index.count), of: index)
        let task = scope.completions(of: field, startingWith: typed, on: ThreadPool(threadCount: 0))
        return (task.value ?? []).map { "\($0.name(in: Reader())) \($0.bookCount)" }
    }

    @Test func aWordOfTheValueStartsWithWhatIsTypedAndTheMostFrequentIsFirst() {
        #expect(completions(.author, "melv") == ["Herman Melville 2", "Melvil Dewey 1"])
        #expect(completions(.author, "HERMAN M") == ["Herman Melville 2"])
        #expect(completions(.author, "elvil") == [])
        #expect(completions(.subject, "w") == ["Whales 2", "Weather 1"])
        #expect(completions(.author, "") == ["Herman Melville 2", "Jane Austen 1", "Melvil Dewey 1"])
    }

    @Test func volumesOfASeriesAreOneValue() { #expect(completions(.series, "se") == ["Sea 2"]) }

    @Test func onlyTheBooksOfTheListCount() {
        #expect(completions(.author, "melv", list: BookList([0])) == ["Herman Melville 1"])
    }

    @Test func languagesHaveTheirNames() {
        var books = (1...4).map { Book.make(title: "Book \($0)", authors: []) }
        for (place, tags) in [["fr"], ["en", "de"], ["fr"], ["fry"]].enumerated() { books[place].languages = tags }
        let index = BookIndex(of: books)
        let scope = BookSearch.Scope(BookList(allOf: index.count), of: index)
        func names(_ typed: String) -> [String] {
            let task = scope.completions(of: .language, startingWith: typed, on: ThreadPool(threadCount: 0))
            return (task.value ?? []).map { "\($0.name(in: Reader())) \($0.bookCount)" }
        }
        #expect(names("fre") == ["French 2"])
        #expect(names("de") == ["German 1"])
    }

    @Test(arguments: [
        ("author:melv", 7..<11, "melv"), ("x author:=\"Herman M", 10..<19, "Herman M"), ("on:be", 3..<5, "be"),
        ("publisher:", 10..<10, ""), ("author:(king | aus", 15..<18, "aus"),
    ])
    func theUnfinishedValueIsFound(text: String, range: Range<Int>, typed: String) {
        let value = Query.unfinishedValue(of: text, at: text.utf8.count)
        #expect(value?.range == range && value?.typed == typed)
    }

    @Test(arguments: [
        "melv", "title:x", "isbn:9", "year:19", "status:re", "author:\"king\"", "author:/k", "\"author:k",
    ])
    func otherWordsAreNotUnfinishedValues(text: String) {
        #expect(Query.unfinishedValue(of: text, at: text.utf8.count) == nil)
    }
}
