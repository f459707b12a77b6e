import TestSupport
import Testing

@testable import Books
@testable import Catalog
@testable import CatalogTesting
@testable import Indexing
@testable import Search
@testable import Text
@testable import Threading

@Suite("Facets: counting") struct FacetCountTests {
    private func facets(
        of books: [Book], _ list: BookList? = nil, limit: Int = Facets.standardLimit, segmentSize: Int = 3,
        threadCount: Int = 2, userData: UserDataFilter = UserDataFilter()
    ) throws -> Facets {
        let index = BookIndex(of: books, segmentSize: segmentSize)
        let pool = ThreadPool(threadCount: threadCount)
        let count = index.countFacets(
            of: list ?? BookList(allOf: books.count), userData: userData, limit: limit, on: pool)
        #expect(count.wait(milliseconds: 10_000) != nil)
        return try #require(count.value)
    }

    private func counts(_ counts: FacetCounts) -> [String] { counts.values.map { "\($0.value) \($0.count)" } }

    private func book(
        authors: [String] = [], subjects: [String] = [], series: String? = nil, languages: [String] = [],
        year: Int? = nil, fiction: Bool? = nil, status: Book.ReadingStatus? = nil
    ) -> Book {
        var book = Book.make(authors: authors, fiction: fiction)
        (book.subjects, book.series, book.languages, book.status) = (subjects, series, languages, status)
        book.published = year.map { PartialDate(year: $0) }
        return book
    }

    @Test func aBookCountsOnceForEachOfItsValues() throws {
        let books = [
            book(authors: ["Ann", "Bob"]), book(authors: ["bob", "Bob", "BÖB"]), book(authors: ["Bob", ""]),
            book(authors: []), book(authors: [" "]),
        ]
        let authors = try facets(of: books)[.author]
        #expect(counts(authors) == ["bob 3", "ann 1"])
        #expect(authors.values.map(\.book) == [0, 0])
        #expect(authors.distinctCount == 2)
        #expect(authors.unknownCount == 2)
    }

    @Test func valuesOfAsManyBooksAreInTheOrderInWhichTheCatalogHasThem() throws {
        let books = [
            book(subjects: ["z", "y"]), book(subjects: ["x"]), book(subjects: ["x"]), book(subjects: ["a"]),
            book(subjects: ["y"]),
        ]
        #expect(counts(try facets(of: books)[.subject]) == ["y 2", "x 2", "z 1", "a 1"])
        #expect(counts(try facets(of: books, limit: 3)[.subject]) == ["y 2", "x 2", "z 1"])
        #expect(try facets(of: books, limit: 3)[.subject].distinctCount == 4)
        #expect(counts(try facets(of: books, limit: 0)[.subject]) == [])
    }

    @Test func aSeriesCountsWithoutThePlacesInIt() throws {
        let books = ["Discworld #8", "discworld, 8", "Discworld (8)", "Discworld", "Area 51"].map { book(series: $0) }
        #expect(counts(try facets(of: books)[.series]) == ["discworld 4", "area 51 1"])
    }

    @Test func aLanguageCountsWithItsVariants() throws {
        let books = [
            book(languages: ["pt-BR", "pt"]), book(languages: ["pt"]), book(languages: ["en", "pt-BR"]),
            book(languages: ["Elvish of Lórien"]), book(),
        ]
        let languages = try facets(of: books)[.language]
        #expect(counts(languages) == ["pt 3", "en 1", "elvish of lorien 1"])
        #expect(languages.unknownCount == 1)
        #expect(languages.distinctCount == 3)
    }

    @Test func decadesFictionAndStatusAreCounted() throws {
        let books = [
            book(year: 1990, fiction: true, status: .read), book(year: 1999, fiction: false),
            book(year: -3, status: .read),
            book(year: 2000, fiction: false, status: .toRead), book(),
        ]
        let facets = try facets(of: books)
        #expect(facets.bookCount == 5)
        #expect(counts(facets[.decade]) == ["1990..1999 2", "-9..-1 1", "2000..2009 1"])
        #expect(facets[.decade].values.map(\.book) == [0, 2, 3])
        #expect(counts(facets[.fiction]) == ["no 2", "yes 1"])
        #expect(counts(facets[.status]) == ["read 2", "to-read 1"])
        #expect(Facet.allCases.map { facets[$0].unknownCount } == [5, 5, 5, 1, 5, 2, 2, 5, 5, 5, 5])
    }

    @Test func userStatusOverridesTheCatalogs() throws {
        let books = [
            book(status: .read), book(status: .read), book(), book(status: .toRead), book(), book(status: .abandoned),
        ]
        var userData = UserDataFilter()
        userData.statuses = [.reading: [1, 2, 3], .read: [0], .toRead: [5]]
        let status = try facets(of: books, userData: userData)[.status]
        #expect(counts(status) == ["reading 3", "read 1", "to-read 1"])
        #expect(status.values.map(\.book) == [1, 0, 5] && status.unknownCount == 1 && status.distinctCount == 3)
        let some = try facets(of: books, BookList([2, 4, 1]), userData: userData)[.status]
        #expect(counts(some) == ["reading 2"])
        #expect(some.unknownCount == 1)
    }

    @Test func ratingsCountInHalfStarsAndUserRatingsOverride() throws {
        let books = [5, 4.5, 4.475, 3.5, 0.475, nil, nil, 3].map { rating in
            var book = book()
            book.rating = rating
            return book
        }
        let ratings = try facets(of: books)[.rating]
        #expect(counts(ratings) == ["4.5 2", "5 1", "3.5 1", "0.5 1", "3 1"])
        #expect(ratings.unknownCount == 2)
        var userData = UserDataFilter()
        userData.ratings = [4: [0, 6], 1: [4], 3: [7]]
        #expect(counts(try facets(of: books, userData: userData)[.rating]) == ["4 2", "4.5 2", "3.5 1", "1 1", "3 1"])
        #expect(counts(try facets(of: books, BookList([6, 5, 1]), userData: userData)[.rating]) == ["4.5 1", "4 1"])
    }

    @Test func aBookCountsOnEachShelfThatItIsOn() throws {
        let books = (0..<6).map { _ in book() }
        let userData = UserDataFilter(shelves: ["beach reads": [0, 2, 4], "winter": [4, 5], "empty": []])
        let shelves = try facets(of: books, userData: userData)[.shelf]
        #expect(counts(shelves) == ["beach reads 3", "winter 2"])
        #expect(shelves.unknownCount == 2)
        let some = try facets(of: books, BookList([1, 2]), userData: userData)
        #expect(counts(some[.shelf]) == ["beach reads 1"])
        #expect(some.unknownQuery(of: .shelf) == #"-(on:"beach reads")"#)
    }

    @Test func userDataValuesHaveQueriesThatFindTheirBooks() throws {
        var books = RandomShelves.books(400, seed: 9)
        for number in books.indices where number % 3 > 0 { books[number].rating = Double(number % 201) / 40 }
        var userData = UserDataFilter(shelves: ["a b": [1, 5, 9], "c": [5, 300]])
        userData.ratings = [0: [7], 1: [1, 2], 4: [9, 10, 11], 5: [12]]
        userData.statuses = [.read: [1, 2, 3], .abandoned: [4]]
        userData.readYears = [2023: [1, 2], 2024: [3]]
        userData.logs[.read] = [(1, 20_230_000), (2, 20_230_512), (3, 20_240_101)]
        let index = BookIndex(of: books, segmentSize: 100)
        func found(_ text: String) -> Int {
            let pool = ThreadPool(threadCount: 2)
            let scope = BookSearch.Scope(BookList(allOf: books.count), of: index)
            let search = BookSearch(Query(text), in: scope, userData: userData, on: pool)
            #expect(search.wait(milliseconds: 10_000))
            return search.result.list.count
        }
        let (facets, store) = (try facets(of: books, segmentSize: 100, userData: userData), BookStore(of: books))
        for facet in [Facet.status, .rating, .ownRating, .shelf, .yearRead] {
            #expect(!facets[facet].values.isEmpty)
            for value in facets[facet].values {
                let query = value.query(in: store)
                #expect(found(query) == value.count, "\(query)")
                #expect(found(Query.text(excluding: value.query(in: store))) == books.count - value.count, "\(query)")
            }
            #expect(found(facets.unknownQuery(of: facet)) == facets[facet].unknownCount, "\(facet)")
        }
    }

    @Test func ownRatingsAndYearsOfReadingAreThoseOfTheUserDataOnly() throws {
        let books = [5, 4, 3, nil, nil].map { rating in
            var book = book()
            book.rating = rating
            return book
        }
        var userData = UserDataFilter()
        userData.ratings = [4: [0, 3], 2: [2]]
        userData.readYears = [2023: [0, 4], 2024: [1]]
        let all = try facets(of: books, userData: userData)
        #expect(counts(all[.ownRating]) == ["4 2", "2 1"])
        #expect(all[.ownRating].unknownCount == 2)
        #expect(counts(all[.yearRead]) == ["2023 2", "2024 1"])
        #expect(all[.yearRead].arranged.map(\.value) == ["2024", "2023"])
        #expect(all[.yearRead].unknownCount == 2)
        #expect(counts(try facets(of: books, BookList([3, 4]), userData: userData)[.yearRead]) == ["2023 1"])
    }

    @Test func onlyTheFacetsAskedForHaveValues() throws {
        let books = (0..<7).map { number in
            book(authors: ["author \(number % 2)"], subjects: ["subject \(number % 3)"], year: 1990)
        }
        let all = try facets(of: books)
        let index = BookIndex(of: books, segmentSize: 3)
        let count = index.countFacets(
            of: BookList(allOf: books.count), facets: [.subject, .decade], on: ThreadPool(threadCount: 2))
        let some = try #require(count.wait(milliseconds: 10_000))
        #expect(some[.subject] == all[.subject] && some[.decade] == all[.decade])
        #expect(some[.author].values.isEmpty && !all[.author].values.isEmpty)
        let mixed = all.replacing([.author], from: some)
        #expect(mixed[.author].values.isEmpty && mixed[.subject] == all[.subject])
    }

    @Test func onlyTheBooksOfTheListCount() throws {
        let books = ["a", "b", "a", "b", "a", "c", "b"].map { book(authors: [$0]) }
        let some = try facets(of: books, BookList([6, 2, 1, 4]))
        #expect(some.bookCount == 4)
        #expect(counts(some[.author]) == ["b 2", "a 2"])
        #expect(some[.author].values.map(\.book) == [1, 2])
        #expect(try facets(of: books, BookList(allOf: 0)).bookCount == 0)
        // The list may belong to a smaller or larger state of the catalog.
        #expect(counts(try facets(of: books, BookList(allOf: 2))[.author]) == ["a 1", "b 1"])
        #expect(try facets(of: books, BookList(allOf: 100)).bookCount == 7)
        #expect(try facets(of: books, BookList([5, 7, 100])).bookCount == 1)
    }

    @Test func aCatalogWithoutBooksHasNoValues() throws {
        let facets = try facets(of: [])
        #expect(Facet.allCases.allSatisfy { facets[$0].values.isEmpty && facets[$0].unknownCount == 0 })
    }

    @Test(arguments: [1, 7, 1000]) func manyBooksCountAsOneByOne(segmentSize: Int) throws {
        let books = RandomShelves.books(3000, seed: UInt64(segmentSize))
        let members = (0..<3000).filter { $0 * 7 % 10 < 8 }
        let index = BookIndex(of: books, segmentSize: segmentSize)
        for (list, members) in [(BookList(allOf: 3000), Array(0..<3000)), (BookList(members.reversed()), members)] {
            let expected = Dictionary(
                uniqueKeysWithValues: Facet.allCases.map { ($0, NaiveCount($0, of: books, at: members)) })
            for threadCount in [1, 3] {
                let pool = ThreadPool(threadCount: threadCount)
                let count = index.countFacets(of: list, limit: 50, on: pool)
                #expect(count.wait(milliseconds: 20_000) != nil)
                let facets = try #require(count.value)
                for facet in Facet.allCases {
                    let naive = try #require(expected[facet])
                    #expect(facets[facet].distinctCount == naive.values.count)
                    #expect(facets[facet].unknownCount == naive.unknownCount)
                    #expect(facets[facet].values == Array(naive.values.prefix(50)), "\(facet)")
                }
            }
        }
    }

    /// More values than are counted at once.
    @Test(arguments: [700, 9000]) func veryManyValuesCountAsOneByOne(segmentSize: Int) throws {
        var random = SplitMix(seed: 0xDEF)
        func author() -> String {
            // Half of the authors are among few, the others are nearly unique.
            let number = Int.random(in: 0..<(Bool.random(using: &random) ? 300 : 60_000), using: &random)
            return ["Writer", "writer"][number % 2] + " \(number)"
        }
        let books = (0..<30_000).map { _ in
            let authors = (0..<Int.random(in: 0...3, using: &random)).map { _ in author() }
            return book(authors: authors + authors.prefix(1), series: author())
        }
        let index = BookIndex(of: books, segmentSize: segmentSize)
        let members = (0..<30_000).filter { $0 % 5 != 3 }
        for (list, members) in [(BookList(allOf: 30_000), Array(0..<30_000)), (BookList(members), members)] {
            let expected = NaiveCount(.author, of: books, at: members)
            let series = NaiveCount(.series, of: books, at: members)
            for threadCount in [0, 1, 3] {
                let pool = ThreadPool(threadCount: threadCount)
                let count = index.countFacets(of: list, limit: 500, on: pool)
                #expect(count.wait(milliseconds: 20_000) != nil)
                let facets = try #require(count.value)
                #expect(facets[.author].distinctCount == expected.values.count)
                #expect(facets[.author].unknownCount == expected.unknownCount)
                #expect(facets[.author].values == Array(expected.values.prefix(500)))
                #expect(facets[.series].values == Array(series.values.prefix(500)))
            }
        }
    }

    @Test func eachValueHasTheQueryThatFindsItsBooks() throws {
        let books = RandomShelves.books(1500, seed: 5)
        let index = BookIndex(of: books, segmentSize: 100)
        let store = BookStore(of: books)
        let list = BookList(allOf: books.count)
        let pool = ThreadPool(threadCount: 2)
        func found(_ text: String) -> Int {
            let query = Query(text)
            #expect(query.syntaxError == nil, "\(text)")
            let scope = BookSearch.Scope(list, of: index)
            let search = BookSearch(query, in: scope, on: pool)
            #expect(search.wait(milliseconds: 10_000))
            return search.result.list.count
        }
        let facets = try facets(of: books, limit: 40, segmentSize: 100)
        for facet in Facet.allCases {
            for value in facets[facet].values {
                #expect(found(value.query(in: store)) == value.count, "\(value.query(in: store))")
                #expect(found(Query.text(excluding: value.query(in: store))) == books.count - value.count)
            }
            #expect(found(facets.unknownQuery(of: facet)) == facets[facet].unknownCount, "\(facet)")
        }
    }

    @Test func aStoppedCountHasNoResult() {
        let books = RandomShelves.books(2000, seed: 3)
        let index = BookIndex(of: books, segmentSize: 1)
        let pool = ThreadPool(threadCount: 2)
        for _ in 0..<20 {
            let count = index.countFacets(of: BookList(allOf: 2000), on: pool) {
                Issue.record("a stopped count is not complete")
            }
            count.cancel()
            #expect(count.wait(milliseconds: 10_000) == nil)
            #expect(count.value == nil)
        }
        let last = index.countFacets(of: BookList(allOf: 2000), on: pool)
        #expect(last.wait(milliseconds: 10_000) != nil)
    }
}

/// The same count computed from the books.
private struct NaiveCount {
    var values: [FacetValue] = []
    var unknownCount = 0

    init(_ facet: Facet, of books: [Book], at indices: [Int]) {
        var counts: [String: (count: Int, first: Int, place: Int)] = [:]
        for index in indices {
            var seen: Set<String> = []
            for value in Self.values(facet, books[index]) where !value.isEmpty && seen.insert(value).inserted {
                counts[value, default: (0, index, seen.count)].count += 1
            }
            if seen.isEmpty { unknownCount += 1 }
        }
        let isText = [.author, .subject, .series].contains(facet)
        let sorted = counts.sorted { left, right in
            if left.value.count != right.value.count { return left.value.count > right.value.count }
            if left.value.first != right.value.first { return left.value.first < right.value.first }
            return isText ? left.value.place < right.value.place : left.key < right.key
        }
        values = sorted.map {
            FacetValue(facet: facet, value: $0.key, count: $0.value.count, book: BookID($0.value.first))
        }
    }

    private static func values(_ facet: Facet, _ book: Book) -> [String] {
        switch facet {
        case .author: return book.authors.map(ByteBuffer.folded)
        case .subject: return book.subjects.map(ByteBuffer.folded)
        case .series:
            let names = ["Discworld": "discworld", "discworld": "discworld", "Война": "воина", "Éarth": "earth"]
            return book.series.map { series in
                [names.first { series.hasPrefix($0.key) }?.value ?? ByteBuffer.folded(series)]
            } ?? []
        case .language: return book.languages.map { $0.hasPrefix("pt") ? "pt" : ByteBuffer.folded($0) }
        case .decade:
            return book.published.map {
                switch $0.year {
                case -750: ["-759..-750"]
                case -9 ... -1: ["-9..-1"]
                default: ["\($0.year / 10 * 10)..\($0.year / 10 * 10 + 9)"]
                }
            } ?? []
        case .fiction: return book.fiction.map { [$0 ? "yes" : "no"] } ?? []
        case .status: return book.status.map { [$0.rawValue] } ?? []
        case .rating: return book.rating.map { ["\(min(5, (Int(($0 * 40).rounded()) + 20) / 40))"] } ?? []
        case .ownRating, .shelf, .yearRead, .own: return []
        }
    }
}
