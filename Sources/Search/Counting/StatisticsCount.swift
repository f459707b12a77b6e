public import Indexing
internal import Synchronization
public import Threading

extension BookIndex {
    /// Starts to count the statistics of the books in `list` that this index contains.
    ///
    /// - Parameters:
    ///   - userData: The user data.
    ///   - columns: The columns of the fields that only the catalog has.
    ///   - limit: The maximum number of values per facet.
    ///   - pool: The thread pool.
    ///   - notify: Called on any thread, several times a second during the count and once at the end.
    public func countStatistics(
        of list: BookList, userData: UserDataFilter = UserDataFilter(), columns: FieldColumns = [:], limit: Int = 50,
        on pool: ThreadPool = .shared,
        notifying notify: @escaping @Sendable () -> Void = {}
    ) -> BackgroundTask<Statistics> {
        let counting = Counting(SelectionBySegment(list, of: self), self, userData, columns, limit, notify)
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
    private let userData: UserDataFilter
    private let columns: FieldColumns
    private let limit: Int
    private let notify: @Sendable () -> Void
    private let facets: FacetAggregation
    /// The accumulators that are not in use by a thread; in the end all of them.
    private let tallies = Locked<[NumericAccumulator]>([])
    /// The time of the last notification in milliseconds.
    private let lastNotice: Atomic<Int>

    /// The minimum interval between notifications in milliseconds.
    private static let noticeInterval = 100

    init(
        _ books: SelectionBySegment, _ index: BookIndex, _ userData: UserDataFilter, _ columns: FieldColumns,
        _ limit: Int, _ notify: @escaping @Sendable () -> Void
    ) {
        (self.books, self.index, self.userData, self.notify) = (books, index, userData, notify)
        (self.columns, self.limit) = (columns, limit)
        facets = FacetAggregation(books, index, UserDataFilter(), Set(Facet.allCases), limit)
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
        var made = Statistics(counted, numbers, books, in: index, userData)
        made.own = columns.map { OwnStatistics(of: $0, $1, in: books, limit: limit) }
        statistics.withLock { $0 = made }
    }
}
