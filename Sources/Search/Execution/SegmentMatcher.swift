internal import CText
internal import Glibc
internal import Indexing
internal import Text

/// Matches the books of segments against a plan; each thread uses its own matcher.
final class SegmentMatcher {
    /// The rank of a book that does not match. Ranks start at 0 for the best match, and those of several words are
    /// added.
    static let noMatch = UInt8(TEXT_NO_MATCH)
    /// The worst rank of a match.
    static let worstRank = noMatch - 1

    private let plan: QueryPlan
    /// Polled during slow matches.
    private let isStopped: () -> Bool
    private var matchers: [MatcherBox]
    /// Scratch buffers for ranks, by the depth of the node.
    private var rooms: [UnsafeMutableBufferPointer<UInt8>] = []

    private final class MatcherBox {
        private var matcher: RegularExpression.Matcher

        init(_ expression: RegularExpression) { matcher = RegularExpression.Matcher(expression) }

        func matches(_ text: UnsafeBufferPointer<UInt8>) -> Bool { matcher.matches(text) == .match }
    }

    /// Creates a matcher for `plan`.
    init(_ plan: QueryPlan, isStopped: @escaping () -> Bool = { false }) {
        self.plan = plan
        self.isStopped = isStopped
        matchers = plan.expressions.map(MatcherBox.init)
    }

    deinit { rooms.forEach { $0.deallocate() } }

    /// Writes the ranks of the books in `segment`, whose first book has the index `start`, to `ranks`.
    ///
    /// - Returns: The number of matches.
    @discardableResult
    func rank(_ segment: IndexSegment, from start: Int, into ranks: UnsafeMutablePointer<UInt8>) -> Int {
        rank(plan.root, segment, start, ranks, depth: 0)
    }

    /// Updates only the ranks that are not `noMatch`.
    ///
    /// - Returns: The number of matches.
    @discardableResult
    func narrow(_ segment: IndexSegment, from start: Int, _ ranks: UnsafeMutablePointer<UInt8>) -> Int {
        var count = 0
        for index in 0..<segment.count where ranks[index] != Self.noMatch {
            ranks[index] = rank(plan.root, segment, start, index)
            if ranks[index] != Self.noMatch { count += 1 }
        }
        return count
    }

    // MARK: - All books of a segment

    private func rank(
        _ node: QueryPlan.Node, _ segment: IndexSegment, _ start: Int, _ ranks: UnsafeMutablePointer<UInt8>,
        depth: Int
    ) -> Int {
        let count = segment.count
        switch node {
        case .everything:
            ranks.update(repeating: 0, count: count)
            return count
        case .nothing:
            ranks.update(repeating: Self.noMatch, count: count)
            return 0
        case .text(let needles):
            ranks.update(repeating: Self.noMatch, count: count)
            return takeBetter(needles, segment, ranks, 0, depth: depth)
        case .language(let code, let needles):
            let matchCount = compare(segment.languages, segment, ranks) { $0 == code.bits && code != .unknown }
            let count = takeBetter(needles, segment, ranks, matchCount, depth: depth)
            // A language match has no gradation.
            for index in 0..<segment.count where ranks[index] != Self.noMatch { ranks[index] = 0 }
            return count
        case .fiction(let isFiction):
            return compareTraits(segment, ranks) { $0.isFiction == isFiction }
        case .status(let status):
            return compareTraits(segment, ranks) { $0.status == status }
        case .number(let field, let range): return rank(field, range, segment, ranks)
        case .marked(let indices):
            ranks.update(repeating: Self.noMatch, count: count)
            var position = indices.lowerBound(of: UInt32(truncatingIfNeeded: start))
            let first = position
            while position < indices.count, Int(indices[position]) < start + count {
                ranks[Int(indices[position]) - start] = 0
                position += 1
            }
            return position - first
        case .not(let part):
            let matchCount = rank(part, segment, start, ranks, depth: depth)
            for index in 0..<count { ranks[index] = ranks[index] == Self.noMatch ? 0 : Self.noMatch }
            return count - matchCount
        case .all(let parts):
            guard let first = parts.first else { return 0 }
            var matchCount = rank(first, segment, start, ranks, depth: depth)
            for part in parts.dropFirst() where matchCount > 0 {
                if matchCount > count / 8 && part.isScanned {
                    let room = room(depth, count)
                    _ = rank(part, segment, start, room, depth: depth + 1)
                    matchCount = Self.add(room, to: ranks, count)
                } else {
                    matchCount = 0
                    for index in 0..<count where ranks[index] != Self.noMatch {
                        ranks[index] = Self.sum(ranks[index], rank(part, segment, start, index))
                        if ranks[index] != Self.noMatch { matchCount += 1 }
                    }
                }
            }
            return matchCount
        case .any(let parts):
            var matchCount = 0
            for (number, part) in parts.enumerated() {
                if number == 0 {
                    matchCount = rank(part, segment, start, ranks, depth: depth)
                } else {
                    let room = room(depth, count)
                    if rank(part, segment, start, room, depth: depth + 1) > 0 {
                        matchCount = Self.takeBetter(room, ranks, count)
                    }
                }
            }
            return matchCount
        case .known(.description): return compareTraits(segment, ranks) { $0.contains(.described) }
        case .known(.cover): return compareTraits(segment, ranks) { $0.contains(.covered) }
        case .known(.status): return compareTraits(segment, ranks) { $0.status != nil }
        case .known(.fiction): return compareTraits(segment, ranks) { $0.isFiction != nil }
        case .invalidISBN: return compareTraits(segment, ranks) { $0.contains(.invalidISBN) }
        case .column(let matches): return matches.rank(count, from: start, into: ranks)
        case .worked(let matches): return matches.value.rank(count, from: start, into: ranks)
        case .known, .regex: return rankOneByOne(node, segment, start, ranks)
        }
    }

    /// Lowers each rank to that of the best of `needles`, if it is better; `matchCount` books match already.
    private func takeBetter(
        _ needles: [QueryPlan.Needle], _ segment: IndexSegment, _ ranks: UnsafeMutablePointer<UInt8>,
        _ matchCount: Int, depth: Int
    ) -> Int {
        var matchCount = matchCount
        let room = room(depth, segment.count)
        for needle in needles {
            let found: Int
            // A damaged index may contain arbitrary numbers.
            if segment.hasSoundText, let text = segment.text.baseAddress, let ends = segment.textEnds.baseAddress {
                let isFirst = matchCount == 0
                found = text_rank_books(
                    text, segment.text.count, ends, segment.count, needle.needle, isFirst ? ranks : room)
                if isFirst {
                    matchCount = found
                    continue
                }
            } else {
                for index in 0..<segment.count { room[index] = rank([needle], segment, index) }
                found = segment.count
            }
            if found > 0 { matchCount = Self.takeBetter(room, ranks, segment.count) }
        }
        return matchCount
    }

    /// Gives rank 0 to the books whose value passes; a missing column has no values.
    @inline(__always)
    private func compare<Number>(
        _ column: UnsafeBufferPointer<Number>, _ segment: IndexSegment, _ ranks: UnsafeMutablePointer<UInt8>,
        _ passes: (Number) -> Bool
    ) -> Int {
        if column.isEmpty {
            ranks.update(repeating: Self.noMatch, count: segment.count)
            return 0
        }
        var matchCount = 0
        for index in column.indices {
            let isMatch = passes(column[index])
            ranks[index] = isMatch ? 0 : Self.noMatch
            matchCount += isMatch ? 1 : 0
        }
        return matchCount
    }

    /// Gives rank 0 to the books whose traits pass; in a missing column nothing is known of any book.
    @inline(__always)
    private func compareTraits(
        _ segment: IndexSegment, _ ranks: UnsafeMutablePointer<UInt8>, _ passes: (NumericFields.Traits) -> Bool
    ) -> Int {
        if segment.traits.isEmpty {
            let isMatch = passes(NumericFields.Traits())
            ranks.update(repeating: isMatch ? 0 : Self.noMatch, count: segment.count)
            return isMatch ? segment.count : 0
        }
        return compare(segment.traits, segment, ranks) { passes(NumericFields.Traits(rawValue: $0)) }
    }

    private func rankOneByOne(
        _ node: QueryPlan.Node, _ segment: IndexSegment, _ start: Int, _ ranks: UnsafeMutablePointer<UInt8>
    ) -> Int {
        var matchCount = 0
        for index in 0..<segment.count {
            ranks[index] = rank(node, segment, start, index)
            if ranks[index] != Self.noMatch { matchCount += 1 }
        }
        return matchCount
    }

    private func rank(
        _ field: Query.NumberField, _ range: ClosedRange<Int>, _ segment: IndexSegment,
        _ ranks: UnsafeMutablePointer<UInt8>
    ) -> Int {
        func compare<Number: FixedWidthInteger>(
            _ column: UnsafeBufferPointer<Number>, unknown: Number, _ range: ClosedRange<Int>
        ) -> Int {
            let (low, high) = (Number(clamping: range.lowerBound), Number(clamping: range.upperBound))
            let isBeyond = Int(Number.max) < range.lowerBound || Int(Number.min) > range.upperBound
            return self.compare(column, segment, ranks) { $0 >= low && $0 <= high && $0 != unknown && !isBeyond }
        }
        switch field {
        // The maximum stands for all greater numbers.
        case .pages:
            return compare(segment.pages, unknown: 0, min(range.lowerBound, Int(UInt16.max))...range.upperBound)
        case .year: return compare(segment.years, unknown: NumericFields.unknownYear, range)
        case .rating: return compare(segment.ratings, unknown: 0, range)
        case .added:
            // From the beginning of the first year to the end of the last.
            let low = max(1, (range.lowerBound + 10_000) * 512)
            let high = (range.upperBound + 10_001) * 512 - 1
            return compare(segment.added, unknown: 0, low...max(low, high))
        // A plan has the books of these instead, which are not in the index.
        case .mine:
            ranks.update(repeating: Self.noMatch, count: segment.count)
            return 0
        }
    }

    /// Sets each rank to the better of the two.
    ///
    /// - Returns: The number of matches.
    private static func takeBetter(
        _ other: UnsafeMutablePointer<UInt8>, _ ranks: UnsafeMutablePointer<UInt8>, _ count: Int
    ) -> Int {
        var matchCount = 0
        for index in 0..<count {
            ranks[index] = min(ranks[index], other[index])
            matchCount += ranks[index] == noMatch ? 0 : 1
        }
        return matchCount
    }

    /// Adds the ranks of books that match both.
    ///
    /// - Returns: The number of matches.
    private static func add(
        _ other: UnsafeMutablePointer<UInt8>, to ranks: UnsafeMutablePointer<UInt8>, _ count: Int
    ) -> Int {
        var matchCount = 0
        for index in 0..<count {
            ranks[index] = sum(ranks[index], other[index])
            matchCount += ranks[index] == noMatch ? 0 : 1
        }
        return matchCount
    }

    @inline(__always)
    private static func sum(_ left: UInt8, _ right: UInt8) -> UInt8 {
        if left == noMatch || right == noMatch { return noMatch }
        let (sum, overflow) = left.addingReportingOverflow(right)
        return overflow ? worstRank : min(worstRank, sum)
    }

    private func room(_ depth: Int, _ count: Int) -> UnsafeMutablePointer<UInt8> {
        while rooms.count <= depth { rooms.append(.allocate(capacity: 1 << 12)) }
        if rooms[depth].count < count {
            rooms[depth].deallocate()
            rooms[depth] = .allocate(capacity: count)
        }
        guard let base = rooms[depth].baseAddress else { preconditionFailure("room for a book is never none") }
        return base
    }

    // MARK: - One book

    private func rank(
        _ node: QueryPlan.Node, _ segment: IndexSegment, _ start: Int, _ index: Int
    ) -> UInt8 {
        func yes(_ matches: Bool) -> UInt8 { matches ? 0 : Self.noMatch }
        switch node {
        case .everything: return 0
        case .nothing: return Self.noMatch
        case .text(let needles): return rank(needles, segment, index)
        case .language(let code, let needles):
            if code != .unknown, !segment.languages.isEmpty, segment.languages[index] == code.bits { return 0 }
            return yes(rank(needles, segment, index) != Self.noMatch)
        case .number(let field, let range):
            let facts = segment.facts(at: index)
            switch field {
            case .pages:
                return yes(
                    facts.pages != 0
                        && (range.contains(Int(facts.pages))
                            || facts.pages == .max && range.upperBound > Int(UInt16.max))
                )
            case .year: return yes(facts.year != NumericFields.unknownYear && range.contains(Int(facts.year)))
            case .rating: return yes(facts.rating != 0 && range.contains(Int(facts.rating)))
            case .mine: return Self.noMatch
            case .added: return yes(facts.added != 0 && range.contains(NumericFields.year(ofPacked: facts.added)))
            }
        case .known(let field): return yes(isKnown(field, segment, index))
        case .invalidISBN: return yes(segment.facts(at: index).traits.contains(.invalidISBN))
        case .fiction(let isFiction): return yes(segment.facts(at: index).traits.isFiction == isFiction)
        case .status(let status): return yes(segment.facts(at: index).traits.status == status)
        case .marked(let indices):
            let wanted = UInt32(truncatingIfNeeded: start + index)
            let position = indices.lowerBound(of: wanted)
            return yes(position < indices.count && indices[position] == wanted)
        case .regex(let number, let kinds):
            if isStopped() { return Self.noMatch }
            return yes(matches(number, kinds: kinds, segment.text(at: index)))
        case .column(let matches): return matches.rank(of: start + index)
        case .worked(let matches): return matches.value.rank(of: start + index)
        case .not(let part): return yes(rank(part, segment, start, index) == Self.noMatch)
        case .all(let parts):
            var rank: UInt8 = 0
            for part in parts where rank != Self.noMatch {
                rank = Self.sum(rank, self.rank(part, segment, start, index))
            }
            return rank
        case .any(let parts): return parts.reduce(Self.noMatch) { min($0, rank($1, segment, start, index)) }
        }
    }

    private func rank(_ needles: [QueryPlan.Needle], _ segment: IndexSegment, _ index: Int) -> UInt8 {
        let text = segment.text(at: index)
        guard let base = text.baseAddress, let whole = segment.text.baseAddress else { return Self.noMatch }
        let readable = segment.text.count - whole.distance(to: base)
        return needles.reduce(Self.noMatch) { min($0, text_rank(base, text.count, readable, $1.needle)) }
    }

    private func matches(_ number: Int, kinds: UInt32, _ text: UnsafeBufferPointer<UInt8>) -> Bool {
        for line in IndexedText(text) where kinds & line.kind.searchBit != 0 {
            // The ISBN has no trailing line feed and does not need one.
            if matchers[number].matches(line.content) { return true }
        }
        return false
    }

    private func isKnown(_ field: Query.KnownField, _ segment: IndexSegment, _ index: Int) -> Bool {
        let facts = segment.facts(at: index)
        func hasLine(_ kind: IndexedTextField) -> Bool {
            IndexedText(segment.text(at: index)).contains { $0.kind == kind && !$0.content.isEmpty }
        }
        switch field {
        case .isbn: return segment.isbn(at: index) != nil
        case .language: return facts.language != .unknown || hasLine(.language)
        case .pages: return facts.pages != 0
        case .year: return facts.year != NumericFields.unknownYear
        case .position: return !facts.position.isNaN
        case .rating: return facts.rating != 0
        case .added: return facts.added != 0
        // A plan has the books of these instead, which are not in the index.
        case .mine, .read, .note: return false
        case .description: return facts.traits.contains(.described)
        case .cover: return facts.traits.contains(.covered)
        case .status: return facts.traits.status != nil
        case .fiction: return facts.traits.isFiction != nil
        default: return Query.TextField(rawValue: field.rawValue).map { hasLine($0.line) } ?? false
        }
    }
}

extension QueryPlan.Node {
    /// Whether scanning a whole segment is faster than testing some of its books one by one.
    fileprivate var isScanned: Bool {
        switch self {
        case .everything, .nothing, .text, .number, .marked, .language, .fiction, .invalidISBN, .status, .column,
            .worked:
            true
        case .known, .regex: false
        case .not(let part): part.isScanned
        case .all(let parts), .any(let parts): parts.allSatisfy(\.isScanned)
        }
    }
}

extension [UInt32] {
    /// Returns the index of the first element not below `value` in an ascending array. Logarithmic.
    func lowerBound(of value: UInt32) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if self[middle] < value { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
