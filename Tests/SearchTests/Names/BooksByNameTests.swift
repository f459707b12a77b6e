import TestSupport
import Testing

@testable import Books
@testable import CatalogTesting
@testable import Indexing
@testable import Search
@testable import Text
@testable import Threading

@Suite("Books by the names of authors and series") struct BooksByNameTests {
    private func table(of books: [Book], segmentSize: Int = 3) throws -> BooksByName {
        let index = BookIndex(of: books, segmentSize: segmentSize)
        return try #require(BooksByName(of: index))
    }

    private func book(_ authors: [String], _ series: String? = nil) -> Book {
        var book = Book.make(authors: authors)
        book.series = series
        return book
    }

    /// The books that have the first author of `book`, or its series, as a reader would compare their records.
    private func scan(_ books: [Book], _ kind: BooksByName.Kind, of book: Book) -> [BookID] {
        func folded(_ text: String) -> [UInt8] { [UInt8](folding: text) }
        func names(_ book: Book) -> [[UInt8]] {
            let names = kind == .author ? book.authors : book.series.map { [SeriesName.name(of: $0)] } ?? []
            return names.map(folded).filter { !$0.isEmpty }
        }
        guard let wanted = names(book).first else { return [] }
        return books.indices.filter { names(books[$0]).contains(wanted) }.map { BookID($0) }
    }

    @Test func anAuthorHasTheBooksWhoseAuthorsIncludeHerInAnySpelling() throws {
        let books = [
            book(["Brontë, Anne"]), book(["Bob", "BRONTE, ANNE"]), book(["Anne"]),
            book(["Bronte, Anne", "Brontë, Anne"]),
        ]
        let name = try #require(BooksByName.Name(.author, of: books[0]))
        #expect(try table(of: books).books(of: name) == [0, 1, 3])
    }

    @Test func aSeriesHasItsBooksWithAndWithoutTheirPlaces() throws {
        let books = [book([], "Discworld #1"), book(["Discworld"]), book([], "discworld, vol. 2"), book([], "Disc")]
        let name = try #require(BooksByName.Name(.series, of: books[2]))
        let table = try table(of: books)
        #expect(table.books(of: name) == [0, 2])
        #expect(table.seriesName(of: 0) == name && table.seriesName(of: 1) == nil)
    }

    @Test func aBookWithoutAuthorAndSeriesHasNoNames() {
        #expect(BooksByName.Name(.author, of: book(["", " "])) == nil)
        #expect(BooksByName.Name(.series, of: book([])) == nil)
    }

    @Test func anUnknownNameHasNoBooks() throws {
        let name = try #require(BooksByName.Name(.author, of: book(["Nobody"])))
        #expect(try table(of: [book(["Anne"])]).books(of: name) == [])
        #expect(try table(of: []).books(of: name) == [])
    }

    @Test(.thorough, arguments: 0..<8) func itFindsWhatAScanFinds(seed: UInt64) throws {
        var random = SplitMix(seed: seed)
        let authors = ["Ann", "ANN", "Änn", "Bob", "", " ", "Ann Lee", "李白", "Жук", "S"]
        let series: [String?] = [nil, nil, "S", "s #1", "S (2)", "S, vol. 3", "Ann", "李白", "#1", ""]
        let books = (0..<300).map { _ in
            book(
                (0..<Int.random(in: 0...3, using: &random)).map { _ in authors.randomElement(using: &random) ?? "" },
                series.randomElement(using: &random) ?? nil)
        }
        let table = try table(of: books, segmentSize: 1 + Int(seed) * 40)
        for kind in BooksByName.Kind.allCases {
            for book in books {
                let found = BooksByName.Name(kind, of: book).map(table.books(of:)) ?? []
                #expect(found == scan(books, kind, of: book), "\(kind) of \(book)")
            }
        }
    }
}
