internal import CText
internal import Indexing
internal import Synchronization
internal import Text
public import Threading

/// Why a query finds nothing, and what may have been meant.
public struct NoResultsDiagnosis: Hashable, Sendable {
    /// The first term that finds nothing by itself; else the first with which those before it find nothing together.
    public let term: Query.Term
    /// Whether it is what the term describes that is excluded.
    public let isExcluded: Bool
    /// Whether it finds nothing by itself.
    public let isAlone: Bool
    /// Words of the books that are spelled nearly so, the nearest first, of those the ones that most books have.
    public let spellings: [Spelling]

    /// A word of the books.
    public struct Spelling: Hashable, Sendable {
        /// The word, folded.
        public let word: String
        /// How many letters were put in, taken out, changed or exchanged with the one beside it.
        public let distance: Int
        /// How many books have it.
        public let bookCount: Int

        /// The word that so many books have.
        public init(_ word: String, distance: Int, bookCount: Int) {
            self.word = word
            self.distance = distance
            self.bookCount = bookCount
        }
    }

    /// How many spellings there are at most.
    static let maximumSpellingCount = 5

    /// Why `query` finds nothing among the books of `scope`; nil where it does find something, has no terms, or where it was
    /// stopped. Takes as long as the search for each term and a look at all words: a third of a second for a million books.
    ///
    /// - Parameters:
    ///   - team: The threads, for which this one waits. What they did before is stopped, and what they are given meanwhile
    ///     stops this: it should be a team of its own.
    ///   - isStopped: Asked on any thread, many times a second.
    public init?(
        of query: Query, in scope: BookSearch.Scope, marks: UserDataFilter = UserDataFilter(), by team: ThreadPool,
        isStopped: @escaping @Sendable () -> Bool = { false }
    ) {
        let parts = query.parts
        if parts.isEmpty { return nil }
        let elimination = Elimination(parts.map(\.expression), scope, marks, isStopped)
        guard let outcome = team.finish(elimination) else { return nil }
        let number: Int
        if let alone = outcome.isFoundAlone.firstIndex(of: false) {
            (number, isAlone) = (alone, true)
        } else if let together = outcome.isFoundTogether.firstIndex(of: false) {
            (number, isAlone) = (together, false)
        } else {
            return nil
        }
        (term, isExcluded) = (parts[number].term, parts[number].isExcluded)
        guard !isExcluded, let search = NearWordSearch(term.condition, scope, isStopped) else {
            spellings = []
            return
        }
        guard let found = team.finish(search) else { return nil }
        spellings = Array(
            found.sorted { ($0.distance, $1.bookCount, $0.word) < ($1.distance, $0.bookCount, $1.word) }
                .prefix(Self.maximumSpellingCount))
    }
}

extension Query {
    /// What stands in the query's text for `term`, one of its own.
    public func text(of term: Term) -> String {
        String(decoding: Array(text.utf8)[term.range.clamped(to: 0..<text.utf8.count)], as: UTF8.self)
    }

    /// The query's text with `word` for what `term`, one of its own, looks for: a field before it stays.
    public func replacing(_ term: Term, with word: String) -> String {
        let bytes = Array(text.utf8)
        let range = term.range.clamped(to: 0..<bytes.count)
        let written = bytes[range]
        var value = range
        // The name of a field, its colon and what says that the value is whole.
        let name = written.prefix { $0.isASCIILetter }
        if name.endIndex < written.endIndex, written[name.endIndex] == UInt8(ascii: ":"),
            QueryField(named: String(decoding: name, as: UTF8.self)) != nil
        {
            value = (name.endIndex + 1)..<range.upperBound
            if let first = bytes[value].first, first == UInt8(ascii: "=") {
                value = (value.lowerBound + 1)..<value.upperBound
            }
        }
        // In quotes it may stand right before another word.
        let isQuoted = bytes[value].first == UInt8(ascii: "\"")
        let replacement = isQuoted ? Query.text(quoting: word) : word
        return String(
            decoding: bytes[..<value.lowerBound] + Array(replacement.utf8) + bytes[range.upperBound...], as: UTF8.self)
    }

    /// What must be true of a book at once, in the order in which it was typed, and the first term of each.
    fileprivate var parts: [(expression: Expression, term: Term, isExcluded: Bool)] {
        let expressions = if case .all(let parts) = expression { parts } else { [expression] }
        return expressions.compactMap { part in part.firstTerm.map { (part, $0.term, $0.isExcluded) } }
    }
}

extension Query.Expression {
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

/// A work that comes to something.
private protocol Finding: ParallelJob {
    associatedtype Outcome: Sendable

    /// What it came to; nil before that, or where it was stopped.
    var outcome: Outcome? { get }
    /// Whether nobody waits for it any more.
    var isStopped: @Sendable () -> Bool { get }
}

extension ThreadPool {
    /// What `work` comes to; nil where it is stopped.
    fileprivate func finish<Work: Finding>(_ work: Work) -> Work.Outcome? {
        let task = start(work)
        while !task.wait(milliseconds: 20) {
            if work.isStopped() {
                task.stop()
                return nil
            }
        }
        return work.outcome
    }
}

/// Which of several things that books must have leave none.
private final class Elimination: Finding {
    /// What was found for each of them.
    struct Outcome {
        /// Whether a book has it.
        var isFoundAlone: [Bool]
        /// Whether a book has it and all before it.
        var isFoundTogether: [Bool]
    }

    let partCount: Int
    let isStopped: @Sendable () -> Bool
    private let scope: BookSearch.Scope
    private let plans: [QueryPlan]
    private let found: Locked<Outcome>
    private let isComplete = Atomic(false)

    init(
        _ expressions: [Query.Expression], _ scope: BookSearch.Scope, _ marks: UserDataFilter,
        _ isStopped: @escaping @Sendable () -> Bool
    ) {
        self.scope = scope
        self.isStopped = isStopped
        partCount = scope.segments.count
        plans = expressions.map { QueryPlan($0, marks: marks, among: scope.members) }
        let none = Array(repeating: false, count: plans.count)
        found = Locked(Outcome(isFoundAlone: none, isFoundTogether: none))
    }

    var outcome: Outcome? { isComplete.load(ordering: .acquiring) ? found.withLock { $0 } : nil }

    func perform(part: Int) {
        let segment = scope.segments[part]
        var isLeft = [Bool](repeating: true, count: segment.count)
        var isAnyLeft = true
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: segment.count) { ranks in
            guard let base = ranks.baseAddress else { return }
            for (number, plan) in plans.enumerated() {
                let known = found.withLock { $0 }
                // What is known of this and all behind it need not be found again.
                if known.isFoundTogether.last == true { return }
                if !isAnyLeft && known.isFoundAlone[number] { continue }
                if isStopped() { return }
                let search = SegmentMatcher(plan, isStopped: isStopped)
                let matchCount = search.rank(segment, from: scope.starts[part], into: base)
                if isAnyLeft {
                    isAnyLeft = false
                    for index in 0..<segment.count where isLeft[index] {
                        isLeft[index] = ranks[index] != SegmentMatcher.noMatch
                        isAnyLeft = isAnyLeft || isLeft[index]
                    }
                }
                found.withLock { [isAnyLeft] found in
                    if matchCount > 0 { found.isFoundAlone[number] = true }
                    if isAnyLeft { found.isFoundTogether[number] = true }
                }
            }
        }
    }

    func complete() { if !isStopped() { isComplete.store(true, ordering: .releasing) } }
}

/// The words of books that are spelled nearly as one that was looked for.
private final class NearWordSearch: Finding {
    let partCount: Int
    let isStopped: @Sendable () -> Bool
    private let scope: BookSearch.Scope
    private let word: [UInt8]
    private let kinds: UInt32
    private let distance: UInt32
    /// What threads found, while none of them has it.
    private let idle = Locked<[FuzzyTerms]>([])
    private let whole = Locked<[NoResultsDiagnosis.Spelling]?>(nil)

    /// The fewest letters of a word that has others near it, and the most of one of which these are but one letter away.
    private static let minimumLength = 3
    private static let shortLength = 5

    /// Of what `condition` looks for; nil where that is no single word that is long enough, or is no word at all.
    init?(_ condition: Query.Condition, _ scope: BookSearch.Scope, _ isStopped: @escaping @Sendable () -> Bool) {
        guard case .text(let pattern) = condition, !pattern.isWhole else { return nil }
        let letterCount = pattern.folded.count { $0 & 0xC0 != 0x80 }
        switch pattern.field {
        case .isbn, .language: return nil
        case nil where pattern.digits != nil: return nil
        default: break
        }
        guard letterCount >= Self.minimumLength else { return nil }
        self.scope = scope
        self.isStopped = isStopped
        word = pattern.folded
        kinds = QueryPlan.kinds(of: pattern.field)
        distance = letterCount <= Self.shortLength ? 1 : 2
        partCount = scope.segments.count
        guard FuzzyTerms(word, kinds: kinds, distance: distance) != nil else { return nil }
    }

    var outcome: [NoResultsDiagnosis.Spelling]? { whole.withLock { $0 } }

    func perform(part: Int) {
        if isStopped() { return }
        guard let words = idle.withLock({ $0.popLast() }) ?? FuzzyTerms(word, kinds: kinds, distance: distance) else {
            return
        }
        let segment = scope.segments[part]
        let start = scope.starts[part]
        if let members = scope.members {
            var place = members.lowerBound(of: UInt32(truncatingIfNeeded: start))
            while place < members.count, Int(members[place]) < start + segment.count {
                words.add(segment.text(at: Int(members[place]) - start))
                place += 1
            }
        } else {
            for index in 0..<segment.count { words.add(segment.text(at: index)) }
        }
        idle.withLock { $0.append(words) }
    }

    func complete() {
        if isStopped() { return }
        var found: [[UInt8]: (distance: Int, count: Int)] = [:]
        for words in idle.withLock({ $0 }) {
            words.forEach { found[Array($0), default: ($1, 0)].count += $2 }
        }
        let spellings = found.map {
            NoResultsDiagnosis.Spelling(
                String(decoding: $0.key, as: UTF8.self), distance: $0.value.distance, bookCount: $0.value.count)
        }
        whole.withLock { $0 = spellings }
    }
}

// Unchecked, as the compiler cannot know that one thread at a time has it.
/// The words of texts that are spelled nearly as another; the texts must stay where they are.
private final class FuzzyTerms: @unchecked Sendable {
    private let words: OpaquePointer

    /// Those at most `distance` from `word`; nil where that is no single word, or a very long one.
    init?(_ word: [UInt8], kinds: UInt32, distance: UInt32) {
        guard let words = near_words_create(word, word.count, kinds, distance) else { return nil }
        self.words = words
    }

    deinit { near_words_destroy(words) }

    /// Looks through the text of a book.
    func add(_ text: UnsafeBufferPointer<UInt8>) { near_words_add(words, text.baseAddress, text.count) }

    /// Calls `body` with each word that was found, its distance and how many books have it.
    func forEach(_ body: (UnsafeBufferPointer<UInt8>, Int, Int) -> Void) {
        for index in 0..<near_words_count(words) {
            let word = near_words_at(words, index)
            body(UnsafeBufferPointer(start: word.bytes, count: word.count), Int(word.distance), Int(word.books))
        }
    }
}
