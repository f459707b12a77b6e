public import Indexing

/// Books by their indices, of which it is known in no time whether one is among them.
public struct BookSet {
    private var words: [UInt64] = []
    /// How many there are.
    public private(set) var count = 0

    /// No books.
    public init() {}

    /// The books of `list`.
    public init(_ list: BookList) {
        insert(rows: 0..<list.count, of: list)
    }

    /// Whether there is none.
    public var isEmpty: Bool { count == 0 }

    /// Whether the book at `index` is among them.
    public func contains(_ index: Int) -> Bool {
        index / 64 < words.count && words[index / 64] >> UInt64(index % 64) & 1 != 0
    }

    /// Adds the book at `index`.
    public mutating func insert(_ index: Int) {
        if index / 64 >= words.count {
            words.append(contentsOf: repeatElement(0, count: index / 64 + 1 - words.count))
        }
        if contains(index) { return }
        words[index / 64] |= 1 << UInt64(index % 64)
        count += 1
    }

    /// Adds the books in some rows of `list`.
    public mutating func insert(rows: Range<Int>, of list: BookList) {
        for row in rows { insert(list.index(atRow: row)) }
    }

    /// Takes out the book at `index`.
    public mutating func remove(_ index: Int) {
        guard contains(index) else { return }
        words[index / 64] &= ~(1 << UInt64(index % 64))
        count -= 1
    }

    /// The books, in the catalog's order.
    public var indices: [Int] {
        words.indices.flatMap { word in
            (0..<64).compactMap { words[word] >> UInt64($0) & 1 != 0 ? word * 64 + $0 : nil }
        }
    }
}
