internal import Books
internal import Catalog
internal import Indexing
internal import Library
internal import Shelves

/// Which columns of the user's own values a list needs, cached because they change only with the user data and the
/// catalog.
struct UserColumns {
    private var state: State?
    /// Whether the user has given a book a status, or one of the first books of the catalog has one.
    private(set) var hasStatuses = false
    /// Whether the user has rated a book.
    private(set) var hasRatings = false

    private struct State: Equatable {
        var changeCount: Int
        /// The number of books whose status in the catalog was examined.
        var bookCount: Int
    }

    /// The number of books that are examined: enough to tell whether a catalog has statuses.
    private static let sampleSize = 1000

    /// Updates the answers. Linear in the user data if that has changed since the last call.
    mutating func update(for library: Library) {
        let (userData, index) = (library.userData, library.store.index)
        let state = State(changeCount: userData.changeCount, bookCount: min(index.count, Self.sampleSize))
        if state == self.state { return }
        self.state = state
        (hasStatuses, hasRatings) = (false, false)
        for bookData in userData.books.values {
            if bookData.status != nil { hasStatuses = true }
            if bookData.rating != nil { hasRatings = true }
            if hasStatuses && hasRatings { break }
        }
        hasStatuses = hasStatuses || (0..<state.bookCount).contains { index.facts(at: $0).traits.status != nil }
    }

    /// Whether a column may have a value in `index` or in the user data.
    func needs(_ column: ListColumn, in index: BookIndex) -> Bool {
        switch column {
        case .status: hasStatuses
        case .mine: hasRatings
        default: column.isKnown(in: index)
        }
    }
}
