internal import Glibc
internal import Indexing
internal import Text
internal import Threading

// Unchecked, because the compiler cannot know that the memory is never written after initialization.
/// The sort keys of consecutive books in one block of memory. Immutable.
private final class KeyColumn: @unchecked Sendable {
    /// The start of each key and the end of the last, followed by the keys.
    let memory: UnsafeMutableRawBufferPointer
    /// The owner of the memory, or nil if the column frees it.
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

/// Builds the keys of consecutive books.
struct SortKeyBuilder: ~Copyable {
    /// The keys; appended bytes belong to the current key.
    var bytes = ByteBuffer(capacity: 1 << 16)
    /// The start of the first key, followed by the end of each.
    private var ends: [UInt32] = [0]
    private var arena = HugePageArena()
    /// The maximum length of a key; longer keys are truncated.
    static let maximumLength = Int(UInt32.max) / SortKeys.columnCount

    init() { ends.reserveCapacity(SortKeys.columnCount + 1) }

    /// Ends the key of a book; an empty key means unknown.
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

/// The sort keys of all books of a catalog: byte strings compared like memcmp(), a prefix before longer keys. An empty
/// key means unknown.
struct SortKeys: Sendable {
    /// The number of books.
    let count: Int
    private let columns: [KeyColumn]
    /// The number of books per column, which takes about a millisecond to build.
    static let columnCount = 1 << columnBits
    private static let columnBits = 14

    /// Builds the keys of `count` books; fails if it was cancelled.
    ///
    /// - Parameters:
    ///   - isCancelled: Called about once a millisecond by each thread.
    ///   - append: Appends the keys of a range of books to a builder and ends each; called on several threads.
    init?(
        count: Int, threadCount: Int = BackgroundThread.workerCount,
        isCancelled: @escaping @Sendable () -> Bool = { false },
        append: @escaping @Sendable (_ books: Range<Int>, _ builder: inout SortKeyBuilder) -> Void
    ) {
        let columnCount = (count + Self.columnCount - 1) >> Self.columnBits
        let made = Locked<[KeyColumn?]>(Array(repeating: nil, count: columnCount))
        ThreadPool.shared.forEach(columnCount, threadCount: threadCount, with: { SortKeyBuilder() }) {
            builder, number in
            if isCancelled() { return }
            let start = number << Self.columnBits
            let books = start..<min(count, start + Self.columnCount)
            append(books, &builder)
            let column = builder.take(books.count)
            made.withLock { $0[number] = column }
        }
        let columns = made.withLock { $0.compactMap(\.self) }
        guard columns.count == columnCount else { return nil }
        self.count = count
        self.columns = columns
    }

    /// Calls `body` with a reader of the keys.
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

/// Reads sort keys.
struct SortKeyReader {
    /// The memory of one column.
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
    /// The number of readable bytes after the last key of a column.
    fileprivate static let paddingCount = 8

    /// Returns the key of the book at `index`.
    @inline(__always)
    subscript(index: Int) -> UnsafeBufferPointer<UInt8> {
        let column = columns[index >> columnBits]
        let slot = index & (1 << columnBits - 1)
        let start = Int(column.ends[slot])
        return UnsafeBufferPointer(start: column.keys + start, count: Int(column.ends[slot + 1]) - start)
    }

    /// Returns eight bytes of a key from `offset` in big-endian order, padded with zeros. Branch-free, because a
    /// misprediction would wait for memory.
    @inline(__always)
    func word(of index: Int, at offset: Int) -> UInt64 {
        let column = columns[index >> columnBits]
        let slot = index & (1 << columnBits - 1)
        let end = Int(column.ends[slot + 1])
        let start = min(Int(column.ends[slot]) + offset, end)
        let word = UnsafeRawPointer(column.keys + start).loadUnaligned(as: UInt64.self)
        // A shift by 64 gives zero, and the mask keeps all bits.
        return UInt64(bigEndian: word) & ~(UInt64.max >> UInt64(8 * min(8, end - start)))
    }
}
