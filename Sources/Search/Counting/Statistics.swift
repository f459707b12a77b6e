public import Books
internal import Indexing

/// The statistics of the books of a list.
public struct Statistics: Sendable {
    /// The number of books.
    public let bookCount: Int
    /// The most frequent authors, subjects, languages and series.
    public let facets: Facets
    /// The publication years.
    public let years: Histogram
    /// The page counts, clamped to 65,535.
    public let pages: Histogram
    /// The ratings in whole stars, 0 to 5, from the user data or else from the catalog.
    public let ratings: Histogram
    /// The same ratings in half stars, 0 to 10.
    public let halfStars: Histogram
    /// The years in which books were added.
    public let yearsAdded: Histogram
    /// The number of fiction books.
    public let fictionCount: Int
    /// The number of non-fiction books.
    public let nonFictionCount: Int
    /// The number of books by reading status, from the user data or else from the catalog.
    public let statuses: [Book.ReadingStatus: Int]
    /// The number of favourites.
    public let favouriteCount: Int
    /// The number of books with a value in each field of the catalog, in display order; user data does not count.
    public let fields: [FieldCount]

    /// The statistics of the fields that only the catalog has, in any order.
    public internal(set) var own: [OwnStatistics] = []

    /// The number of books that have a value in a field.
    public struct FieldCount: Hashable, Sendable {
        /// The field; only valid ISBNs count.
        public let field: BookField
        /// The number of books.
        public let count: Int
    }

    /// The number of books published in a decade.
    public struct DecadeCount: Hashable, Sendable {
        /// The decade.
        public let decade: Decade
        /// The number of books.
        public let count: Int
    }

    /// The decades with at least one book, ascending. Linear in the years.
    public var decades: [DecadeCount] {
        var found: [DecadeCount] = []
        for entry in years.entries {
            let decade = Decade(ofYear: entry.number)
            let count = found.last?.decade == decade ? found.removeLast().count : 0
            found.append(DecadeCount(decade: decade, count: count + entry.count))
        }
        return found
    }

    /// The number of books without a reading status.
    public var withoutStatusCount: Int { bookCount - statuses.values.reduce(0, +) }

    /// The mean rating in stars, to the nearest half star of each book; nil without ratings.
    public var meanRating: Double? { halfStars.mean.map { $0 / 2 } }

    /// Returns the number of books that have a value in `field`, or nil if it is not counted.
    public func count(of field: BookField) -> Int? { fields.first { $0.field == field }?.count }
}

extension Statistics {
    /// Combines the parallel counts with the user data. Linear in the user data.
    init(
        _ facets: Facets, _ numbers: NumericAccumulator, _ list: SelectionBySegment, in index: BookIndex,
        _ userData: UserDataFilter
    ) {
        bookCount = facets.bookCount
        self.facets = facets
        // The first entry of each table counts unknown values.
        years = Histogram(from: NumericAccumulator.firstYear + 1, counts: Array(numbers.years.dropFirst()))
        pages = Histogram(from: 1, counts: Array(numbers.pages.dropFirst()))
        yearsAdded = Histogram(from: NumericAccumulator.firstYearAdded, counts: numbers.yearsAdded)
        fictionCount = numbers.count { $0.isFiction == true }
        nonFictionCount = numbers.count { $0.isFiction == false }

        var stars = Stars()
        for rating in 1..<numbers.ratings.count { stars.add(numbers.ratings[rating], of: UInt8(rating)) }
        let numberCounts: [BookField: Int] = [
            .published: years.bookCount, .pageCount: pages.bookCount, .fiction: fictionCount + nonFictionCount,
            .rating: stars.count, .description: numbers.count { $0.contains(.described) },
            .cover: numbers.count { $0.contains(.covered) }, .dateAdded: yearsAdded.bookCount,
        ]
        fields = BookField.inStatistics.map { field in
            let texts = Query.TextField(field).map { facets.bookCount(having: $0.line) }
            return FieldCount(field: field, count: texts ?? numberCounts[field] ?? 0)
        }

        // User data overrides the catalog.
        var statuses: [Book.ReadingStatus: Int] = [:]
        for status in Book.ReadingStatus.allCases { statuses[status] = numbers.count { $0.status == status } }
        for (status, books) in userData.statuses {
            for book in books where list.contains(Int(book)) {
                if let other = index.facts(at: Int(book)).traits.status { statuses[other, default: 0] -= 1 }
                statuses[status, default: 0] += 1
            }
        }
        self.statuses = statuses
        for (rating, books) in userData.ratings {
            for book in books where list.contains(Int(book)) {
                stars.replace(index.facts(at: Int(book)).rating, by: rating)
            }
        }
        ratings = Histogram(counts: stars.whole)
        halfStars = Histogram(counts: stars.halves)
        favouriteCount = userData.favourites.count { list.contains(Int($0)) }
    }
}

/// The number of books by stars.
private struct Stars {
    /// By whole stars, from 0 to 5.
    private(set) var whole = [UInt32](repeating: 0, count: 6)
    /// By half stars, from 0 to 10. A whole star is not the sum of two halves: 4.3 rounds to 4 and to 4.5.
    private(set) var halves = [UInt32](repeating: 0, count: 11)

    /// The number of books that have a rating.
    var count: Int { whole.reduce(0) { $0 + Int($1) } }

    /// Adds `count` books with a rating in the encoding of `NumericFields`.
    mutating func add(_ count: UInt32, of rating: UInt8) {
        whole[NumericFields.stars(of: rating)] += count
        halves[NumericFields.halfStars(of: rating).halves] += count
    }

    /// Replaces the catalog's rating of a book by the user's.
    mutating func replace(_ rating: UInt8, by stars: StarRating) {
        if rating > 0 {
            whole[NumericFields.stars(of: rating)] -= 1
            halves[NumericFields.halfStars(of: rating).halves] -= 1
        }
        whole[(stars.halves + 1) / 2] += 1
        halves[stars.halves] += 1
    }
}

extension NumericFields {
    /// Returns a known rating of the index in whole stars, 0 to 5.
    static func stars(of rating: UInt8) -> Int { min(5, (Int(rating) - 1 + 20) / 40) }

    /// Returns a known rating of the index, rounded to half stars.
    static func halfStars(of rating: UInt8) -> StarRating { StarRating(halves: (Int(rating) - 1 + 10) / 20) }
}
