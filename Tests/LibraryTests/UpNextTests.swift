import TestSupport
import Testing

@testable import Books
@testable import CatalogTesting
@testable import Indexing
@testable import Library
@testable import Search

@Suite("Up next") struct UpNextTests {
    // MARK: - The next book of a series

    private func next(_ books: (Float, Book.ReadingStatus?)...) -> Int? {
        SeriesProgress.next(in: books.map { (place: $0.0, status: $0.1) })
    }

    @Test func ofASeriesThatIsNotBegunThereIsNoNextBook() {
        #expect(next((1, nil), (2, .toRead), (3, .abandoned)) == nil)
        #expect(next() == nil)
    }

    @Test func theNextBookIsTheFirstUnreadOneAfterTheLastThatWasRead() {
        #expect(next((3, nil), (1, .read), (2, nil)) == 2)
        #expect(next((1, nil), (2, .read), (3, nil), (4, .read), (6, nil), (5, nil)) == 5)
        #expect(next((1, .reading), (2, .toRead)) == 1)
        #expect(next((1, .read), (2, .abandoned), (3, nil)) == 2)
        #expect(next((1, .read), (1.5, nil), (2, nil)) == 1)
        #expect(next((1, nil), (2, .read)) == nil)
    }

    @Test func anotherEditionOfABookThatWasReadIsNotNext() {
        #expect(next((1, .read), (1, nil), (2, nil)) == 2)
    }

    @Test func booksWithoutAPlaceFollowNoOther() {
        #expect(next((.nan, nil), (1, .read), (.nan, nil)) == nil)
        #expect(next((.nan, .read), (2, nil), (1, nil)) == 2)
        #expect(next((.nan, .read), (.nan, nil)) == nil)
    }

    // MARK: - The list

    private func book(_ title: String, _ series: String? = nil, _ place: Double? = nil) -> Book {
        var book = Book.make(title: title)
        (book.series, book.seriesPosition) = (series, place)
        return book
    }

    private func input(
        _ books: [Book], begun: [(Int, Book.ReadingStatus, String?)] = [], toRead: [(Int, String?)] = []
    ) -> UpNextInput {
        var input = UpNextInput(index: BookIndex(of: books, segmentSize: 2))
        for (book, status, date) in begun {
            input.begun.append((BookID(book), date))
            input.statuses[BookID(book)] = status
        }
        for (book, date) in toRead {
            input.toRead.append((BookID(book), date))
            input.statuses[BookID(book)] = .toRead
        }
        return input
    }

    private let books: [Book] = [
        ("D1", "D", 1), ("D2", "D", 2), ("E1", "E", 1), ("Alone", nil, nil), ("E2", "E", 2), ("F2", "F", 2),
        ("Other", nil, nil), ("F1", "F", 1),
    ].map { title, series, place in
        var book = Book.make(title: title)
        (book.series, book.seriesPosition) = (series, place)
        return book
    }

    private func titles(_ input: UpNextInput) -> [String] { UpNext(input).books.map { books[$0.index].title } }

    @Test func theSeriesReadMostRecentlyComesFirst() {
        let begun: [(Int, Book.ReadingStatus, String?)] = [
            (0, .read, "2024-01-05"), (2, .reading, "2025-02-01"), (7, .read, nil),
        ]
        #expect(titles(input(books, begun: begun)) == ["E2", "D2", "F2"])
    }

    @Test func theOldestOfTheBooksToReadFollow() {
        let toRead = [(6, "2025-03-01"), (3, "2025-01-01"), (5, nil)]
        #expect(titles(input(books, toRead: toRead)) == ["Alone", "Other", "F2"])
        #expect(UpNext(input(books, toRead: toRead)).names == nil)
    }

    @Test func aBookThatIsNextAndToReadIsListedOnce() {
        let input = input(books, begun: [(0, .read, "2024-01-05")], toRead: [(3, "2020-01-01"), (1, "2021-01-01")])
        #expect(titles(input) == ["D2", "Alone"])
    }

    @Test func theStatusInTheCatalogCountsUnlessTheReaderHasAnother() {
        var books = self.books
        books[1].status = .read
        var input = input(books, begun: [(0, .read, nil)])
        #expect(UpNext(input).books == [])
        input.statuses[1] = .toRead
        #expect(UpNext(input).books == [1])
    }

    /// The same by looking at all books of each series.
    private func scan(_ books: [Book], _ statuses: [Book.ReadingStatus?]) -> Set<BookID> {
        var found: Set<BookID> = []
        for name in Set(books.compactMap(\.series)) {
            let members = books.indices.filter { books[$0].series == name }
            let begun = members.filter { statuses[$0] == .read || statuses[$0] == .reading }
            guard !begun.isEmpty else { continue }
            let last = begun.compactMap { books[$0].seriesPosition }.max() ?? 0
            let left = members.filter { number in
                guard let place = books[number].seriesPosition, place > last else { return false }
                return statuses[number] == nil || statuses[number] == .toRead
            }
            let next = left.min { first, second in
                let (place, other) = (books[first].seriesPosition ?? 0, books[second].seriesPosition ?? 0)
                return place == other ? first < second : place < other
            }
            if let next { found.insert(BookID(next)) }
        }
        return found
    }

    @Test(arguments: 0..<10) func itIsWhatAScanOfAllBooksFinds(seed: UInt64) {
        var random = SplitMix(seed: seed)
        let books = (0..<200).map { number in
            let series = Int.random(in: 0..<30, using: &random)
            let place = Int.random(in: 0...9, using: &random)
            return book("\(number)", series < 25 ? "S\(series)" : nil, place == 0 ? nil : Double(place) / 2)
        }
        let some: [Book.ReadingStatus?] = [nil, nil, nil, .toRead, .reading, .read, .abandoned]
        let statuses = books.map { _ in some.randomElement(using: &random) ?? nil }
        var input = UpNextInput(index: BookIndex(of: books, segmentSize: 50))
        for (number, status) in statuses.enumerated() {
            input.statuses[BookID(number)] = status
            if status == .read || status == .reading { input.begun.append((BookID(number), nil)) }
        }
        #expect(Set(UpNext(input).books) == scan(books, statuses))
    }
}
