/// The texts that most books have, of any number of them.
struct TopValues {
    /// A text, and how many books have it.
    typealias Candidate = TermHashTable<FacetAccumulator.Tally>.Entry

    /// How many texts there were.
    private(set) var distinctCount = 0
    private var candidates: [Candidate] = []
    /// The last of the first, some time ago: what is behind it need not be kept.
    private var last: Candidate?
    private let limit: Int

    /// A ranking of the first `limit`, of texts that were not ranked yet.
    init(limit: Int) { self.limit = max(0, limit) }

    /// Ranks a text.
    @inline(__always)
    mutating func add(_ candidate: Candidate) {
        distinctCount += 1
        if let last, candidate.note.count < last.note.count { return }
        keep(candidate)
    }

    /// Ranks what another has ranked of other texts.
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

    /// The first of those that were ranked, in their order.
    var best: [Candidate] { Array(candidates.sorted(by: Self.isBefore).prefix(limit)) }

    /// Of texts that as many books have the one that the catalog has first is before the other.
    private static func isBefore(_ left: Candidate, _ right: Candidate) -> Bool {
        if left.note.count != right.note.count { return left.note.count > right.note.count }
        if left.note.first != right.note.first { return left.note.first < right.note.first }
        guard let left = left.text, let right = right.text else { return false }
        return left < right
    }
}
