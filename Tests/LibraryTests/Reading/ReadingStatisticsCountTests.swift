internal import Glibc
internal import Shelves
internal import Testing

@testable import Books
@testable import Catalog
@testable import CatalogTesting
@testable import Indexing
@testable import Library

/// The reading statistics of a catalog with user data.
@Suite("Reading statistics of a catalog") struct ReadingStatisticsCountTests {
    /// 25 November 2026.
    private let today = CalendarDay(number: 20_782)
    private let may = CalendarMonth(year: 2026, month: 5)

    private func library(_ books: [Book], _ userData: UserData = UserData(directory: nil)) -> Library {
        Library(store: BookStore(source: InMemoryCatalog(name: "books", books: books)), userData: userData)
    }

    private func statistics(of library: Library) throws -> ReadingStatistics {
        try #require(library.readingStatistics(today: today) {})
    }

    @Test("page counts are those of the catalog, and change with it")
    func pagesOfTheCatalog() throws {
        let library = library([Book.make(title: "A", pageCount: 300), Book.make(title: "B")])
        #expect(try statistics(of: library).isEmpty)
        try library.apply(.status(.read, on: "2026-05-30"), to: [BookID(0), BookID(1)])
        let found = try statistics(of: library)
        #expect(found.books(in: may) == 2 && found.pages(in: may) == 300 && found.pagelessCount == 1)
        // The same as for a command, which waits.
        #expect(library.readingStatistics(today: today) == found)
        try library.apply(.status(nil), to: [BookID(0)])
        #expect(try statistics(of: library).books(in: may) == 1)
    }

    @Test("books that are not in the catalog count without pages")
    func missingBooks() throws {
        let userData = UserData(directory: nil)
        let full = library([Book.make(title: "A", pageCount: 300)], userData)
        try full.apply(.status(.read, on: "2026-05-30"), to: [BookID(0)])
        let found = try statistics(of: library([Book.make(title: "Other", pageCount: 100)], userData))
        #expect(found.books(in: may) == 1 && found.pageCount == 0)
    }

    @Test("many books are counted in the background, and the statistics before them shown meanwhile")
    func background() throws {
        let books = (0..<3000).map { Book.make(title: "Book \($0)", pageCount: 10) }
        let library = library(books)
        try library.apply(.status(.read, on: "2026-05-30"), to: (0..<3000).map { BookID($0) })
        #expect(library.readingStatistics(today: today) {} == nil)
        var found: ReadingStatistics?
        for _ in 0..<1000 where found == nil {
            usleep(10_000)
            found = library.readingStatistics(today: today) {}
        }
        #expect(found?.books(in: may) == 3000 && found?.pages(in: may) == 30_000)
        try library.apply(.status(nil), to: [BookID(7)])
        #expect(library.readingStatistics(today: today) {}?.books(in: may) == 3000)
        for _ in 0..<1000 where found?.books(in: may) != 2999 {
            usleep(10_000)
            found = library.readingStatistics(today: today) {}
        }
        #expect(found?.pages(in: may) == 29_990)
    }
}
