import TestSupport
import Testing

@testable import Search

@Suite("Sections: sorting names in parallel") struct ParallelStringSortTests {
    @Test(arguments: [1, 3, 16]) func textsAreSortedByTheirBytes(rangeCount: Int) {
        var random = SplitMix(seed: UInt64(rangeCount))
        // Many share a prefix, and some are equal.
        let words = (0..<500).map { _ in
            let beginning = ["", "a", "the ", "the same beginning ", "Ж", "the same beginning of all"].randomElement(
                using: &random)
            return (beginning ?? "") + String(Int.random(in: 0..<300, using: &random))
        }
        let bytes = words.map { Array($0.utf8) } + [[], [0x61], [0xFF, 0xFF, 0xFF], []]
        let copies = bytes.map { text in
            let copy = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: text.count)
            _ = copy.initialize(fromContentsOf: text)
            return UnsafeBufferPointer(copy)
        }
        defer { copies.forEach { $0.deallocate() } }
        let parts = [0..<100, 100..<100, 100..<bytes.count].map { range in
            (
                texts: range.map { ParallelStringSort.Text(copies[$0], number: UInt32($0 - range.lowerBound)) },
                start: UInt32(range.lowerBound)
            )
        }
        let sorted = ParallelStringSort(parts, rangeCount: rangeCount)
        var places = [Int](repeating: -1, count: bytes.count)
        for range in 0..<rangeCount { sorted.sort(range: range) { places[Int($0)] = $1 } }
        for (text, place) in zip(bytes, places) {
            #expect(place == bytes.count { $0.lexicographicallyPrecedes(text) })
        }
    }
}
