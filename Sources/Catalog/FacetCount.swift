public import Storage
internal import Synchronization

/// One count of the values that the books of a list have: several threads do it, and whoever began it may wait for a while, or
/// stop it.
public final class FacetCount: Sendable {
    /// How many values there are at most of a facet, by default.
    public static let standardLimit = 200

    private let counting: Counting
    private let work: PhasedWork
    private let task: WorkTeam.Task

    /// Begins to count the values of the books of `list` that `index` has.
    ///
    /// - Parameters:
    ///   - limit: How many values there are at most of a facet.
    ///   - team: The threads; what they did before is stopped.
    ///   - notify: Called on any thread when it is complete.
    public init(
        of list: BookList, in index: BookIndex, limit: Int = standardLimit, by team: WorkTeam,
        notifying notify: @escaping @Sendable () -> Void = {}
    ) {
        let counting = Counting(ListedBooks(list, of: index), limit)
        self.counting = counting
        work = PhasedWork([
            PhasedWork.Phase(
                partCount: index.segments.count, perform: { counting.count(segment: $0) }),
            PhasedWork.Phase(
                partCount: Counting.partCount, perform: { counting.merge(part: $0) },
                finish: {
                    counting.finish()
                    notify()
                }),
        ])
        task = team.start(work)
    }

    /// Waits until it is complete, at most so many milliseconds.
    ///
    /// - Returns: Whether it is.
    public func wait(milliseconds: Int) -> Bool {
        // Whoever is told that it is complete may ask before the threads have left it.
        facets != nil || task.wait(milliseconds: milliseconds) && facets != nil
    }

    /// What was counted; nil where it is not complete.
    public var facets: Facets? { counting.facets.withLock { $0 } }

    /// Stops it as soon as can be.
    public func stop() {
        work.stop()
        task.stop()
    }
}

/// The state of a count.
private final class Counting: Sendable {
    /// What is one thread's at a time, until all is counted.
    // Unchecked, as the compiler cannot know that.
    private final class Worker: @unchecked Sendable {
        var tally = FacetTally()
    }

    let facets = Locked<Facets?>(nil)
    private let books: ListedBooks
    private let limit: Int
    /// Those that no thread has; at last all.
    private let workers = Locked<[Worker]>([])
    private let rankings: Locked<[FacetRanking]>

    /// The texts are put together in parts by the first bits of their hashes, so that several threads can do it.
    private static let partBitCount = 4
    static let partCount = 1 << partBitCount
    private static let textFacets: [Facet] = [.author, .subject, .series, .language]

    init(_ books: ListedBooks, _ limit: Int) {
        self.books = books
        self.limit = limit
        rankings = Locked(Self.textFacets.map { _ in FacetRanking(limit: limit) })
    }

    func count(segment number: Int) {
        let worker = workers.withLock { $0.popLast() } ?? Worker()
        worker.tally.add(books, inSegment: number)
        workers.withLock { $0.append(worker) }
    }

    func merge(part: Int) {
        let workers = workers.withLock { $0 }
        for (number, facet) in Self.textFacets.enumerated() {
            var ranking = FacetRanking(limit: limit)
            if workers.count == 1 {
                workers[0].tally.forEachText(of: facet, inPart: part, bitCount: Self.partBitCount) { ranking.add($0) }
            } else {
                let count = workers.reduce(0) { $0 + $1.tally.textCount(of: facet) }
                var table = ValueTable<FacetTally.Tally>(
                    count: count / Self.partCount, ignoredBitCount: Self.partBitCount)
                for worker in workers {
                    worker.tally.forEachText(of: facet, inPart: part, bitCount: Self.partBitCount) { other in
                        let entry = table.entry(of: other.bytes, hash: other.hash)
                        // The text is that of the first book, whichever thread was the first.
                        if entry.pointee.note.count > 0, other.note.first < entry.pointee.note.first {
                            entry.pointee.text = other.text
                        }
                        entry.pointee.note.add(other.note)
                    }
                }
                table.forEachEntry { ranking.add($0) }
            }
            rankings.withLock { $0[number].add(ranking) }
        }
    }

    func finish() {
        // What they have takes more memory than the catalog's index.
        let workers = workers.withLock { workers in
            defer { workers = [] }
            return workers
        }
        let first = workers.first ?? Worker()
        for worker in workers.dropFirst() { first.tally.addNumbers(of: worker.tally) }
        let rankings = rankings.withLock { $0 }
        let counts = Facet.allCases.map { facet in
            let ranking = Self.textFacets.firstIndex(of: facet).map { rankings[$0] } ?? FacetRanking(limit: 0)
            let numbers = first.tally.numbers(of: facet)
            var values = ranking.best.map { FacetValue(facet, String(decoding: $0.bytes, as: UTF8.self), $0.note) }
            if !numbers.isEmpty {
                values += numbers.map { FacetValue(facet, $0.value, $0.tally) }
                values.sort { ($1.count, $0.book, $0.value) < ($0.count, $1.book, $1.value) }
            }
            return FacetCounts(
                values: Array(values.prefix(limit)), distinctCount: ranking.distinctCount + numbers.count,
                unknownCount: books.count - first.tally.knownCount(of: facet))
        }
        facets.withLock { $0 = Facets(bookCount: books.count, counts) }
    }
}

extension FacetValue {
    fileprivate init(_ facet: Facet, _ value: String, _ tally: FacetTally.Tally) {
        self.init(facet: facet, value: value, count: Int(tally.count), book: Int(tally.first))
    }
}
