import CText
import TestSupport
import Testing

@testable import Books
@testable import CatalogTesting
@testable import Indexing
@testable import Search
@testable import Threading

@Suite("Search: why a query has no results") struct NoResultsDiagnosisTests {
    private static let books: [Book] = [
        .searched(title: "Winter Garden", authors: ["Kristin Hannah"], series: "Seasons", subjects: ["Russia"]),
        .searched(title: "The Secret Garden", authors: ["Frances Hodgson Burnett"], subjects: ["Gardens", "Children"]),
        .searched(title: "The Brontës of Haworth", authors: ["Juliet Barker"], subjects: ["Biography"]),
        .searched(title: "Harden", authors: ["Stephen King"]),
        .searched(title: "Тёмные аллеи", authors: ["Иван Бунин"]),
        .searched(title: "Garden garden garden", authors: ["Gardner, Erle"]),
        .searched(title: "한강의 밤"), .searched(title: "The Night", authors: ["Stephan Zweig"]),
    ]

    /// Returns whether the term has no match by itself, its text, and similar words: "alone: gardn > garden 3, gardens
    /// 1".
    private func explanation(
        _ text: String, list: BookList? = nil, on pool: ThreadPool = ThreadPool(threadCount: 0)
    ) -> String? {
        let query = Query(text)
        let index = SearchComparison.index(of: Self.books, segments: [3, 1])
        let scope = BookSearch.Scope(list ?? BookList(allOf: index.count), of: index)
        guard let found = NoResultsDiagnosis(of: query, in: scope, on: pool) else { return nil }
        let spellings = found.spellings.map { "\($0.word) \($0.bookCount)" }.joined(separator: ", ")
        return (found.preceding.map { "\($0.text) \($0.bookCount)" } ?? "alone") + (found.isExcluded ? " not: " : ": ")
            + query.text(of: found.term)
            + (spellings.isEmpty ? "" : " > \(spellings)")
    }

    @Test(arguments: [
        ("garden xyzzy", "alone: xyzzy"), ("xyzzy plugh", "alone: xyzzy"), ("garden king", "garden 3: king"),
        ("winter secret garden", "winter 1: secret"),
        ("garden gard erle winter", "garden gard erle 1: winter"), ("garden harden xyzzy", "alone: xyzzy"),
        ("author:xyzzy", "alone: author:xyzzy"), ("garden year:1990", "alone: year:1990"),
        ("garden -garden", "garden 3 not: garden"), ("(xyzzy | plugh) garden", "alone: xyzzy"),
        ("\"secret winter\"", "alone: \"secret winter\""), ("/^xyz/", "alone: /^xyz/"),
        ("is:favourite", "alone: is:favourite"),
        ("winter (harden | night)", "winter 1: harden"),
        ("(winter | night) garden -hannah", "(winter | night) garden 1 not: hannah"),
    ])
    func theTermWithoutMatchesIsDiagnosed(query: String, expected: String) {
        // Without the similar words.
        #expect(explanation(query)?.split(separator: " >").first.map(String.init) == expected)
    }

    @Test(arguments: ["garden", "", "garden | xyzzy", "-xyzzy", "year:x garden"])
    func aQueryWithResultsHasNoDiagnosis(query: String) {
        #expect(explanation(query) == nil)
    }

    @Test(arguments: [
        // One letter inserted, deleted, replaced, or swapped with its neighbour.
        ("gaarden", "alone: gaarden > garden 3, gardens 1, harden 1"), ("grden", "alone: grden > garden 3"),
        ("gerden", "alone: gerden > garden 3, gardens 1, harden 1"),
        ("agrden", "alone: agrden > garden 3, gardens 1, harden 1"),
        // Short words are similar to fewer words.
        ("nigth", "alone: nigth > night 1"), ("nihgt", "alone: nihgt > night 1"), ("ngt", "alone: ngt"),
        ("qqq", "alone: qqq"),
        ("qq", "alone: qq"), ("kingg", "alone: kingg > king 1"), ("rking", "alone: rking > king 1"),
        ("title:gardenr", "alone: title:gardenr > garden 3, harden 1"),
        ("author:gardnr", "alone: author:gardnr > gardner 1"), ("subject:gerden", "alone: subject:gerden > gardens 1"),
        ("author:(stephn)", "alone: stephn > stephan 1, stephen 1"),
        ("series:saesons", "alone: series:saesons > seasons 1"),
        ("publisher:garden", "alone: publisher:garden"), ("title:=gerden", "alone: title:=gerden"),
        ("brotnes", "alone: brotnes > brontes 1"), ("BRÖNTAS", "alone: BRÖNTAS > brontes 1"),
        ("темнае", "alone: темнае > темные 1"),
        ("аллеу", "alone: аллеу > аллеи 1"), ("한겅의", "alone: 한겅의 > 한강의 1"),
        ("\"gerden\"", "alone: \"gerden\" > garden 3, gardens 1, harden 1"),
        ("\"the gerden\"", "alone: \"the gerden\""), ("language:fx", "alone: language:fx"), ("978012", "alone: 978012"),
        ("gar-den", "alone: gar-den"),
        // The other words decide: "harden" is no nearer than "garden", and "gardens" is in a book with "secret".
        ("secret gerden", "alone: gerden > garden 1, gardens 1"), ("stephen gerden", "alone: gerden > harden 1"),
        ("gerden stephan", "alone: gerden > garden 3, gardens 1, harden 1"),
        ("gerden xyzzy", "alone: gerden > garden 3, gardens 1, harden 1"),
        ("-secret gerden", "alone: gerden > garden 2, harden 1"),
    ])
    func similarSpellingsAreSuggested(query: String, expected: String) {
        #expect(explanation(query) == expected)
    }

    @Test func atMostFiveSpellingsAreSuggested() {
        let books =
            "abcdefgh".map { Book.make(title: "win\($0)er", authors: []) } + [
                .make(title: "winder"), .make(title: "wintre"),
            ]
        let scope = BookSearch.Scope(BookList(allOf: 10), of: BookIndex(of: books))
        let found = NoResultsDiagnosis(of: Query("winter"), in: scope, on: ThreadPool(threadCount: 0))
        // "winder" is in two books; words in one book are in alphabetical order.
        #expect(found?.spellings.map(\.word) == ["winder", "winaer", "winber", "wincer", "wineer"])
        #expect(found?.spellings.map(\.distance) == [1, 1, 1, 1, 1])
        #expect(found?.spellings.map(\.bookCount) == [2, 1, 1, 1, 1])
    }

    @Test func onlyTheBooksOfAListCount() {
        #expect(explanation("gerden", list: BookList([5, 2])) == "alone: gerden > garden 1")
        #expect(explanation("harden", list: BookList([0, 1])) == "alone: harden > garden 2, gardens 1")
        #expect(explanation("garden", list: BookList(allOf: 0)) == "alone: garden")
    }

    @Test func severalThreadsGiveTheSameResult() {
        let pool = ThreadPool(threadCount: 3)
        for query in ["gerden", "winter secret garden", "author:(stephn)", "garden"] {
            #expect(explanation(query, on: pool) == explanation(query))
        }
    }

    @Test func aStoppedDiagnosisHasNoResult() {
        let index = BookIndex(of: Self.books)
        let scope = BookSearch.Scope(BookList(allOf: index.count), of: index)
        for pool in [ThreadPool(threadCount: 0), ThreadPool(threadCount: 2)] {
            #expect(NoResultsDiagnosis(of: Query("gerden"), in: scope, on: pool, isStopped: { true }) == nil)
        }
    }

    @Test(arguments: [
        ("gerden", "garden"), ("the gerden rose", "the garden rose"), ("author:gerden x", "author:garden x"),
        ("by:gerden|x", "by:garden|x"), ("author:(gerden x)", "author:(garden x)"),
        ("-a \"gerden\"b", "-a \"garden\"b"),
        ("title:\"gerden\"", "title:\"garden\""), ("Тёмные gerden", "Тёмные garden"),
        ("title:=gerden", "title:=garden"),
        ("(x | gerden)", "(x | garden)"), ("\"gerden", "\"garden\""), ("http:gerden", "garden"),
    ])
    func theWordOfATermIsReplaced(text: String, expected: String) throws {
        let query = Query(text)
        let term = try #require(terms(of: query.expression).first { query.text(of: $0).contains("gerden") })
        #expect(query.replacing(term, with: "garden") == expected)
    }

    private func terms(of expression: Query.Expression) -> [Query.Term] {
        switch expression {
        case .everything: []
        case .term(let term): [term]
        case .not(let part): terms(of: part)
        case .all(let parts), .any(let parts): parts.flatMap(terms)
        }
    }
}

/// Compares the search for similar words in C with the definition of the distance.
struct FuzzyTermsTests {
    /// Returns the optimal string alignment distance of two words.
    private func distance(_ left: [Unicode.Scalar], _ right: [Unicode.Scalar]) -> Int {
        var table = (0...left.count).map { row in (0...right.count).map { row == 0 ? $0 : $0 == 0 ? row : 0 } }
        for row in left.indices.map({ $0 + 1 }) {
            for column in right.indices.map({ $0 + 1 }) {
                let changed = table[row - 1][column - 1] + (left[row - 1] == right[column - 1] ? 0 : 1)
                var best = min(changed, table[row - 1][column] + 1, table[row][column - 1] + 1)
                if row > 1, column > 1, left[row - 1] == right[column - 2], left[row - 2] == right[column - 1] {
                    best = min(best, table[row - 2][column - 2] + 1)
                }
                table[row][column] = best
            }
        }
        return table[left.count][right.count]
    }

    private func word(_ random: inout SplitMix, _ range: ClosedRange<Int>) -> String {
        let letters: [Unicode.Scalar] = ["a", "b", "c", "1", "é", "語", "😀"]
        let count = Int.random(in: range, using: &random)
        return String(String.UnicodeScalarView((0..<count).map { _ in letters.randomElement(using: &random) ?? "a" }))
    }

    @Test func exactlyTheSimilarWordsAreFoundAndCounted() throws {
        var random = SplitMix(seed: 0x2EA2)
        for round in 0..<120 {
            let wanted = word(&random, round % 7 == 0 ? 28...32 : 1...8)
            let limit = 1 + round % 2
            let titles = (0..<20).map { _ -> [String] in
                (0..<Int.random(in: 0...12, using: &random)).map { _ in
                    guard round % 7 == 0 || Bool.random(using: &random) else { return word(&random, 1...8) }
                    // A similar word.
                    var other = Array(wanted.unicodeScalars)
                    for _ in 0...2 {
                        let position = Int.random(in: 0...other.count, using: &random)
                        switch Int.random(in: 0..<4, using: &random) {
                        case 0: other.insert("b", at: position)
                        case 1 where position < other.count: other.remove(at: position)
                        case 2 where position < other.count: other[position] = "a"
                        default: if position + 1 < other.count { other.swapAt(position, position + 1) }
                        }
                    }
                    return String(String.UnicodeScalarView(other))
                }
            }
            var expected: [String: Int] = [:]
            for title in titles {
                for word in Set(title) where !word.isEmpty {
                    let distance = distance(Array(wanted.unicodeScalars), Array(word.unicodeScalars))
                    if (1...limit).contains(distance) { expected[word, default: 0] += 1 }
                }
            }
            let texts = titles.enumerated().map { number, words in
                Array((words.joined(separator: number % 2 == 0 ? " " : "—") + "\n").utf8)
                    + (number % 3 == 0 ? [] : Array("9780441478125".utf8))
            }
            let bytes = Array(wanted.utf8)
            let words = try #require(near_words_create(bytes, bytes.count, .max, UInt32(limit)))
            defer { near_words_destroy(words) }
            let memory = texts.map { text in
                let copy = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: text.count)
                _ = copy.initialize(from: text)
                near_words_add(words, copy.baseAddress, copy.count)
                return copy
            }
            defer { memory.forEach { $0.deallocate() } }
            var found: [String: Int] = [:]
            for index in 0..<near_words_count(words) {
                let word = near_words_at(words, index)
                let text = String(decoding: UnsafeBufferPointer(start: word.bytes, count: word.count), as: UTF8.self)
                found[text] = Int(word.books)
                #expect(Int(word.distance) == distance(Array(wanted.unicodeScalars), Array(text.unicodeScalars)))
            }
            #expect(found == expected, "\(wanted) in \(titles)")
        }
    }

    @Test func onlySingleWordsHaveSimilarWords() {
        for text in ["", "two words", "a-b", "“", String(repeating: "a", count: 33)] {
            #expect(near_words_create(text, text.utf8.count, .max, 1) == nil)
        }
    }

    /// A damaged index may contain any bytes.
    @Test func anyBytesCanBeSearched() throws {
        var random = SplitMix(seed: 5)
        let words = try #require(near_words_create("garden", 6, .max, 2))
        defer { near_words_destroy(words) }
        let memory = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 64)
        defer { memory.deallocate() }
        for _ in 0..<3000 {
            let edges: [UInt8] = [0x0A, 0x1E, 0x20, 0x61, 0x64, 0xC2, 0xE2, 0x80, 0x81, 0xE3, 0xF0, 0xFF]
            for index in memory.indices { memory[index] = edges.randomElement(using: &random) ?? 0 }
            let count = Int.random(in: 0...64, using: &random)
            near_words_add(words, memory.baseAddress! + 64 - count, count)
        }
    }
}
