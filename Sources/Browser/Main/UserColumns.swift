internal import Books
internal import Catalog
internal import Indexing
internal import Library
internal import Shelves

/// Which columns of the user's own values a list needs, cached because they change only with the user data and the
/// catalog.
struct UserColumns {
    /// Whether the user has given a book a status, or one of the first books of the catalog has one, and whether the user
    /// has rated a book.
    private var known = Cached<(hasStatuses: Bool, hasRatings: Bool)>()

    /// The number of books that are examined: enough to tell whether a catalog has statuses.
    private static let sampleSize = 1000

    /// Updates the answers. Linear in the user data if that has changed since the last call.
    mutating func update(for library: Library) {
        let version = library.version(of: [.books, .userData]).limited(toBooks: Self.sampleSize)
        if known[version] != nil { return }
        let index = library.store.index
        var (hasStatuses, hasRatings) = (false, false)
        for bookData in library.userData.books.values {
            if bookData.status != nil { hasStatuses = true }
            if bookData.rating != nil { hasRatings = true }
            if hasStatuses && hasRatings { break }
        }
        hasStatuses = hasStatuses || (0..<version.bookCount).contains { index.facts(at: $0).traits.status != nil }
        known[version] = (hasStatuses, hasRatings)
    }

    /// Whether a column may have a value in `index` or in the user data.
    func needs(_ column: ListColumn, in index: BookIndex) -> Bool {
        switch column {
        case .status: known.latest?.hasStatuses == true
        case .mine: known.latest?.hasRatings == true
        default: column.isKnown(in: index)
        }
    }
}
