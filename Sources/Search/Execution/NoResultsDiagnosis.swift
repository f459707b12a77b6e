public import Books
internal import CText
internal import Indexing
internal import Text
public import Threading

/// The reason that a query has no results, with suggested spellings.
public struct NoResultsDiagnosis: Hashable, Sendable {
    /// The first term that matches nothing by itself, else the first that matches nothing together with the terms
    /// before it.
    public let term: Query.Term
    /// Whether the term is an exclusion.
    public let isExcluded: Bool
    /// The terms before it, which do have matches; nil if the term matches nothing by itself.
    public let preceding: Preceding?
    /// The words in the catalog with a similar spelling, if the term matches nothing by itself: those in books that the
    /// other terms find, by the number of these books; if there are none, those in any book by distance and then by
    /// frequency.
    public let spellings: [Spelling]

    /// The fields that only the catalog has in which the term stands, if it matches nothing by itself; those with the most
    /// books first.
    public let elsewhere: [Elsewhere]

    /// A field in which words without a field are not searched.
    public struct Elsewhere: Hashable, Sendable {
        /// The field.
        public let field: BookField
        /// The number of books in which it has the term.
        public let bookCount: Int
    }

    /// The terms before the one that leaves no books.
    public struct Preceding: Hashable, Sendable {
        /// Their text.
        public let text: String
        /// The number of books that match all of them.
        public let bookCount: Int
    }

    /// A word that occurs in the catalog.
    public struct Spelling: Hashable, Sendable {
        /// The normalized word.
        public let word: String
        /// The edit distance: the number of letters inserted, deleted, replaced or swapped with their neighbour.
        public let distance: Int
        /// The number of books that contain the word.
        public let bookCount: Int

        /// Creates a spelling.
        public init(_ word: String, distance: Int, bookCount: Int) {
            self.word = word
            self.distance = distance
            self.bookCount = bookCount
        }
    }

    /// The maximum number of spellings.
    static let maximumSpellingCount = 5

    /// Diagnoses why `query` has no results in `scope`; fails if it has results, has no terms, or was stopped.
    ///
    /// Takes one search per term and a scan of all words, or two, about a third of a second for a million books.
    ///
    /// - Parameters:
    ///   - pool: The thread pool, which the calling thread waits for.
    ///   - isStopped: Called on any thread, many times a second.
    public init?(
        of query: Query, in scope: BookSearch.Scope, userData: UserDataFilter = UserDataFilter(),
        on pool: ThreadPool = .shared,
        isStopped: @escaping @Sendable () -> Bool = { false }
    ) {
        let parts = query.parts
        if parts.isEmpty { return nil }
        let elimination = Elimination(parts.map(\.expression), scope, userData, isStopped)
        guard let outcome = pool.start(elimination, as: .batch).wait(unless: isStopped) else { return nil }
        let number: Int
        if let alone = outcome.isFoundAlone.firstIndex(of: false) {
            number = alone
            preceding = nil
        } else if let together = outcome.togetherCounts.firstIndex(of: 0), together > 0 {
            number = together
            preceding = Preceding(
                text: query.text(of: parts.prefix(together).map(\.expression)),
                bookCount: outcome.togetherCounts[together - 1])
        } else {
            return nil
        }
        (term, isExcluded) = (parts[number].term, parts[number].isExcluded)
        elsewhere = isExcluded || preceding != nil ? [] : scope.fields(with: parts[number].term.condition)
        guard !isExcluded, preceding == nil else {
            spellings = []
            return
        }
        let condition = parts[number].term.condition
        let others = parts.indices.filter { $0 != number }.map { parts[$0].expression }
        /// Returns the words of similar spelling in the books that meet `conditions`; nil if that was stopped.
        func words(in conditions: [Query.Expression]) -> [Spelling]? {
            let plan =
                conditions.isEmpty
                ? nil : QueryPlan(.all(conditions), userData: userData, in: scope)
            guard let search = NearWordSearch(condition, scope, among: plan, isStopped) else { return [] }
            return pool.start(search, as: .batch).wait(unless: isStopped)
        }
        guard var found = words(in: others) else { return nil }
        if found.isEmpty, !others.isEmpty {
            guard let anywhere = words(in: []) else { return nil }
            found = anywhere.sorted(by: Self.isNearer)
        } else if others.isEmpty {
            found.sort(by: Self.isNearer)
        } else {
            found.sort { ($1.bookCount, $0.distance, $0.word) < ($0.bookCount, $1.distance, $1.word) }
        }
        spellings = Array(found.prefix(Self.maximumSpellingCount))
    }

    /// Whether a word is spelled more similarly than another, or as similarly and in more books.
    private static func isNearer(_ word: Spelling, _ other: Spelling) -> Bool {
        (word.distance, other.bookCount, word.word) < (other.distance, word.bookCount, other.word)
    }
}

extension Query {
    /// Returns the text of `term`, which must belong to this query.
    public func text(of term: Term) -> String {
        String(decoding: Array(text.utf8)[term.range.clamped(to: 0..<text.utf8.count)], as: UTF8.self)
    }

    /// Returns the text of parts of this query, separated by spaces, without the field of a group.
    fileprivate func text(of parts: [Expression]) -> String {
        let bytes = Array(self.text.utf8)
        func text(of part: Expression) -> String {
            if case .not(let inner) = part { return "-" + text(of: inner) }
            guard let range = part.range?.clamped(to: 0..<bytes.count) else { return "" }
            let text = String(decoding: bytes[range], as: UTF8.self)
            if case .term = part { return text }
            return "(\(text))"
        }
        return parts.map(text).joined(separator: " ")
    }

    /// Returns the query's text with the value of `term` replaced by `word`, keeping its field name.
    public func replacing(_ term: Term, with word: String) -> String {
        let bytes = Array(text.utf8)
        let range = term.range.clamped(to: 0..<bytes.count)
        let written = bytes[range]
        var value = range
        // The value follows the field name, the colon and an optional "=".
        let name = written.prefix { $0.isASCIILetter }
        if name.endIndex < written.endIndex, written[name.endIndex] == UInt8(ascii: ":"),
            QueryField(named: String(decoding: name, as: UTF8.self)) != nil
        {
            value = (name.endIndex + 1)..<range.upperBound
            if let first = bytes[value].first, first == UInt8(ascii: "=") {
                value = (value.lowerBound + 1)..<value.upperBound
            }
        }
        // A quoted value may be directly followed by another word.
        let isQuoted = bytes[value].first == UInt8(ascii: "\"")
        let replacement = isQuoted ? Query.text(quoting: word) : word
        return String(
            decoding: bytes[..<value.lowerBound] + Array(replacement.utf8) + bytes[range.upperBound...], as: UTF8.self)
    }

    /// Returns the query's text with `term` searched in `field`.
    public func searching(_ term: Term, in field: BookField) -> String {
        var bytes = Array(text.utf8)
        bytes.insert(contentsOf: "\(field.id):".utf8, at: min(term.range.lowerBound, bytes.count))
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The expressions that must all match, in the order typed, each with its first term.
    fileprivate var parts: [(expression: Expression, term: Term, isExcluded: Bool)] {
        let expressions = if case .all(let parts) = expression { parts } else { [expression] }
        return expressions.compactMap { part in part.firstTerm.map { (part, $0.term, $0.isExcluded) } }
    }
}

extension Query.Expression {
    /// The UTF-8 byte range from the first to the last term, if there are any.
    fileprivate var range: Range<Int>? {
        switch self {
        case .everything: nil
        case .term(let term): term.range
        case .not(let part): part.range
        case .all(let parts), .any(let parts):
            if let first = parts.first?.range, let last = parts.last?.range {
                first.lowerBound..<max(first.upperBound, last.upperBound)
            } else {
                nil
            }
        }
    }

    /// The term that was typed first, and whether it is excluded.
    fileprivate var firstTerm: (term: Query.Term, isExcluded: Bool)? {
        switch self {
        case .everything: nil
        case .term(let term): (term, false)
        case .not(let part): part.firstTerm.map { ($0.term, !$0.isExcluded) }
        case .all(let parts), .any(let parts): parts.first?.firstTerm
        }
    }
}

extension BookSearch.Scope {
    /// Returns the fields whose columns have the text that a condition looks for in no particular field. Linear in the
    /// books for each column.
    fileprivate func fields(with condition: Query.Condition) -> [NoResultsDiagnosis.Elsewhere] {
        guard case .text(let pattern) = condition, pattern.field == nil else { return [] }
        let found = columns.compactMap { field, column -> NoResultsDiagnosis.Elsewhere? in
            guard field.isOwn, column.kind == .text else { return nil }
            let plan = QueryPlan(.term(.init(.own(field, .text(pattern.folded, isWhole: false)), at: 0..<0)), in: self)
            let matcher = SegmentMatcher(plan)
            var count = 0
            for (segment, start) in zip(segments, starts) {
                withUnsafeTemporaryAllocation(of: UInt8.self, capacity: segment.count) { ranks in
                    if let base = ranks.baseAddress { count += matcher.rank(segment, from: start, into: base) }
                }
            }
            return count == 0 ? nil : .init(field: field, bookCount: count)
        }
        return found.sorted { ($1.bookCount, $0.field.id) < ($0.bookCount, $1.field.id) }
    }
}

/// Determines which conditions of a query leave no books.
private final class Elimination: ParallelJob {
    /// The findings for each condition.
    struct Outcome: Sendable {
        /// Whether any book matches the condition.
        var isFoundAlone: [Bool]
        /// The number of books that match the condition and all before it; a lower bound once the last one has any.
        var togetherCounts: [Int]
    }

    let partCount: Int
    let isStopped: @Sendable () -> Bool
    private let scope: BookSearch.Scope
    private let plans: [QueryPlan]
    private let found: Locked<Outcome>

    init(
        _ expressions: [Query.Expression], _ scope: BookSearch.Scope, _ userData: UserDataFilter,
        _ isStopped: @escaping @Sendable () -> Bool
    ) {
        self.scope = scope
        self.isStopped = isStopped
        partCount = scope.segments.count
        plans = expressions.map { QueryPlan($0, userData: userData, in: scope) }
        found = Locked(
            Outcome(
                isFoundAlone: Array(repeating: false, count: plans.count),
                togetherCounts: Array(repeating: 0, count: plans.count)))
    }

    func perform(part: Int) {
        let segment = scope.segments[part]
        var isLeft = [Bool](repeating: true, count: segment.count)
        var isAnyLeft = true
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: segment.count) { ranks in
            guard let base = ranks.baseAddress else { return }
            for (number, plan) in plans.enumerated() {
                let known = found.withLock { $0 }
                // Conditions whose outcome is already known are skipped.
                if known.togetherCounts.last != 0 { return }
                if !isAnyLeft && known.isFoundAlone[number] { continue }
                if isStopped() { return }
                let search = SegmentMatcher(plan, isStopped: isStopped)
                let matchCount = search.rank(segment, from: scope.starts[part], into: base)
                var leftCount = 0
                if isAnyLeft {
                    for index in 0..<segment.count where isLeft[index] {
                        isLeft[index] = ranks[index] != SegmentMatcher.noMatch
                        if isLeft[index] { leftCount += 1 }
                    }
                    isAnyLeft = leftCount > 0
                }
                found.withLock { [leftCount] found in
                    if matchCount > 0 { found.isFoundAlone[number] = true }
                    found.togetherCounts[number] += leftCount
                }
            }
        }
    }

    func complete() -> Outcome? { isStopped() ? nil : found.withLock { $0 } }
}

/// Searches for words that are spelled similarly to a given word.
private final class NearWordSearch: ParallelJob {
    let partCount: Int
    let isStopped: @Sendable () -> Bool
    private let scope: BookSearch.Scope
    private let plan: QueryPlan?
    private let word: [UInt8]
    private let kinds: UInt32
    private let distance: UInt32
    /// The term collectors that are not in use by a thread.
    private let idle = Locked<[FuzzyTerms]>([])

    /// The minimum length of a word with suggestions, and the maximum length at which only one edit is allowed.
    private static let minimumLength = 3
    private static let shortLength = 5

    /// Fails unless `condition` looks for a single word of sufficient length.
    ///
    /// - Parameter plan: What the books must match whose words are looked at; nil for all books of `scope`.
    init?(
        _ condition: Query.Condition, _ scope: BookSearch.Scope, among plan: QueryPlan?,
        _ isStopped: @escaping @Sendable () -> Bool
    ) {
        guard case .text(let pattern) = condition, !pattern.isWhole else { return nil }
        let letterCount = pattern.folded.count { $0 & 0xC0 != 0x80 }
        switch pattern.field {
        case .isbn, .language: return nil
        case nil where pattern.digits != nil: return nil
        default: break
        }
        guard letterCount >= Self.minimumLength else { return nil }
        self.scope = scope
        self.plan = plan
        self.isStopped = isStopped
        word = pattern.folded
        kinds = QueryPlan.kinds(of: pattern.field)
        distance = letterCount <= Self.shortLength ? 1 : 2
        partCount = scope.segments.count
        guard FuzzyTerms(word, kinds: kinds, distance: distance) != nil else { return nil }
    }

    func perform(part: Int) {
        if isStopped() { return }
        guard let words = idle.withLock({ $0.popLast() }) ?? FuzzyTerms(word, kinds: kinds, distance: distance) else {
            return
        }
        let segment = scope.segments[part]
        let start = scope.starts[part]
        if let plan {
            // The plan has the members of the scope, too.
            let matcher = SegmentMatcher(plan, isStopped: isStopped)
            withUnsafeTemporaryAllocation(of: UInt8.self, capacity: segment.count) { ranks in
                guard let base = ranks.baseAddress else { return }
                _ = matcher.rank(segment, from: start, into: base)
                for index in 0..<segment.count where ranks[index] != SegmentMatcher.noMatch {
                    words.add(segment.text(at: index))
                }
            }
        } else if let members = scope.members {
            var position = members.lowerBound(of: UInt32(truncatingIfNeeded: start))
            while position < members.count, Int(members[position]) < start + segment.count {
                words.add(segment.text(at: Int(members[position]) - start))
                position += 1
            }
        } else {
            for index in 0..<segment.count { words.add(segment.text(at: index)) }
        }
        idle.withLock { $0.append(words) }
    }

    func complete() -> [NoResultsDiagnosis.Spelling]? {
        if isStopped() { return nil }
        var found: [[UInt8]: (distance: Int, count: Int)] = [:]
        for words in idle.withLock({ $0 }) {
            words.forEach { found[Array($0), default: ($1, 0)].count += $2 }
        }
        return found.map {
            NoResultsDiagnosis.Spelling(
                String(decoding: $0.key, as: UTF8.self), distance: $0.value.distance, bookCount: $0.value.count)
        }
    }
}

// Unchecked, because the compiler cannot know that only one thread uses it at a time.
/// The words in texts that are spelled similarly to a given word; the texts must stay in memory.
private final class FuzzyTerms: @unchecked Sendable {
    private let words: OpaquePointer

    /// Collects words within `distance` of `word`; fails if that is not a single word or is very long.
    init?(_ word: [UInt8], kinds: UInt32, distance: UInt32) {
        guard let words = near_words_create(word, word.count, kinds, distance) else { return nil }
        self.words = words
    }

    deinit { near_words_destroy(words) }

    /// Scans the text of one book.
    func add(_ text: UnsafeBufferPointer<UInt8>) { near_words_add(words, text.baseAddress, text.count) }

    /// Calls `body` with each word found, its distance and the number of books that contain it.
    func forEach(_ body: (UnsafeBufferPointer<UInt8>, Int, Int) -> Void) {
        for index in 0..<near_words_count(words) {
            let word = near_words_at(words, index)
            body(UnsafeBufferPointer(start: word.bytes, count: word.count), Int(word.distance), Int(word.books))
        }
    }
}
