public import Indexing
internal import Synchronization
public import Threading

/// One count of all that statistics tell of the books of a list: several threads do it, and whoever began it may wait for a
/// while, ask how far it has come, or stop it.
public final class StatisticsCount: Sendable {
    private let counting: Counting
    private let work: PhasedJob
    private let task: ThreadPool.Task

    /// Begins to count the books of `list` that `index` has.
    ///
    /// - Parameters:
    ///   - marks: What the reader has said of books.
    ///   - limit: How many values there are at most of a facet.
    ///   - team: The threads; what they did before is stopped.
    ///   - notify: Called on any thread when it is complete, and some times a second before.
    public init(
        of list: BookList, in index: BookIndex, marks: UserDataFilter = UserDataFilter(), limit: Int = 50,
        by team: ThreadPool,
        notifying notify: @escaping @Sendable () -> Void = {}
    ) {
        let counting = Counting(SelectionBySegment(list, of: index), index, marks, limit, notify)
        self.counting = counting
        work = PhasedJob([
            PhasedJob.Phase(partCount: index.segments.count, perform: { counting.count(segment: $0) }),
            PhasedJob.Phase(
                partCount: FacetAggregation.partCount, perform: { counting.merge(part: $0) },
                finish: { counting.finish() }),
        ])
        task = team.start(work)
    }

    /// Waits until it is complete, at most so many milliseconds.
    ///
    /// - Returns: Whether it is.
    public func wait(milliseconds: Int) -> Bool {
        // `notify` can arrive before the job is marked done; a result that is already there counts.
        statistics != nil || task.wait(milliseconds: milliseconds) && statistics != nil
    }

    /// What was counted; nil where it is not complete.
    public var statistics: Statistics? { counting.statistics.withLock { $0 } }

    /// How much of the work is done, from 0 to 1.
    public var fraction: Double { counting.fraction }

    /// Stops it as soon as can be.
    public func stop() {
        work.stop()
        task.stop()
    }
}

/// The state of a count.
private final class Counting: Sendable {
    let statistics = Locked<Statistics?>(nil)
    private let books: SelectionBySegment
    private let index: BookIndex
    private let marks: UserDataFilter
    private let notify: @Sendable () -> Void
    private let facets: FacetAggregation
    /// Those that no thread has; at last all.
    private let tallies = Locked<[NumericAccumulator]>([])
    private let doneCount = Atomic(0)
    /// When it was last told how far it is, in milliseconds.
    private let lastNotice: Atomic<Int>

    /// How often it is told how far it is, in milliseconds.
    private static let noticeInterval = 100

    init(
        _ books: SelectionBySegment, _ index: BookIndex, _ marks: UserDataFilter, _ limit: Int,
        _ notify: @escaping @Sendable () -> Void
    ) {
        (self.books, self.index, self.marks, self.notify) = (books, index, marks, notify)
        facets = FacetAggregation(books, index, UserStatusOverlay(), limit)
        lastNotice = Atomic(MonotonicTime.milliseconds)
    }

    var fraction: Double {
        Double(doneCount.load(ordering: .relaxed)) / Double(index.segments.count + FacetAggregation.partCount)
    }

    func count(segment number: Int) {
        facets.count(segment: number)
        var tally = tallies.withLock { $0.popLast() } ?? NumericAccumulator()
        tally.add(books, inSegment: number)
        tallies.withLock { $0.append(tally) }
        tellProgress()
    }

    func merge(part: Int) {
        facets.merge(part: part)
        tellProgress()
    }

    private func tellProgress() {
        doneCount.add(1, ordering: .relaxed)
        let (now, last) = (MonotonicTime.milliseconds, lastNotice.load(ordering: .relaxed))
        // Of several threads one does.
        guard now - last >= Self.noticeInterval,
            lastNotice.compareExchange(expected: last, desired: now, ordering: .relaxed).exchanged
        else { return }
        notify()
    }

    func finish() {
        facets.finish()
        guard let counted = facets.facets.withLock({ $0 }) else { return }
        let tallies = tallies.withLock { tallies in
            defer { tallies = [] }
            return tallies
        }
        var numbers = tallies.first ?? NumericAccumulator()
        for tally in tallies.dropFirst() { numbers.add(tally) }
        let made = Statistics(counted, numbers, books, in: index, marks)
        statistics.withLock { $0 = made }
        notify()
    }
}
