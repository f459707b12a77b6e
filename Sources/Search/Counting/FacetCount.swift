public import Indexing
public import Threading

extension BookIndex {
    /// Starts counting the facet values of the books in `list` that this index contains.
    ///
    /// - Parameters:
    ///   - userData: The user data, whose reading statuses and ratings override those in the catalog.
    ///   - facets: The facets to count; the others have no values in the result.
    ///   - columns: The columns of the fields that only the catalog has; those without one have no counts.
    ///   - limit: The maximum number of values per facet.
    ///   - pool: The thread pool.
    ///   - notify: Called on any thread when the count is complete.
    public func countFacets(
        of list: BookList, userData: UserDataFilter = UserDataFilter(), facets: Set<Facet> = Set(Facet.allCases),
        columns: FieldColumns = [:], limit: Int = Facets.standardLimit, on pool: ThreadPool = .shared,
        notifying notify: @escaping @Sendable () -> Void = {}
    ) -> BackgroundTask<Facets> {
        let counting = FacetAggregation(SelectionBySegment(list, of: self), self, userData, facets, limit, columns)
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
    /// The default limit of values per facet.
    public static let standardLimit = 200
}
