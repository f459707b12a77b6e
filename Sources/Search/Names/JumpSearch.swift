internal import CText
public import Indexing
internal import Synchronization
internal import Text
public import Threading

/// A running search for the titles and names that match a pattern, in slices on the threads of a pool. What was found so
/// far can be read at any time.
public final class JumpSearch: Sendable {
    /// The candidates that were found.
    public struct Result: Sendable {
        /// The best candidates, the best first.
        public var candidates: [JumpCandidate]
        /// The number of all titles and names that match.
        public var matchCount: Int
        /// Whether all were looked at.
        public var isComplete: Bool
    }

    private let work: Work
    private let task: BackgroundTask<Bool>

    /// Starts to search.
    ///
    /// - Parameters:
    ///   - pattern: What was typed; if it is empty, titles are not looked at.
    ///   - index: The books with the titles.
    ///   - names: The distinct names of the books, if they are known.
    ///   - limit: The maximum number of candidates.
    ///   - pool: The thread pool.
    ///   - notify: Called on any thread, several times a second while there are new candidates, and once at the end.
    public init(
        _ pattern: FuzzyPattern, in index: BookIndex, _ names: DistinctNames?, limit: Int = 200,
        on pool: ThreadPool = .shared, notifying notify: @escaping @Sendable () -> Void = {}
    ) {
        work = Work(pattern, index, names, limit, notify)
        task = pool.start(work, as: .batch, notifying: notify)
    }

    /// Waits at most `milliseconds` for the search to complete.
    ///
    /// - Returns: Whether it is complete.
    @discardableResult
    public func wait(milliseconds: Int) -> Bool { task.wait(milliseconds: milliseconds) != nil }

    /// What was found so far.
    public var result: Result {
        let isComplete = task.value != nil
        return work.result(isComplete: isComplete)
    }

    /// Stops the search.
    public func stop() { task.cancel() }
}

/// A match, whose text belongs to the index.
private struct Match: BitwiseCopyable {
    var rank: UInt64
    var kind: JumpCandidate.Kind
    var book: UInt32
    var bookCount: UInt32
    var text: UnsafeBufferPointer<UInt8>

    func isBefore(_ other: Match) -> Bool {
        if rank != other.rank { return rank > other.rank }
        if kind != other.kind { return kind.rawValue < other.kind.rawValue }
        return book < other.book
    }
}

/// The best of any number of matches.
private struct BestMatches {
    private var matches: [Match] = []
    /// The rank of the last match that is kept at the latest pruning.
    private(set) var leastRank: UInt64 = 0
    var count = 0
    let limit: Int

    init(limit: Int) { self.limit = max(1, limit) }

    @inline(__always)
    mutating func add(_ match: Match) {
        count += 1
        if match.rank < leastRank { return }
        keep(match)
    }

    private mutating func keep(_ match: Match) {
        matches.append(match)
        if matches.count >= 4 * limit { prune() }
    }

    mutating func add(_ other: BestMatches) {
        count += other.count
        for match in other.matches where match.rank >= leastRank { keep(match) }
    }

    mutating func expect(rankAbove rank: UInt64) { leastRank = max(leastRank, rank) }

    private mutating func prune() {
        matches = sorted
        if matches.count == limit, let last = matches.last { leastRank = last.rank }
    }

    var sorted: [Match] { Array(matches.sorted { $0.isBefore($1) }.prefix(limit)) }
}

// Unchecked, because the compiler cannot know that the texts of matches belong to the index and are never written.
private final class Work: ParallelJob, @unchecked Sendable {
    let partCount: Int
    private let pattern: FuzzyPattern
    private let index: BookIndex
    private let names: DistinctNames?
    private let nameParts: Int
    private let slices: [IndexSlice]
    private let best: Locked<BestMatches>
    private let limit: Int
    private let notify: @Sendable () -> Void
    private let isStopped = Atomic(false)
    private let lastNotice: Atomic<Int>

    /// The number of names that are looked at together; this takes about a millisecond.
    private static let sliceLength = IndexSlice.length
    /// The number of books or names after which a thread notices that the search was stopped.
    private static let strideLength = 512
    /// The minimum interval between notifications in milliseconds.
    private static let noticeInterval = 50

    init(
        _ pattern: FuzzyPattern, _ index: BookIndex, _ names: DistinctNames?, _ limit: Int,
        _ notify: @escaping @Sendable () -> Void
    ) {
        (self.pattern, self.index, self.names, self.limit, self.notify) = (pattern, index, names, limit, notify)
        nameParts = ((names?.entries.count ?? 0) + Self.sliceLength - 1) / Self.sliceLength
        slices = pattern.isEmpty ? [] : index.slices
        partCount = nameParts + slices.count
        best = Locked(BestMatches(limit: limit))
        lastNotice = Atomic(MonotonicTime.milliseconds)
    }

    func stop() { isStopped.store(true, ordering: .relaxed) }

    func perform(part: Int) {
        if isStopped.load(ordering: .relaxed) { return }
        var found = BestMatches(limit: limit)
        let least = best.withLock { $0.leastRank }
        found.expect(rankAbove: least)
        if part < nameParts { addNames(part, to: &found) } else { addTitles(part - nameParts, to: &found) }
        if isStopped.load(ordering: .relaxed) || found.count == 0 { return }
        best.withLock { $0.add(found) }
        let (now, last) = (MonotonicTime.milliseconds, lastNotice.load(ordering: .relaxed))
        if now - last >= Self.noticeInterval,
            lastNotice.compareExchange(expected: last, desired: now, ordering: .relaxed).exchanged
        {
            notify()
        }
    }

    private func addNames(_ part: Int, to found: inout BestMatches) {
        guard let entries = names?.entries else { return }
        let start = part * Self.sliceLength
        for number in start..<min(start + Self.sliceLength, entries.count) {
            if number % Self.strideLength == 0, isStopped.load(ordering: .relaxed) { return }
            let entry = entries[number]
            if let rank = pattern.rank(of: entry.text, bookCount: Int(entry.bookCount)) {
                found.add(
                    Match(
                        rank: rank, kind: entry.kind, book: entry.first, bookCount: entry.bookCount, text: entry.text))
            }
        }
    }

    private func addTitles(_ number: Int, to found: inout BestMatches) {
        let slice = slices[number]
        let (segment, start) = (slice.segment, slice.start)
        for book in slice.books {
            if book % Self.strideLength == 0, isStopped.load(ordering: .relaxed) { return }
            var text = IndexedText(segment.text(at: book))
            guard let title = text.next()?.content, !title.isEmpty else { continue }
            if let rank = pattern.rank(of: title, bookCount: 1) {
                found.add(
                    Match(
                        rank: rank, kind: .title, book: UInt32(truncatingIfNeeded: start + book), bookCount: 1,
                        text: title))
            }
        }
    }

    func complete() -> Bool? { isStopped.load(ordering: .relaxed) ? nil : true }

    func result(isComplete: Bool) -> JumpSearch.Result {
        let (matches, count) = best.withLock { ($0.sorted, $0.count) }
        return JumpSearch.Result(
            candidates: matches.map { match in
                JumpCandidate(
                    kind: match.kind, bookCount: Int(match.bookCount), book: BookID(match.book), rank: match.rank,
                    folded: Array(match.text))
            }, matchCount: count, isComplete: isComplete)
    }
}
