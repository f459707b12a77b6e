internal import Threading

/// Bytes at any offset of a file.
public protocol ByteInput: Sendable {
    /// Reads bytes at `offset` into `buffer`.
    ///
    /// - Returns: The number of bytes read, less than `buffer.count` at the end of the file, on a pipe, and where the
    ///   file cannot be read; nil if they are being fetched.
    func fetch(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) -> Int?
}

extension RandomAccessInput: ByteInput {
    /// Reads bytes like `read(into:at:)`, and waits for them.
    public func fetch(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) -> Int? {
        (try? read(into: buffer, at: offset)) ?? 0
    }
}

/// A regular file for a thread that must not wait for a slow disk or a server: what is not in memory is read on another
/// thread and kept for a while.
public final class FetchedInput: ByteInput {
    private let file: RandomAccessInput
    private let patience: Int
    private let notify: @Sendable () -> Void
    private let thread = SerialThread()
    private let blocks = Locked(FetchedBlocks())

    /// Creates an input that reads `file`.
    ///
    /// - Parameters:
    ///   - patience: How long the caller waits for all that it reads within a moment, in milliseconds.
    ///   - notify: Called on any thread when bytes have arrived.
    public init(_ file: RandomAccessInput, patience: Int, notifying notify: @escaping @Sendable () -> Void) {
        (self.file, self.patience, self.notify) = (file, patience, notify)
    }

    /// Whether bytes are being fetched.
    public var isFetching: Bool { blocks.withLock(\.isReading) }

    /// Reads bytes at `offset` into `buffer`, or starts to fetch them.
    public func fetch(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) -> Int? {
        if let count = file.readAtHand(into: buffer, at: offset) { return count }
        let (known, isFirst, rest) = blocks.withLock { blocks -> (Int?, Bool, Int) in
            if let count = blocks.copy(to: buffer, from: offset) { return (count, false, 0) }
            let isFirst = blocks.want(offset..<offset + buffer.count)
            return (nil, isFirst, blocks.rest(of: patience))
        }
        if let known { return known }
        if isFirst && !thread.perform({ [file, blocks, notify] in Self.read(blocks, of: file, notifying: notify) }) {
            // Without a thread, the caller has to wait.
            Self.read(blocks, of: file) {}
        }
        blocks.wait(milliseconds: rest) { $0.has(offset..<offset + buffer.count) }
        return blocks.withLock { $0.copy(to: buffer, from: offset) }
    }

    /// Reads what is wanted.
    private static func read(
        _ blocks: Locked<FetchedBlocks>, of file: RandomAccessInput, notifying notify: () -> Void
    ) {
        while let range = blocks.change({ $0.nextWanted() }) {
            // What cannot be read is gone, as in a file that was truncated.
            let bytes = (try? file.bytes(in: range)) ?? []
            blocks.change { $0.take(bytes, at: range) }
            notify()
        }
    }
}

/// Parts of a file that were read, and those to be read.
struct FetchedBlocks {
    /// The blocks that were read, by number, and their numbers, the oldest first.
    private var blocks: [Int: [UInt8]] = [:]
    private var numbers: [Int] = []
    /// The numbers of the blocks to be read, those wanted last at the end.
    private var wanted: [Range<Int>] = []
    /// Whether a thread reads.
    private(set) var isReading = false
    /// When the caller began to wait.
    private var start: ContinuousClock.Instant?

    /// The size of a block in bytes, about a screenful of records.
    private static let size = 1 << 14
    /// The number of blocks that are kept: 4 MB.
    private static let count = 256
    /// The number of requests that are kept; what was wanted before them has left the screen.
    private static let requestCount = 64
    /// What is read within this time is waited for together, in milliseconds.
    private static let moment = 300

    /// Copies the bytes at `offset` to `buffer`.
    ///
    /// - Returns: The number of bytes, less than `buffer.count` only at the end of the file; nil if they were not read.
    func copy(to buffer: UnsafeMutableRawBufferPointer, from offset: Int) -> Int? {
        var count = 0
        while count < buffer.count {
            let place = offset + count
            guard let block = blocks[place / Self.size] else { return nil }
            let part = block.dropFirst(place % Self.size).prefix(buffer.count - count)
            if part.isEmpty { break }
            UnsafeMutableRawBufferPointer(rebasing: buffer[count...]).copyBytes(from: part)
            count += part.count
        }
        return count
    }

    /// Whether all bytes of a range were read.
    func has(_ range: Range<Int>) -> Bool { Self.numbers(of: range).allSatisfy { blocks[$0] != nil } }

    private static func numbers(of range: Range<Int>) -> Range<Int> {
        range.lowerBound / size..<(range.upperBound + size - 1) / size
    }

    /// Puts a range before all others that are to be read.
    ///
    /// - Returns: Whether a thread must be started.
    mutating func want(_ range: Range<Int>) -> Bool {
        let numbers = Self.numbers(of: range)
        wanted.removeAll { $0 == numbers }
        wanted.append(numbers)
        if wanted.count > Self.requestCount { wanted.removeFirst() }
        defer { isReading = true }
        return !isReading
    }

    /// Removes and returns the range to read next; nil if there is none.
    mutating func nextWanted() -> Range<Int>? {
        while let numbers = wanted.popLast() {
            if numbers.allSatisfy({ blocks[$0] != nil }) { continue }
            return numbers.lowerBound * Self.size..<numbers.upperBound * Self.size
        }
        isReading = false
        return nil
    }

    /// Keeps the bytes of a range that `nextWanted()` returned, fewer at the end of the file.
    mutating func take(_ bytes: [UInt8], at range: Range<Int>) {
        let read = Self.numbers(of: range)
        for number in read {
            if blocks[number] == nil { numbers.append(number) }
            blocks[number] = Array(bytes.dropFirst((number - read.lowerBound) * Self.size).prefix(Self.size))
        }
        let excess = numbers.count - max(Self.count, read.count)
        for number in numbers.prefix(max(0, excess)) { blocks[number] = nil }
        numbers.removeFirst(max(0, excess))
        if wanted.isEmpty { isReading = false }
    }

    /// Returns how long the caller may still wait, in milliseconds, of `patience` for all that it reads in a moment.
    mutating func rest(of patience: Int) -> Int {
        let now = ContinuousClock.now
        if start.map({ $0.duration(to: now) > .milliseconds(Self.moment) }) ?? true { start = now }
        return max(0, patience - (start.map { Int($0.duration(to: now) / .milliseconds(1)) } ?? 0))
    }
}
