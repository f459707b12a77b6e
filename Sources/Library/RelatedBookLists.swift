public import Books
internal import Catalog
public import Indexing
internal import Search
internal import Threading

/// Finds the other books of a series and of an author.
///
/// The table of all names is made in the background, because this takes longer than a frame in a large catalog; then only
/// the books found are looked at.
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

        /// The maximum number of books by the author: those that a card lists, and the book itself.
        static let authorLimit = 9
    }

    /// The series and the first author of a book.
    private struct Names: Hashable {
        var series: BooksByName.Name?
        var author: BooksByName.Name?
    }

    /// The books by their names, once they were needed and are known.
    private var table = BackgroundCache<BooksByName>()
    /// Whether the table was asked for and is not being made yet.
    private(set) var isTableNeeded = false
    private var found: [Names: Related] = [:]
    /// The number of tables that became known later than they were needed, so far.
    private(set) var arrivalCount = 0

    /// The maximum number of books whose table is made without a background task, and whose results are not kept; both
    /// take less than a millisecond.
    private static let fewBooks = 5000
    /// The maximum number of results that are kept.
    private static let capacity = 200

    /// Takes over the table that was made in the background, if there is one.
    func receive() {
        guard table.receive() else { return }
        found = [:]
        arrivalCount += 1
    }

    /// Returns the books related to `book`; nil while the table of names is needed or being made. Linear in the books
    /// found, times the logarithm of those of the series.
    ///
    /// - Parameter version: The version of the books, as for all functions here.
    func books(relatedTo book: Book, in index: BookIndex, at version: LibraryVersion) -> Related? {
        let names = Names(series: .init(.series, of: book), author: .init(.author, of: book))
        if names == Names() { return Related() }
        guard let table = booksByName(in: index, at: version) else { return nil }
        if let known = found[names] { return known }
        let related = Self.find(names, in: table, index)
        if index.count <= Self.fewBooks { return related }
        if found.count >= Self.capacity { found = [:] }
        found[names] = related
        return related
    }

    /// Returns the books of `index` by their names; nil while the table is needed or being made.
    private func booksByName(in index: BookIndex, at version: LibraryVersion) -> BooksByName? {
        if let known = table[version] { return known }
        if table.isMaking(for: version) { return nil }
        forget()
        if index.count <= Self.fewBooks {
            table[version] = BooksByName(of: index)
        } else {
            isTableNeeded = true
        }
        return table[version]
    }

    /// Starts to make the table of the books of `index` in the background, if it is needed.
    ///
    /// - Parameters:
    ///   - columns: Starts to make the columns of these fields.
    ///   - notify: Called on any thread when the table is complete.
    func makeTable(
        of index: BookIndex, at version: LibraryVersion, from columns: ([IndexedTextField]) -> ColumnTask,
        notifying notify: @escaping @Sendable () -> Void
    ) {
        guard isTableNeeded else { return }
        isTableNeeded = false
        let task = columns(BooksByName.fields)
        table.begin(
            for: version, BackgroundTask(notifying: notify) { isCancelled in BooksByName(task, unless: isCancelled) })
    }

    /// Takes over a table that was made elsewhere, unless there is one.
    func take(_ table: BooksByName, at version: LibraryVersion) {
        if self.table[version] != nil { return }
        forget()
        self.table[version] = table
        arrivalCount += 1
    }

    /// The table, if it was made.
    func knownTable(at version: LibraryVersion) -> BooksByName? { table[version] }

    /// Discards the table, because the books changed.
    func forget() {
        table.forget()
        (found, isTableNeeded) = ([:], false)
    }

    private static func find(_ names: Names, in table: BooksByName, _ index: BookIndex) -> Related {
        let places = (names.series.map(table.books(of:)) ?? []).map { id in
            let place = index.facts(at: id.index).position
            return (place: place.isNaN ? .infinity : place, id: id)
        }
        var related = Related()
        related.series = places.sorted { ($0.place, $0.id) < ($1.place, $1.id) }.map(\.id)
        let isInSeries = Set(related.series)
        let byAuthor = names.author.map(table.books(of:)) ?? []
        let others = isInSeries.isEmpty ? byAuthor : byAuthor.filter { !isInSeries.contains($0) }
        related.authorCount = others.count
        related.byAuthor = Array(others.prefix(Related.authorLimit))
        return related
    }
}

extension Library {
    /// Returns the books related to `book`; nil if the catalog cannot be searched here, is still loading, or the names of
    /// its books are not known yet; in the last case, call `collectNamesOfBooks(notifying:)`.
    public func books(relatedTo book: Book) -> RelatedBookLists.Related? {
        guard store.local != nil, !store.state.isLoading else { return nil }
        return related.books(relatedTo: book, in: store.index, at: version(of: .books))
    }

    /// Whether related books were asked for before the names of all books were collected.
    public var needsNamesOfBooks: Bool { related.isTableNeeded }

    /// Starts to collect the names of books in the background, if they are needed.
    ///
    /// - Parameter notify: Called on any thread when the names are known.
    public func collectNamesOfBooks(notifying notify: @escaping @Sendable () -> Void) {
        related.makeTable(of: store.index, at: version(of: .books), from: columnsOfNames, notifying: notify)
    }

    /// Takes over the names of books that were collected in the background.
    public func receiveRelatedBooks() { related.receive() }
}
