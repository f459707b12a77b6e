internal import Indexing

/// The hits of each segment so far, which also determine whether the first rows are final: best-ranked hits before the
/// first unsearched segment cannot move, whatever the other segments contain.
struct FoundHits {
    private(set) var matches: [SegmentHits?]
    private let starts: [Int]
    private let firstRows: BookSearch.FirstRows?
    /// The number of segments searched without a gap, and the number of best-ranked hits in them.
    private var searchedCount = 0
    private var bestCount = 0
    /// The number of best-ranked hits that the first rows need; nil until the segment of the anchor was searched.
    private var neededCount: Int?

    /// Starts with the known hits of the first segments of `scope`.
    init(_ known: [SegmentHits], in scope: BookSearch.Scope, showing firstRows: BookSearch.FirstRows?) {
        matches = known.map(Optional.some) + Array(repeating: nil, count: max(0, scope.segments.count - known.count))
        starts = scope.starts
        self.firstRows = firstRows
        if let firstRows, firstRows.anchor == nil { neededCount = firstRows.count }
        advance()
    }

    mutating func set(_ found: SegmentHits, ofSegment number: Int) {
        matches[number] = found
        advance()
    }

    /// Whether no later hit can change the first rows.
    var hasFirstRows: Bool { neededCount.map { bestCount >= $0 } ?? false }

    private mutating func advance() {
        while searchedCount < matches.count, let found = matches[searchedCount] {
            bestCount += found.bestCount
            searchedCount += 1
            guard neededCount == nil, let firstRows, let anchor = firstRows.anchor?.index else { continue }
            if searchedCount == starts.count || starts[searchedCount] > anchor {
                neededCount = bestCount + firstRows.count
            }
        }
    }
}
