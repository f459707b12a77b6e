public import Books
internal import Catalog
internal import Glibc
public import Indexing
internal import Search
internal import Threading

/// Finds the other books of a series and of an author, and keeps what was found.
///
/// A search through all books takes longer than a frame in a large catalog. It then runs in the background once a book has
/// been current for a moment, and another book cancels it.
public final class RelatedBookLists {
    /// The books that are related to a book.
    public struct Related: Hashable, Sendable {
        /// The books of the same series by their places, then those without a place, in catalog order. Empty if the book
        /// has no series.
        public var series: [BookID] = []
        /// The first books by the same first author that are not in the series, in catalog order, with the book itself if
        /// it has no series.
        public var byAuthor: [BookID] = []
        /// The number of all these books by the author.
        public var authorCount = 0

        /// The maximum number of books by the author.
        static let authorLimit = 7
    }

    /// The queries for the series and the first author.
    private struct Queries: Hashable, Sendable {
        var series: String?
        var author: String?
    }

    private var found: [Queries: Related] = [:]
    private var finding: (queries: Queries, task: BackgroundTask<Related>)?
    /// The number of books in which related ones were found.
    private var bookCount = 0
    /// The number of results that arrived from the background so far.
    private(set) var arrivalCount = 0

    /// The maximum number of books that are searched without a background task; this takes less than a millisecond.
    private static let fewBooks = 5000
    /// The number of pauses before a search in the background, and their length in microseconds: together longer than the
    /// time between the repetitions of a key that is held down, so that books that are only passed need no search.
    private static let (pauses, pause): (Int, UInt32) = (5, 10_000)
    /// The maximum number of results that are kept.
    private static let capacity = 200

    /// Takes over the result of a search in the background, if there is one.
    func receive() {
        guard let (queries, task) = finding, task.isMade else { return }
        finding = nil
        guard let related = task.value else { return }
        keep(related, for: queries)
        arrivalCount += 1
    }

    /// Returns the books related to `book`; nil if they have to be searched for in the background.
    ///
    /// - Parameter notify: Called on any thread when they are found.
    func books(
        relatedTo book: Book, in index: BookIndex, notifying notify: @escaping @Sendable () -> Void
    ) -> Related? {
        if index.count != bookCount {
            forget()
            bookCount = index.count
        }
        let queries = Queries(
            series: RelatedBooks.series.query(for: book), author: RelatedBooks.author.query(for: book))
        if let finding, finding.queries != queries {
            finding.task.cancel()
            self.finding = nil
        }
        if queries == Queries() { return Related() }
        if let known = found[queries] { return known }
        if index.count <= Self.fewBooks {
            let related = Self.find(queries, in: index) { false } ?? Related()
            keep(related, for: queries)
            return related
        }
        if finding == nil {
            finding = (
                queries,
                BackgroundTask(notifying: notify) { isCancelled in
                    for _ in 0..<Self.pauses {
                        if isCancelled() { return nil }
                        usleep(Self.pause)
                    }
                    return Self.find(queries, in: index, unless: isCancelled)
                }
            )
        }
        return nil
    }

    /// Discards all results, because the books changed.
    func forget() {
        finding?.task.cancel()
        (found, finding) = ([:], nil)
    }

    private func keep(_ related: Related, for queries: Queries) {
        if found.count >= Self.capacity { found = [:] }
        found[queries] = related
    }

    /// Returns the related books, or nil if cancelled.
    private static func find(_ queries: Queries, in index: BookIndex, unless isCancelled: () -> Bool) -> Related? {
        func books(matching query: String?) -> [BookID]? {
            guard let query else { return [] }
            let search = BookSearch(
                Query(query), in: BookSearch.Scope(BookList(allOf: index.count), of: index), as: .batch)
            return search.wait(unless: isCancelled).map { found in (0..<found.list.count).map { found.list[$0] } }
        }
        guard let series = books(matching: queries.series), let author = books(matching: queries.author) else {
            return nil
        }
        var related = Related()
        let places = series.map { (id: $0, place: index.facts(at: $0.index).position) }
        related.series = places.sorted {
            ($0.place.isNaN ? .infinity : $0.place, $0.id) < ($1.place.isNaN ? .infinity : $1.place, $1.id)
        }.map(\.id)
        let isInSeries = Set(series)
        let others = author.filter { !isInSeries.contains($0) }
        related.authorCount = others.count
        related.byAuthor = Array(others.prefix(Related.authorLimit))
        return related
    }
}

extension Library {
    /// Returns the books related to `book`; nil if the catalog cannot be searched here, is still loading, or has to be
    /// searched in the background.
    ///
    /// - Parameter notify: Called on any thread when they are found.
    public func books(
        relatedTo book: Book, notifying notify: @escaping @Sendable () -> Void
    ) -> RelatedBookLists.Related? {
        guard store.local != nil, !store.state.isLoading else { return nil }
        return related.books(relatedTo: book, in: store.index, notifying: notify)
    }

    /// Takes over related books that were found in the background.
    public func receiveRelatedBooks() { related.receive() }

    /// The number of times that related books were found in the background.
    public var relatedBooksArrivalCount: Int { related.arrivalCount }
}
