public import Books
internal import Storage

/// Finds the books of a catalog that have one of some keys.
public struct BookLookup: Sendable {
    private let keys: KeyTable
    private var index = BookIndex()
    /// What was found, in the catalog's order.
    private var finds: [Find] = []
    /// The first and the last find of each key, by the place of the key in its table.
    private var ends: [(first: UInt32, last: UInt32)]

    private static let none = UInt32.max

    /// A book that has one of the keys.
    private struct Find {
        var book: UInt32
        /// The next one that has the same key.
        var next = none
        /// Its keys as numbers, 0 where there is none: to read them from the index again would be to go to and fro in all of
        /// it.
        var isbn: UInt64
        var hash: UInt64

        /// The number of the key of its identity.
        var identifying: UInt64 { isbn == 0 ? hash : isbn }

        init(_ book: Int, _ keys: MatchKeys) {
            self.book = UInt32(truncatingIfNeeded: book)
            isbn = keys.isbn?.indexed ?? 0
            hash = keys.hash.indexed
        }

        func has(_ keys: MatchKeys) -> Bool { isbn == keys.isbn?.indexed ?? 0 && hash == keys.hash.indexed }
    }

    /// A finder of the books in `index` that have one of `keys`. Linear in the index; a few nanoseconds a book.
    public init(of keys: some Sequence<BookIdentity.Key>, in index: BookIndex) {
        self.keys = KeyTable(keys)
        finds.reserveInLargePages(min(self.keys.capacity / 2, 2 * index.count))
        ends = []
        ends.reserveInLargePages(self.keys.capacity)
        ends.append(contentsOf: repeatElement((first: Self.none, last: Self.none), count: self.keys.capacity))
        extend(to: index)
    }

    /// Takes in the books that came to the end of `index`. Linear in them.
    ///
    /// - Returns: Whether there are some among them that have one of the keys.
    @discardableResult
    public mutating func extend(to index: BookIndex) -> Bool {
        let start = self.index.count
        let known = finds.count
        self.index = index
        if keys.isEmpty { return false }
        keys.withSearch { place in
            for (segment, first) in zip(index.segments, index.starts) where first + segment.count > start {
                for book in max(0, start - first)..<segment.count {
                    let keys = segment.keys(at: book)
                    if let isbn = keys.isbn, let place = place(isbn.indexed) {
                        add(Find(first + book, keys), at: place)
                    }
                    if let place = place(keys.hash.indexed) { add(Find(first + book, keys), at: place) }
                }
            }
        }
        return finds.count > known
    }

    private mutating func add(_ find: Find, at place: Int) {
        let number = UInt32(truncatingIfNeeded: finds.count)
        finds.append(find)
        let last = ends[place].last
        if last == Self.none { ends[place].first = number } else { finds[Int(last)].next = number }
        ends[place].last = number
    }

    /// How many books it knows.
    public var count: Int { index.count }

    /// The keys of a book.
    public func keys(of id: BookID) -> MatchKeys { index.keys(of: id) }

    /// Calls `body` with the number of each find that has `key`, in the catalog's order, until it says that it has found what
    /// it looks for.
    @inline(__always)
    private func searchFinds(with key: BookIdentity.Key, _ body: (Int) -> Bool) {
        guard let place = keys.place(of: key.indexed) else { return }
        var number = ends[place].first
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

    /// The books that have `key`, as their ISBN or their hash, in the catalog's order. Empty if it is not among the keys that
    /// this lookup knows.
    public func ids(with key: BookIdentity.Key) -> [BookID] { ids(with: key) { _ in true } }

    /// The books that match `keys`, which must be among those that this lookup knows, in the catalog's order.
    public func ids(matching keys: MatchKeys, by match: MatchKeys.Match) -> [BookID] {
        switch match {
        case .all: return ids(with: keys.hash) { $0.has(keys) }
        case .onlyISBN:
            let editions = keys.isbn.map(ids(with:)) ?? []
            return editions.count == 1 ? editions : []
        case .hash: return ids(with: keys.hash)
        }
    }

    /// The books that match `keys` best, in the catalog's order; empty if none does.
    public func ids(bestMatching keys: MatchKeys) -> [BookID] {
        MatchKeys.Match.allCases.lazy.map { ids(matching: keys, by: $0) }.first { !$0.isEmpty } ?? []
    }

    /// The book with `identity`; nil if it is not in the catalog. Linear in the books that have its key.
    public func id(of identity: BookIdentity) -> BookID? { find(identity).map { BookID($0.book) } }

    private func find(_ identity: BookIdentity) -> Find? { findNumber(identity).map { finds[$0] } }

    private func findNumber(_ identity: BookIdentity) -> Int? {
        var occurrence = 0
        var found: Int?
        searchFinds(with: identity.key) { number in
            // A hash is also found where the ISBN is what identifies the book.
            if finds[number].identifying == identity.key.indexed { occurrence += 1 }
            if occurrence == identity.occurrence { found = number }
            return found != nil
        }
        return found
    }
}

/// Hits are numbered in catalog order, so callers can keep per-book data in an array. A book hit by both keys uses only its
/// first number.
extension BookLookup {
    /// Behind the last number.
    public var numberCount: Int { finds.count }

    /// The book with a number; nil where the number is no book's.
    public func id(ofNumber number: Int) -> BookID? {
        let book = finds[number].book
        return number > 0 && finds[number - 1].book == book ? nil : BookID(book)
    }

    /// The number of a book; nil if it has none of the keys. Logarithmic in the books that were found.
    public func number(of id: BookID) -> Int? {
        var (low, high) = (0, finds.count)
        while low < high {
            let middle = (low + high) / 2
            if finds[middle].book < id.number { low = middle + 1 } else { high = middle }
        }
        return low < finds.count && finds[low].book == id.number ? low : nil
    }

    /// The number of the book with `identity`, if it has these keys; nil else. Linear in the books that have its key.
    public func number(of identity: BookIdentity, having keys: MatchKeys) -> Int? {
        guard let number = findNumber(identity), finds[number].has(keys) else { return nil }
        // Of one book's finds, which are neighbours, the first one.
        return number > 0 && finds[number - 1].book == finds[number].book ? number - 1 : number
    }
}

/// A set of keys, each with a place of its own. Most of what is looked for in it is not there, and nearly all of that is told
/// by a bit in a table that is an eighth of a byte a place.
private struct KeyTable: Sendable {
    /// Each key as a number at its place, or at the next free one behind; 0, which is none, where no key is. At most half of
    /// the places are taken.
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
            var place = Int(truncatingIfNeeded: hash >> (filterShift + 3))
            while self.keys[place] != 0, self.keys[place] != value { place = (place + 1) & (capacity - 1) }
            self.keys[place] = value
            let bit = hash >> filterShift
            filter[Int(bit >> 6)] |= 1 << (bit & 63)
        }
    }

    /// Whether there are none.
    let isEmpty: Bool

    /// How many places there are.
    var capacity: Int { keys.count }

    /// The place of a key; nil where it is not in the table.
    func place(of value: UInt64) -> Int? { withSearch { $0(value) } }

    /// Calls `body` with a search for the place of a key, for those who look for many.
    @inline(__always)
    func withSearch<Result>(_ body: ((UInt64) -> Int?) -> Result) -> Result {
        keys.withUnsafeBufferPointer { keys in
            filter.withUnsafeBufferPointer { filter in
                body { value in
                    let hash = Self.hash(of: value)
                    let bit = hash >> filterShift
                    if filter[Int(truncatingIfNeeded: bit >> 6)] >> (bit & 63) & 1 == 0 { return nil }
                    var place = Int(truncatingIfNeeded: bit >> 3)
                    while keys[place] != 0 {
                        if keys[place] == value { return place }
                        place = (place + 1) & (keys.count - 1)
                    }
                    return nil
                }
            }
        }
    }

    @inline(__always)
    private static func hash(of value: UInt64) -> UInt64 { value &* 0x9E37_79B9_7F4A_7C15 }
}
