internal import Glibc

// Unchecked, because the compiler cannot know that each thread writes to its own range.
/// Texts that several threads sort bytewise, each a range of them.
///
/// They are first distributed by their first two bytes, so that the ranges need not be merged.
final class ParallelStringSort: @unchecked Sendable {
    /// A text, which must stay in memory, and its number.
    struct Text: BitwiseCopyable {
        /// The first eight bytes, which decide most comparisons without fetching the text.
        private let word: UInt64
        private let start: UnsafePointer<UInt8>?
        private let count: UInt32
        /// The number of the text.
        fileprivate(set) var number: UInt32

        /// Creates a text with a number.
        init(_ bytes: UnsafeBufferPointer<UInt8>, number: UInt32) {
            (start, count) = (bytes.baseAddress, UInt32(truncatingIfNeeded: bytes.count))
            self.number = number
            if bytes.count >= 8, let start {
                word = UInt64(bigEndian: UnsafeRawPointer(start).loadUnaligned(as: UInt64.self))
            } else {
                word = bytes.reduce(0) { $0 << 8 | UInt64($1) } << UInt64(8 * (8 - min(8, bytes.count)) & 63)
            }
        }

        /// The first two bytes.
        fileprivate var bucket: Int { Int(truncatingIfNeeded: word >> 48) }

        /// Returns a negative number if the text sorts before `other`, and zero if both are equal.
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
    /// The start of each range, followed by the end.
    private let bounds: [Int]

    /// Distributes the texts of `parts` to `rangeCount` unsorted ranges; text numbers are relative to the start of
    /// their part.
    init(_ parts: [(texts: [Text], start: UInt32)], rangeCount: Int) {
        let count = parts.reduce(0) { $0 + $1.texts.count }
        texts = .allocate(capacity: count)
        var ends = [Int](repeating: 0, count: Self.bucketCount)
        for part in parts { for text in part.texts { ends[text.bucket] += 1 } }
        var bounds = [0]
        var total = 0
        for bucket in ends.indices {
            let length = ends[bucket]
            // From here on, `ends` holds the position at which the next text of each bucket is written.
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

    /// Sorts a range, and calls `body` with the number of each text and its position among all texts; equal texts share
    /// the position of the first.
    func sort(range number: Int, _ body: (UInt32, Int) -> Void) {
        let range = bounds[number]..<bounds[number + 1]
        var sorted = UnsafeMutableBufferPointer(rebasing: texts[range])
        sorted.sort { $0.compared(to: $1) < 0 }
        var first = range.lowerBound
        for index in range {
            if texts[index].compared(to: texts[first]) != 0 { first = index }
            body(texts[index].number, first)
        }
    }
}
