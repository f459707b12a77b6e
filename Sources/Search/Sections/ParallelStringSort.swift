internal import Glibc

// Unchecked, as the compiler cannot know that each thread writes to places of its own.
/// Texts that several threads sort by their bytes: each a range of them.
///
/// They are distributed by their first two bytes first, so that the ranges need not be merged.
final class ParallelStringSort: @unchecked Sendable {
    /// A text that stays where it is, and its number.
    struct Text: BitwiseCopyable {
        /// The first eight bytes, so that most comparisons need not fetch the text.
        private let word: UInt64
        private let start: UnsafePointer<UInt8>?
        private let count: UInt32
        /// The number.
        fileprivate(set) var number: UInt32

        /// The text `bytes` of this number.
        init(_ bytes: UnsafeBufferPointer<UInt8>, number: UInt32) {
            (start, count) = (bytes.baseAddress, UInt32(truncatingIfNeeded: bytes.count))
            self.number = number
            if bytes.count >= 8, let start {
                word = UInt64(bigEndian: UnsafeRawPointer(start).loadUnaligned(as: UInt64.self))
            } else {
                word = bytes.reduce(0) { $0 << 8 | UInt64($1) } << UInt64(8 * (8 - min(8, bytes.count)) & 63)
            }
        }

        /// Its first two bytes.
        fileprivate var bucket: Int { Int(truncatingIfNeeded: word >> 48) }

        /// Below zero where it is before `other`, zero where it has the same bytes.
        @inline(__always)
        fileprivate func compared(to other: Text) -> Int {
            if word != other.word { return word < other.word ? -1 : 1 }
            let order = start.flatMap { start in
                other.start.map { memcmp(start, $0, Int(min(count, other.count))) }
            }
            return order.map { $0 != 0 ? Int($0) : Int(count) - Int(other.count) } ?? Int(count) - Int(other.count)
        }
    }

    private static let bucketCount = 1 << 16

    private let texts: UnsafeMutableBufferPointer<Text>
    /// Where each range begins, and the end.
    private let bounds: [Int]

    /// The texts of `parts`, not sorted yet, in so many ranges; the numbers of a part count from its start on.
    init(_ parts: [(texts: [Text], start: UInt32)], rangeCount: Int) {
        let count = parts.reduce(0) { $0 + $1.texts.count }
        texts = .allocate(capacity: count)
        var ends = [Int](repeating: 0, count: Self.bucketCount)
        for part in parts { for text in part.texts { ends[text.bucket] += 1 } }
        var bounds = [0]
        var total = 0
        for bucket in ends.indices {
            let length = ends[bucket]
            // From here on where the next of each bucket goes.
            ends[bucket] = total
            total += length
            if total - (bounds.last ?? 0) > count / rangeCount { bounds.append(total) }
        }
        for part in parts {
            for var text in part.texts {
                text.number += part.start
                texts.initializeElement(at: ends[text.bucket], to: text)
                ends[text.bucket] += 1
            }
        }
        self.bounds = bounds + Array(repeating: total, count: max(0, rangeCount + 1 - bounds.count))
    }

    deinit { texts.deallocate() }

    /// Sorts a range, and calls `body` with the number of each text in it and its place among all, which is that of the first
    /// where several are the same.
    func sort(range number: Int, _ body: (UInt32, Int) -> Void) {
        let range = bounds[number]..<bounds[number + 1]
        var sorted = UnsafeMutableBufferPointer(rebasing: texts[range])
        sorted.sort { $0.compared(to: $1) < 0 }
        var first = range.lowerBound
        for place in range {
            if texts[place].compared(to: texts[first]) != 0 { first = place }
            body(texts[place].number, first)
        }
    }
}
