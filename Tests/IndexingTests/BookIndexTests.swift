import Testing

@testable import Books
@testable import CatalogTesting
@testable import Indexing

@Suite("Index: columns and segments") struct BookIndexTests {
    private let isbn = "9780441478125"

    @Test func segmentsAreOneAfterAnother() {
        let books = (0..<10).map { Book.make(title: "\($0)", isbn: $0 == 4 ? isbn : nil) }
        for segments in [[10], [1, 9], [0, 3, 0, 0, 4, 2, 1, 0], Array(repeating: 1, count: 10)] {
            let index = BookIndex(of: books, segments: segments)
            #expect(index.count == 10)
            #expect((0..<10).map(index.offset(at:)) == (0..<10).map { 100 * $0 })
            #expect((0..<10).map(index.keys(at:)) == books.map(MatchKeys.init))
        }
        #expect(BookIndex(of: [], segments: [0, 0]).count == 0)
    }

    @Test func doublesAreNumberedThroughAllSegments() {
        let books = ["A", "B", "A", "A", "B", "A"].map { Book.make(title: $0) }
        for segments in [[6], [1, 2, 3], [3, 0, 3], [1, 1, 1, 1, 1, 1]] {
            let index = BookIndex(of: books, segments: segments)
            #expect((0..<6).map { index.identity(at: $0).occurrence } == [1, 1, 2, 3, 2, 4])
            #expect(index.identity(of: 5).key == BookIdentity.Key(of: books[0]))
        }
    }
}

struct BookLookupTests {
    private let first = "9780441478125"
    private let second = "9780393039764"

    private func finder(of book: Book, in books: [Book]) -> BookLookup {
        BookLookup(of: MatchKeys(of: book).all, in: BookIndex(of: books))
    }

    @Test func booksAreFoundByISBNAndByHash() {
        let books = [
            Book.make(title: "A", isbn: first), .make(title: "A"), .make(title: "B", isbn: first), .make(title: "C"),
        ]
        let isbn = BookIdentity.Key(of: books[0])
        let hash = BookIdentity.Key(hashOf: books[0])
        let unknown = BookIdentity.Key(hashOf: .make(title: "D"))
        for segments in [[4], [2, 2], [1, 1, 1, 1]] {
            let index = BookIndex(of: books, segments: segments)
            let finder = BookLookup(of: [isbn, hash, unknown], in: index)
            #expect(finder.ids(with: isbn) == [0, 2])
            #expect(finder.ids(with: hash) == [0, 1])
            #expect(finder.ids(with: unknown) == [])
            #expect(finder.ids(with: BookIdentity.Key(of: books[3])) == [])
            #expect(BookLookup(of: [], in: index).ids(with: isbn) == [])
        }
    }

    @Test func manyKeysAreFoundAmongManyBooks() {
        let books = (0..<3000).map { Book.make(title: "\($0 % 2000)") }
        let index = BookIndex(of: books, segments: [1000, 1, 1999])
        for step in [1, 7, 400] {
            let wanted = stride(from: 0, to: 2000, by: step)
            let finder = BookLookup(of: wanted.map { BookIdentity.Key(hashOf: books[$0]) }, in: index)
            for (number, book) in books[..<2000].enumerated() {
                let places = number % step != 0 ? [] : number < 1000 ? [number, number + 2000] : [number]
                #expect(finder.ids(with: BookIdentity.Key(hashOf: book)) == places.map { BookID($0) })
            }
        }
    }

    @Test func aBookIsFoundByAllItsKeysFirst() {
        let book = Book.make(title: "A", isbn: first)
        let books = [
            Book.make(title: "A"), .make(title: "A", isbn: second), book, .make(title: "B", isbn: first), book,
        ]
        let finder = finder(of: book, in: books)
        #expect(finder.ids(matching: MatchKeys(of: book), by: .all) == [2, 4])
        #expect(finder.ids(bestMatching: MatchKeys(of: book)) == [2, 4])
    }

    @Test func anISBNCountsWhereOneBookAloneHasIt() {
        let book = Book.make(title: "A", isbn: first)
        let one = finder(of: book, in: [.make(title: "B"), .make(title: "C", isbn: first), .make(title: "A")])
        #expect(one.ids(matching: MatchKeys(of: book), by: .onlyISBN) == [1])
        #expect(one.ids(bestMatching: MatchKeys(of: book)) == [1])
        let two = finder(
            of: book, in: [.make(title: "B", isbn: first), .make(title: "C", isbn: first), .make(title: "A")])
        #expect(two.ids(matching: MatchKeys(of: book), by: .onlyISBN) == [])
        #expect(two.ids(bestMatching: MatchKeys(of: book)) == [2])
    }

    @Test func titleAndAuthorsAreTheLastWay() {
        let book = Book.make(title: "A", isbn: first)
        let books = [Book.make(title: "A", isbn: second), .make(title: "B"), .make(title: "A")]
        #expect(finder(of: book, in: books).ids(bestMatching: MatchKeys(of: book)) == [0, 2])
        #expect(finder(of: .make(title: "C"), in: books).ids(bestMatching: MatchKeys(of: .make(title: "C"))) == [])
    }

    @Test func anIdentityIsThatOfOneOfItsDoubles() {
        let books = ["A", "B", "A", "A"].map { Book.make(title: $0) }
        let key = BookIdentity.Key(of: books[0])
        let finder = BookLookup(of: [key], in: BookIndex(of: books))
        #expect((1...4).map { finder.id(of: BookIdentity(key: key, occurrence: $0)) } == [0, 2, 3, nil])
        // The same title with an ISBN has a different kind of identity.
        let other = self.finder(of: books[0], in: [.make(title: "A", isbn: first), .make(title: "A")])
        #expect(other.id(of: BookIdentity(key: key)) == 1)
    }

    @Test func booksThatComeLaterAreFoundToo() {
        let books = ["A", "B", "A", "C", "A"].map { Book.make(title: $0) }
        var finder = BookLookup(of: [BookIdentity.Key(of: books[0])], in: BookIndex(of: Array(books.prefix(1))))
        let keys = MatchKeys(of: books[0])
        #expect(finder.ids(bestMatching: keys) == [0])
        let hasOneMore = finder.extend(to: BookIndex(of: Array(books.prefix(2))))
        #expect(!hasOneMore)
        #expect(finder.count == 2)
        let hasMore = finder.extend(to: BookIndex(of: books))
        #expect(hasMore)
        #expect(finder.ids(bestMatching: keys) == [0, 2, 4])
        let hasYetMore = finder.extend(to: BookIndex(of: books))
        #expect(!hasYetMore)
        #expect(finder.ids(bestMatching: keys) == [0, 2, 4])
    }
}
