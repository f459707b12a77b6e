internal import Catalog

/// A set of books, as a bit for each book of the catalog.
struct BookSet {
    private var words: [UInt64] = []
    /// How many there are.
    private(set) var count = 0

    /// No books.
    init() {}

    /// The books of `list`.
    init(_ list: BookList) {
        insert(rows: 0..<list.count, of: list)
    }

    /// Whether there is none.
    var isEmpty: Bool { count == 0 }

    /// Whether a book is among them.
    func contains(_ id: BookID) -> Bool {
        let index = id.index
        return index / 64 < words.count && words[index / 64] >> UInt64(index % 64) & 1 != 0
    }

    /// Adds a book.
    mutating func insert(_ id: BookID) {
        let index = id.index
        if index / 64 >= words.count {
            words.append(contentsOf: repeatElement(0, count: index / 64 + 1 - words.count))
        }
        if contains(id) { return }
        words[index / 64] |= 1 << UInt64(index % 64)
        count += 1
    }

    /// Adds the books in some rows of `list`.
    mutating func insert(rows: Range<Int>, of list: BookList) {
        for row in rows { insert(list[row]) }
    }

    /// Takes out a book.
    mutating func remove(_ id: BookID) {
        guard contains(id) else { return }
        let index = id.index
        words[index / 64] &= ~(1 << UInt64(index % 64))
        count -= 1
    }

    /// The books, in the catalog's order.
    var ids: [BookID] {
        words.indices.flatMap { word in
            (0..<64).compactMap { words[word] >> UInt64($0) & 1 != 0 ? BookID(word * 64 + $0) : nil }
        }
    }
}
