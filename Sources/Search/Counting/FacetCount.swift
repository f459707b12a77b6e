public import Indexing
public import Threading

/// One count of the values that the books of a list have: several threads do it, and whoever began it may wait for a while, or
/// stop it.
public final class FacetCount: Sendable {
    /// How many values there are at most of a facet, by default.
    public static let standardLimit = 200

    private let counting: FacetAggregation
    private let work: PhasedJob
    private let task: ThreadPool.Task

    /// Begins to count the values of the books of `list` that `index` has.
    ///
    /// - Parameters:
    ///   - marks: What the reader has said of books; the status that they gave a book counts in place of the catalog's.
    ///   - limit: How many values there are at most of a facet.
    ///   - team: The threads; what they did before is stopped.
    ///   - notify: Called on any thread when it is complete.
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

    /// Waits until it is complete, at most so many milliseconds.
    ///
    /// - Returns: Whether it is.
    public func wait(milliseconds: Int) -> Bool {
        // `notify` can arrive before the job is marked done; a result that is already there counts.
        facets != nil || task.wait(milliseconds: milliseconds) && facets != nil
    }

    /// What was counted; nil where it is not complete.
    public var facets: Facets? { counting.facets.withLock { $0 } }

    /// Stops it as soon as can be.
    public func stop() {
        work.stop()
        task.stop()
    }
}
