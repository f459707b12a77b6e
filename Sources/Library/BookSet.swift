public import Catalog
public import Indexing

/// A set of books, stored as one bit per book of the catalog.
public struct BookSet {
    private var words: [UInt64] = []
    /// The number of books in the set.
    public private(set) var count = 0

    /// Creates an empty set.
    public init() {}

    /// Creates a set of the books in `list`.
    public init(_ list: BookList) {
        insert(rows: 0..<list.count, of: list)
    }

    /// Whether the set is empty.
    public var isEmpty: Bool { count == 0 }

    /// Whether the set contains a book.
    public func contains(_ id: BookID) -> Bool {
        let index = id.index
        return index / 64 < words.count && words[index / 64] >> UInt64(index % 64) & 1 != 0
    }

    /// Adds a book.
    public mutating func insert(_ id: BookID) {
        let index = id.index
        if index / 64 >= words.count {
            words.append(contentsOf: repeatElement(0, count: index / 64 + 1 - words.count))
        }
        if contains(id) { return }
        words[index / 64] |= 1 << UInt64(index % 64)
        count += 1
    }

    /// Adds the books in a range of rows that are loaded.
    public mutating func insert(rows: Range<Int>, of list: any RowSource) {
        for row in rows { list.id(atRow: row).value.map { insert($0) } }
    }

    /// Removes the books in a range of rows that are loaded.
    public mutating func remove(rows: Range<Int>, of list: any RowSource) {
        for row in rows { list.id(atRow: row).value.map { remove($0) } }
    }

    /// Removes a book.
    public mutating func remove(_ id: BookID) {
        guard contains(id) else { return }
        let index = id.index
        words[index / 64] &= ~(1 << UInt64(index % 64))
        count -= 1
    }

    /// The books in catalog order.
    public var ids: [BookID] {
        words.indices.flatMap { word in
            (0..<64).compactMap { words[word] >> UInt64($0) & 1 != 0 ? BookID(word * 64 + $0) : nil }
        }
    }
}
