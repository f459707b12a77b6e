/// The most frequent of any number of texts.
struct TopValues {
    /// A text and the number of books that have it.
    typealias Candidate = TermHashTable<FacetAccumulator.Tally>.Entry

    /// The number of distinct texts.
    private(set) var distinctCount = 0
    private var candidates: [Candidate] = []
    /// The last of the top texts at the latest pruning; texts that rank below it are not kept.
    private var last: Candidate?
    private let limit: Int

    /// Creates an empty ranking of at most `limit` texts.
    init(limit: Int) { self.limit = max(0, limit) }

    /// Ranks a text that was not ranked before.
    @inline(__always)
    mutating func add(_ candidate: Candidate) {
        distinctCount += 1
        if let last, candidate.note.count < last.note.count { return }
        keep(candidate)
    }

    /// Adds the ranking of other texts.
    mutating func add(_ other: Self) {
        for candidate in other.candidates { keep(candidate) }
        distinctCount += other.distinctCount
    }

    private mutating func keep(_ candidate: Candidate) {
        if limit == 0 { return }
        if let last, !Self.isBefore(candidate, last) { return }
        candidates.append(candidate)
        if candidates.count >= 2 * limit {
            candidates = best
            last = candidates.last
        }
    }

    /// The top texts in order.
    var best: [Candidate] { Array(candidates.sorted(by: Self.isBefore).prefix(limit)) }

    /// Whether a text is more frequent, or equally frequent and earlier in the catalog.
    private static func isBefore(_ left: Candidate, _ right: Candidate) -> Bool {
        if left.note.count != right.note.count { return left.note.count > right.note.count }
        if left.note.first != right.note.first { return left.note.first < right.note.first }
        guard let left = left.text, let right = right.text else { return false }
        return left < right
    }
}
