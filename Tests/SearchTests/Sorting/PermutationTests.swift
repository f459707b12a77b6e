import TestSupport
import Testing

@testable import CatalogTesting
@testable import Search
@testable import Text
@testable import Threading

extension SortKeys {
    /// Creates sort keys from bytes.
    init(_ keys: [[UInt8]]) throws {
        let made = SortKeys(count: keys.count) { books, builder in
            for book in books {
                for byte in keys[book] { builder.bytes.append(byte) }
                builder.endKey()
            }
        }
        self = try #require(made)
    }
}

@Suite("Sorting: permutations") struct PermutationTests {
    /// Returns the order by definition: unknown keys last, equal keys in their original order.
    private func naiveOrder<Key>(
        _ keys: [Key], from start: [UInt32]? = nil, isKnown: (Key) -> Bool, _ isBefore: (Key, Key) -> Bool
    ) -> Expected {
        let start = start ?? keys.indices.map { UInt32($0) }
        let known = start.enumerated().filter { isKnown(keys[Int($0.element)]) }.sorted { one, other in
            let (key, otherKey) = (keys[Int(one.element)], keys[Int(other.element)])
            if isBefore(key, otherKey) { return true }
            return !isBefore(otherKey, key) && one.offset < other.offset
        }
        let unknown = start.filter { !isKnown(keys[Int($0)]) }
        return Expected(indices: known.map(\.element) + unknown, knownCount: known.count)
    }

    private struct Expected {
        var indices: [UInt32]
        var knownCount: Int
    }

    private func check(_ keys: [[UInt8]], from start: [UInt32]? = nil) throws {
        let expected = naiveOrder(keys, from: start, isKnown: { !$0.isEmpty }, { $0.isBefore($1) })
        let sortKeys = try SortKeys(keys)
        for threadCount in 1...4 {
            let order = Permutation(by: sortKeys, from: start, threadCount: threadCount)
            #expect(order?.indices == expected.indices, "\(threadCount) threads")
            #expect(order?.knownCount == expected.knownCount)
        }
    }

    @Test func noBooksHaveNoOrder() throws {
        try check([])
        #expect(Permutation(by: [])?.indices == [])
    }

    @Test func aFewBooksAreOrdered() throws {
        let keys: [[UInt8]] = [[3], [1, 2], [], [1], [2, 0xFF], [], [1, 2]]
        let order = try #require(Permutation(by: try SortKeys(keys)))
        #expect(order.indices == [3, 1, 6, 4, 0, 2, 5])
        #expect(order.knownCount == 5)
    }

    @Test func aPrefixComesBeforeItsExtensionWithZeros() throws {
        // Shorter words are padded with zeros.
        let zeros = (1...40).reversed().map { [UInt8](repeating: 0, count: $0) }
        try check(zeros)
        try check(zeros + zeros)
        try check([
            [1, 0, 0], [1], [1, 0], [1, 0, 0, 1], [1], [1, 0, 0, 0, 0, 0, 0, 0], [1, 0, 0, 0, 0, 0, 0, 0, 0],
        ])
        let letters = (0..<300).map {
            [UInt8](repeating: 0x61, count: 8 + $0 % 3) + [UInt8](repeating: 0, count: $0 % 20)
        }
        try check(letters)
    }

    @Test func longKeysThatDifferAtTheEndAreOrdered() throws {
        var random = SplitMix(seed: 0x10D6)
        let common = [UInt8](repeating: 0x62, count: 3000)
        let keys = (0..<200).map { _ in common + [UInt8.random(in: 0...3, using: &random)] }
        try check(keys)
        // Each key continues where the previous one ends.
        try check((0..<200).shuffled(using: &random).map { [UInt8](repeating: 0x63, count: 8 * $0 + 1) })
    }

    @Test func keysAreOrderedAsFarAsTheyAreKept() throws {
        let limit = SortKeyBuilder.maximumLength
        let keys = [[UInt8](repeating: 1, count: limit + 2), [UInt8](repeating: 1, count: limit + 1), [1]]
        let order = try #require(Permutation(by: try SortKeys(keys)))
        #expect(order.indices == [2, 0, 1])
    }

    @Test(arguments: [1, 2, 40, 41, 500, 5000, 20_000])
    func theOrderIsThatOfANaiveSort(count: Int) throws {
        var random = SplitMix(seed: UInt64(count))
        // Few different bytes, so that many keys share a prefix, and keys of zero to several words.
        let bytes: [UInt8] = [0x00, 0x01, 0x61, 0xFF]
        let beginnings = (0..<4).map { _ in
            (0..<Int.random(in: 0...20, using: &random)).map { _ in bytes.randomElement(using: &random)! }
        }
        let keys = (0..<count).map { _ -> [UInt8] in
            let length = Int.random(in: 0...10, using: &random)
            let rest = (0..<length).map { _ in bytes.randomElement(using: &random)! }
            return (Bool.random(using: &random) ? beginnings.randomElement(using: &random)! : []) + rest
        }
        try check(keys)
        // A different initial order, and some of the books.
        try check(keys, from: (0..<UInt32(count)).shuffled(using: &random))
        try check(keys, from: (0..<UInt32(count)).filter { _ in Bool.random(using: &random) })
    }

    @Test func booksWithTheSameKeyStayInTheirOrder() throws {
        let keys = [[UInt8]](repeating: Array("the same key".utf8), count: 10_000)
        #expect(Permutation(by: try SortKeys(keys))?.indices == Array(0..<10_000))
    }

    @Test(arguments: [5, 3000, 30_000])
    func numbersAreOrdered(count: Int) throws {
        var random = SplitMix(seed: 0x2026)
        let ranges: [ClosedRange<UInt32>] = [0...3, 0...70_000, 0...UInt32.max]
        for range in ranges {
            let numbers = (0..<count).map { _ in
                Int.random(in: 0...9, using: &random) == 0
                    ? SortableInteger.unknown : .random(in: range, using: &random)
            }
            let expected = naiveOrder(numbers, isKnown: { $0 != SortableInteger.unknown }, <)
            for threadCount in 1...3 {
                let order = Permutation(by: numbers, threadCount: threadCount)
                #expect(order?.indices == expected.indices)
                #expect(order?.knownCount == expected.knownCount)
            }
        }
    }

    @Test func unknownKeysAreLastInDescendingOrderToo() throws {
        let order = try #require(Permutation(by: [30, SortableInteger.unknown, 10, 30, SortableInteger.unknown, 20]))
        #expect(order.indices == [2, 5, 0, 3, 1, 4])
        #expect(order.reversed.indices == [3, 0, 5, 2, 1, 4])
        #expect(order.reversed.knownCount == 4)
        #expect(order.reversed.reversed == order)
    }

    @Test func theSecondKeyBreaksTies() throws {
        let years: [UInt32] = [1999, 1990, 1999, SortableInteger.unknown, 1990, SortableInteger.unknown]
        let titles = try SortKeys(["b", "d", "a", "z", "c", ""].map { Array($0.utf8) })
        let byTitle = try #require(Permutation(by: titles))
        #expect(Permutation(by: years, from: byTitle.indices)?.indices == [4, 1, 2, 0, 3, 5])
        #expect(Permutation(by: years, from: byTitle.reversed.indices)?.indices == [1, 4, 0, 2, 3, 5])
    }

    @Test func aCancelledSortHasNoResult() throws {
        let cancelled = SortKeys(count: 10, isCancelled: { true }, append: { _, _ in })
        #expect(cancelled.map(\.count) == nil)
        var random = SplitMix(seed: 0xCA)
        let keys = (0..<20_000).map { _ in (0..<20).map { _ in UInt8.random(in: 0...1, using: &random) } }
        let sortKeys = try SortKeys(keys)
        // Cancelled at any moment: unfinished results must not be read.
        for questionCount in [0, 1, 2, 3, 5, 10, 20, 40, 80, 160, 320, 640] {
            let left = Locked(questionCount)
            let order = Permutation(by: sortKeys, threadCount: 3) {
                left.withLock {
                    $0 -= 1
                    return $0 < 0
                }
            }
            if left.withLock({ $0 }) < 0 { #expect(order == nil) }
        }
        #expect(Permutation(by: [2, 1], isCancelled: { true }) == nil)
    }
}
