import Foundation
import Testing

@testable import Books
@testable import Catalog
@testable import CatalogTesting
@testable import Indexing
@testable import Library
@testable import Search
@testable import Threading

@Suite("Books related to a book") struct RelatedBookListsTests {
    private func book(_ title: String, by authors: [String] = ["Ann"], _ series: String? = nil, _ place: Double? = nil)
        -> Book
    {
        var book = Book.make(title: title, authors: authors)
        (book.series, book.seriesPosition) = (series, place)
        return book
    }

    private func related(to number: Int, in books: [Book]) throws -> RelatedBookLists.Related {
        let index = BookIndex(of: books, segments: [2, books.count - 2])
        return try #require(RelatedBookLists().books(relatedTo: books[number], in: index))
    }

    @Test func aSeriesIsInTheOrderOfItsPlaces() throws {
        let books = [
            book("Extra", "S"), book("Three", "S", 3), book("Other", "T", 1), book("One", by: ["Bob"], "S", 1),
            book("One and a half", "S", 1.5), book("More", "S"),
        ]
        #expect(try related(to: 1, in: books).series == [3, 4, 1, 0, 5])
        #expect(try related(to: 2, in: books).series == [2])
    }

    @Test func otherBooksOfTheFirstAuthorAreNotInTheSeries() throws {
        let books = [
            book("One", "S", 1), book("Alone"), book("Two", "S", 2), book("Together", by: ["Bob", "Ann"]),
            book("Not by her", by: ["Anna"]),
        ]
        let first = try related(to: 0, in: books)
        #expect(first.byAuthor == [1, 3] && first.authorCount == 2)
        // Without a series, the book itself is among them.
        let alone = try related(to: 1, in: books)
        #expect(alone.series == [] && alone.byAuthor == [0, 1, 2, 3] && alone.authorCount == 4)
    }

    @Test func onlyTheFirstOfManyBooksAreKept() throws {
        let related = try related(to: 0, in: (0..<30).map { book("\($0)") })
        #expect(related.byAuthor == [0, 1, 2, 3, 4, 5, 6, 7, 8] && related.authorCount == 30)
    }

    @Test func withoutAuthorAndSeriesNothingIsRelated() throws {
        #expect(try related(to: 1, in: [book("A", by: []), book("B", by: []), book("C")]) == .init())
    }

    /// A catalog whose names are collected in the background.
    private func large() -> (books: [Book], index: BookIndex) {
        let books = (0..<6000).map { book("\($0)", by: ["Author \($0 % 3000)"]) }
        return (books, BookIndex(of: books, segments: [6000]))
    }

    @Test func theNamesOfALargeCatalogAreCollectedInTheBackgroundOnce() throws {
        let (books, index) = large()
        let lists = RelatedBookLists()
        let isFound = DispatchSemaphore(value: 0)
        #expect(!lists.isTableNeeded)
        #expect(lists.books(relatedTo: books[7], in: index) == nil)
        #expect(lists.isTableNeeded)
        for _ in 0..<2 { lists.makeTable(of: index, from: { ColumnTask(of: $0, in: index) }) { isFound.signal() } }
        #expect(lists.books(relatedTo: books[8], in: index) == nil)
        #expect(!lists.isTableNeeded)
        #expect(isFound.wait(timeout: .now() + 60) == .success)
        lists.receive()
        #expect(lists.arrivalCount == 1)
        #expect(lists.books(relatedTo: books[3007], in: index)?.byAuthor == [7, 3007])
        #expect(lists.books(relatedTo: books[8], in: index)?.byAuthor == [8, 3008])
        lists.receive()
        #expect(lists.arrivalCount == 1)
        #expect(isFound.wait(timeout: .now()) == .timedOut)
    }

    @Test func aTableMadeElsewhereIsTakenOver() throws {
        let (books, index) = large()
        let lists = RelatedBookLists()
        #expect(lists.books(relatedTo: books[7], in: index) == nil)
        lists.take(try #require(BooksByName(of: index)), at: .of(index))
        #expect(!lists.isTableNeeded && lists.arrivalCount == 1)
        #expect(lists.books(relatedTo: books[3007], in: index)?.byAuthor == [7, 3007])
    }

    @Test func aBookWithoutNamesCollectsNothing() throws {
        let (_, index) = large()
        let lists = RelatedBookLists()
        #expect(lists.books(relatedTo: book("Alone", by: []), in: index) == .init())
        #expect(!lists.isTableNeeded)
        lists.makeTable(of: index, from: { ColumnTask(of: $0, in: index) }) {}
        lists.forget()
        lists.receive()
        #expect(lists.arrivalCount == 0)
    }

    @Test func namesCollectedBeforeAChangeAreNotTakenOver() throws {
        let (books, index) = large()
        let lists = RelatedBookLists()
        #expect(lists.books(relatedTo: books[7], in: index) == nil)
        lists.makeTable(of: index, from: { ColumnTask(of: $0, in: index) }) {}
        lists.forget()
        lists.receive()
        #expect(!lists.isTableNeeded)
        #expect(lists.arrivalCount == 0)
    }

    @Test func moreBooksAreSearchedAgain() throws {
        let lists = RelatedBookLists()
        let books = (0..<4).map { book("\($0)") }
        let part = BookIndex(of: Array(books.prefix(3)), segments: [3])
        #expect(lists.books(relatedTo: books[0], in: part)?.authorCount == 3)
        #expect(lists.books(relatedTo: books[0], in: BookIndex(of: books, segments: [4]))?.authorCount == 4)
    }

    @Test func forgottenResultsAreSearchedAgain() throws {
        let lists = RelatedBookLists()
        var books = (0..<3).map { book("\($0)") }
        #expect(lists.books(relatedTo: books[0], in: BookIndex(of: books, segments: [3]))?.authorCount == 3)
        books[2].authors = ["Bob"]
        lists.forget()
        #expect(lists.books(relatedTo: books[0], in: BookIndex(of: books, segments: [3]))?.authorCount == 2)
    }
}

extension LibraryVersion {
    /// The version of the books of `index`, which were never discarded.
    fileprivate static func of(_ index: BookIndex) -> LibraryVersion {
        var version = LibraryVersion()
        version.bookCount = index.count
        return version
    }
}

extension RelatedBookLists {
    fileprivate func books(relatedTo book: Book, in index: BookIndex) -> Related? {
        books(relatedTo: book, in: index, at: .of(index))
    }

    fileprivate func makeTable(
        of index: BookIndex, from columns: ([IndexedTextField]) -> ColumnTask,
        notifying notify: @escaping @Sendable () -> Void
    ) {
        makeTable(of: index, at: .of(index), from: columns, notifying: notify)
    }
}
