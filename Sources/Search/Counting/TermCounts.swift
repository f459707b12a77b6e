internal import CText

/// How many books have each text of a kind, as one thread counts it: at once as long as there are few, and else later, in
/// parts that several threads count side by side.
struct TermCounts: ~Copyable {
    typealias Tally = FacetAccumulator.Tally

    /// The texts that were counted at once.
    private(set) var counted = TermHashTable<Tally>()
    /// Those that are to be counted.
    private(set) var deferred = RadixPartitions()
    private var defers = false

    /// As many still fit a cache.
    private static let limit = 1 << 13

    /// Adds a text of `book`, which is not empty.
    @inline(__always)
    mutating func add(_ text: UnsafeBufferPointer<UInt8>, of book: UInt32) {
        if defers {
            deferred.add(text, of: book, hash: cs_hash(text.baseAddress, text.count))
        } else {
            counted.add(text, of: book) { $0.add($1) }
        }
    }

    /// Ends the books of a segment: none of them has more texts.
    mutating func endSegment() {
        counted.addPending { $0.add($1) }
        defers = defers || counted.count > Self.limit
    }

    /// Adds what was counted or is to be counted of a part, of those of `RadixPartitions`, to a table of all.
    func add(part: Int, to table: inout TermHashTable<Tally>) {
        func take(_ text: UnsafeBufferPointer<UInt8>, hash: UInt64, first: UInt32, _ add: (inout Tally) -> Void) {
            let entry = table.entry(of: text, hash: hash)
            // The text is that of the first book, whichever thread was the first.
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
