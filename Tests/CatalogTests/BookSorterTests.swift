import Testing

@testable import Catalog

struct BookSorterTests {
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

    private func order(_ text: String, by sorter: BookSorter = BookSorter()) throws -> [UInt32] {
        let order = try #require(SortOrder(text))
        while true {
            let made = sorter.order(order, of: index, isComplete: true, waiting: 1000, notifying: {})
            if let made, made.isFinal { return made.indices }
        }
    }

    @Test(arguments: [
        ("title", [1, 0, 3, 2, 4, 5]), ("-title", [5, 4, 2, 3, 0, 1]), ("year", [0, 1, 5, 4, 2, 3]),
        ("year,title", [1, 0, 5, 4, 3, 2]), ("year,-title", [5, 0, 1, 4, 2, 3]),
        // Turning one key round leaves the others as they are, and the unknown last.
        ("-year,title", [4, 1, 0, 5, 3, 2]), ("-year,-title", [4, 5, 0, 1, 2, 3]),
        ("author,year,title", [1, 0, 3, 5, 4, 2]), ("author,-year,title", [1, 0, 3, 4, 5, 2]),
        ("-author,-year,-title", [4, 5, 2, 0, 1, 3]), ("-author,year,title", [5, 4, 2, 1, 0, 3]),
    ])
    func eachKeyDecidesWhereThoseBeforeItAreTheSame(order: String, expected: [UInt32]) throws {
        #expect(try self.order(order) == expected)
    }

    @Test func ordersThatWereMadeBeforeAreTheSameAgain() throws {
        let sorter = BookSorter()
        for text in ["year,title", "-year,title", "year,title", "-title", "title", "-year,title"] {
            #expect(try order(text, by: sorter) == order(text))
        }
    }
}
