internal import CText

/// The number of books by text, as counted by one thread: immediately while there are few distinct texts, otherwise
/// deferred to partitions that several threads count in parallel.
struct TermCounts: ~Copyable {
    typealias Tally = FacetAccumulator.Tally

    /// The texts that were counted immediately.
    private(set) var counted = TermHashTable<Tally>()
    /// The texts that are still to be counted.
    private(set) var deferred = RadixPartitions()
    private var defers = false

    /// The number of distinct texts that fit a cache.
    private static let limit = 1 << 13

    /// Adds a non-empty text of `book`.
    @inline(__always)
    mutating func add(_ text: UnsafeBufferPointer<UInt8>, of book: UInt32) {
        if defers {
            deferred.add(text, of: book, hash: cs_hash(text.baseAddress, text.count))
        } else {
            counted.add(text, of: book) { $0.add($1) }
        }
    }

    /// Ends a segment, after all texts of its books were added.
    mutating func endSegment() {
        counted.addPending { $0.add($1) }
        defers = defers || counted.count > Self.limit
    }

    /// Adds the counted and deferred texts in one of the `RadixPartitions` to `table`.
    func add(part: Int, to table: inout TermHashTable<Tally>) {
        func take(_ text: UnsafeBufferPointer<UInt8>, hash: UInt64, first: UInt32, _ add: (inout Tally) -> Void) {
            let entry = table.entry(of: text, hash: hash)
            // The entry points to the text of the first book, whichever thread came first.
            if entry.pointee.note.count > 0, first < entry.pointee.note.first { entry.pointee.text = text.baseAddress }
            add(&entry.pointee.note)
        }
        counted.forEachEntry(inPart: part, bitCount: RadixPartitions.partBitCount) { other in
            take(other.bytes, hash: other.hash, first: other.note.first) { $0.add(other.note) }
        }
        deferred.forEach(inPart: part) { value in
            take(value.text, hash: value.hash, first: value.book) { $0.add(value.book) }
        }
    }
}
