internal import Books
internal import Catalog
internal import Indexing
internal import Library
internal import Search
internal import Shelves
internal import Threading

/// Counts the facets of a list that facets filter, in the background.
///
/// The ticks of a facet do not count for its own values, whose counts say how many books another tick would add. So the
/// facets with ticks are counted in a list each, and all others together.
final class FacetCounter {
    /// A list, and the facets that are counted in it.
    private struct Part: Hashable, Sendable {
        let query: String
        let facets: Set<Facet>
        let limit: Int
    }

    /// The books that are counted; counts of others are out of date.
    private struct Source: Equatable {
        var bookCount: Int
        var userData: LibraryVersion
        /// The number of the catalog's own fields whose columns are there.
        var columnCount: Int
    }

    /// The latest counts; nil before the first ones.
    private(set) var facets: Facets?
    private var task: BackgroundTask<[Part: Facets]>?
    /// The parts of the latest request, the first of which has the facets without ticks.
    private var parts: [Part] = []
    /// The counts of earlier requests for the same books.
    private var known: [Part: Facets] = [:]
    private var source: Source?
    private let session: Session

    /// The maximum number of lists whose counts are kept.
    private static let knownLimit = 24

    /// Creates a counter for the open list of `session`.
    init(_ session: Session) { self.session = session }

    /// Whether a count is running.
    var isCounting: Bool { task != nil }

    /// Whether the list has other books or user data than those that were counted.
    var isOutdated: Bool { source != currentSource }

    private var currentSource: Source {
        Source(
            bookCount: session.books.pipeline.base.count, userData: session.library.version(of: .userData),
            columnCount: columns.count)
    }

    /// The columns of the catalog's own fields that are there; the others are being made.
    private var columns: FieldColumns {
        let (library, fields) = (session.library, session.library.store.schema.facets)
        if fields.isEmpty { return [:] }
        return library.columns(of: Set(fields), notifying: session.wake) ?? library.columnsAtHand()
    }

    /// Starts to count at most `limit` values of each facet in the open list, filtered by `base` and `filter`.
    ///
    /// - Parameter milliseconds: The time to wait for the counts.
    func begin(_ base: Query, _ filter: FacetFilter, limit: Int, waiting milliseconds: Int) {
        task?.cancel()
        task = nil
        if isOutdated || known.count > Self.knownLimit { known = [:] }
        source = currentSource
        let ticked = filter.facets
        let schema = session.library.store.schema
        let all = Set(Facet.allCases + session.library.store.schema.facets.map(Facet.own))
        let shared = Part(
            query: filter.query(narrowing: base, of: schema).text, facets: all.subtracting(ticked), limit: limit)
        parts =
            [shared]
            + ticked.map { facet in
                Part(
                    query: filter.query(narrowing: base, without: facet, of: schema).text, facets: [facet], limit: limit
                )
            }
        let missing = parts.filter { counts(of: $0) == nil }
        if !missing.isEmpty { task = count(missing) }
        _ = task?.wait(milliseconds: milliseconds)
        receive()
    }

    /// Takes over finished counts.
    func receive() {
        if let task {
            guard task.isMade else { return }
            self.task = nil
            guard let counted = task.value else { return }
            known.merge(counted) { $1 }
        }
        let counts = parts.compactMap(counts(of:))
        guard counts.count == parts.count, let first = counts.first else { return }
        facets = zip(parts, counts).dropFirst().reduce(first) { facets, part in
            facets.replacing(part.0.facets, from: part.1)
        }
    }

    /// Discards all counts, because the books have other ids.
    func forget() {
        cancel()
        known = [:]
        source = nil
    }

    /// Stops counting.
    func cancel() {
        task?.cancel()
        task = nil
    }

    /// Returns the counts of a part, perhaps of more facets than it needs.
    private func counts(of part: Part) -> Facets? {
        known[part]
            ?? known.first {
                $0.key.query == part.query && $0.key.limit == part.limit && $0.key.facets.isSuperset(of: part.facets)
            }?.value
    }

    private func count(_ parts: [Part]) -> BackgroundTask<[Part: Facets]> {
        let pipeline = session.books.pipeline
        let (index, userData) = (session.library.store.index, session.library.userDataFilter)
        let (columns, schema) = (columns, session.library.store.schema)
        let scope = pipeline.scope(with: columns)
        return BackgroundTask(notifying: session.wake) { [base = pipeline.base] isCancelled in
            var counted: [Part: Facets] = [:]
            for part in parts {
                let query = Query(part.query, of: schema)
                var list = base
                if query.expression != .everything {
                    let search = BookSearch(query, in: scope, userData: userData, as: .batch)
                    guard let found = search.wait(unless: isCancelled) else { return nil }
                    list = found.list
                }
                let count = index.countFacets(
                    of: list, userData: userData, facets: part.facets, columns: columns, limit: part.limit)
                guard let facets = count.wait(unless: isCancelled) else { return nil }
                counted[part] = facets
            }
            return counted
        }
    }
}
