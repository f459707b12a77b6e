internal import TestSupport

@testable internal import Books
@testable internal import Catalog
@testable internal import Indexing

extension BookIndex {
    /// Creates an index of `books` in segments of `segmentSize`.
    init(of books: [Book], segmentSize: Int) {
        self.init()
        for start in stride(from: 0, to: books.count, by: segmentSize) {
            var builder = SegmentWriter()
            for index in start..<min(books.count, start + segmentSize) {
                builder.add(books[index], offset: 100 * index)
            }
            for segment in builder.take() { append(segment) }
        }
    }
}

extension BookStore {
    /// Creates a store of books in memory.
    convenience init(of books: [Book]) { self.init(source: InMemoryCatalog(name: "books", books: books)) }
}

/// Books with many common values: several authors, repeated ones, empty names, other scripts, and often missing values.
struct RandomShelves {
    private var random: SplitMix

    /// Returns the books for a seed.
    static func books(_ count: Int, seed: UInt64) -> [Book] {
        var shelves = RandomShelves(random: SplitMix(seed: seed))
        return (0..<count).map { _ in shelves.book() }
    }

    private static let names = [
        "Stephen King", "STEPHEN KING", "Émile Zola", "Emile Zola", "Лев Толстой", "村上 春樹", "Ursula K. Le Guin", "",
        "Say \"Hello\"", "a\\b | c", "Zoë", " ",
    ]
    private static let subjects = ["Fantasy", "fantasy", "History, Ancient", "Поэзия", "C++", "-", ""]
    private static let series = [
        "Discworld #8", "discworld, 9", "Discworld (10)", "Discworld", "Fahrenheit 451", "Война #2", "Éarth (vol. 3)",
        "Earth", "",
    ]
    private static let languages = ["en", "fr", "pt-BR", "pt", "Klingonese?", "grc", ""]
    private static let titles = ["The Stand", "2001", "Ulysses", "Émile", "Анна Каренина", "!", "", "雪国", "it", "8"]

    private mutating func below(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &random) }

    private mutating func some(_ texts: [String], _ limit: Int) -> [String] {
        (0..<below(limit)).map { _ in
            // A few frequent values and many rare ones.
            below(3) == 0 ? "\(texts[below(texts.count)]) \(below(400))x" : texts[below(texts.count)]
        }
    }

    private mutating func book() -> Book {
        var book = Book(title: Self.titles[below(Self.titles.count)], authors: some(Self.names, 4))
        book.subjects = some(Self.subjects, 5)
        if below(2) == 0 { book.series = Self.series[below(Self.series.count)] }
        book.languages = (0..<below(3)).map { _ in Self.languages[below(Self.languages.count)] }.filter { $0 != "" }
        if below(4) > 0 {
            book.published = PartialDate(year: [-750, -9, -1, 1, 9, 10, 1799, 1990, 1999, 2000][below(10)])
        }
        if below(3) > 0 { book.fiction = below(2) == 0 }
        if below(3) > 0 { book.status = Book.ReadingStatus.allCases[below(4)] }
        if below(5) == 0 { book.sortTitle = "Stand, The" }
        return book
    }
}
