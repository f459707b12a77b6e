/// Values whose counting is deferred, partitioned by the top bits of their hashes.
///
/// The hash table of very many values does not fit a cache, and waiting for memory at each value takes longer than
/// partitioning first. The texts are not copied and must outlive the partitions.
struct RadixPartitions: ~Copyable {
    /// A text of a book, with its hash.
    struct Value {
        var start: UnsafePointer<UInt8>
        var hash: UInt64
        var length: UInt32
        var book: UInt32

        /// The text.
        var text: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: start, count: Int(length)) }
    }

    /// The number of hash bits that select a partition.
    static let partBitCount = 6
    /// The number of partitions.
    static let partCount = 1 << partBitCount

    /// The number of values in all partitions.
    private(set) var count = 0
    /// The write position of a partition and the remaining capacity there.
    private struct Cursor {
        var next: UnsafeMutablePointer<Value>?
        var room = 0
    }

    private let cursors: UnsafeMutablePointer<Cursor>
    /// The chunks of each partition; all but the last are full.
    private var chunks = [[UnsafeMutablePointer<Value>]](repeating: [], count: partCount)
    /// The blocks of memory that chunks are taken from, and the number of chunks taken from the last one.
    private var slabs: [UnsafeMutablePointer<Value>] = []
    private var takenCount = chunksPerSlab

    private static let chunkCapacity = 256
    private static let chunksPerSlab = 128

    init() {
        cursors = .allocate(capacity: Self.partCount)
        cursors.initialize(repeating: Cursor(), count: Self.partCount)
    }

    deinit {
        cursors.deallocate()
        slabs.forEach { $0.deallocate() }
    }

    /// Appends a non-empty text of `book`; all texts of a book must be added in a row.
    @inline(__always)
    mutating func add(_ text: UnsafeBufferPointer<UInt8>, of book: UInt32, hash: UInt64) {
        guard let start = text.baseAddress else { return }
        let part = Int(truncatingIfNeeded: hash >> UInt64(64 - Self.partBitCount))
        let cursor = cursors + part
        if cursor.pointee.room == 0 { beginChunk(part) }
        guard let next = cursor.pointee.next else { return }
        let length = UInt32(truncatingIfNeeded: text.count)
        next.initialize(to: Value(start: start, hash: hash, length: length, book: book))
        cursor.pointee.next = next + 1
        cursor.pointee.room -= 1
        count += 1
    }

    @inline(never)
    private mutating func beginChunk(_ part: Int) {
        if takenCount == Self.chunksPerSlab {
            slabs.append(.allocate(capacity: Self.chunksPerSlab * Self.chunkCapacity))
            takenCount = 0
        }
        let chunk = slabs[slabs.count - 1] + takenCount * Self.chunkCapacity
        takenCount += 1
        chunks[part].append(chunk)
        cursors[part] = Cursor(next: chunk, room: Self.chunkCapacity)
    }

    /// Calls `body` with the values of a partition in the order they were added.
    @inline(__always)
    func forEach(inPart part: Int, _ body: (Value) -> Void) {
        for (number, chunk) in chunks[part].enumerated() {
            let isLast = number == chunks[part].count - 1
            let count = isLast ? Self.chunkCapacity - cursors[part].room : Self.chunkCapacity
            for cursor in 0..<count { body(chunk[cursor]) }
        }
    }
}
