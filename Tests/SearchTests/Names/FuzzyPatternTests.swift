import CText
import TestSupport
import Testing

@testable import Search
@testable import Text

@Suite("Fuzzy patterns") struct FuzzyPatternTests {
    /// The names that match, the best first.
    private func ranked(_ typed: String, _ names: [String]) -> [String] {
        let pattern = FuzzyPattern(typed)
        return names.compactMap { name in pattern.rank(of: name, bookCount: 1).map { (rank: $0, name: name) } }
            .sorted { $0.rank > $1.rank }.map(\.name)
    }

    /// The matching characters in brackets.
    private func marked(_ typed: String, in name: String) -> String {
        var marked = ""
        var offset = 0
        for range in FuzzyPattern(typed).matches(in: name) {
            let bytes = Array(name.utf8)
            marked += String(decoding: bytes[offset..<range.lowerBound], as: UTF8.self)
            marked += "[" + String(decoding: bytes[range], as: UTF8.self) + "]"
            offset = range.upperBound
        }
        return marked + String(decoding: Array(name.utf8)[offset...], as: UTF8.self)
    }

    @Test(arguments: [
        ("hp", "Harry Potter", true), ("hpot", "Harry Potter", true), ("ph", "Harry Potter", false),
        ("bronte", "Brontë", true), ("BRONTË", "bronte", true), ("strasse", "Straße", true), ("", "Emma", true),
        ("emma ", "Emma", true), ("potter harry", "Harry Potter", true), ("emmaa", "Emma", false),
        ("вм", "Война и мир", true), ("мв", "Война и мир", false), ("紅夢", "紅樓夢", true), ("é", "Emile", true),
    ])
    func aNameMatchesIfItHasTheCharactersInTheirOrder(typed: String, name: String, isFound: Bool) {
        #expect((FuzzyPattern(typed).rank(of: name, bookCount: 1) != nil) == isFound)
    }

    @Test func aCharacterOfSeveralBytesIsNotPutTogetherFromOthers() {
        // The bytes D0 B6 of ж are in "лЖ" and D0 ... B6 in "рж"; here D0 stands in м and B6 in ö.
        #expect(FuzzyPattern("ж").rank(of: "м¶", bookCount: 1) == nil)
    }

    @Test func beginningsOfWordsAndRunsGoBeforeOtherPlaces() {
        #expect(
            ranked("stand", ["Understanding", "Insight and", "The Stand", "Standing", "Stand"])
                == ["Stand", "Standing", "The Stand", "Understanding", "Insight and"])
        #expect(ranked("tp", ["Trip", "Terry Pratchett", "Output"]) == ["Terry Pratchett", "Trip", "Output"])
    }

    @Test func ofEqualNamesTheOneWithMoreBooksIsFirstAndThenTheShorterOne() throws {
        let pattern = FuzzyPattern("em")
        let few = try #require(pattern.rank(of: "Emma Bull", bookCount: 2))
        let many = try #require(pattern.rank(of: "Emma Donoghue", bookCount: 3))
        let short = try #require(pattern.rank(of: "Emma A", bookCount: 2))
        #expect(many > short && short > few)
    }

    @Test(arguments: [
        ("tp", "Terry Pratchett", "[T]erry [P]ratchett"), ("stand", "Mist Stand", "Mist [Stand]"),
        ("bronte", "Charlotte Brontë", "Charlotte [Brontë]"), ("ss", "Straße", "Stra[ß]e"),
        ("мир", "Война и мир", "Война и [мир]"), ("x", "Emma", "Emma"), ("", "Emma", "Emma"),
        ("potter harry", "Harry Potter", "[Harry] [Potter]"),
    ])
    func theMatchingCharactersAreMarked(typed: String, name: String, expected: String) {
        #expect(marked(typed, in: name) == expected)
    }

    /// The best score over all ways to place the term in the name.
    private func bestScore(_ name: [UInt8], _ term: [UInt8]) -> Int? {
        func start(_ place: Int) -> Int {
            if place == 0 { return 26 }
            let before = name[place - 1]
            return (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(before) ? 0 : 20
        }
        func best(_ term: ArraySlice<UInt8>, after last: Int?) -> Int? {
            guard let first = term.first else { return 0 }
            var found: Int?
            for place in (last.map { $0 + 1 } ?? 0)..<max(last.map { $0 + 1 } ?? 0, name.count)
            where name[place] == first {
                guard let rest = best(term.dropFirst(), after: place) else { continue }
                let gap = last.map { place - $0 - 1 } ?? 0
                let here = 4 + max(start(place), last != nil && gap == 0 ? 24 : 0) - gap
                found = max(found ?? .min, here + rest)
            }
            return found
        }
        return best(term[...], after: nil)
    }

    @Test(arguments: 0..<4) func theScoreIsThatOfTheBestOfAllWays(seed: UInt64) {
        var random = SplitMix(seed: seed)
        func text(_ length: ClosedRange<Int>) -> [UInt8] {
            (0..<Int.random(in: length, using: &random)).map { _ in
                Array("aab b".utf8).randomElement(using: &random) ?? 97
            }
        }
        for _ in 0..<300 {
            let (name, term) = (text(1...12), text(1...4).filter { $0 != 32 } + [97])
            var places = [UInt16](repeating: 0, count: term.count)
            let score = fuzzy_places(name, name.count, term, term.count, &places)
            #expect(score == fuzzy_score(name, name.count, term, term.count))
            let best = bestScore(name, term)
            #expect((score < 0 ? nil : Int(score)) == best.map { max(0, $0) }, "\(name) \(term)")
            if score >= 0 {
                #expect(zip(places, places.dropFirst()).allSatisfy { $0 < $1 })
                #expect(places.map { name[Int($0)] } == term)
            }
        }
    }

    @Test func longNamesAndPatternsAreCut() {
        let name = String(repeating: "ab ", count: 1000)
        #expect(FuzzyPattern(String(repeating: "a", count: 500)).rank(of: name, bookCount: 1) != nil)
        #expect(FuzzyPattern("z").rank(of: name + "z", bookCount: 1) == nil)
    }
}
