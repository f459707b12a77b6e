internal import Glibc
internal import Synchronization
internal import Threading

/// The keys to sort by.
enum KeySource {
    case bytes(SortKeyReader)
    case numbers(UnsafeBufferPointer<UInt32>)
}

/// A book during the sort.
private struct Entry {
    /// Eight bytes of the key, in big-endian order.
    var word: UInt64
    var index: UInt32
    /// The four bytes of the key after the first eight.
    var next: UInt32
}

// Unchecked, because the compiler cannot know that threads write to disjoint ranges of its memory.
/// A stable, parallel radix sort of books.
///
/// The books are distributed by the first two bytes of their keys; each group is then sorted by words of eight bytes.
/// Later words are fetched only for books whose earlier words are equal, because the random access to a key costs more
/// than all processing of one of its words.
final class RadixSort: @unchecked Sendable {
    private let keys: KeySource
    private let start: [UInt32]?
    private let count: Int
    private let threadCount: Int
    private let isCancelled: @Sendable () -> Bool
    /// Whether the sort was cancelled, so that unfinished memory must not be read.
    private let wasCancelled = Atomic(false)
    private let entries: UnsafeMutablePointer<Entry>
    private let scratch: UnsafeMutablePointer<Entry>
    /// The ranges of books that threads process; in each, known books are stored from the beginning and unknown ones
    /// from the end.
    private let pieces: [Range<Int>]
    private let knownCounts: UnsafeMutablePointer<Int>
    /// For each piece, the number of books per two-byte prefix, and later the position of the next one.
    private let positions: UnsafeMutablePointer<UInt32>

    private static let beginningCount = 1 << 16
    /// The minimum number of books that is worth distributing, or another thread.
    private static let minimumPiece = 1 << 12
    /// The maximum number of books for insertion sort.
    private static let insertionCount = 64
    /// Keys that agree in this many bytes are compared as a whole.
    private static let maximumOffset = 512
    /// The number of books between two checks for cancellation, some tens of microseconds.
    private static let stride = 1 << 12

    /// Prepares to sort the books of `start`, or the first `count` books, by `keys`, which must outlive the sort.
    init(
        _ count: Int, of start: [UInt32]?, by keys: KeySource, threadCount: Int,
        isCancelled: @escaping @Sendable () -> Bool
    ) {
        let count = start?.count ?? count
        self.keys = keys
        self.start = start
        self.count = count
        self.isCancelled = isCancelled
        self.threadCount = max(1, min(threadCount, count / Self.minimumPiece))
        entries = .allocate(capacity: max(1, count))
        scratch = .allocate(capacity: max(1, count))
        let pieceCount = self.threadCount
        pieces = (0..<pieceCount).map { count * $0 / pieceCount..<count * ($0 + 1) / pieceCount }
        knownCounts = .allocate(capacity: pieceCount)
        knownCounts.initialize(repeating: 0, count: pieceCount)
        positions = .allocate(capacity: pieceCount * Self.beginningCount)
        positions.initialize(repeating: 0, count: pieceCount * Self.beginningCount)
    }

    deinit {
        entries.deallocate()
        scratch.deallocate()
        knownCounts.deallocate()
        positions.deallocate()
    }

    /// Returns the sorted books and the number of known ones, or nil if cancelled.
    func order() -> (indices: [UInt32], knownCount: Int)? {
        if count == 0 { return ([], 0) }
        ThreadPool.shared.forEach(threadCount, threadCount: threadCount) { [self] in take($0) }
        if isStopped() { return nil }
        let groups = computePositions()
        ThreadPool.shared.forEach(threadCount, threadCount: threadCount) { [self] in distribute($0) }
        if isStopped() { return nil }
        let knownCount = pieces.indices.reduce(0) { $0 + knownCounts[$1] }
        let indices = [UInt32](unsafeUninitializedCapacity: count) { output, initializedCount in
            guard let output = output.baseAddress else { return }
            writeUnknown(to: output + knownCount)
            sort(groups, to: output)
            initializedCount = count
        }
        return isStopped() ? nil : (indices, knownCount)
    }

    @inline(__always)
    private func isStopped() -> Bool {
        if wasCancelled.load(ordering: .relaxed) { return true }
        guard isCancelled() else { return false }
        wasCancelled.store(true, ordering: .relaxed)
        return true
    }

    /// Splits a range into parts of `stride`.
    private func stretches(of range: Range<Int>) -> some Sequence<Range<Int>> {
        Swift.stride(from: range.lowerBound, to: range.upperBound, by: Self.stride).lazy.map {
            $0..<min($0 + Self.stride, range.upperBound)
        }
    }
}

// Distribution.
extension RadixSort {
    /// Loads the books of a piece with the beginnings of their keys, and counts the prefixes.
    private func take(_ number: Int) {
        let piece = pieces[number]
        let first = entries + piece.lowerBound
        let counts = positions + number * Self.beginningCount
        var knownCount = 0
        var unknownCount = 0
        func add(_ entry: Entry, isKnown: Bool) {
            if isKnown {
                first[knownCount] = entry
                knownCount += 1
                counts[Self.beginning(of: entry)] += 1
            } else {
                unknownCount += 1
                first[piece.count - unknownCount] = entry
            }
        }
        for stretch in stretches(of: piece) {
            if isStopped() { return }
            for position in stretch {
                let index = start?[position] ?? UInt32(truncatingIfNeeded: position)
                switch keys {
                case .bytes(let reader):
                    let next = UInt32(truncatingIfNeeded: reader.word(of: Int(index), at: 8) >> 32)
                    let entry = Entry(word: reader.word(of: Int(index), at: 0), index: index, next: next)
                    add(entry, isKnown: !reader[Int(index)].isEmpty)
                case .numbers(let numbers):
                    let number = numbers[Int(index)]
                    let entry = Entry(word: UInt64(number) << 32, index: index, next: 0)
                    add(entry, isKnown: number != SortableInteger.unknown)
                }
            }
        }
        knownCounts[number] = knownCount
    }

    /// Writes the books with unknown keys.
    private func writeUnknown(to output: UnsafeMutablePointer<UInt32>) {
        var position = 0
        for (number, piece) in pieces.enumerated() {
            let firstKnown = piece.lowerBound + knownCounts[number]
            for index in Swift.stride(from: piece.upperBound - 1, through: firstKnown, by: -1) {
                (output + position).initialize(to: entries[index].index)
                position += 1
            }
        }
    }

    @inline(__always)
    private static func beginning(of entry: Entry) -> Int { Int(truncatingIfNeeded: entry.word >> 48) }

    /// Turns the counts into positions.
    ///
    /// - Returns: The ranges that are sorted separately: one large prefix or several small ones each.
    private func computePositions() -> [Range<Int>] {
        var groups: [Range<Int>] = []
        var (position, groupStart) = (0, 0)
        for beginning in 0..<Self.beginningCount {
            for number in pieces.indices {
                let index = number * Self.beginningCount + beginning
                let count = Int(positions[index])
                positions[index] = UInt32(truncatingIfNeeded: position)
                position += count
            }
            if position - groupStart >= Self.minimumPiece {
                groups.append(groupStart..<position)
                groupStart = position
            }
        }
        return position == groupStart ? groups : groups + [groupStart..<position]
    }

    /// Moves the books of a piece to the range of their prefix.
    private func distribute(_ number: Int) {
        let first = entries + pieces[number].lowerBound
        let positions = positions + number * Self.beginningCount
        for stretch in stretches(of: 0..<knownCounts[number]) {
            if isStopped() { return }
            for index in stretch {
                let entry = first[index]
                let beginning = Self.beginning(of: entry)
                scratch[Int(positions[beginning])] = entry
                positions[beginning] &+= 1
            }
        }
    }
}

// Sorting by words.
extension RadixSort {
    /// Sorts the groups in any order, and writes their books to `output`.
    private func sort(_ groups: [Range<Int>], to output: UnsafeMutablePointer<UInt32>) {
        // The groups write to disjoint ranges.
        nonisolated(unsafe) let output = output
        ThreadPool.shared.forEach(groups.count, threadCount: threadCount) { [self] number in
            if isStopped() { return }
            let group = groups[number]
            let first = scratch + group.lowerBound
            sort(first, group.count, with: entries + group.lowerBound, from: 0)
            for index in group { (output + index).initialize(to: scratch[index].index) }
        }
    }

    /// Sorts entries whose keys are equal up to `offset` and whose words start there.
    private func sort(
        _ entries: UnsafeMutablePointer<Entry>, _ count: Int, with scratch: UnsafeMutablePointer<Entry>,
        from offset: Int
    ) {
        sortWords(entries, count, with: scratch)
        guard case .bytes(let reader) = keys else { return }
        // The last four of the first twelve bytes are already loaded.
        let next = offset == 8 ? 12 : offset + 8
        if next != 8 { fetchWords(behind: entries, count, to: scratch, from: next, reader) }
        var position = 0
        while position < count {
            let word = entries[position].word
            var end = position + 1
            while end < count, entries[end].word == word { end += 1 }
            if end - position > 1 {
                if isStopped() { return }
                for index in position..<end {
                    entries[index].word = next == 8 ? UInt64(entries[index].next) : scratch[index].word
                }
                sortRest(entries + position, end - position, with: scratch + position, from: next, reader)
            }
            position = end
        }
    }

    /// Fetches the next word for all entries with equal words in one loop, so that the processor overlaps the memory
    /// accesses.
    private func fetchWords(
        behind entries: UnsafeMutablePointer<Entry>, _ count: Int, to scratch: UnsafeMutablePointer<Entry>,
        from offset: Int, _ reader: SortKeyReader
    ) {
        for index in 0..<count {
            let word = entries[index].word
            let isShared =
                index > 0 && entries[index - 1].word == word || index + 1 < count && entries[index + 1].word == word
            if isShared { scratch[index].word = reader.word(of: Int(entries[index].index), at: offset) }
        }
    }

    /// Sorts at least two entries whose keys are equal up to `offset` and whose words start there.
    private func sortRest(
        _ entries: UnsafeMutablePointer<Entry>, _ count: Int, with scratch: UnsafeMutablePointer<Entry>,
        from offset: Int,
        _ reader: SortKeyReader
    ) {
        if count == 2 {
            let mustSwap =
                entries[0].word != entries[1].word
                ? entries[1].word < entries[0].word : isOrdered(entries[1], before: entries[0], reader)
            if mustSwap { (entries[0], entries[1]) = (entries[1], entries[0]) }
            return
        }
        if offset >= Self.maximumOffset {
            mergeSort(entries, count, with: scratch, reader)
        } else if (0..<count).contains(where: { entries[$0].word != 0 || isLonger(entries[$0], than: offset, reader) })
        {
            sort(entries, count, with: scratch, from: offset)
        } else {
            // The keys differ only in the number of trailing zeros.
            for index in 0..<count { entries[index].word = UInt64(reader[Int(entries[index].index)].count) }
            sortWords(entries, count, with: scratch)
        }
    }

    @inline(__always)
    private func isLonger(_ entry: Entry, than offset: Int, _ reader: SortKeyReader) -> Bool {
        reader[Int(entry.index)].count > offset
    }

    /// Sorts entries by their words.
    private func sortWords(
        _ entries: UnsafeMutablePointer<Entry>, _ count: Int, with scratch: UnsafeMutablePointer<Entry>
    ) {
        if count <= Self.insertionCount {
            for position in Swift.stride(from: 1, to: count, by: 1) {
                let entry = entries[position]
                var gap = position
                while gap > 0, entries[gap - 1].word > entry.word {
                    entries[gap] = entries[gap - 1]
                    gap -= 1
                }
                entries[gap] = entry
            }
            return
        }
        withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 8 * 256) { counts in
            guard let counts = counts.baseAddress else { return }
            counts.initialize(repeating: 0, count: 8 * 256)
            for index in 0..<count {
                let word = entries[index].word
                for byte in 0..<8 { counts[byte << 8 + Int(truncatingIfNeeded: word >> UInt64(8 * byte) & 0xFF)] &+= 1 }
            }
            var (source, target) = (entries, scratch)
            for byte in 0..<8 {
                if isStopped() { break }
                let counts = counts + byte << 8
                // A byte that is equal in all words needs no pass.
                if counts[Int(truncatingIfNeeded: entries[0].word >> UInt64(8 * byte) & 0xFF)] == count { continue }
                Self.distribute(source, count, to: target, byByteAt: UInt64(8 * byte), counts)
                swap(&source, &target)
            }
            if source != entries { entries.update(from: source, count: count) }
        }
    }

    /// Moves entries to the positions of one byte of their words, whose values `counts` counts.
    @inline(__always)
    private static func distribute(
        _ source: UnsafeMutablePointer<Entry>, _ count: Int, to target: UnsafeMutablePointer<Entry>,
        byByteAt shift: UInt64, _ counts: UnsafeMutablePointer<UInt32>
    ) {
        var sum: UInt32 = 0
        for value in 0..<256 { (counts[value], sum) = (sum, sum &+ counts[value]) }
        for index in 0..<count {
            let entry = source[index]
            let value = Int(truncatingIfNeeded: entry.word >> shift & 0xFF)
            target[Int(counts[value])] = entry
            counts[value] &+= 1
        }
    }
}

// Comparison of whole keys.
extension RadixSort {
    private func isOrdered(_ entry: Entry, before other: Entry, _ reader: SortKeyReader) -> Bool {
        let (key, otherKey) = (reader[Int(entry.index)], reader[Int(other.index)])
        if let left = key.baseAddress, let right = otherKey.baseAddress {
            let difference = memcmp(left, right, min(key.count, otherKey.count))
            if difference != 0 { return difference < 0 }
        }
        return key.count < otherKey.count
    }

    /// Sorts entries by their whole keys with a bottom-up merge sort.
    private func mergeSort(
        _ entries: UnsafeMutablePointer<Entry>, _ count: Int, with scratch: UnsafeMutablePointer<Entry>,
        _ reader: SortKeyReader
    ) {
        var (source, target) = (entries, scratch)
        var length = 1
        while length < count {
            for start in Swift.stride(from: 0, to: count, by: 2 * length) {
                if isStopped() { return }
                let (middle, end) = (min(start + length, count), min(start + 2 * length, count))
                var (left, right) = (start, middle)
                for index in start..<end {
                    // On ties, the left entry comes first, which keeps the sort stable.
                    let takesRight =
                        left == middle || right < end && isOrdered(source[right], before: source[left], reader)
                    target[index] = source[takesRight ? right : left]
                    if takesRight { right += 1 } else { left += 1 }
                }
            }
            swap(&source, &target)
            length *= 2
        }
        if source != entries { entries.update(from: source, count: count) }
    }
}
