public import Indexing
public import Threading

extension BookIndex {
    /// Begins to count the values of the books of `list` that this index has.
    ///
    /// - Parameters:
    ///   - marks: What the reader has said of books; the status that they gave a book counts in place of the catalog's.
    ///   - limit: How many values there are at most of a facet.
    ///   - pool: The threads that count.
    ///   - notify: Called on any thread when it is complete.
    public func countFacets(
        of list: BookList, marks: UserDataFilter = UserDataFilter(), limit: Int = Facets.standardLimit,
        on pool: ThreadPool = .shared, notifying notify: @escaping @Sendable () -> Void = {}
    ) -> BackgroundTask<Facets> {
        let counting = FacetAggregation(SelectionBySegment(list, of: self), self, UserStatusOverlay(marks), limit)
        let job = PhasedJob(
            [
                PhasedJob.Phase(partCount: segments.count, perform: { counting.count(segment: $0) }),
                PhasedJob.Phase(
                    partCount: FacetAggregation.partCount, perform: { counting.merge(part: $0) },
                    finish: { counting.finish() }),
            ],
            making: { counting.facets.withLock { $0 } })
        return pool.start(job, as: .batch, notifying: notify)
    }
}

extension Facets {
    /// How many values there are at most of a facet, by default.
    public static let standardLimit = 200
}
