internal import Indexing

/// The books of a list by segment, independent of the order of the list.
struct SelectionBySegment: Sendable {
    /// The segments of the catalog, and the index of the first book of each.
    let segments: [IndexSegment]
    let starts: [Int]
    /// The number of books in both the list and the catalog.
    let count: Int
    /// One bit per book of the catalog; nil if all are selected.
    private let bits: [UInt64]?

    /// Selects the books of `list` that `index` contains; books that were added to the list later are ignored.
    init(_ list: BookList, of index: BookIndex) {
        (segments, starts) = (index.segments, index.starts)
        guard let indices = list.indices ?? (list.count < index.count ? Array(0..<UInt32(list.count)) : nil) else {
            bits = nil
            count = index.count
            return
        }
        var bits = [UInt64](repeating: 0, count: (index.count + 63) / 64)
        let bookCount = index.count
        bits.withUnsafeMutableBufferPointer { bits in
            for book in indices where Int(book) < bookCount { bits[Int(book >> 6)] |= 1 << UInt64(book & 63) }
        }
        count = bits.reduce(0) { $0 + $1.nonzeroBitCount }
        self.bits = bits
    }

    /// Calls `body` with the index in the segment of each selected book, ascending.
    @inline(__always)
    func forEach(inSegment number: Int, _ body: (Int) -> Void) {
        let count = segments[number].count
        guard let bits else {
            for offset in 0..<count { body(offset) }
            return
        }
        let start = starts[number]
        let end = start + count
        bits.withUnsafeBufferPointer { bits in
            for word in start / 64..<(end + 63) / 64 {
                var rest = bits[word]
                while rest != 0 {
                    let book = word * 64 + rest.trailingZeroBitCount
                    rest &= rest - 1
                    if book >= start && book < end { body(book - start) }
                }
            }
        }
    }

    /// Whether the book at `index` is selected.
    func contains(_ index: Int) -> Bool {
        guard let bits else { return (0..<count).contains(index) }
        return index >= 0 && index / 64 < bits.count && bits[index / 64] >> UInt64(index & 63) & 1 != 0
    }
}
