internal import Indexing

/// A few thousand books of an index that a thread looks at together. A thread takes up newer work after a slice, within
/// milliseconds.
struct IndexSlice {
    /// The segment of the books.
    let segment: IndexSegment
    /// The number of its first book in the index.
    let start: Int
    /// The books, as numbers in the segment.
    let books: Range<Int>

    /// The maximum number of books.
    static let length = 8192
}

extension BookIndex {
    /// All books in slices, in their order.
    var slices: [IndexSlice] {
        zip(segments, starts).flatMap { segment, start in
            stride(from: 0, to: segment.count, by: IndexSlice.length).map {
                IndexSlice(segment: segment, start: start, books: $0..<min($0 + IndexSlice.length, segment.count))
            }
        }
    }
}
