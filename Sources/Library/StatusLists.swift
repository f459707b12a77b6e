internal import Books
internal import Indexing

/// The books of a catalog by reading status: the user's, or else the catalog's, as searches and statistics count them.
struct StatusLists {
    /// The books by the status in their records, in catalog order.
    private var ofCatalog: [Book.ReadingStatus: [BookID]] = [:]
    /// The number of books whose records were examined.
    private var bookCount = 0
    /// The complete lists, computed on first use.
    private var lists = Cached<[Book.ReadingStatus: [BookID]]>()

    /// Returns the books of `index` with a reading status; `users` returns the books to which the user gave a status.
    /// Linear in the number of books with a status on first use, then constant.
    ///
    /// - Parameter version: The version of the books, of the user data and of its places.
    mutating func books(
        with status: Book.ReadingStatus, in index: BookIndex, at version: LibraryVersion,
        users: (Book.ReadingStatus) -> [BookID]
    ) -> [BookID] {
        extend(to: index)
        if let known = lists[version]?[status] { return known }
        let ofUser = users(status)
        let others = ofCatalog[status] ?? []
        if others.isEmpty { return ofUser }
        var isTaken: Set<BookID> = []
        for status in Book.ReadingStatus.allCases { isTaken.formUnion(users(status)) }
        let books = (ofUser + others.filter { !isTaken.contains($0) }).sorted()
        if lists[version] == nil { lists[version] = [:] }
        lists.latest?[status] = books
        return books
    }

    private mutating func extend(to index: BookIndex) {
        if index.count == bookCount { return }
        if index.count < bookCount { self = StatusLists() }
        for (segment, first) in zip(index.segments, index.starts) where first + segment.count > bookCount {
            if segment.traits.isEmpty { continue }
            for book in max(0, bookCount - first)..<segment.count {
                // The other facts of a book are in other pages of the file.
                guard let status = NumericFields.Traits(rawValue: segment.traits[book]).status else { continue }
                ofCatalog[status, default: []].append(BookID(first + book))
            }
        }
        bookCount = index.count
    }
}
