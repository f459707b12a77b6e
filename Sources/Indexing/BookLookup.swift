public import Books
internal import Storage

/// Looks up the books of a catalog by a given set of keys.
public struct BookLookup: Sendable {
    private let keys: KeyTable
    private var index = BookIndex()
    /// The hits in catalog order.
    private var finds: [Find] = []
    /// The first and last hit of each key, by the slot of the key in `keys`.
    private var ends: [(first: UInt32, last: UInt32)]

    private static let none = UInt32.max

    /// A book with one of the keys.
    private struct Find {
        var book: UInt32
        /// The next hit with the same key.
        var next = none
        /// The book's keys as numbers, 0 for none; they are copied, because reading them from the index again would be
        /// random access.
        var isbn: UInt64
        var hash: UInt64

        /// The key of the book's identity as a number.
        var identifying: UInt64 { isbn == 0 ? hash : isbn }

        init(_ book: Int, _ keys: MatchKeys) {
            self.book = UInt32(truncatingIfNeeded: book)
            isbn = keys.isbn?.indexed ?? 0
            hash = keys.hash.indexed
        }

        func has(_ keys: MatchKeys) -> Bool { isbn == keys.isbn?.indexed ?? 0 && hash == keys.hash.indexed }
    }

    /// Looks up the books in `index` that have one of `keys`. Linear in the index, a few nanoseconds per book.
    public init(of keys: some Sequence<BookIdentity.Key>, in index: BookIndex) {
        self.keys = KeyTable(keys)
        finds.reserveInLargePages(min(self.keys.capacity / 2, 2 * index.count))
        ends = []
        ends.reserveInLargePages(self.keys.capacity)
        ends.append(contentsOf: repeatElement((first: Self.none, last: Self.none), count: self.keys.capacity))
        extend(to: index)
    }

    /// Looks up the books that were appended to `index`. Linear in them.
    ///
    /// - Returns: Whether any of them has one of the keys.
    @discardableResult
    public mutating func extend(to index: BookIndex) -> Bool {
        let start = self.index.count
        let known = finds.count
        self.index = index
        if keys.isEmpty { return false }
        keys.withSearch { slot in
            for (segment, first) in zip(index.segments, index.starts) where first + segment.count > start {
                for book in max(0, start - first)..<segment.count {
                    let keys = segment.keys(at: book)
                    if let isbn = keys.isbn, let slot = slot(isbn.indexed) {
                        add(Find(first + book, keys), at: slot)
                    }
                    if let slot = slot(keys.hash.indexed) { add(Find(first + book, keys), at: slot) }
                }
            }
        }
        return finds.count > known
    }

    private mutating func add(_ find: Find, at slot: Int) {
        let number = UInt32(truncatingIfNeeded: finds.count)
        finds.append(find)
        let last = ends[slot].last
        if last == Self.none { ends[slot].first = number } else { finds[Int(last)].next = number }
        ends[slot].last = number
    }

    /// The number of books that were searched.
    public var count: Int { index.count }

    /// Returns the keys of a book.
    public func keys(of id: BookID) -> MatchKeys { index.keys(of: id) }

    /// Calls `body` with the number of each hit of `key` in catalog order, until it returns true.
    @inline(__always)
    private func searchFinds(with key: BookIdentity.Key, _ body: (Int) -> Bool) {
        guard let slot = keys.slot(of: key.indexed) else { return }
        var number = ends[slot].first
        while number != Self.none {
            if body(Int(number)) { return }
            number = finds[Int(number)].next
        }
    }

    private func ids(with key: BookIdentity.Key, where isIncluded: (Find) -> Bool) -> [BookID] {
        var ids: [BookID] = []
        searchFinds(with: key) { number in
            if isIncluded(finds[number]) { ids.append(BookID(finds[number].book)) }
            return false
        }
        return ids
    }

    /// Returns the books whose ISBN or hash is `key`, in catalog order; empty if `key` was not among the given keys.
    public func ids(with key: BookIdentity.Key) -> [BookID] { ids(with: key) { _ in true } }

    /// Returns the books that match `keys`, which must be among the given ones, in catalog order.
    public func ids(matching keys: MatchKeys, by match: MatchKeys.Match) -> [BookID] {
        switch match {
        case .all: return ids(with: keys.hash) { $0.has(keys) }
        case .onlyISBN:
            let editions = keys.isbn.map(ids(with:)) ?? []
            return editions.count == 1 ? editions : []
        case .hash: return ids(with: keys.hash)
        }
    }

    /// Returns the books with the most reliable match of `keys`, in catalog order.
    public func ids(bestMatching keys: MatchKeys) -> [BookID] {
        MatchKeys.Match.allCases.lazy.map { ids(matching: keys, by: $0) }.first { !$0.isEmpty } ?? []
    }

    /// Returns the book with `identity`, or nil if the catalog has none. Linear in the books with the same key.
    public func id(of identity: BookIdentity) -> BookID? { find(identity).map { BookID($0.book) } }

    private func find(_ identity: BookIdentity) -> Find? { findNumber(identity).map { finds[$0] } }

    private func findNumber(_ identity: BookIdentity) -> Int? {
        var occurrence = 0
        var found: Int?
        searchFinds(with: identity.key) { number in
            // A hash also hits books that are identified by their ISBN; these do not count.
            if finds[number].identifying == identity.key.indexed { occurrence += 1 }
            if occurrence == identity.occurrence { found = number }
            return found != nil
        }
        return found
    }
}

/// Hits are numbered in catalog order, so callers can keep per-book data in an array. A book hit by both keys uses only
/// its first number.
extension BookLookup {
    /// The upper bound of the numbers (exclusive).
    public var numberCount: Int { finds.count }

    /// Returns the book with a number, or nil if the number is unused.
    public func id(ofNumber number: Int) -> BookID? {
        let book = finds[number].book
        return number > 0 && finds[number - 1].book == book ? nil : BookID(book)
    }

    /// Returns the number of a book, or nil if it has none of the keys. Logarithmic in the number of hits.
    public func number(of id: BookID) -> Int? {
        var (low, high) = (0, finds.count)
        while low < high {
            let middle = (low + high) / 2
            if finds[middle].book < id.number { low = middle + 1 } else { high = middle }
        }
        return low < finds.count && finds[low].book == id.number ? low : nil
    }

    /// Returns the number of the book with `identity` if it also has `keys`. Linear in the books with the same key.
    public func number(of identity: BookIdentity, having keys: MatchKeys) -> Int? {
        guard let number = findNumber(identity), finds[number].has(keys) else { return nil }
        // The hits of one book are adjacent, and the first one counts.
        return number > 0 && finds[number - 1].book == finds[number].book ? number - 1 : number
    }
}

/// A hash set that assigns each key a slot. Most lookups fail, and a filter of eight bits per slot answers nearly all
/// of those.
private struct KeyTable: Sendable {
    /// An open-addressing table with linear probing, at most half full; 0 is an empty slot.
    private var keys: [UInt64]
    private var filter: [UInt64]
    private let filterShift: UInt64

    init(_ keys: some Sequence<BookIdentity.Key>) {
        let values = keys.map(\.indexed)
        let bitCount = Int.bitWidth - (max(8, 2 * values.count) - 1).leadingZeroBitCount
        self.keys = []
        self.keys.reserveInLargePages(1 << bitCount)
        self.keys.append(contentsOf: repeatElement(0, count: 1 << bitCount))
        filter = Array(repeating: 0, count: 1 << (bitCount + 3 - 6))
        filterShift = UInt64(64 - bitCount - 3)
        isEmpty = values.isEmpty
        for value in values {
            let hash = Self.hash(of: value)
            var slot = Int(truncatingIfNeeded: hash >> (filterShift + 3))
            while self.keys[slot] != 0, self.keys[slot] != value { slot = (slot + 1) & (capacity - 1) }
            self.keys[slot] = value
            let bit = hash >> filterShift
            filter[Int(bit >> 6)] |= 1 << (bit & 63)
        }
    }

    /// Whether the table is empty.
    let isEmpty: Bool

    /// The number of slots.
    var capacity: Int { keys.count }

    /// Returns the slot of a key, or nil if the table does not contain it.
    func slot(of value: UInt64) -> Int? { withSearch { $0(value) } }

    /// Calls `body` with a function that returns the slot of a key, for many lookups in a row.
    @inline(__always)
    func withSearch<Result>(_ body: ((UInt64) -> Int?) -> Result) -> Result {
        keys.withUnsafeBufferPointer { keys in
            filter.withUnsafeBufferPointer { filter in
                body { value in
                    let hash = Self.hash(of: value)
                    let bit = hash >> filterShift
                    if filter[Int(truncatingIfNeeded: bit >> 6)] >> (bit & 63) & 1 == 0 { return nil }
                    var slot = Int(truncatingIfNeeded: bit >> 3)
                    while keys[slot] != 0 {
                        if keys[slot] == value { return slot }
                        slot = (slot + 1) & (keys.count - 1)
                    }
                    return nil
                }
            }
        }
    }

    @inline(__always)
    private static func hash(of value: UInt64) -> UInt64 { value &* 0x9E37_79B9_7F4A_7C15 }
}
