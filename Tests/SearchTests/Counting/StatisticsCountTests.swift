import Testing

@testable import Books
@testable import CatalogTesting
@testable import Indexing
@testable import Search
@testable import Text
@testable import Threading

@Suite("Statistics: counting") struct StatisticsCountTests {
    private func statistics(
        of books: [Book], _ list: BookList? = nil, userData: UserDataFilter = UserDataFilter(), segmentSize: Int = 3,
        threadCount: Int = 2
    ) throws -> Statistics {
        let index = BookIndex(of: books, segmentSize: segmentSize)
        let count = index.countStatistics(
            of: list ?? BookList(allOf: books.count), userData: userData, on: ThreadPool(threadCount: threadCount))
        #expect(count.wait(milliseconds: 20_000) != nil)
        #expect(count.fraction == 1 || books.isEmpty)
        return try #require(count.value)
    }

    private func book(_ change: (inout Book) -> Void) -> Book {
        var book = Book(title: "")
        change(&book)
        return book
    }

    @Test func eachFieldIsCountedWhereABookHasIt() throws {
        let samples = FieldSample.all.filter { BookField.inStatistics.contains($0.field) }.map(\.book)
        let others = [
            book { $0.isbn = ISBN("978-0307947308") }, book { $0.authors = ["", " "] },
            book { $0.seriesPosition = 2 }, book { _ in },
        ]
        let fields = try statistics(of: samples + others).fields
        #expect(fields.map(\.field) == BookField.inStatistics)
        for field in fields { #expect(field.count == 1, "\(field.field)") }
    }

    @Test func numbersAreCounted() throws {
        let books =
            [1999, 1990, 2000, -3, 1].map { year in book { $0.published = PartialDate(year: year) } }
            + [1, 100, 65_535, 1_000_000].map { pages in book { $0.pageCount = pages } }
            + [0.4, 0.5, 4.5, 5].map { rating in book { $0.rating = rating } }
            + [2020, 2020, 1].map { year in book { $0.dateAdded = PartialDate(year: year) } }
        let found = try statistics(of: books)
        #expect(found.years.entries.map(\.number) == [-3, 1, 1990, 1999, 2000])
        #expect(found.decades.map(\.decade.name) == ["0s BC", "0s", "1990s", "2000s"])
        #expect(found.decades.map(\.count) == [1, 1, 2, 1])
        #expect(found.pages.entries.map(\.number) == [1, 100, 65_535])
        #expect(found.pages.bookCount == 4)
        #expect(found.ratings.entries.map(\.number) == [0, 1, 5])
        #expect(found.ratings.entries.map(\.count) == [1, 1, 2])
        #expect(found.halfStars.entries.map(\.number) == [1, 9, 10])
        #expect(found.halfStars.entries.map(\.count) == [2, 1, 1])
        #expect(found.yearsAdded.entries.map(\.number) == [1, 2020])
    }

    @Test func userDataTakesPrecedence() throws {
        let books = [
            book { $0.status = .read }, book { $0.status = .read }, book { _ in }, book { $0.status = .toRead },
            book { $0.rating = 1 },
        ]
        var userData = UserDataFilter(favourites: [0, 2, 4])
        userData.statuses = [.abandoned: [0], .reading: [2, 4]]
        userData.ratings = [5: [4], 3: [0]]
        let all = try statistics(of: books, userData: userData)
        #expect(all.statuses == [.toRead: 1, .reading: 2, .read: 1, .abandoned: 1])
        #expect(all.withoutStatusCount == 0)
        #expect(all.ratings.entries.map(\.number) == [3, 5])
        #expect(all.halfStars.entries.map(\.number) == [6, 10])
        #expect(all.favouriteCount == 3)
        #expect(all.count(of: .rating) == 1)
        // User data on books outside the list or the catalog does not count.
        userData.favourites.append(900)
        userData.statuses[.read] = [900]
        let some = try statistics(of: books, BookList([3, 1, 2]), userData: userData)
        #expect(some.bookCount == 3)
        #expect(some.statuses == [.toRead: 1, .reading: 1, .read: 1, .abandoned: 0])
        #expect(some.ratings.bookCount == 0)
        #expect(some.favouriteCount == 1)
    }

    @Test func aCatalogWithoutBooksHasNoStatistics() throws {
        let none = try statistics(of: [])
        #expect(none.bookCount == 0 && none.decades.isEmpty && none.withoutStatusCount == 0)
        #expect(none.fields.allSatisfy { $0.count == 0 })
        #expect(try statistics(of: [Book(title: "A")], BookList(allOf: 0)).bookCount == 0)
    }

    @Test(arguments: [1, 7, 1000]) func manyBooksCountAsOneByOne(segmentSize: Int) throws {
        let books = RandomShelves.books(3000, seed: UInt64(segmentSize))
        let members = (0..<3000).filter { $0 * 7 % 10 < 8 }
        for threadCount in [1, 3] {
            let found = try statistics(
                of: books, BookList(members.reversed()), segmentSize: segmentSize, threadCount: threadCount)
            let listed = members.map { books[$0] }
            #expect(found.bookCount == listed.count)
            var years: [Int: Int] = [:]
            for book in listed { if let year = book.published?.year { years[year, default: 0] += 1 } }
            #expect(found.years.entries.map(\.number) == years.keys.sorted())
            #expect(found.years.entries.allSatisfy { years[$0.number] == $0.count })
            #expect(found.fictionCount == listed.count { $0.fiction == true })
            #expect(found.nonFictionCount == listed.count { $0.fiction == false })
            for status in Book.ReadingStatus.allCases {
                #expect(found.statuses[status] == listed.count { $0.status == status })
            }
            #expect(found.count(of: .title) == listed.count { !ByteBuffer.folded($0.title).isEmpty })
            #expect(found.count(of: .series) == listed.count { !($0.series ?? "").isEmpty })
            #expect(
                found.count(of: .authors)
                    == listed.count { $0.authors.contains { !ByteBuffer.folded($0).isEmpty } })
        }
    }

    @Test func aStoppedCountHasNoResult() {
        let books = RandomShelves.books(2000, seed: 3)
        let index = BookIndex(of: books, segmentSize: 1)
        let pool = ThreadPool(threadCount: 2)
        for _ in 0..<20 {
            let count = index.countStatistics(of: BookList(allOf: 2000), on: pool)
            count.cancel()
            #expect(count.wait(milliseconds: 10_000) == nil)
            #expect(count.value == nil)
        }
        let last = index.countStatistics(of: BookList(allOf: 2000), on: pool)
        #expect(last.wait(milliseconds: 10_000) != nil)
    }
}
