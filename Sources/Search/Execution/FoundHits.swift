internal import Indexing

/// What was found in each segment so far, and whether the first rows follow from it: the best matches of the segments before
/// the first that was not searched yet stay where they are, whatever the others have.
struct FoundHits {
    private(set) var matches: [SegmentHits?]
    private let starts: [Int]
    private let firstRows: BookSearch.FirstRows?
    /// How many segments were searched without a gap, from the first on, and how many best matches they have.
    private var searchedCount = 0
    private var bestCount = 0
    /// How many of them are needed; nil until the book that the rows stand around was searched.
    private var neededCount: Int?

    /// None yet but those of the first segments of `scope`.
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

    /// Whether no match that is still to be found can change the first rows.
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
