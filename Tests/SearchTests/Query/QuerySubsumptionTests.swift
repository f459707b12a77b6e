import TestSupport
import Testing

@testable import CatalogTesting
@testable import Search
@testable import Text

@Suite("Query: refining another query") struct QuerySubsumptionTests {
    @Test(arguments: [
        ("", "king"), ("ki", "king"), ("king", "king"), ("king", "king stephen"), ("king", "stephen king"),
        ("in", "king"),
        ("king", #""stephen king""#), ("author:ki", "author:king"), ("author:king", #"author:="stephen king""#),
        ("a b", "bc ab"), ("a | b", "a"), ("a | b", "ab"), ("a | b", "a | b"), ("a | b", "ax | bx"),
        ("a | b | c", "c | a"),
        ("a", "(ab | ac)"), ("-king", "-kin"), ("a -bc", "a -b"), ("-(a b)", "-a"), ("-a", "-(a | b)"),
        ("year:1990..2000", "year:1995"), ("year:>1990", "year:1995..2000"), ("pages:>500", "pages:>600"),
        ("is:favourite", "is:favourite x"), ("/a/", "/a/ b"), ("status:read", "status:read has:cover"),
        ("1984", "19841"), ("isbn:97", "isbn:978-0"), ("isbn:044147812", "isbn:0441478123"), ("King", "  KING "),
        ("language:fr", "language:french"), ("king", "king pages:many"), ("a (b | c)", "a b"),
    ])
    func aNarrowerQueryRefines(earlier: String, later: String) {
        #expect(Query(later).refines(Query(earlier)))
    }

    @Test(arguments: [
        ("king", ""), ("king", "ki"), ("king", "author:king"), ("author:king", "king"), ("author:king", "title:king"),
        (#"author:="king""#, #"author:="stephen king""#), ("author:=king", "author:king"), ("a", "a | b"), ("a b", "a"),
        ("-kin", "-king"), ("-a", "-(a b)"), ("year:1990..2000", "year:1990..2001"), ("year:1990", "added:1990"),
        ("/a/", "/ab/"),
        ("language:fr", "language:fro"), ("0441478124", "0441478123"), ("978-", "978-0"), ("has:cover", "has:isbn"),
        ("status:read", "status:reading"), ("-(a | b)", "-a"), ("a", "-a"), ("-a", "a"),
    ])
    func anotherQueryDoesNot(earlier: String, later: String) {
        #expect(!Query(later).refines(Query(earlier)))
    }

    @Test func longQueriesAreNotCompared() {
        let long = String(repeating: "a ", count: 1000)
        #expect(Query(long).refines(Query(long)))
        #expect(!Query(long + "b").refines(Query(long)))
    }

    @Test func manyAlternativesWithinOthersAreComparedQuickly() {
        var (left, right) = ("a", "b")
        for _ in 0..<30 { (left, right) = ("(x | \(left)) y", "(u \(right)) | v") }
        let time = processorTime { #expect(!Query(left).refines(Query(right))) }
        #expect(time < .seconds(10))
    }

    /// A query that refines another finds only books that the other finds.
    @Test func aRefiningQueryFindsOnlyASubset() {
        var random = SplitMix(seed: 0xB00C)
        let books = (0..<60).map { _ in TestedBook(&random) }
        var (refinedCount, foundCount) = (0, 0)
        for _ in 0..<6000 {
            let earlier = Self.query(&random)
            let later = Self.changed(earlier, &random)
            let (first, second) = (Query(earlier), Query(later))
            guard second.refines(first) else { continue }
            refinedCount += 1
            for book in books where book.matches(second.expression) {
                foundCount += 1
                #expect(book.matches(first.expression), "\(later) finds \(book), and \(earlier) does not")
            }
        }
        // Most changes below are those that users type next.
        #expect(refinedCount > 1200 && foundCount > 6000, "\(refinedCount) \(foundCount)")
    }

    private static func query(_ random: inout SplitMix, depth: Int = 0) -> String {
        let count = Int.random(in: 1...3, using: &random)
        return (0..<count).map { _ in term(&random, depth: depth) }.joined(separator: ["  ", " ", " | "].any(&random))
    }

    private static func term(_ random: inout SplitMix, depth: Int) -> String {
        let sign = Int.random(in: 0..<5, using: &random) == 0 ? "-" : ""
        func word() -> String {
            (0..<Int.random(in: 1...3, using: &random)).map { _ in ["a", "b", "1", "9", "-"].any(&random) }.joined()
        }
        switch Int.random(in: 0..<12, using: &random) {
        case 0..<4: return sign + "a" + word()
        case 4: return sign + "\"\(word()) \(word())\""
        case 5, 6:
            return sign + ["title", "author", "isbn", "language"].any(&random) + [":", ":", ":="].any(&random) + word()
        case 7, 8:
            let (low, high) = (Int.random(in: 1...9, using: &random), Int.random(in: 1...9, using: &random))
            let comparisons = ["pages:>\(low)", "pages:<=\(low)", "year:\(low)..\(high)", "rating:<\(low)"]
            return sign + comparisons.any(&random)
        case 9: return sign + ["is:favourite", "fiction:yes", "status:read", "has:pages"].any(&random)
        case 10: return sign + "97" + ["8", "80", "8-0", ""].any(&random)
        default: return depth > 2 ? "b" : sign + "(" + query(&random, depth: depth + 1) + ")"
        }
    }

    private static func changed(_ text: String, _ random: inout SplitMix) -> String {
        switch Int.random(in: 0..<6, using: &random) {
        case 0, 1: text + ["a", "b", "1", "9", "0", ")", " "].any(&random)
        case 2: "(" + text + ") " + term(&random, depth: 0)
        case 3: term(&random, depth: 0) + " " + text
        case 4: text.replacing("a", with: ["ab", "ba", "-a"].any(&random), maxReplacements: 1)
        default: query(&random)
        }
    }
}

extension [String] {
    /// A random element.
    fileprivate func any(_ random: inout SplitMix) -> String { randomElement(using: &random) ?? "" }
}

/// A book with a few values that tests a query, condition by condition, as documented.
private struct TestedBook: CustomStringConvertible {
    let title: String
    let authors: [String]
    let languages: [String]
    let digits: String
    let pages: Int?
    let year: Int?
    let rating: Double?
    let isFiction: Bool?
    let isFavourite: Bool

    init(_ random: inout SplitMix) {
        func text() -> String {
            (0..<Int.random(in: 0...8, using: &random))
                .map { _ in ["a", "b", "1", "9", "-", " "].any(&random) }.joined()
        }
        func number() -> Int? { Bool.random(using: &random) ? Int.random(in: 1...9, using: &random) : nil }
        title = text()
        authors = (0..<Int.random(in: 0...2, using: &random)).map { _ in text() }
        languages = (0..<Int.random(in: 0...2, using: &random)).map { _ in
            ["a", "ab", "a-b", "aa", "ba-a"].any(&random)
        }
        digits =
            Bool.random(using: &random)
            ? "" : "9780" + String(Int.random(in: 100_000_000...999_999_999, using: &random))
        (pages, year, rating) = (number(), number(), number().map(Double.init))
        isFiction = [true, false, nil].randomElement(using: &random) ?? nil
        isFavourite = Bool.random(using: &random)
    }

    var description: String { "\(title), \(authors), \(languages), \(digits), \(pages ?? 0), \(year ?? 0)" }

    func matches(_ expression: Query.Expression) -> Bool {
        switch expression {
        case .everything: true
        case .term(let term): matches(term.condition)
        case .not(let part): !matches(part)
        case .all(let parts): parts.allSatisfy(matches)
        case .any(let parts): parts.contains(where: matches)
        }
    }

    private func matches(_ condition: Query.Condition) -> Bool {
        switch condition {
        case .text(let pattern): matches(pattern)
        case .number(.pages, let range): pages.map { range.contains(Double($0)) } ?? false
        case .number(.year, let range): year.map { range.contains(Double($0)) } ?? false
        case .number(.rating, let range): rating.map { range.contains($0) } ?? false
        case .number(.added, _), .number(.mine, _): false
        case .known(let field): field == .pages && pages != nil
        case .fiction(let wanted): wanted == isFiction
        case .status, .log, .shelf, .note, .regex, .own, .impossible: false
        case .favourite: isFavourite
        case .invalidISBN, .seriesGap: false
        }
    }

    private func matches(_ pattern: Query.TextPattern) -> Bool {
        func has(_ value: String, _ wanted: [UInt8]) -> Bool {
            let folded = ByteBuffer.folded(value)
            let wanted = String(decoding: wanted, as: UTF8.self)
            return pattern.isWhole ? folded == wanted : folded.contains(wanted)
        }
        let isInNumber = !digits.isEmpty && has(digits, pattern.digits ?? pattern.folded)
        switch pattern.field {
        case nil: return ([title] + authors).contains { has($0, pattern.folded) } || isInNumber
        case .title: return has(title, pattern.folded)
        case .author: return authors.contains { has($0, pattern.folded) }
        case .isbn: return isInNumber
        case .language:
            let wanted = String(decoding: pattern.folded, as: UTF8.self)
            return languages.contains { $0 == wanted || $0.hasPrefix(wanted + "-") }
        default: return false
        }
    }
}
