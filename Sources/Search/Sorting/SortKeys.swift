internal import Glibc
internal import Indexing
internal import Text
internal import Threading

// Unchecked, as the compiler cannot know that nobody writes to the memory after it was made.
/// The sort keys of some books that follow one another, as one stretch of memory. Immutable.
private final class KeyColumn: @unchecked Sendable {
    /// Where each key begins and the last one ends, and behind that the keys.
    let memory: UnsafeMutableRawBufferPointer
    /// What the memory belongs to; nil where it is this column's own.
    private let owner: AnyObject?

    init(_ ends: borrowing [UInt32], _ keys: borrowing ByteBuffer, in arena: inout HugePageArena) {
        let endsSize = ends.count * MemoryLayout<UInt32>.stride
        (memory, owner) = arena.allocate(endsSize + keys.count + SortKeyReader.paddingCount)
        ends.withUnsafeBytes { memory.copyMemory(from: UnsafeRawBufferPointer($0)) }
        UnsafeMutableRawBufferPointer(rebasing: memory[endsSize...]).copyMemory(
            from: UnsafeRawBufferPointer(keys.bytes))
    }

    deinit { if owner == nil { memory.deallocate() } }
}

/// The makings of the keys of books that follow one another.
struct SortKeyBuilder: ~Copyable {
    /// The keys; what is appended here belongs to the next one.
    var bytes = ByteBuffer(capacity: 1 << 16)
    /// Where each key ends, and before that where the first begins.
    private var ends: [UInt32] = [0]
    private var arena = HugePageArena()
    /// How long a key may be: what is behind that does not count.
    static let maximumLength = Int(UInt32.max) / SortKeys.columnCount

    init() { ends.reserveCapacity(SortKeys.columnCount + 1) }

    /// Ends the key of a book; one without bytes is unknown.
    @inline(__always)
    mutating func endKey() {
        let start = Int(ends[ends.count - 1])
        if bytes.count - start > Self.maximumLength { bytes.count = start + Self.maximumLength }
        ends.append(UInt32(truncatingIfNeeded: bytes.count))
    }

    fileprivate mutating func take(_ count: Int) -> KeyColumn {
        precondition(ends.count == count + 1, "each book has a key, if an empty one")
        let column = KeyColumn(ends, bytes, in: &arena)
        ends.removeLast(count)
        bytes.count = 0
        return column
    }
}

/// The sort keys of all books of a catalog: bytes for each, compared as memcmp() does and a key before all that begin with
/// it. A book whose key is empty is unknown.
struct SortKeys: Sendable {
    /// How many books there are.
    let count: Int
    private let columns: [KeyColumn]
    /// How many books a column has, but for the last; they are made in about a millisecond.
    static let columnCount = 1 << columnBits
    private static let columnBits = 14

    /// The keys of `count` books; nil where it was cancelled.
    ///
    /// - Parameters:
    ///   - isCancelled: Asked about once a millisecond by each thread.
    ///   - append: Appends the keys of some of the books to a builder, and ends each; called on several threads.
    init?(
        count: Int, threadCount: Int = BackgroundThread.workerCount,
        isCancelled: @escaping @Sendable () -> Bool = { false },
        append: @escaping @Sendable (_ books: Range<Int>, _ builder: inout SortKeyBuilder) -> Void
    ) {
        let columnCount = (count + Self.columnCount - 1) >> Self.columnBits
        let made = Locked<[KeyColumn?]>(Array(repeating: nil, count: columnCount))
        let next = SharedCounter()
        ThreadTeam.run(min(threadCount, columnCount)) { _ in
            var builder = SortKeyBuilder()
            while let number = next.take(below: columnCount), !isCancelled() {
                let start = number << Self.columnBits
                let books = start..<min(count, start + Self.columnCount)
                append(books, &builder)
                let column = builder.take(books.count)
                made.withLock { $0[number] = column }
            }
        }
        let columns = made.withLock { $0.compactMap(\.self) }
        guard columns.count == columnCount else { return nil }
        self.count = count
        self.columns = columns
    }

    /// Calls `body` with the keys.
    func reading<Result>(_ body: (SortKeyReader) throws -> Result) rethrows -> Result {
        let columns = columns.enumerated().map { number, column in
            let keyCount = min(Self.columnCount, count - number << Self.columnBits)
            return SortKeyReader.Column(UnsafeRawBufferPointer(column.memory), keyCount: keyCount)
        }
        return try withExtendedLifetime(self) {
            try columns.withUnsafeBufferPointer { columns in
                try body(SortKeyReader(columns: columns, columnBits: Self.columnBits))
            }
        }
    }
}

/// Looks at sort keys.
struct SortKeyReader {
    /// Where the keys of a column are.
    struct Column {
        fileprivate let ends: UnsafePointer<UInt32>
        fileprivate let keys: UnsafePointer<UInt8>

        fileprivate init(_ memory: UnsafeRawBufferPointer, keyCount: Int) {
            guard let base = memory.baseAddress else { preconditionFailure("a column has memory") }
            ends = base.assumingMemoryBound(to: UInt32.self)
            keys = (base + (keyCount + 1) * MemoryLayout<UInt32>.stride).assumingMemoryBound(to: UInt8.self)
        }
    }

    fileprivate let columns: UnsafeBufferPointer<Column>
    fileprivate let columnBits: Int
    /// How many bytes there are behind the last key of a column.
    fileprivate static let paddingCount = 8

    /// The key of the book at `index`.
    @inline(__always)
    subscript(index: Int) -> UnsafeBufferPointer<UInt8> {
        let column = columns[index >> columnBits]
        let place = index & (1 << columnBits - 1)
        let start = Int(column.ends[place])
        return UnsafeBufferPointer(start: column.keys + start, count: Int(column.ends[place + 1]) - start)
    }

    /// The eight bytes of a key from `offset` on as a number that is in their order, with zeros for those that there are
    /// not. It has no branches: each that is foretold wrongly would wait for memory.
    @inline(__always)
    func word(of index: Int, at offset: Int) -> UInt64 {
        let column = columns[index >> columnBits]
        let place = index & (1 << columnBits - 1)
        let end = Int(column.ends[place + 1])
        let start = min(Int(column.ends[place]) + offset, end)
        let word = UnsafeRawPointer(column.keys + start).loadUnaligned(as: UInt64.self)
        // A shift by 64 leaves nothing.
        return UInt64(bigEndian: word) & ~(UInt64.max >> UInt64(8 * min(8, end - start)))
    }
}
