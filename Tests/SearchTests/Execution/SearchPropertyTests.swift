import TestSupport
import Testing

@testable import CatalogTesting

/// Random queries on random books.
@Suite("Search: equal to the reference search") struct SearchPropertyTests {
    private static let books = RandomQueries.books(400, seed: 0xB00C)

    @Test(.thorough, arguments: [[400], [1], [37, 90, 5]])
    func queriesFindWhatASlowSearchFinds(sizes: [Int]) {
        let comparison = SearchComparison(Self.books, SearchComparison.index(of: Self.books, segments: sizes))
        var queries = RandomQueries(of: Self.books, seed: UInt64(sizes.count + sizes[0]))
        for _ in 0..<(sizes == [37, 90, 5] ? 2000 : 200) {
            if let complaint = comparison.complaint(about: queries.next()) { Issue.record("\(complaint)") }
        }
    }

    @Test func aLetterMoreNeverFindsMore() {
        let index = SearchComparison.index(of: Self.books, segments: [60, 1, 200])
        let comparison = SearchComparison(Self.books, index)
        var queries = RandomQueries(of: Self.books, seed: 7)
        for number in 0..<300 {
            let word = queries.word().filter(\.isLetter)
            let before = ["", "wood ", "fiction:yes ", "title:"][number % 4]
            if let complaint = comparison.complaintWhenTyping(word, behind: before) { Issue.record("\(complaint)") }
        }
    }
}
