import Testing

@testable import Catalog
@testable import CatalogTesting
@testable import Indexing

/// Random queries on real catalogs.
@Suite("Data: search") struct SearchDataTests {
    @Test(arguments: [
        ("mongodb-books/native-derived.json", 2000), ("gutenberg/native-derived-multiscript.json", 2000),
        ("goodbooks-10k/native-derived.json", 300), ("opds2/readium-opds_2_0.json", 500),
    ])
    func queriesFindTheBooksOfALinearSearch(file: String, count: Int) throws {
        let store = JSONFileCatalog(path: try DataDirectory.path(file))
        try store.readAll()
        let books = (0..<store.index.count).compactMap { store.book(at: $0) }
        try #require(books.count == store.index.count)
        let comparison = SearchComparison(books, store.index)
        var queries = RandomQueries(of: books, seed: 0xDA7A)
        for _ in 0..<count {
            if let complaint = comparison.complaint(about: queries.next()) { Issue.record("\(complaint)") }
        }
        for _ in 0..<count / 20 {
            let word = queries.word().filter(\.isLetter)
            if let complaint = comparison.complaintWhenTyping(word, behind: "") { Issue.record("\(complaint)") }
        }
    }
}
