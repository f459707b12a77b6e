import TestSupport
import Testing

@testable import Books
@testable import Catalog
@testable import CatalogTesting
@testable import Indexing
@testable import Search
@testable import Threading

@Suite("Gaps in series") struct SeriesGapsTests {
    @Test(
        "numbers are missing from 1 on, or else from the lowest one on",
        arguments: [
            ([], []), ([1], []), ([7], []), ([2], [1...1]), ([1, 2, 3], []), ([3, 1], [2...2]), ([2, 3], [1...1]),
            ([1, 2, 3, 5, 6, 10], [4...4, 7...9]), ([4, 4, 5, 7], [6...6]), ([1999, 2000, 2002], [2001...2001]),
            ([0, 1, 2], []), ([1, 1.5, 2], []), ([-3, 1, 3], [2...2]), ([.nan, 1, 3], [2...2]), ([0.5], []),
            ([1, .infinity, 3], [2...2]), ([1, 4_000_000], [2...3_999_999]),
        ] as [([Float], [ClosedRange<Int>])])
    func missing(positions: [Float], missing: [ClosedRange<Int>]) {
        #expect(SeriesGaps.missing(among: positions) == missing)
        #expect(SeriesGaps.missing(among: positions.reversed() + positions) == missing)
    }

    private func book(_ series: String?, _ position: Double?) -> Book {
        var book = Book.make(title: "\(series ?? "") \(position ?? 0)")
        (book.series, book.seriesPosition) = (series, position)
        return book
    }

    /// Returns the numbers of the books that a query finds, in segments of this size.
    private func found(_ text: String, in books: [Book], segmentSize: Int) throws -> [Int] {
        let index = BookIndex(of: books, segmentSize: segmentSize)
        let columns = try #require(index.columns(of: [.series], on: ThreadPool(threadCount: 0)).taken())
        let scope = BookSearch.Scope(
            BookList(allOf: index.count), of: index, columns: [.series: try #require(columns.first)])
        let search = BookSearch(Query(text), in: scope)
        return try #require(search.wait(unless: { false })).list.rows
    }

    @Test("all books of a series with a gap are found, however its name is spelt", arguments: [1, 2, 100])
    func books(segmentSize: Int) throws {
        let books = [
            book("Discworld", 1), book("Foundation", 1), book("DISCWORLD", 3), book(nil, 5), book("Foundation", 2),
            book("discworld", nil), book("Culture", 9), book("Culture", 8), book("Discworld", 5),
        ]
        #expect(try found("is:series-gap", in: books, segmentSize: segmentSize) == [0, 2, 5, 8])
        #expect(try found("-is:series-gap", in: books, segmentSize: segmentSize) == [1, 3, 4, 6, 7])
        #expect(try found("is:series-gap has:position", in: books, segmentSize: segmentSize) == [0, 2, 8])
        #expect(try found("has:series -has:position", in: books, segmentSize: segmentSize) == [5])
    }

    @Test("random series have the gaps that a plain search finds", arguments: 0..<40)
    func random(seed: UInt64) throws {
        var random = SplitMix(seed: seed)
        let names = ["Discworld", "DISCWORLD", "Mémoires", "memoires", "罪と罰", "1984", "ספר", " ", "A"]
        let books = (0..<Int.random(in: 1...60, using: &random)).map { _ in
            let position = Bool.random(using: &random) ? Double(Int.random(in: -1...9, using: &random)) : nil
            let part = Int.random(in: 0...5, using: &random) == 0 ? 0.5 : 0
            return book(names.randomElement(using: &random), position.map { $0 + part })
        }
        let expected = ReferenceSearch(books, userData: UserDataFilter()).search(Query("is:series-gap"))
        #expect(try found("is:series-gap", in: books, segmentSize: 7) == expected)
    }

    @Test("without the column of the series, none has a gap") func withoutColumn() throws {
        let index = BookIndex(of: [book("Discworld", 1), book("Discworld", 3)])
        #expect(SearchedIndex(index).search(Query("is:series-gap")).list.rows == [])
        #expect(Query("a -is:series-gap").columnFields == [.series] && Query("a").columnFields == [])
    }
}
