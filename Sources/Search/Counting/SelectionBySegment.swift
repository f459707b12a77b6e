internal import Indexing

/// The books of a list, segment by segment of the catalog, whatever their order in the list is.
struct SelectionBySegment: Sendable {
    /// The segments of the catalog, and the index of the first book of each.
    let segments: [IndexSegment]
    let starts: [Int]
    /// How many of the list's books are in the catalog.
    let count: Int
    /// A bit for each book of the catalog; nil where all are in the list.
    private let bits: [UInt64]?

    /// The books of `list` that are among those of `index`; of a list that grew since, those that are known.
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

    /// Calls `body` with the place in its segment of each book of a segment, ascending.
    @inline(__always)
    func forEach(inSegment number: Int, _ body: (Int) -> Void) {
        let count = segments[number].count
        guard let bits else {
            for place in 0..<count { body(place) }
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

    /// Whether the book at `index` of the catalog is among them.
    func contains(_ index: Int) -> Bool {
        guard let bits else { return (0..<count).contains(index) }
        return index >= 0 && index / 64 < bits.count && bits[index / 64] >> UInt64(index & 63) & 1 != 0
    }
}
