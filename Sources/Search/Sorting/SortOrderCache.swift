public import Indexing
internal import Text
internal import Threading

/// Sorts the books of a catalog in the background, and caches the results.
///
/// Not thread-safe.
public final class SortOrderCache {
    /// All books in a sort order.
    public struct Order: Sendable {
        /// The indices of the books.
        public let indices: [UInt32]
        /// Whether all books are sorted; otherwise those added since are appended in catalog order.
        public let isFinal: Bool
    }

    /// The finished permutations: by one number, by one ascending text, or by several keys.
    private var made: [SortOrder: Permutation] = [:]
    /// The last result, which is assembled only once.
    private var last: (order: SortOrder, Order)?
    private var making: (order: SortOrder, result: BackgroundTask<Permutation>)?

    /// Creates an empty cache.
    public init() {}

    /// Discards the orders that depend on the reader's data, because that may have changed.
    public func forgetReaderOrders() {
        for order in made.keys where order.needsUserData { made[order] = nil }
        if last?.order.needsUserData == true { last = nil }
        if making?.order.needsUserData == true {
            making?.result.cancel()
            making = nil
        }
    }

    /// Discards all orders, because the catalog changed.
    public func forget() {
        making?.result.cancel()
        (made, last, making) = ([:], nil, nil)
    }

    /// Returns the books of `index` sorted by `order`, which must not be the list's own order.
    ///
    /// - Parameters:
    ///   - columns: The columns of the fields that only the catalog has.
    ///   - userData: Returns the reader's data if the order depends on it.
    ///   - isComplete: Whether the catalog is fully loaded; before that, an order of at least half of the books is
    ///     accepted.
    ///   - milliseconds: The maximum time to wait for a new order.
    ///   - notify: Called on any thread when a new order is ready.
    /// - Returns: nil if the order is not ready yet.
    public func order(
        _ order: SortOrder, of index: BookIndex, columns: FieldColumns = [:],
        userData: () -> UserDataFilter = { UserDataFilter() }, isComplete: Bool, waiting milliseconds: Int,
        notifying notify: @escaping @Sendable () -> Void
    ) -> Order? {
        if let last, last.order == order, last.1.isFinal, last.1.indices.count == index.count { return last.1 }
        guard let first = order.criteria.first else { return nil }
        // An order by one text is reversed without sorting again, which takes 2 ms instead of 200 for a million books;
        // its rare ties are reversed too. Numbers have many ties and sort in 20 ms; with several keys, ties must keep
        // the order of the others.
        let reversesAscending = first.isReversed && order.criteria.count == 1 && first.key.isText
        var forwards = order
        if reversesAscending { forwards.criteria[0].isReversed = false }
        let knownCount = made[forwards]?.indices.count ?? 0
        if knownCount == 0 || knownCount < index.count && (isComplete || knownCount < index.count / 2) {
            make(forwards, of: index, columns, userData, waiting: milliseconds, notifying: notify)
        }
        guard let known = made[forwards] else { return nil }
        var indices = reversesAscending ? known.reversed.indices : known.indices
        let isFinal = indices.count == index.count
        if indices.count < index.count { indices += UInt32(indices.count)..<UInt32(index.count) }
        let result = Order(indices: indices, isFinal: isFinal)
        last = (order, result)
        return result
    }

    private func make(
        _ order: SortOrder, of index: BookIndex, _ columns: FieldColumns, _ userData: () -> UserDataFilter,
        waiting milliseconds: Int, notifying notify: @escaping @Sendable () -> Void
    ) {
        if making?.order != order {
            making?.result.cancel()
            let userData = order.needsUserData ? userData() : UserDataFilter()
            let result = BackgroundTask(notifying: notify) { isCancelled in
                Self.order(by: order.criteria, of: index, columns, userData, isCancelled: isCancelled)
            }
            making = (order, result)
        }
        guard let order = making?.order, let result = making?.result.wait(milliseconds: milliseconds) else { return }
        making = nil
        // Nobody can ask for an earlier order of chance but by going back.
        if order.isRandom { for earlier in made.keys where earlier.isRandom { made[earlier] = nil } }
        made[order] = result
    }

    /// Sorts by the first of `criteria`, with ties decided by the others.
    private static func order(
        by criteria: [SortOrder.Criterion], of index: BookIndex, _ columns: FieldColumns, _ userData: UserDataFilter,
        isCancelled: @escaping @Sendable () -> Bool
    ) -> Permutation? {
        var order: Permutation?
        // The sort is stable, so the keys are applied from last to first.
        for criterion in criteria.reversed() {
            // The sort is stable. For a descending key, reverse before and after, so that ties keep the order of the
            // later keys.
            var start = order?.indices
            if criterion.isReversed { start = start?.reversed() ?? (0..<UInt32(index.count)).reversed() }
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
            case .mine, .read, .status, .random:
                order = Permutation(
                    by: criterion.key.readerNumbers(of: index, userData), from: start, isCancelled: isCancelled)
            case .own(let field):
                order = Permutation(
                    by: columns[field].sortableNumbers(count: index.count), from: start, isCancelled: isCancelled)
            }
            guard let made = order else { return nil }
            if criterion.isReversed { order = made.reversedThroughout }
        }
        return order
    }
}

extension FieldColumn? {
    /// Returns the sortable number of each of `count` books: that of its entry, as entries are sorted.
    fileprivate func sortableNumbers(count: Int) -> [UInt32] {
        guard let numbers = self?.numbers else { return Array(repeating: SortableInteger.unknown, count: count) }
        return (0..<count).map { book in
            let number = book < numbers.count ? numbers[book] : 0
            return number == 0 ? SortableInteger.unknown : number
        }
    }
}

extension BookIndex {
    /// Calls `body` with the segment of each of these books and the book's index in it.
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

    /// Returns the sortable number of each book for `key`.
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
                        default: SortableInteger.unknown
                        }
                    buffer[initialized] = number
                    initialized += 1
                }
            }
        }
    }
}

extension IndexSegment {
    /// Appends the sort key of the title of the book at `index`, from the catalog's sort title if there is one.
    func appendTitleKey(of index: Int, to key: inout ByteBuffer) {
        let text = text(at: index)
        var title: UnsafeBufferPointer<UInt8>?
        for line in IndexedText(text) {
            if line.kind == .title { title = line.content }
            if line.kind == .sortTitle {
                // The catalog has already moved the article.
                Collation.append(line.content, to: &key)
                return
            }
        }
        guard let title else { return }
        let code = languages.isEmpty ? LanguageCode.unknown : LanguageCode(bits: languages[index])
        TitleKey.append(title, language: code == .unknown ? nil : code, to: &key)
    }

    /// Appends the sort key of the first author of the book at `index`.
    func appendAuthorKey(of index: Int, to key: inout ByteBuffer) {
        for line in IndexedText(text(at: index)) where line.kind == .author {
            NameKey.append(line.content, to: &key)
            return
        }
    }

    /// Appends the sort key of the series of the book at `index`: the name, then the position.
    func appendSeriesKey(of index: Int, to key: inout ByteBuffer) {
        for line in IndexedText(text(at: index)) where line.kind == .series {
            let length = SeriesName.length(of: line.content)
            let start = key.count
            SeriesKey.append(UnsafeBufferPointer(rebasing: line.content[..<length]), to: &key)
            if key.count == start { return }
            // A zero byte sorts before any continuation of the name.
            key.append(0)
            let position = position(of: index) ?? SeriesName.position(in: line.content, behind: length) ?? .infinity
            // The bits are mapped so that they sort like the numbers: negative ones first, in reverse.
            let bits = position.bitPattern
            let ordered = bits >> 63 == 0 ? bits | 1 << 63 : ~bits
            for shift in stride(from: 56, through: 0, by: -8) {
                key.append(UInt8(truncatingIfNeeded: ordered >> UInt64(shift)))
            }
            return
        }
    }

    /// Returns the series position of the book at `index` from its own field.
    private func position(of index: Int) -> Double? {
        let position = facts(at: index).position
        return position.isNaN ? nil : Double(position)
    }
}
