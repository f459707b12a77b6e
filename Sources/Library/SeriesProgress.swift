public import Books
internal import Catalog
public import Indexing
internal import Shelves

/// How far a reader is in a series.
enum SeriesProgress {
    /// Returns the index of the next book to read; nil if no book was read or is being read, or if none is left.
    ///
    /// It is the first book after the last one that was read or is being read, by their places, which the reader has not
    /// read or abandoned. Books without a place, which is not a number, are not counted on to follow others.
    static func next(in books: some Collection<(place: Float, status: Book.ReadingStatus?)>) -> Int? {
        var isBegun = false
        var last = -Float.infinity
        for book in books where book.status == .read || book.status == .reading {
            isBegun = true
            // A comparison with a number that is none is false.
            if book.place > last { last = book.place }
        }
        if !isBegun { return nil }
        var next: (index: Int, place: Float)?
        for (index, book) in books.enumerated() where book.place > last && book.place < next?.place ?? .infinity {
            if book.status == nil || book.status == .toRead { next = (index, book.place) }
        }
        return next?.index
    }
}

extension Library {
    /// Returns the reading status of a book in memory: the user's, or else the catalog's.
    public func status(of id: BookID) -> Book.ReadingStatus? {
        shownUserData(of: id)?.status ?? store.index.facts(at: id.index).traits.status
    }

    /// Returns the next unread book of a series in memory that the reader has begun. Linear in the series.
    public func nextBook(inSeries series: [BookID]) -> BookID? {
        SeriesProgress.next(in: series.map { (store.index.facts(at: $0.index).position, status(of: $0)) })
            .map { series[$0] }
    }
}
