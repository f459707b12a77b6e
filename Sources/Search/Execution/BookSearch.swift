public import Indexing
internal import Synchronization
public import Threading

/// What a search found.
public struct SearchResult: Sendable {
    /// The books: the best matches first, of those that match alike in the list's order; or all in the order that was given.
    public let list: BookList
    /// Whether all books were looked at.
    public let isComplete: Bool
    /// What was found segment by segment, from the first on.
    let matches: [SegmentHits]
}

/// One search of a query among the books of an index: several threads do it, and whoever began it may wait for a while, look
/// at what was found so far, or stop it.
public final class BookSearch: Sendable {
    /// What is searched.
    public struct Scope: Sendable {
        let segments: [IndexSegment]
        /// The index of the first book of each.
        let starts: [Int]
        /// How many books there are.
        fileprivate let count: Int
        /// The books that count, ascending; nil for all.
        let members: [UInt32]?
        /// The books in the order in which they are to be; nil for that of the catalog, the best matches first.
        fileprivate let order: [UInt32]?

        /// The books of `list` among those of `index`, in the catalog's order and the best matches first, or, where there is
        /// an `order` of all books, in that.
        public init(_ list: BookList, of index: BookIndex, order: [UInt32]? = nil) {
            segments = index.segments
            starts = index.starts
            count = index.count
            self.order = order
            // Of all, a list may have none that came to the index after it was made.
            let indices = list.indices ?? (list.count < index.count ? Array(0..<UInt32(list.count)) : nil)
            members = indices.flatMap { $0.count == index.count ? nil : $0.sorted() }
        }
    }

    /// Rows that are shown before the search is complete, once no later match can change them.
    public struct FirstRows: Sendable {
        /// How many rows the screen has.
        public var count: Int
        /// The book that they stand around, if any; else they are the first.
        public var anchor: BookID?

        /// `count` rows around `anchor`.
        public init(count: Int, anchor: BookID? = nil) {
            self.count = count
            self.anchor = anchor
        }
    }

    private let work: Work
    private let task: ThreadPool.Task

    /// Begins to look for the books of `scope` that `query` describes.
    ///
    /// - Parameters:
    ///   - marks: The marks that the query may ask for.
    ///   - earlier: What a query found before that this one refines, or that is the same, in the same scope or its beginning.
    ///   - isSame: Whether it is the same, with the same marks: what was searched then is not searched again.
    ///   - firstRows: The rows that `waitForFirstRows(milliseconds:)` waits for; nil for all.
    ///   - team: The threads; what they did before is stopped.
    ///   - notify: Called on any thread when it is complete, and some times a second before.
    public init(
        _ query: Query, in scope: Scope, marks: UserDataFilter = UserDataFilter(), after earlier: SearchResult? = nil,
        isSame: Bool = false, showing firstRows: FirstRows? = nil, by team: ThreadPool,
        notifying notify: @escaping @Sendable () -> Void = {}
    ) {
        work = Work(query, scope, marks, earlier, isSame: isSame, firstRows, notify)
        task = team.start(work)
    }

    /// Waits until it is complete, at most so many milliseconds.
    ///
    /// - Returns: Whether it is.
    public func wait(milliseconds: Int) -> Bool {
        // `notify` can arrive before the job is marked done; a result that is already there counts.
        work.result != nil || task.wait(milliseconds: milliseconds) && work.result != nil
    }

    /// Waits until the first rows of the result are settled, or it is complete, at most so many milliseconds.
    public func waitForFirstRows(milliseconds: Int) { _ = work.firstRowsLatch.wait(milliseconds: milliseconds) }

    /// What was found: all, or in the books up to the first that was not looked at yet.
    public var result: SearchResult { work.result ?? work.partialResult }

    /// The same for a search that goes on where this one ends: without the list, which takes its time to put together.
    public var beginning: SearchResult { work.result ?? work.unlistedResult }

    /// Stops it as soon as can be.
    public func stop() {
        work.stop()
        task.stop()
    }

    private final class Work: ParallelJob {
        let partCount: Int
        private let scope: Scope
        private let plan: QueryPlan
        private let earlier: SearchResult?
        private let isSame: Bool
        private let notify: @Sendable () -> Void
        private let found: Locked<FoundHits>
        /// Opened once the first rows are settled, or all is found.
        let firstRowsLatch = Latch()
        private let whole = Locked<SearchResult?>(nil)
        /// What threads need, while none has it.
        private let idle = Locked<[Searcher]>([])
        private let isStopped = Atomic(false)
        /// When the screen was last told of what was found, in milliseconds.
        private let lastNotice: Atomic<Int>

        /// How often the screen is told of what was found, in milliseconds.
        private static let noticeInterval = 100

        init(
            _ query: Query, _ scope: Scope, _ marks: UserDataFilter, _ earlier: SearchResult?, isSame: Bool,
            _ firstRows: FirstRows?, _ notify: @escaping @Sendable () -> Void
        ) {
            self.scope = scope
            self.earlier = earlier
            self.isSame = isSame
            self.notify = notify
            plan = QueryPlan(query.expression, marks: marks, among: scope.members)
            let known = isSame ? earlier?.matches ?? [] : []
            partCount = max(0, scope.segments.count - known.count)
            // In an order that was given, any match may come first.
            let matches = FoundHits(known, in: scope, showing: scope.order == nil ? firstRows : nil)
            if matches.hasFirstRows { firstRowsLatch.open() }
            found = Locked(matches)
            lastNotice = Atomic(Self.now)
        }

        var result: SearchResult? { whole.withLock { $0 } }

        var partialResult: SearchResult {
            let matches = beginning
            return SearchResult(list: list(of: matches), isComplete: false, matches: matches)
        }

        var unlistedResult: SearchResult {
            SearchResult(list: BookList(numbers: []), isComplete: false, matches: beginning)
        }

        /// What was found up to the first segment that was not looked at yet.
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
            if hasFirstRows { firstRowsLatch.open() }
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

        func complete() {
            if isStopped.load(ordering: .relaxed) { return }
            let matches = found.withLock { $0.matches.compactMap(\.self) }
            guard matches.count == scope.segments.count else { return }
            let result = SearchResult(list: list(of: matches), isComplete: true, matches: matches)
            whole.withLock { $0 = result }
            firstRowsLatch.open()
            notify()
        }

        private static var now: Int { MonotonicTime.milliseconds }

        private func list(of matches: [SegmentHits]) -> BookList {
            scope.order.map { BookList(numbers: Self.filtered($0, by: matches, count: scope.count)) }
                ?? BookList(numbers: matches.ranked)
        }

        /// Those of `order` that match.
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

/// What a thread needs to search segments.
private final class Searcher: @unchecked Sendable {
    private let search: SegmentMatcher
    private var ranks: UnsafeMutableBufferPointer<UInt8> = .allocate(capacity: 1 << 12)

    init(_ plan: QueryPlan, isStopped: @escaping () -> Bool) {
        search = SegmentMatcher(plan, isStopped: isStopped)
    }

    deinit { ranks.deallocate() }

    /// The books of `segment` that match, the first of which has the index `start`; only those of `earlier` may.
    func search(_ segment: IndexSegment, from start: Int, after earlier: SegmentHits?) -> SegmentHits {
        if segment.count > ranks.count {
            ranks.deallocate()
            ranks = .allocate(capacity: segment.count)
        }
        guard let base = ranks.baseAddress else { return .none }
        let count: Int
        // To ask for a few one by one takes less time than to look through all.
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
