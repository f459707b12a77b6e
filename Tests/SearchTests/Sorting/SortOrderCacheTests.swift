import Testing

@testable import Books
@testable import CatalogTesting
@testable import Indexing
@testable import Search

@Suite("Sorting: orders and their cache") struct SortOrderCacheTests {
    private let index: BookIndex

    init() {
        func book(_ title: String, _ author: String, _ year: Int?) -> Book {
            var book = Book.make(title: title, authors: [author])
            book.published = year.map { PartialDate(year: $0) }
            return book
        }
        index = BookIndex(of: [
            book("B", "X", 1990), book("A", "X", 1990), book("D", "Y", nil), book("C", "X", nil), book("E", "Y", 2001),
            book("F", "Y", 1990),
        ])
    }

    private func order(_ text: String, by sorter: SortOrderCache = SortOrderCache()) throws -> [UInt32] {
        let order = try #require(SortOrder(text))
        while true {
            let made = sorter.order(order, of: index, isComplete: true, waiting: 1000, notifying: {})
            if let made, made.isFinal { return made.indices }
        }
    }

    @Test(arguments: [
        ("title", [1, 0, 3, 2, 4, 5]), ("-title", [5, 4, 2, 3, 0, 1]), ("year", [0, 1, 5, 4, 2, 3]),
        // Books of the same year keep the order of the catalog in both directions.
        ("-year", [4, 0, 1, 5, 2, 3]), ("year,title", [1, 0, 5, 4, 3, 2]), ("year,-title", [5, 0, 1, 4, 2, 3]),
        // Reversing one key does not affect the others, and unknown values stay last.
        ("-year,title", [4, 1, 0, 5, 3, 2]), ("-year,-title", [4, 5, 0, 1, 2, 3]),
        ("author,year,title", [1, 0, 3, 5, 4, 2]), ("author,-year,title", [1, 0, 3, 4, 5, 2]),
        ("-author,-year,-title", [4, 5, 2, 0, 1, 3]), ("-author,year,title", [5, 4, 2, 1, 0, 3]),
    ])
    func laterKeysBreakTies(order: String, expected: [UInt32]) throws {
        #expect(try self.order(order) == expected)
    }

    @Test func cachedOrdersAreReused() throws {
        let sorter = SortOrderCache()
        for text in ["year,title", "-year,title", "-year", "year", "-year", "-title", "title", "-year,title"] {
            #expect(try order(text, by: sorter) == order(text))
        }
    }
}

extension SortOrderCacheTests {
    @Test func booksOfASeriesAreInSeriesOrder() throws {
        func book(_ series: String?, _ position: Double? = nil) -> Book {
            var book = Book.make(title: "T")
            (book.series, book.seriesPosition) = (series, position)
            return book
        }
        let index = BookIndex(of: [
            book("Discworld #10"), book(nil), book("Discworld #2"), book("Discworld", 2.5), book("Discworld"),
            book("Dune, 1"), book("Discworld Companion"), book("discworld (vol. 1)"), book("Dune", -1),
        ])
        let sorter = SortOrderCache()
        var made: SortOrderCache.Order?
        while made == nil {
            made = sorter.order(
                SortOrder([.init(.series)]), of: index, isComplete: true, waiting: 1000, notifying: {})
        }
        #expect(made?.indices == [7, 2, 3, 0, 4, 6, 8, 5, 1])
    }

    @Test func seriesAreSortedWithoutTheirArticle() throws {
        let books = ["The Expanse, 2", "Dune", "The Expanse, 1", "Earthsea", "A Court of Thorns", "Farseer"].map {
            var book = Book.make(title: "T")
            book.series = $0
            return book
        }
        let order = SortOrderCache().order(
            SortOrder([.init(.series)]), of: BookIndex(of: books), isComplete: true, waiting: 20_000
        ) {}
        #expect(order?.indices == [4, 1, 3, 2, 0, 5])
    }
}
