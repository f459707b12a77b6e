public import Indexing
internal import Synchronization
public import Threading

extension BookIndex {
    /// Begins to count all that statistics tell of the books of `list` that this index has.
    ///
    /// - Parameters:
    ///   - marks: What the reader has said of books.
    ///   - limit: How many values there are at most of a facet.
    ///   - pool: The threads that count.
    ///   - notify: Called on any thread when it is complete, and some times a second before.
    public func countStatistics(
        of list: BookList, marks: UserDataFilter = UserDataFilter(), limit: Int = 50, on pool: ThreadPool = .shared,
        notifying notify: @escaping @Sendable () -> Void = {}
    ) -> BackgroundTask<Statistics> {
        let counting = Counting(SelectionBySegment(list, of: self), self, marks, limit, notify)
        let job = PhasedJob(
            [
                PhasedJob.Phase(partCount: segments.count, perform: { counting.count(segment: $0) }),
                PhasedJob.Phase(
                    partCount: FacetAggregation.partCount, perform: { counting.merge(part: $0) },
                    finish: { counting.finish() }),
            ],
            making: { counting.statistics.withLock { $0 } })
        return pool.start(job, as: .batch, notifying: notify)
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
    }
}
