internal import Indexing

/// A new order of all records of a file, in which each record replaces another.
struct RecordPermutation: Sendable {
    private let index: BookIndex
    /// The lengths of the records in bytes.
    private let lengths: [UInt32]
    /// The number of the record at each new position.
    private let order: [UInt32]

    /// Creates the order of the records in `index`, which have these lengths; fails if a number is too large.
    init?(_ order: [Int], in index: BookIndex, lengths: [UInt32]) {
        guard order.count == lengths.count, UInt32(exactly: order.count) != nil else { return nil }
        (self.index, self.lengths) = (index, lengths)
        self.order = order.map { UInt32(truncatingIfNeeded: $0) }
    }

    /// Whether each record keeps its position.
    var isIdentity: Bool { order.indices.allSatisfy { order[$0] == $0 } }

    /// The changes of the file in order, computed one by one because all of them would take much memory.
    var splices: some Sequence<FileSplice> {
        order.indices.lazy.filter { order[$0] != $0 }.map { place in
            FileSplice(range: range(of: place), content: .copy(range(of: Int(order[place]))))
        }
    }

    private func range(of number: Int) -> Range<Int> {
        let start = index.offset(at: number)
        return start..<start + Int(lengths[number])
    }
}
