public import Indexing
internal import Synchronization
public import Threading

/// A running count of the statistics of a list, executed by a thread pool; the caller can wait for it, query its
/// progress and stop it.
public final class StatisticsCount: Sendable {
    private let counting: Counting
    private let work: PhasedJob
    private let task: ThreadPool.Task

    /// Starts to count the books in `list` that `index` contains.
    ///
    /// - Parameters:
    ///   - marks: The user data.
    ///   - limit: The maximum number of values per facet.
    ///   - team: The thread pool; its previous job is stopped.
    ///   - notify: Called on any thread, several times a second during the count and once at the end.
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

    /// Waits at most `milliseconds` for the count to complete.
    ///
    /// - Returns: Whether it is complete.
    public func wait(milliseconds: Int) -> Bool {
        // `notify` can arrive before the job is marked done; a result that is already there counts.
        statistics != nil || task.wait(milliseconds: milliseconds) && statistics != nil
    }

    /// The result, or nil until it is complete.
    public var statistics: Statistics? { counting.statistics.withLock { $0 } }

    /// The progress, from 0 to 1.
    public var fraction: Double { counting.fraction }

    /// Stops the count as soon as possible.
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
    /// The accumulators that are not in use by a thread; in the end all of them.
    private let tallies = Locked<[NumericAccumulator]>([])
    private let doneCount = Atomic(0)
    /// The time of the last notification in milliseconds.
    private let lastNotice: Atomic<Int>

    /// The minimum interval between notifications in milliseconds.
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
        // Only one of several threads sends the notification.
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
