/// The hits in one segment. Immutable.
final class SegmentHits: Sendable {
    /// The indices of the hits in the catalog, ordered by rank, then ascending.
    let indices: [UInt32]
    /// The ranks that occur, in ascending order, with the end of each run in `indices`.
    let runs: [(rank: UInt8, end: Int)]

    init(_ indices: [UInt32], _ runs: [(rank: UInt8, end: Int)]) {
        self.indices = indices
        self.runs = runs
    }

    static let none = SegmentHits([], [])

    /// The number of hits with the best possible rank.
    var bestCount: Int { runs.first.map { $0.rank == 0 ? $0.end : 0 } ?? 0 }

    /// Creates hits from the ranks of `bookCount` books, `matchCount` of which match; the first book has the index
    /// `start`.
    convenience init(_ ranks: UnsafeMutablePointer<UInt8>, _ bookCount: Int, _ matchCount: Int, from start: Int) {
        let (indices, runs) = withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 256) { ends in
            ends.initialize(repeating: 0)
            // Sparse hits are collected by skipping the misses; otherwise misses are sorted behind the hits, because a
            // branch per book would be unpredictable.
            let isSparse = matchCount < bookCount / 8
            func forEach(_ body: (Int) -> Void) {
                if isSparse {
                    Self.forEachMatch(ranks, bookCount, body)
                } else {
                    for index in 0..<bookCount { body(index) }
                }
            }
            forEach { ends[Int(ranks[$0])] &+= 1 }
            var runs: [(rank: UInt8, end: Int)] = []
            var total: UInt32 = 0
            for rank in 0...Int(SegmentMatcher.noMatch) where ends[rank] > 0 {
                let count = ends[rank]
                ends[rank] = total
                total += count
                if rank < Int(SegmentMatcher.noMatch) { runs.append((UInt8(rank), Int(total))) }
            }
            let first = UInt32(truncatingIfNeeded: start)
            let indices = [UInt32](unsafeUninitializedCapacity: Int(total)) { buffer, initialized in
                forEach { index in
                    let rank = Int(ranks[index])
                    buffer[Int(ends[rank])] = first &+ UInt32(truncatingIfNeeded: index)
                    ends[rank] &+= 1
                }
                initialized = matchCount
            }
            return (indices, runs)
        }
        self.init(indices, runs)
    }

    /// Calls `body` with the index of each hit, skipping misses eight at a time.
    @inline(__always)
    private static func forEachMatch(_ ranks: UnsafeMutablePointer<UInt8>, _ count: Int, _ body: (Int) -> Void) {
        var index = 0
        let none = UInt64.max
        while index < count {
            if index + 8 <= count, UnsafeRawPointer(ranks + index).loadUnaligned(as: UInt64.self) == none {
                index += 8
                continue
            }
            for hit in index..<min(index + 8, count) where ranks[hit] != SegmentMatcher.noMatch { body(hit) }
            index += 8
        }
    }
}

extension [SegmentHits] {
    /// The indices of all hits, best matches first, equal ones in catalog order.
    var ranked: [UInt32] {
        var ends = [Int](repeating: 0, count: Int(SegmentMatcher.noMatch))
        for segment in self {
            var start = 0
            for run in segment.runs {
                ends[Int(run.rank)] += run.end - start
                start = run.end
            }
        }
        var total = 0
        // From here on, `ends` holds the position at which the next hit of each rank is written.
        for rank in ends.indices {
            let count = ends[rank]
            ends[rank] = total
            total += count
        }
        // All threads share the empty array, and creating it this way would write to it.
        if total == 0 { return [] }
        return [UInt32](unsafeUninitializedCapacity: total) { buffer, count in
            for segment in self {
                segment.indices.withUnsafeBufferPointer { indices in
                    var start = 0
                    for run in segment.runs {
                        let length = run.end - start
                        if let target = buffer.baseAddress, let source = indices.baseAddress {
                            (target + ends[Int(run.rank)]).initialize(from: source + start, count: length)
                        }
                        ends[Int(run.rank)] += length
                        start = run.end
                    }
                }
            }
            count = total
        }
    }
}
