internal import Indexing
internal import JSON

/// The shifts of offsets in a file by changes of it.
struct OffsetShifts {
    /// The ends of the changes in the original file.
    private var ends: [Int] = []
    /// The shift in bytes after each change.
    private var shifts: [Int] = []

    /// Adds the next change in file order.
    ///
    /// - Returns: The offset of its bytes in the changed file.
    @discardableResult
    mutating func append(_ splice: TextSplice) -> Int {
        let before = shifts.last ?? 0
        ends.append(splice.range.upperBound)
        shifts.append(before + splice.bytes.count - splice.range.count)
        return splice.range.lowerBound + before
    }

    /// The shift of a record that began at `offset`. Logarithmic in the changes.
    subscript(offset: Int) -> Int {
        var (low, high) = (0, ends.count)
        while low < high {
            let middle = (low + high) / 2
            if ends[middle] <= offset { low = middle + 1 } else { high = middle }
        }
        return low == 0 ? 0 : shifts[low - 1]
    }
}

/// The changes of a file's index when its records are changed, added and removed, so that the changed file need not be
/// read.
struct SavedIndex {
    private var changed: [Int: ChangedRecord] = [:]
    private var removed: Set<Int> = []
    /// New records with the changes that write them, and their offsets within these.
    private var added: [(record: ChangedRecord, splice: TextSplice, start: Int)] = []

    /// Records that the record of a book has changed.
    ///
    /// - Returns: False if the change is not known exactly.
    mutating func change(_ number: Int, _ record: ChangedRecord?) -> Bool {
        // A second change is not based on the result of the first.
        guard let record, changed[number] == nil else { return false }
        changed[number] = record
        return true
    }

    /// Records that books are removed.
    mutating func remove(_ numbers: [Int]) -> Bool {
        removed.formUnion(numbers)
        return true
    }

    /// Records that a record is added at the end, by a change that has it at the offset `start`.
    mutating func add(_ record: ChangedRecord, by splice: TextSplice, at start: Int) -> Bool {
        added.append((record, splice, start))
        return true
    }

    /// Returns the index of the changed file, in segments that are joined only when they are written.
    ///
    /// - Parameters:
    ///   - index: The index of the original file.
    ///   - splices: All changes.
    func segments(of index: BookIndex, after splices: [TextSplice]) -> [JoinedSegment] {
        var shifts = OffsetShifts()
        var offsets: [Int] = []
        for splice in splices.inOrder {
            let offset = shifts.append(splice)
            // Added records are in the order of addition.
            while offsets.count < added.count, added[offsets.count].splice == splice {
                offsets.append(offset + added[offsets.count].start)
            }
        }
        var segments = SegmentJoiner()
        var end = 0
        func keep(upTo number: Int) {
            for segment in index.segments(of: end..<number) {
                segments.append(.init(segment, shift: shifts[segment.offset(at: 0)]))
            }
        }
        for number in Set(changed.keys).union(removed).sorted() {
            keep(upTo: number)
            if let record = changed[number], !removed.contains(number) {
                let offset = index.offset(at: number)
                segments.append(.init(record.segment, shift: offset + shifts[offset]))
            }
            end = number + 1
        }
        keep(upTo: index.count)
        for (new, offset) in zip(added, offsets) { segments.append(.init(new.record.segment, shift: offset)) }
        return segments.ended()
    }
}

/// Joins small segments, so that an index does not fragment.
struct SegmentJoiner {
    private var segments: [JoinedSegment] = []
    private var parts: [IndexSegment.Part] = []
    private var count = 0

    /// Segments with this many books are kept.
    private static let largeCount = 500

    /// Appends a part.
    mutating func append(_ part: IndexSegment.Part) {
        if part.books.count >= Self.largeCount {
            join()
            segments.append(.whole(part.segment.shifted(by: part.shift)))
            return
        }
        if count + part.books.count > Self.largeCount { join() }
        parts.append(part)
        count += part.books.count
    }

    private mutating func join() {
        if !parts.isEmpty { segments.append(.parts(parts)) }
        (parts, count) = ([], 0)
    }

    /// Returns all segments.
    consuming func ended() -> [JoinedSegment] {
        join()
        return segments
    }
}
