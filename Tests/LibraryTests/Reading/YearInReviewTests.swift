import Testing

@testable import Books
@testable import Indexing
@testable import Library

@Suite("A year of reading") struct YearInReviewTests {
    /// Creates a book that was read in these days.
    private func book(
        _ number: UInt32, _ start: String?, _ end: String?, pages: Int?, halves: Int? = nil, by author: String = "A",
        _ outcome: Reading.Outcome = .finished
    ) -> LoggedBook {
        LoggedBook(
            place: .catalog(BookID(number)), title: "Book \(number)", authors: [author], pageCount: pages,
            rating: halves.map { StarRating(halves: $0) },
            log: ReadingLog(readings: [Reading(start: start, end: end, outcome: outcome)]))
    }

    private func review(_ books: [LoggedBook], of year: Int = 2026) throws -> YearInReview {
        var statistics = ReadingStatistics(today: try #require(CalendarDay("2026-11-28")))
        for book in books { statistics.add(book.log, pageCount: book.pageCount, status: book.status) }
        statistics.finish()
        return YearInReview(of: year, books, statistics, target: 12)
    }

    @Test("books, pages and months are those of the year; the rest names single books") func sums() throws {
        let review = try review([
            book(1, "2026-03-01", "2026-03-02", pages: 300, halves: 9), book(2, nil, "2026", pages: 900, halves: 10),
            book(3, "2026-01-01", "2026-01-10", pages: 100, halves: 7, by: "B"), book(4, nil, "2025-05", pages: 2000),
            book(5, nil, "2026-04-04", pages: nil), book(6, nil, "2026-04-05", pages: 50, .abandoned),
        ])
        #expect(review.summary == "4 books, 1,300 pages (1 page count unknown), 13 days, 1 abandoned")
        #expect(review.months.map(\.books) == [1, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0])
        #expect(review.months[3].shownPages == "–")
        #expect(review.best.map(\.book.title) == ["Book 2", "Book 1"])
        #expect(review.longest?.book.title == "Book 2" && review.shortest?.book.title == "Book 3")
        #expect(review.fastest?.reading.book.title == "Book 1" && review.fastest?.pagesPerDay == 150)
        #expect(review.slowest?.reading.book.title == "Book 3" && review.slowest?.dayCount == 10)
        #expect(review.authors.map(\.name) == ["A"] && review.authors.map(\.count) == [3])
    }

    @Test("a year without readings is empty") func empty() throws {
        #expect(try review([book(4, nil, "2025-05", pages: 2000)]).isEmpty)
        #expect(try !review([book(4, nil, "2025-05", pages: 2000)], of: 2025).isEmpty)
    }

    @Test("a single book is not the shortest and slowest, too") func single() throws {
        let review = try review([book(1, "2026-03-01", "2026-03-02", pages: 300)])
        #expect(review.longest != nil && review.shortest == nil && review.fastest != nil && review.slowest == nil)
        #expect(review.best.isEmpty && review.authors.isEmpty)
    }
}
