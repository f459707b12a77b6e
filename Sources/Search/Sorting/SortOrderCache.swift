public import Indexing
internal import Text
internal import Threading

/// Orders the books of a catalog, in the background, and keeps the orders that were asked for.
///
/// It belongs to one thread.
public final class SortOrderCache {
    /// An order of all books.
    public struct Order: Sendable {
        /// The indices of the books.
        public let indices: [UInt32]
        /// Whether the books that came to the catalog since have their places, too: else they stand at the end.
        public let isFinal: Bool
    }

    /// The orders by one key each, none of them reversed, or by one after the others, that were made.
    private var made: [SortOrder: Permutation] = [:]
    /// What was handed out last, so that it is put together once.
    private var last: (order: SortOrder, Order)?
    private var making: (order: SortOrder, result: BackgroundTask<Permutation>)?

    /// A sorter that has made nothing yet.
    public init() {}

    /// Forgets all orders: the books are others now.
    public func forget() {
        making?.result.cancel()
        (made, last, making) = ([:], nil, nil)
    }

    /// The books of `index` in `order`, which is not the list's own.
    ///
    /// - Parameters:
    ///   - isComplete: Whether no more books will come; before, an order that has half of them or more is good enough.
    ///   - milliseconds: How long to wait for what is not made yet.
    ///   - notify: Called on any thread when it is made.
    /// - Returns: Nil where it is not made yet.
    public func order(
        _ order: SortOrder, of index: BookIndex, isComplete: Bool, waiting milliseconds: Int,
        notifying notify: @escaping @Sendable () -> Void
    ) -> Order? {
        if let last, last.order == order, last.1.isFinal, last.1.indices.count == index.count { return last.1 }
        guard let first = order.criteria.first else { return nil }
        // An order by one key is turned round without sorting anew; by several, the others must stay as they are.
        let isTurned = first.isReversed && order.criteria.count == 1
        var forwards = order
        if isTurned { forwards.criteria[0].isReversed = false }
        var known = made[forwards]
        if let enough = known?.indices.count, enough < index.count, isComplete || enough < index.count / 2 {
            known = make(forwards, of: index, waiting: milliseconds, notifying: notify) ?? known
        } else if known == nil {
            known = make(forwards, of: index, waiting: milliseconds, notifying: notify)
        }
        guard let known else { return nil }
        var indices = isTurned ? known.reversed.indices : known.indices
        let isFinal = indices.count == index.count
        if indices.count < index.count { indices += UInt32(indices.count)..<UInt32(index.count) }
        let result = Order(indices: indices, isFinal: isFinal)
        last = (order, result)
        return result
    }

    private func make(
        _ order: SortOrder, of index: BookIndex, waiting milliseconds: Int,
        notifying notify: @escaping @Sendable () -> Void
    ) -> Permutation? {
        if making?.order != order {
            making?.result.cancel()
            let result = BackgroundTask(notifying: notify) { isCancelled in
                Self.order(by: order.criteria, of: index, isCancelled: isCancelled)
            }
            making = (order, result)
        }
        guard let order = making?.order, let result = making?.result.wait(milliseconds: milliseconds) else {
            return nil
        }
        making = nil
        made[order] = result
        return result
    }

    /// The order by the first of `criteria`, and where that is the same by the others.
    private static func order(
        by criteria: [SortOrder.Criterion], of index: BookIndex, isCancelled: @escaping @Sendable () -> Bool
    ) -> Permutation? {
        var order: Permutation?
        // Each sort leaves what is the same as the one before put it.
        for criterion in criteria.reversed() {
            // The sort is stable. For a descending key, reverse before and after, so that ties keep the order of the later
            // keys.
            let start = criterion.isReversed ? order.map { $0.indices.reversed() } : order?.indices
            switch criterion.key {
            case .title, .author, .series:
                let keys = SortKeys(count: index.count, isCancelled: isCancelled) { books, builder in
                    index.forEach(in: books) { segment, book in
                        switch criterion.key {
                        case .title: segment.appendTitleKey(of: book, to: &builder.bytes)
                        case .author: segment.appendAuthorKey(of: book, to: &builder.bytes)
                        default: segment.appendSeriesKey(of: book, to: &builder.bytes)
                        }
                        builder.endKey()
                    }
                }
                guard let keys else { return nil }
                order = Permutation(by: keys, from: start, isCancelled: isCancelled)
            case .year, .pages, .rating, .added:
                order = Permutation(by: index.numbers(for: criterion.key), from: start, isCancelled: isCancelled)
            }
            guard let made = order else { return nil }
            if criterion.isReversed { order = start == nil ? made.reversed : made.reversedThroughout }
        }
        return order
    }
}

extension BookIndex {
    /// Calls `body` with the segment of each of these books and its place there.
    func forEach(in books: Range<Int>, _ body: (IndexSegment, Int) -> Void) {
        var number = segmentNumber(of: books.lowerBound)
        var index = books.lowerBound
        while index < books.upperBound {
            let segment = segments[number]
            let first = index - starts[number]
            let last = min(segment.count, books.upperBound - starts[number])
            for book in first..<last { body(segment, book) }
            index += last - first
            number += 1
        }
    }

    /// For each book the number that it is ordered by, as `SortableInteger` makes them.
    fileprivate func numbers(for key: SortOrder.Key) -> [UInt32] {
        if count == 0 { return [] }
        return [UInt32](unsafeUninitializedCapacity: count) { buffer, initialized in
            for segment in segments {
                for book in 0..<segment.count {
                    let facts = segment.facts(at: book)
                    let number =
                        switch key {
                        case .year:
                            facts.year == NumericFields.unknownYear
                                ? SortableInteger.unknown : SortableInteger.of(Int(facts.year))
                        case .pages: facts.pages == 0 ? SortableInteger.unknown : SortableInteger.of(Int(facts.pages))
                        case .rating:
                            facts.rating == 0 ? SortableInteger.unknown : SortableInteger.of(Int(facts.rating))
                        case .added: facts.added == 0 ? SortableInteger.unknown : SortableInteger.of(Int(facts.added))
                        case .title, .author, .series: SortableInteger.unknown
                        }
                    buffer[initialized] = number
                    initialized += 1
                }
            }
        }
    }
}

extension IndexSegment {
    /// Appends the key that the title of the book at `index` is ordered by: of the title that the catalog has for sorting,
    /// if any.
    func appendTitleKey(of index: Int, to key: inout ByteBuffer) {
        let text = text(at: index)
        var title: UnsafeBufferPointer<UInt8>?
        for line in IndexedText(text) {
            if line.kind == .title { title = line.content }
            if line.kind == .sortTitle {
                // Its article is where the catalog wants it.
                Collation.append(line.content, to: &key)
                return
            }
        }
        guard let title else { return }
        let code = languages.isEmpty ? LanguageCode.unknown : LanguageCode(bits: languages[index])
        TitleKey.append(title, language: code == .unknown ? nil : code, to: &key)
    }

    /// Appends the key that the first author of the book at `index` is ordered by.
    func appendAuthorKey(of index: Int, to key: inout ByteBuffer) {
        for line in IndexedText(text(at: index)) where line.kind == .author {
            NameKey.append(line.content, to: &key)
            return
        }
    }

    /// Appends the key that the series of the book at `index` is ordered by, with the place in it behind the name.
    func appendSeriesKey(of index: Int, to key: inout ByteBuffer) {
        for line in IndexedText(text(at: index)) where line.kind == .series {
            let length = SeriesName.length(of: line.content)
            let start = key.count
            Collation.append(UnsafeBufferPointer(rebasing: line.content[..<length]), to: &key)
            if key.count == start { return }
            // Before all that a name may go on with.
            key.append(0)
            let place = place(of: index) ?? SeriesName.place(in: line.content, behind: length) ?? .infinity
            // In the order of the numbers: those below zero first, and of them the greatest magnitude.
            let bits = place.bitPattern
            let ordered = bits >> 63 == 0 ? bits | 1 << 63 : ~bits
            for shift in stride(from: 56, through: 0, by: -8) {
                key.append(UInt8(truncatingIfNeeded: ordered >> UInt64(shift)))
            }
            return
        }
    }

    /// The place of the book at `index` in its series, as the catalog has it for itself.
    private func place(of index: Int) -> Double? {
        let position = facts(at: index).position
        return position.isNaN ? nil : Double(position)
    }
}
