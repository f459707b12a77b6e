internal import Books

/// The reading statuses in the user data, which override those in the catalog.
struct UserStatusOverlay: Sendable {
    /// The books with a status, in ascending order.
    let entries: [(book: UInt32, status: Book.ReadingStatus)]

    /// Collects the statuses in `userData`.
    init(_ userData: UserDataFilter = UserDataFilter()) {
        entries = userData.statuses.flatMap { status, books in books.map { (book: $0, status: status) } }
            .sorted { $0.book < $1.book }
    }

    /// Returns the status of a book in the user data. Logarithmic.
    subscript(book: Int) -> Book.ReadingStatus? {
        let position = position(of: book)
        return position < entries.count && Int(entries[position].book) == book ? entries[position].status : nil
    }

    /// Returns the entries of the books in `range`.
    subscript(range: Range<Int>) -> ArraySlice<(book: UInt32, status: Book.ReadingStatus)> {
        entries[position(of: range.lowerBound)..<position(of: range.upperBound)]
    }

    /// Returns the index of the first entry whose book is not below `book`.
    private func position(of book: Int) -> Int {
        var (low, high) = (0, entries.count)
        while low < high {
            let middle = (low + high) / 2
            if Int(entries[middle].book) < book { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
