public import Indexing
public import Threading

/// A running count of the facet values of a list, executed by a thread pool; the caller can wait for it and stop it.
public final class FacetCount: Sendable {
    /// The default limit of values per facet.
    public static let standardLimit = 200

    private let counting: FacetAggregation
    private let work: PhasedJob
    private let task: ThreadPool.Task

    /// Starts to count the values of the books in `list` that `index` contains.
    ///
    /// - Parameters:
    ///   - marks: The user data, whose reading statuses override those in the catalog.
    ///   - limit: The maximum number of values per facet.
    ///   - team: The thread pool; its previous job is stopped.
    ///   - notify: Called on any thread when the count is complete.
    public init(
        of list: BookList, in index: BookIndex, marks: UserDataFilter = UserDataFilter(), limit: Int = standardLimit,
        by team: ThreadPool,
        notifying notify: @escaping @Sendable () -> Void = {}
    ) {
        let counting = FacetAggregation(SelectionBySegment(list, of: index), index, UserStatusOverlay(marks), limit)
        self.counting = counting
        work = PhasedJob([
            PhasedJob.Phase(
                partCount: index.segments.count, perform: { counting.count(segment: $0) }),
            PhasedJob.Phase(
                partCount: FacetAggregation.partCount, perform: { counting.merge(part: $0) },
                finish: {
                    counting.finish()
                    notify()
                }),
        ])
        task = team.start(work)
    }

    /// Waits at most `milliseconds` for the count to complete.
    ///
    /// - Returns: Whether it is complete.
    public func wait(milliseconds: Int) -> Bool {
        // `notify` can arrive before the job is marked done; a result that is already there counts.
        facets != nil || task.wait(milliseconds: milliseconds) && facets != nil
    }

    /// The result, or nil until it is complete.
    public var facets: Facets? { counting.facets.withLock { $0 } }

    /// Stops the count as soon as possible.
    public func stop() {
        work.stop()
        task.stop()
    }
}
