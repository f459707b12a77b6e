internal import Books
internal import Indexing
internal import Threading

/// Counts the facet values of a list in two parallel phases: first segment by segment, then merging partition by
/// partition.
final class FacetAggregation: Sendable {
    // Unchecked, because the compiler cannot know that only one thread uses it at a time.
    /// The counts of one thread.
    private final class Worker: @unchecked Sendable {
        var tally = FacetAccumulator()
    }

    // Unchecked, because the compiler cannot know that only one thread uses it at a time.
    /// The table in which the texts of one partition are merged.
    private final class MergeTable: @unchecked Sendable {
        var table = TermHashTable<FacetAccumulator.Tally>(ignoredBitCount: RadixPartitions.partBitCount)
    }

    /// The result, or nil until it is complete.
    let facets = Locked<Facets?>(nil)
    private let books: SelectionBySegment
    private let index: BookIndex
    private let userData: UserDataFilter
    private let columns: FieldColumns
    private let limit: Int
    private let wanted: Set<Facet>
    /// The workers that are not in use by a thread; in the end all of them.
    private let workers = Locked<[Worker]>([])
    /// The tables that are not in use by a thread.
    private let idleTables = Locked<[MergeTable]>([])
    private let rankings: Locked<[TopValues]>

    /// The number of partitions in which texts are merged in parallel.
    static let partCount = RadixPartitions.partCount
    private static let textFacets: [Facet] = [.author, .subject, .series, .language]

    /// Prepares to count `books`, which must belong to `index`, and to keep at most `limit` values for each of `facets`;
    /// `userData` overrides the reading statuses and ratings in the catalog.
    init(
        _ books: SelectionBySegment, _ index: BookIndex, _ userData: UserDataFilter, _ facets: Set<Facet>, _ limit: Int,
        _ columns: FieldColumns = [:]
    ) {
        self.columns = columns
        (self.books, self.index, self.userData) = (books, index, userData)
        (wanted, self.limit) = (facets, limit)
        rankings = Locked(Self.textFacets.map { _ in TopValues(limit: limit) })
    }

    /// Counts the books of a segment.
    func count(segment number: Int) {
        let worker = workers.withLock { $0.popLast() } ?? Worker()
        worker.tally.add(books, inSegment: number, wanted)
        workers.withLock { $0.append(worker) }
    }

    /// Merges the counts of one partition of the texts, after all segments were counted.
    func merge(part: Int) {
        let workers = workers.withLock { $0 }
        let merged = idleTables.withLock { $0.popLast() } ?? MergeTable()
        for (number, facet) in Self.textFacets.enumerated() where wanted.contains(facet) {
            for worker in workers { worker.tally.add(facet, part: part, to: &merged.table) }
            var ranking = TopValues(limit: limit)
            merged.table.forEachEntry { ranking.add($0) }
            merged.table.removeAll()
            rankings.withLock { $0[number].add(ranking) }
        }
        idleTables.withLock { $0.append(merged) }
    }

    /// Builds the result, after all partitions were merged.
    func finish() {
        // The workers take more memory than the catalog's index.
        let workers = workers.withLock { workers in
            defer { workers = [] }
            return workers
        }
        let first = workers.first ?? Worker()
        for worker in workers.dropFirst() { first.tally.addNumbers(of: worker.tally) }
        let rankings = rankings.withLock { $0 }
        var counts: [Facet: FacetCounts] = [:]
        for facet in wanted {
            if case .own(let field) = facet {
                counts[facet] = columns[field].map { FacetCounts(of: field, $0, in: books, limit: limit) }
                continue
            }
            let ranking = Self.textFacets.firstIndex(of: facet).map { rankings[$0] } ?? TopValues(limit: 0)
            let numbers = numbers(of: facet, in: first.tally)
            let knownCount =
                switch facet {
                case .status, .rating, .ownRating: numbers.reduce(0) { $0 + Int($1.tally.count) }
                case .yearRead: Set(userData.readYears.values.joined()).count { books.contains(Int($0)) }
                case .shelf: Set(userData.shelves.values.joined()).count { books.contains(Int($0)) }
                case .author, .subject, .language, .decade, .series, .fiction: first.tally.knownCount(of: facet)
                case .own: 0
                }
            var values = ranking.best.map { FacetValue(facet, String(decoding: $0.bytes, as: UTF8.self), $0.note) }
            if !numbers.isEmpty {
                values += numbers.map { FacetValue(facet, $0.value, $0.tally) }
                values.sort { ($1.count, $0.book, $0.value) < ($0.count, $1.book, $1.value) }
            }
            counts[facet] = FacetCounts(
                values: Array(values.prefix(limit)), distinctCount: ranking.distinctCount + numbers.count,
                unknownCount: books.count - knownCount)
        }
        facets.withLock { $0 = Facets(bookCount: books.count, counts, having: first.tally.bookCounts) }
    }

    private typealias Numbers = [(value: String, tally: FacetAccumulator.Tally)]

    /// Returns the counts of `facet` except for texts; user data overrides the catalog.
    private func numbers(of facet: Facet, in tally: borrowing FacetAccumulator) -> Numbers {
        let known = tally.numbers(of: facet)
        switch facet {
        case .author, .subject, .language, .decade, .series, .fiction, .own: return known
        case .status:
            let entries = UserStatusOverlay(userData).entries.map { ($0.book, $0.status.rawValue) }
            return overriding(known, with: entries) { index.facts(at: $0).traits.status?.rawValue }
        case .rating:
            return overriding(known, with: ownRatings) { book in
                let rating = index.facts(at: book).rating
                return rating == 0 ? nil : NumericFields.halfStars(of: rating).number
            }
        case .ownRating:
            return overriding(known, with: ownRatings) { _ in nil }
        case .yearRead:
            let entries = userData.readYears.flatMap { year, books in books.map { ($0, String(year)) } }
            return overriding(known, with: entries) { _ in nil }
        case .shelf:
            let entries = userData.shelves.flatMap { key, books in books.map { ($0, key) } }
            return overriding(known, with: entries) { _ in nil }
        }
    }

    /// The books that the user has rated, with the ratings in the syntax of `FacetValue.value`.
    private var ownRatings: [(book: UInt32, value: String)] {
        userData.ratings.flatMap { rating, books in books.map { ($0, rating.number) } }
    }

    /// Returns `known` with the values in the user data in place of those that `former` returns.
    private func overriding(
        _ known: Numbers, with entries: [(book: UInt32, value: String)], former: (Int) -> String?
    ) -> Numbers {
        var tallies = Dictionary(known.map { ($0.value, $0.tally) }) { first, _ in first }
        for (book, value) in entries where books.contains(Int(book)) {
            let former = former(Int(book))
            if former == value { continue }
            if let former, var tally = tallies.removeValue(forKey: former), tally.count > 1 {
                tally.count -= 1
                tallies[former] = tally
            }
            tallies[value, default: FacetAccumulator.Tally()].add(book)
        }
        return tallies.map { (value: $0.key, tally: $0.value) }
    }
}

extension FacetValue {
    fileprivate init(_ facet: Facet, _ value: String, _ tally: FacetAccumulator.Tally) {
        self.init(facet: facet, value: value, count: Int(tally.count), book: BookID(tally.first))
    }
}
