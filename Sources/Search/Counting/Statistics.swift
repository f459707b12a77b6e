public import Books
internal import Indexing

/// What the books of a list are like, all of them together.
public struct Statistics: Sendable {
    /// How many books were counted.
    public let bookCount: Int
    /// The authors, subjects, languages and series that most of them have.
    public let facets: Facets
    /// The years in which they were published.
    public let years: Histogram
    /// Their numbers of pages; what is above 65,535 counts as that.
    public let pages: Histogram
    /// Their ratings in whole stars, 0 to 5: the reader's own, and of books that the reader did not rate the catalog's.
    public let ratings: Histogram
    /// The years in which they came to the catalog.
    public let yearsAdded: Histogram
    /// How many are fiction.
    public let fictionCount: Int
    /// How many are not.
    public let nonFictionCount: Int
    /// How many have each status: the reader's own, and of books to which the reader gave none the catalog's.
    public let statuses: [Book.ReadingStatus: Int]
    /// How many are the reader's favourites.
    public let favouriteCount: Int
    /// How many have each field in the catalog, in the order in which they are shown; what the reader adds does not count.
    public let fields: [FieldCount]

    /// How many books have a field.
    public struct FieldCount: Hashable, Sendable {
        /// The field; of ISBNs only valid ones count.
        public let field: BookField
        /// How many have it.
        public let count: Int
    }

    /// How many books are of a decade.
    public struct DecadeCount: Hashable, Sendable {
        /// The decade.
        public let decade: Decade
        /// How many are of it.
        public let count: Int
    }

    /// The decades of which any book is, ascending. Linear in the years.
    public var decades: [DecadeCount] {
        var found: [DecadeCount] = []
        for entry in years.entries {
            let decade = Decade(ofYear: entry.number)
            let count = found.last?.decade == decade ? found.removeLast().count : 0
            found.append(DecadeCount(decade: decade, count: count + entry.count))
        }
        return found
    }

    /// How many have no status.
    public var withoutStatusCount: Int { bookCount - statuses.values.reduce(0, +) }

    /// How many have `field`; nil where that is not counted.
    public func count(of field: BookField) -> Int? { fields.first { $0.field == field }?.count }
}

extension Statistics {
    /// The statistics of the books of `list` among those of `index`, of which threads counted `facets` and `numbers`, with what
    /// `marks` say of them. Linear in the marks.
    init(
        _ facets: Facets, _ numbers: NumericAccumulator, _ list: SelectionBySegment, in index: BookIndex,
        _ marks: UserDataFilter
    ) {
        bookCount = facets.bookCount
        self.facets = facets
        // The first of each stands for the books of which it is not known.
        years = Histogram(from: NumericAccumulator.firstYear + 1, counts: Array(numbers.years.dropFirst()))
        pages = Histogram(from: 1, counts: Array(numbers.pages.dropFirst()))
        yearsAdded = Histogram(from: NumericAccumulator.firstYearAdded, counts: numbers.yearsAdded)
        fictionCount = numbers.count { $0.isFiction == true }
        nonFictionCount = numbers.count { $0.isFiction == false }

        var stars = Stars()
        for rating in 1..<numbers.ratings.count { stars.add(numbers.ratings[rating], of: UInt8(rating)) }
        fields = [
            (.title, facets.bookCount(having: .title)), (.authors, facets.bookCount(having: .author)),
            (.isbn, facets.bookCount(having: .isbn)), (.published, years.bookCount), (.pageCount, pages.bookCount),
            (.languages, facets.bookCount(having: .language)), (.publisher, facets.bookCount(having: .publisher)),
            (.subjects, facets.bookCount(having: .subject)), (.series, facets.bookCount(having: .series)),
            (.fiction, fictionCount + nonFictionCount), (.rating, stars.count),
            (.description, numbers.count { $0.contains(.described) }),
            (.cover, numbers.count { $0.contains(.covered) }), (.dateAdded, yearsAdded.bookCount),
        ].map { FieldCount(field: $0, count: $1) }

        // Of a book that the reader marked, what the catalog says does not count.
        var statuses: [Book.ReadingStatus: Int] = [:]
        for status in Book.ReadingStatus.allCases { statuses[status] = numbers.count { $0.status == status } }
        for (status, books) in marks.statuses {
            for book in books where list.contains(Int(book)) {
                if let other = index.facts(at: Int(book)).traits.status { statuses[other, default: 0] -= 1 }
                statuses[status, default: 0] += 1
            }
        }
        self.statuses = statuses
        for (rating, books) in marks.ratings {
            for book in books where list.contains(Int(book)) {
                stars.replace(index.facts(at: Int(book)).rating, by: rating)
            }
        }
        ratings = Histogram(counts: stars.counts)
        favouriteCount = marks.favourites.count { list.contains(Int($0)) }
    }
}

/// How many books have each number of whole stars, from none to five.
private struct Stars {
    private(set) var counts = [UInt32](repeating: 0, count: 6)

    /// How many have any.
    var count: Int { counts.reduce(0) { $0 + Int($1) } }

    /// Adds so many books with a rating as `NumericFields` has it.
    mutating func add(_ count: UInt32, of rating: UInt8) { counts[Self.stars(of: rating)] += count }

    /// Takes the rating of a book for another, in whole stars.
    mutating func replace(_ rating: UInt8, by stars: Int) {
        if rating > 0 { counts[Self.stars(of: rating)] -= 1 }
        counts[min(5, max(0, stars))] += 1
    }

    private static func stars(of rating: UInt8) -> Int { min(5, (Int(rating) - 1 + 20) / 40) }
}
