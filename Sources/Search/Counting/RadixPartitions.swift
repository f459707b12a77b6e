/// Values of books that were put down to be counted later, in parts by the first bits of their hashes: the table of very many
/// values is in no cache, and to wait for memory at each takes longer than to put it down.
///
/// The texts stay where they are, and must do so as long as the values are asked for.
struct RadixPartitions: ~Copyable {
    /// A text that a book has, and its hash.
    struct Value {
        var start: UnsafePointer<UInt8>
        var hash: UInt64
        var length: UInt32
        var book: UInt32

        /// The text.
        var text: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: start, count: Int(length)) }
    }

    /// The parts are those of `partBitCount` bits.
    static let partBitCount = 6
    /// How many parts there are.
    static let partCount = 1 << partBitCount

    /// How many values are put down.
    private(set) var count = 0
    /// Where the next value of a part goes, and for how many more there is room.
    private struct Place {
        var next: UnsafeMutablePointer<Value>?
        var room = 0
    }

    private let places: UnsafeMutablePointer<Place>
    /// The chunks of each part, all but the last of which are full.
    private var chunks = [[UnsafeMutablePointer<Value>]](repeating: [], count: partCount)
    /// The memory that chunks are taken from, and how many were taken of the last.
    private var slabs: [UnsafeMutablePointer<Value>] = []
    private var takenCount = chunksPerSlab

    private static let chunkCapacity = 256
    private static let chunksPerSlab = 128

    init() {
        places = .allocate(capacity: Self.partCount)
        places.initialize(repeating: Place(), count: Self.partCount)
    }

    deinit {
        places.deallocate()
        slabs.forEach { $0.deallocate() }
    }

    /// Puts down a text that `book` has, which is not empty. In the order of books: those of one follow each other.
    @inline(__always)
    mutating func add(_ text: UnsafeBufferPointer<UInt8>, of book: UInt32, hash: UInt64) {
        guard let start = text.baseAddress else { return }
        let part = Int(truncatingIfNeeded: hash >> UInt64(64 - Self.partBitCount))
        let place = places + part
        if place.pointee.room == 0 { beginChunk(part) }
        guard let next = place.pointee.next else { return }
        let length = UInt32(truncatingIfNeeded: text.count)
        next.initialize(to: Value(start: start, hash: hash, length: length, book: book))
        place.pointee.next = next + 1
        place.pointee.room -= 1
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
        places[part] = Place(next: chunk, room: Self.chunkCapacity)
    }

    /// Calls `body` with the values of a part, in their order.
    @inline(__always)
    func forEach(inPart part: Int, _ body: (Value) -> Void) {
        for (number, chunk) in chunks[part].enumerated() {
            let isLast = number == chunks[part].count - 1
            let count = isLast ? Self.chunkCapacity - places[part].room : Self.chunkCapacity
            for place in 0..<count { body(chunk[place]) }
        }
    }
}
