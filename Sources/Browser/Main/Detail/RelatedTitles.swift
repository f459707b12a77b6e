internal import Books
internal import Catalog
internal import Indexing
internal import Library
internal import Shelves

/// The titles of the books that are related to one, as its card lists them.
struct RelatedTitles: Hashable {
    /// A related book.
    struct Entry: Hashable {
        /// The title.
        var title: String
        /// The year of publication, if it is known.
        var year: Int?
        /// The place in the series, "#2", if it is known.
        var place: String?
        /// The reading status: the reader's own, or else that of the catalog.
        var status: Book.ReadingStatus?
        /// The reader's own rating.
        var rating: StarRating?
        /// The year in which the book was read, if it was and the date is known.
        var yearRead: String?
        /// Whether it is the next unread book of a series that the reader has begun.
        var isNext = false
        /// Whether it is the book of the card.
        var isCurrent = false
        /// The book, to which the title leads; nil for a title alone.
        var id: BookID?
    }

    /// The books of the series around the book of the card; empty if there are no others.
    var series: [Entry] = []
    /// The number of books of the series before the first entry.
    var before = 0
    /// The number of books of the series after the last entry.
    var after = 0
    /// Other books by the first author that are not in the series.
    var others: [Entry] = []
    /// The number of these books.
    var otherCount = 0

    /// The maximum number of books of the series.
    static let seriesLimit = 12
    /// The maximum number of other books by the author.
    static let otherLimit = 8

    /// The range of the books shown of a series of `count` with the book of the card at `index`.
    static func shownRange(around index: Int, of count: Int) -> Range<Int> {
        let start = max(0, min(index - seriesLimit / 2, count - seriesLimit))
        return start..<min(count, start + seriesLimit)
    }
}

extension Library {
    /// Returns the titles of the books related to `book`, whose id is `id`.
    func titles(of related: RelatedBookLists.Related, to book: Book, _ id: BookID) -> RelatedTitles {
        var titles = RelatedTitles()
        if related.series.count > 1, let index = related.series.firstIndex(of: id) {
            let range = RelatedTitles.shownRange(around: index, of: related.series.count)
            (titles.before, titles.after) = (range.lowerBound, related.series.count - range.upperBound)
            let next = nextBook(inSeries: related.series)
            titles.series = related.series[range].compactMap { member in
                guard var entry = store.bookAtHand(member).map({ entry(of: $0, member) }) else { return nil }
                (entry.isCurrent, entry.isNext) = (member == id, member == next)
                return entry
            }
        }
        // Without a series, the book is among those of its author.
        titles.otherCount = related.authorCount - (related.series.isEmpty && related.authorCount > 0 ? 1 : 0)
        titles.others = related.byAuthor.filter { $0 != id }.prefix(RelatedTitles.otherLimit).compactMap { other in
            store.bookAtHand(other).map { entry(of: $0, other) }
        }
        return titles
    }

    private func entry(of book: Book, _ id: BookID) -> RelatedTitles.Entry {
        let bookData = shownUserData(of: id)
        let status = bookData?.status ?? book.status
        return RelatedTitles.Entry(
            title: book.shownTitle, year: book.published?.year, place: book.seriesPosition.map { "#" + $0.shown },
            status: status,
            rating: bookData?.rating,
            yearRead: status == .read ? bookData?.statusDates[.read].map { String($0.prefix(4)) } : nil, id: id)
    }
}
