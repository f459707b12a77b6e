public import Indexing
internal import Synchronization
public import Threading

/// The result of a search, complete or partial.
public struct SearchResult: Sendable {
    /// The books that match, in the given order if there is one, else best matches first and equal ones in list order.
    public let list: BookList
    /// Whether all books were searched.
    public let isComplete: Bool
    /// The hits of each segment, from the first on.
    let matches: [SegmentHits]
}

/// A running search, executed by a thread pool; the caller can wait for it, read partial results and stop it.
public final class BookSearch: Sendable {
    /// The books that are searched.
    public struct Scope: Sendable {
        let segments: [IndexSegment]
        /// The index of the first book of each segment.
        let starts: [Int]
        /// The number of books.
        fileprivate let count: Int
        /// The books to include in ascending order; nil for all.
        let members: [UInt32]?
        /// The order of the result; nil for best matches first, then catalog order.
        fileprivate let order: [UInt32]?
        /// The columns that the query needs.
        public private(set) var columns: FieldColumns

        /// Returns this scope with the columns of further fields.
        public func with(_ columns: FieldColumns) -> Scope {
            var scope = self
            scope.columns = columns
            return scope
        }

        /// Creates a scope of the books in `list`, which must belong to `index`.
        ///
        /// The result is sorted by `order`, an order of all books, or else by rank and catalog order.
        public init(
            _ list: BookList, of index: BookIndex, order: [UInt32]? = nil, columns: FieldColumns = [:]
        ) {
            self.columns = columns
            segments = index.segments
            starts = index.starts
            count = index.count
            self.order = order
            // A list of all books excludes those that were added to the index later.
            let indices = list.indices ?? (list.count < index.count ? Array(0..<UInt32(list.count)) : nil)
            members = indices.flatMap { $0.count == index.count ? nil : $0.sorted() }
        }
    }

    /// The rows that can be shown before the search is complete, as soon as no later hit can change them.
    public struct FirstRows: Sendable {
        /// The number of rows on the screen.
        public var count: Int
        /// The book around which the rows are shown; nil for the first rows.
        public var anchor: BookID?

        /// Creates a request for `count` rows around the book `anchor`.
        public init(count: Int, anchor: BookID? = nil) {
            self.count = count
            self.anchor = anchor
        }
    }

    private let work: Work
    private let task: BackgroundTask<SearchResult>

    /// Starts searching `scope` for the books that match `query`.
    ///
    /// - Parameters:
    ///   - userData: The user data that the query may refer to.
    ///   - earlier: The result of the same query or one that this query refines, in the same scope or the beginning of
    ///     it.
    ///   - isSame: Whether the query and the user data are the same, so that segments in `earlier` are not searched
    ///     again.
    ///   - firstRows: The rows that `waitForFirstRows(milliseconds:)` waits for; nil for all.
    ///   - pool: The thread pool.
    ///   - scheduling: How its threads share the processors.
    ///   - notify: Called on any thread, several times a second during the search and once at the end.
    public init(
        _ query: Query, in scope: Scope, userData: UserDataFilter = UserDataFilter(),
        after earlier: SearchResult? = nil,
        isSame: Bool = false, showing firstRows: FirstRows? = nil, on pool: ThreadPool = .shared,
        as scheduling: BackgroundThread.Scheduling = .interactive,
        notifying notify: @escaping @Sendable () -> Void = {}
    ) {
        work = Work(query, scope, userData, earlier, isSame: isSame, firstRows, notify)
        task = pool.start(work, as: scheduling, notifying: notify)
    }

    /// Waits at most `milliseconds` for the search to complete.
    ///
    /// - Returns: Whether it is complete.
    public func wait(milliseconds: Int) -> Bool {
        task.wait(milliseconds: milliseconds) != nil
    }

    /// Waits at most `milliseconds` until the first rows are final or the search is complete.
    public func waitForFirstRows(milliseconds: Int) {
        work.hasFirstRows.wait(milliseconds: milliseconds) { $0 }
    }

    /// The complete result, or the hits before the first segment that was not searched yet.
    public var result: SearchResult { task.value ?? work.partialResult }

    /// The result without its list, which is slow to build, for a search that continues this one.
    public var beginning: SearchResult { task.value ?? work.unlistedResult }

    /// Stops the search as soon as possible.
    public func stop() { task.cancel() }

    /// Waits until the search is complete, and stops it as soon as `isUnwanted` returns true.
    ///
    /// - Returns: The result, or nil if it was stopped.
    public func wait(unless isUnwanted: () -> Bool) -> SearchResult? { task.wait(unless: isUnwanted) }

    private final class Work: ParallelJob {
        let partCount: Int
        private let scope: Scope
        private let plan: QueryPlan
        private let earlier: SearchResult?
        private let isSame: Bool
        private let notify: @Sendable () -> Void
        private let found: Locked<FoundHits>
        /// Whether the first rows are final or the search is complete.
        let hasFirstRows = Locked(false)
        /// The searchers that are not in use by a thread.
        private let idle = Locked<[Searcher]>([])
        private let isStopped = Atomic(false)
        /// The time of the last notification in milliseconds.
        private let lastNotice: Atomic<Int>

        /// The minimum interval between notifications in milliseconds.
        private static let noticeInterval = 100

        init(
            _ query: Query, _ scope: Scope, _ userData: UserDataFilter, _ earlier: SearchResult?, isSame: Bool,
            _ firstRows: FirstRows?, _ notify: @escaping @Sendable () -> Void
        ) {
            self.scope = scope
            self.earlier = earlier
            self.isSame = isSame
            self.notify = notify
            plan = QueryPlan(query.expression, userData: userData, in: scope)
            let known = isSame ? earlier?.matches ?? [] : []
            partCount = max(0, scope.segments.count - known.count)
            // With a given order, any later hit may come first.
            let matches = FoundHits(known, in: scope, showing: scope.order == nil ? firstRows : nil)
            if matches.hasFirstRows { hasFirstRows.change { $0 = true } }
            found = Locked(matches)
            lastNotice = Atomic(Self.now)
        }

        var partialResult: SearchResult {
            let matches = beginning
            return SearchResult(list: list(of: matches), isComplete: false, matches: matches)
        }

        var unlistedResult: SearchResult {
            SearchResult(list: BookList(numbers: []), isComplete: false, matches: beginning)
        }

        /// The hits before the first segment that was not searched yet.
        private var beginning: [SegmentHits] {
            found.withLock { found in found.matches.prefix { $0 != nil }.compactMap(\.self) }
        }

        func stop() { isStopped.store(true, ordering: .relaxed) }

        func perform(part: Int) {
            let number = scope.segments.count - partCount + part
            guard let matches = matches(inSegment: number) else { return }
            if isStopped.load(ordering: .relaxed) { return }
            let hasFirstRows = found.withLock { found in
                found.set(matches, ofSegment: number)
                return found.hasFirstRows
            }
            if hasFirstRows { self.hasFirstRows.change { $0 = true } }
            let now = Self.now
            let last = lastNotice.load(ordering: .relaxed)
            if now - last >= Self.noticeInterval,
                lastNotice.compareExchange(expected: last, desired: now, ordering: .relaxed).exchanged
            {
                notify()
            }
        }

        private func matches(inSegment number: Int) -> SegmentHits? {
            let (segment, start) = (scope.segments[number], scope.starts[number])
            var searcher = idle.withLock { $0.popLast() }
            if searcher == nil {
                searcher = Searcher(plan) { [weak self] in self?.isStopped.load(ordering: .relaxed) ?? true }
            }
            guard let searcher else { return nil }
            let previous = earlier.flatMap { isSame || number >= $0.matches.count ? nil : $0.matches[number] }
            defer { idle.withLock { $0.append(searcher) } }
            return searcher.search(segment, from: start, after: previous)
        }

        func complete() -> SearchResult? {
            if isStopped.load(ordering: .relaxed) { return nil }
            let matches = found.withLock { $0.matches.compactMap(\.self) }
            guard matches.count == scope.segments.count else { return nil }
            let result = SearchResult(list: list(of: matches), isComplete: true, matches: matches)
            hasFirstRows.change { $0 = true }
            return result
        }

        private static var now: Int { MonotonicTime.milliseconds }

        private func list(of matches: [SegmentHits]) -> BookList {
            scope.order.map { BookList(numbers: Self.filtered($0, by: matches, count: scope.count)) }
                ?? BookList(numbers: matches.ranked)
        }

        /// Returns the members of `order` that match.
        private static func filtered(_ order: [UInt32], by matches: [SegmentHits], count: Int) -> [UInt32] {
            var bits = [UInt64](repeating: 0, count: (count + 63) / 64)
            var total = 0
            for segment in matches {
                for index in segment.indices { bits[Int(index >> 6)] |= 1 << UInt64(index & 63) }
                total += segment.indices.count
            }
            if order.isEmpty { return [] }
            return [UInt32](unsafeUninitializedCapacity: order.count) { buffer, initialized in
                bits.withUnsafeBufferPointer { bits in
                    for index in order where Int(index) < count && bits[Int(index >> 6)] >> UInt64(index & 63) & 1 != 0
                    {
                        buffer[initialized] = index
                        initialized += 1
                    }
                }
            }
        }
    }
}

// Unchecked, because the compiler cannot know that only one thread uses it at a time.
/// The matcher and buffer that a thread needs to search segments.
private final class Searcher: @unchecked Sendable {
    private let search: SegmentMatcher
    private var ranks: UnsafeMutableBufferPointer<UInt8> = .allocate(capacity: 1 << 12)

    init(_ plan: QueryPlan, isStopped: @escaping () -> Bool) {
        search = SegmentMatcher(plan, isStopped: isStopped)
    }

    deinit { ranks.deallocate() }

    /// Returns the hits in `segment`, whose first book has the index `start`; if `earlier` is given, only among its
    /// hits.
    func search(_ segment: IndexSegment, from start: Int, after earlier: SegmentHits?) -> SegmentHits {
        if segment.count > ranks.count {
            ranks.deallocate()
            ranks = .allocate(capacity: segment.count)
        }
        guard let base = ranks.baseAddress else { return .none }
        let count: Int
        // Testing a few books one by one is faster than scanning the whole segment.
        if let earlier, earlier.indices.count <= segment.count / 16 {
            if earlier.indices.isEmpty { return .none }
            base.update(repeating: SegmentMatcher.noMatch, count: segment.count)
            for index in earlier.indices { base[Int(index) - start] = 0 }
            count = search.narrow(segment, from: start, base)
        } else {
            count = search.rank(segment, from: start, into: base)
        }
        return count == 0 ? .none : SegmentHits(base, segment.count, count, from: start)
    }
}
