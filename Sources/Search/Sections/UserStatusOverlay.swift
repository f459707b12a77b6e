internal import Books

/// The statuses that the reader gave to books, which count in place of those in the catalog.
struct UserStatusOverlay: Sendable {
    /// Each book and its status, by the numbers of the books.
    let entries: [(book: UInt32, status: Book.ReadingStatus)]

    /// What `marks` say.
    init(_ marks: UserDataFilter = UserDataFilter()) {
        entries = marks.statuses.flatMap { status, books in books.map { (book: $0, status: status) } }
            .sorted { $0.book < $1.book }
    }

    /// The status of a book; nil where the reader gave it none. Logarithmic.
    subscript(book: Int) -> Book.ReadingStatus? {
        let place = place(of: book)
        return place < entries.count && Int(entries[place].book) == book ? entries[place].status : nil
    }

    /// Those of the books in `range`.
    subscript(range: Range<Int>) -> ArraySlice<(book: UInt32, status: Book.ReadingStatus)> {
        entries[place(of: range.lowerBound)..<place(of: range.upperBound)]
    }

    /// Where the first entry is that is not of a book before this one.
    private func place(of book: Int) -> Int {
        var (low, high) = (0, entries.count)
        while low < high {
            let middle = (low + high) / 2
            if Int(entries[middle].book) < book { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
