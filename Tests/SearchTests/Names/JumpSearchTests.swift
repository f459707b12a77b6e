import TestSupport
import Testing

@testable import Books
@testable import Catalog
@testable import CatalogTesting
@testable import Indexing
@testable import Search
@testable import Text
@testable import Threading

@Suite("Jump: titles and names that match") struct JumpSearchTests {
    private func book(_ title: String, _ authors: [String] = [], _ subjects: [String] = [], series: String? = nil)
        -> Book
    {
        var book = Book.make(title: title, authors: authors)
        (book.subjects, book.series) = (subjects, series)
        return book
    }

    private func names(of books: [Book], segmentSize: Int = 2) throws -> DistinctNames {
        let index = BookIndex(of: books, segmentSize: segmentSize)
        return DistinctNames(try #require(index.nameColumns(on: ThreadPool(threadCount: 2))))
    }

    private func find(
        _ typed: String, in books: [Book], limit: Int = 200, segmentSize: Int = 2
    ) throws -> JumpSearch.Result {
        let index = BookIndex(of: books, segmentSize: segmentSize)
        let names = try #require(DistinctNames(of: index))
        let search = JumpSearch(FuzzyPattern(typed), in: index, names, limit: limit, on: ThreadPool(threadCount: 2))
        #expect(search.wait(milliseconds: 20_000))
        return search.result
    }

    private func described(_ result: JumpSearch.Result, _ books: [Book]) -> [String] {
        let store = BookStore(of: books)
        return result.candidates.map { "\($0.kind) \($0.name(in: store)) \($0.bookCount)" }
    }

    private let books: [Book] = {
        var books = [
            Book.make(title: "Mort", authors: ["Terry Pratchett"]),
            .make(title: "Nation", authors: ["PRATCHETT, Terry"]),
            .make(title: "Emma", authors: ["Jane Austen"]), .make(title: "Equal Rites", authors: ["Terry  Pratchett"]),
        ]
        (books[0].series, books[3].series) = ("Discworld #4", "Discworld, 3")
        (books[0].subjects, books[2].subjects) = (["Death", "Fantasy"], ["fantasy", "Love"])
        return books
    }()

    @Test func theNamesAreDistinctAndTheMostFrequentComeFirst() throws {
        let names = try names(of: books)
        // The texts belong to the names.
        defer { withExtendedLifetime(names) {} }
        #expect(
            names.entries.map { "\($0.kind) \(String(decoding: $0.text, as: UTF8.self)) \($0.bookCount) \($0.first)" }
                == [
                    "series discworld 2 0", "author terry pratchett 2 0", "subject fantasy 2 0", "subject death 1 0",
                    "author pratchett, terry 1 1", "author jane austen 1 2", "subject love 1 2",
                ])
    }

    @Test func titlesAuthorsSeriesAndSubjectsAreFound() throws {
        #expect(
            described(try find("te", in: books), books) == [
                "author Terry Pratchett 2", "author PRATCHETT, Terry 1", "author Jane Austen 1", "title Equal Rites 1",
            ])
        #expect(described(try find("disc", in: books), books) == ["series Discworld 2"])
        #expect(described(try find("EMMA", in: books), books) == ["title Emma 1"])
        #expect(try find("zz", in: books).matchCount == 0)
    }

    @Test func withoutAPatternThereAreTheMostFrequentNamesAndNoTitles() throws {
        let result = try find("", in: books, limit: 2)
        #expect(described(result, books) == ["subject Fantasy 2", "series Discworld 2"])
        #expect(result.matchCount == 7)
    }

    @Test func aCandidateHasTheQueryForItsBooks() throws {
        let store = BookStore(of: books)
        let queries = try ["disc", "jane", "love", "nation"].map {
            try find($0, in: books).candidates.first?.query(in: store)
        }
        #expect(queries == ["series:=Discworld", "author:=\"Jane Austen\"", "subject:=Love", "title:=Nation"])
    }

    @Test func withoutNamesTheTitlesAreFound() {
        let index = BookIndex(of: books, segmentSize: 3)
        let search = JumpSearch(FuzzyPattern("mort"), in: index, nil, on: ThreadPool(threadCount: 0))
        #expect(search.result.isComplete && search.result.candidates.map(\.book) == [0])
    }

    @Test func aSearchThatWasStoppedIsNotComplete() {
        let pool = ThreadPool(threadCount: 1)
        let index = BookIndex(of: (0..<50_000).map { .make(title: "Book \($0)") }, segmentSize: 10_000)
        let search = JumpSearch(FuzzyPattern("b"), in: index, nil, on: pool)
        search.stop()
        #expect(!search.wait(milliseconds: 0) && !search.result.isComplete)
    }

    /// The same by ranking all titles and names.
    private func scan(_ typed: String, _ books: [Book], limit: Int) -> (found: [String], count: Int) {
        let pattern = FuzzyPattern(typed)
        var all: [(rank: UInt64, kind: Int, book: Int, text: String)] = []
        for kind in [JumpCandidate.Kind.series, .author, .subject] {
            var first: [String: Int] = [:]
            var counts: [String: Int] = [:]
            for (number, book) in books.enumerated() {
                let names =
                    switch kind {
                    case .series: book.series.map { [SeriesName.name(of: $0)] } ?? []
                    case .author: book.authors
                    case .subject: book.subjects
                    case .title: [String]()
                    }
                for name in Set(names.map { String(decoding: [UInt8](folding: $0), as: UTF8.self) }) where name != "" {
                    first[name] = first[name] ?? number
                    counts[name, default: 0] += 1
                }
            }
            for (name, count) in counts {
                if let rank = pattern.rank(of: name, bookCount: count) {
                    all.append((rank, Int(kind.rawValue), first[name] ?? 0, "\(kind) \(name) \(count)"))
                }
            }
        }
        for (number, book) in books.enumerated() where !pattern.isEmpty {
            if let rank = pattern.rank(of: book.title, bookCount: 1) {
                let folded = String(decoding: [UInt8](folding: book.title), as: UTF8.self)
                all.append((rank, Int(JumpCandidate.Kind.title.rawValue), number, "title \(folded) 1"))
            }
        }
        all.sort { ($1.rank, $0.kind, $0.book, $0.text) < ($0.rank, $1.kind, $1.book, $1.text) }
        return (all.prefix(limit).map(\.text), all.count)
    }

    @Test(arguments: 0..<6) func itFindsWhatRankingAllFinds(seed: UInt64) throws {
        var random = SplitMix(seed: seed)
        let words = ["Sea", "sand", "Ömer", "la", "Storm", "X", "мир", "Sam", "Stephen"]
        func name() -> String {
            (0..<Int.random(in: 1...3, using: &random)).map { _ in words.randomElement(using: &random) ?? "" }
                .joined(separator: " ")
        }
        let books = (0..<400).map { number in
            book(
                name(), (0..<Int.random(in: 0...2, using: &random)).map { _ in name() },
                (0..<Int.random(in: 0...2, using: &random)).map { _ in name() },
                series: Bool.random(using: &random) ? name() + " #\(number % 5)" : nil)
        }
        for typed in ["s", "st", "sm", "sea", "stephen", "м", "la x", ""] {
            let result = try find(typed, in: books, limit: 30, segmentSize: 1 + Int(seed) * 60)
            let (expected, count) = scan(typed, books, limit: 30)
            #expect(result.matchCount == count)
            // Names of one rank and book may be in any order.
            let found = result.candidates.map {
                "\($0.kind) \(String(decoding: $0.folded, as: UTF8.self)) \($0.bookCount)"
            }
            #expect(result.candidates.map(\.rank) == result.candidates.map(\.rank).sorted(by: >))
            #expect(Set(found.dropLast(5)).subtracting(expected).isEmpty, "\(typed)")
        }
    }
}
