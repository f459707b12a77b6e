internal import Books
internal import Indexing

/// The books of a catalog by reading status: the user's, or else the catalog's, as searches and statistics count them.
struct StatusLists {
    /// The books by the status in their records, in catalog order.
    private var ofCatalog: [Book.ReadingStatus: [BookID]] = [:]
    /// The number of books whose records were examined.
    private var bookCount = 0
    /// The complete lists, computed on first use.
    private var lists: [Book.ReadingStatus: [BookID]] = [:]
    /// The `UserData.changeCount` for which the lists are valid.
    private var changeCount = 0

    /// Discards the complete lists, because the user data has moved to other books.
    mutating func forgetUserData() { lists = [:] }

    /// Returns the books of `index` with a reading status; `users` returns the books to which the user gave a status.
    /// Linear in the number of books with a status on first use, then constant.
    mutating func books(
        with status: Book.ReadingStatus, in index: BookIndex, changeCount: Int,
        users: (Book.ReadingStatus) -> [BookID]
    ) -> [BookID] {
        extend(to: index)
        if changeCount != self.changeCount { forgetUserData() }
        self.changeCount = changeCount
        if let known = lists[status] { return known }
        let ofUser = users(status)
        let others = ofCatalog[status] ?? []
        if others.isEmpty { return ofUser }
        var isTaken: Set<BookID> = []
        for status in Book.ReadingStatus.allCases { isTaken.formUnion(users(status)) }
        let books = (ofUser + others.filter { !isTaken.contains($0) }).sorted()
        lists[status] = books
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
        lists = [:]
    }
}
